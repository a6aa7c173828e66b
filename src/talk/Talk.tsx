/** A talk in one window: the stage that the audience sees, or the presenter's own window. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Messages } from '../i18n/en.ts';
import type { Lang } from '../i18n/langs.ts';
import { encodeState } from '../lab/state.ts';
import { MessagesContext } from '../lab/text.tsx';
import { labOf, type Deck } from './deck.ts';
import { goTo, press, type Command } from './keys.ts';
import { Presenter } from './Presenter.tsx';
import type { Runs } from './runs.ts';
import { Slide, useShown } from './Slide.tsx';
import type { TalkState } from './state.ts';
import { LangContext, useText } from './TalkWords.tsx';
import { useTalk, type Talk as TalkView } from './use-talk.ts';

export type Role = 'stage' | 'presenter';

interface Props {
  readonly role: Role;
  readonly lang: Lang;
  readonly messages: Messages;
  readonly deck: Deck;
  readonly runs: Runs;
  readonly opening: TalkState;
  /** The address of the presenter's window. */
  readonly presenterAddress: string;
  /** Leaves the talk; the state it ended in is handed over. */
  readonly onLeave: (state: TalkState) => void;
}

export function Talk({ lang, messages, ...rest }: Props): ReactNode {
  return (
    <LangContext value={lang}>
      <MessagesContext value={messages}>
        <Window {...rest} />
      </MessagesContext>
    </LangContext>
  );
}

type WindowProps = Omit<Props, 'lang' | 'messages'>;

function Window({ role, deck, runs, opening, presenterAddress, onLeave }: WindowProps): ReactNode {
  const talk = useTalk(deck, runs, opening);
  const [keysOpen, setKeysOpen] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const lab = labOf(deck, talk.onStage);
  const { ready } = useShown(runs, lab);

  const perform = (command: Command): void => {
    switch (command.do) {
      case 'keys':
        return setKeysOpen(true);
      case 'presenter':
        if (role === 'stage') setBlocked(!opened(presenterAddress));
        return undefined;
      case 'fullScreen':
        return toggleFullScreen();
      case 'leave':
        if (blocked) return setBlocked(false);
        if (role === 'presenter') return talk.perform(command);
        return talk.onStage.black ? talk.perform({ do: 'black' }) : onLeave(talk.onStage);
      case 'ahead':
        // Only the presenter can look at what the audience does not see.
        return role === 'presenter' ? talk.perform(command) : undefined;
      default:
        return talk.perform(command);
    }
  };
  const digits = useKeys(perform);
  useKeysBack();

  return (
    <div className={role === 'stage' ? 'stage' : 'presenter'} data-talk={deck.id} data-shown={shownText(deck, talk.onStage)} data-ready={ready} data-busy={talk.busy}>
      {role === 'stage' ? (
        <Stage deck={deck} talk={talk} runs={runs} digits={digits} onTap={perform} />
      ) : (
        <Presenter deck={deck} talk={talk} runs={runs} digits={digits} perform={perform} />
      )}
      {blocked && <Blocked address={presenterAddress} onClose={() => setBlocked(false)} />}
      {keysOpen && <KeyList onClose={() => setKeysOpen(false)} />}
    </div>
  );
}

/** What the audience sees, in one line: two windows are in step when theirs are the same. */
function shownText(deck: Deck, state: TalkState): string {
  const lab = labOf(deck, state);
  return [state.step + 1, state.black ? 'black' : 'lit', lab === undefined ? '' : encodeState(lab)].join(' ');
}

interface StageProps {
  readonly deck: Deck;
  readonly talk: TalkView;
  readonly runs: Runs;
  readonly digits: string;
  readonly onTap: (command: Command) => void;
}

/** The part of the stage's width, from the left, on which a tap goes back. */
const BACK_PART = 0.25;

function Stage({ deck, talk, runs, digits, onTap }: StageProps): ReactNode {
  const text = useText();
  return (
    <main
      aria-label={`${text.stage}: ${deck.title}`}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button') !== null) return;
        onTap({ do: event.clientX < innerWidth * BACK_PART ? 'back' : 'next' });
      }}
    >
      <h1 className="vh">{deck.title}</h1>
      <div className="stage-frame" aria-live="polite">
        {talk.onStage.black ? <p className="vh">{text.blackNow}</p> : <Slide deck={deck} state={talk.onStage} runs={runs} />}
      </div>
      {digits !== '' && <p className="digits">{text.jump(digits)}</p>}
    </main>
  );
}

/** How long digits wait for one more before they are taken, milliseconds. */
const DIGITS_WAIT = 1500;

/** Keys of the window, as commands; what it returns are the digits typed so far. */
function useKeys(perform: (command: Command) => void): string {
  const [digits, setDigits] = useState('');
  const latest = useRef({ perform, digits });
  latest.current = { perform, digits };
  const take = useCallback((typed: string) => {
    latest.current.digits = typed;
    setDigits(typed);
  }, []);
  // Before the stage is painted: a key pressed at the first sight of it must not be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog[open]') !== null || isControl(event)) return;
      const pressed = press(event, latest.current.digits);
      if (!pressed.mine) return;
      event.preventDefault();
      take(pressed.digits);
      if (pressed.command !== undefined) latest.current.perform(pressed.command);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [take]);
  useEffect(() => {
    if (digits === '') return undefined;
    const timer = setTimeout(() => {
      take('');
      latest.current.perform(goTo(digits));
    }, DIGITS_WAIT);
    return () => clearTimeout(timer);
  }, [digits, take]);
  return digits;
}

/**
 * What was chosen with a pointer gives the keys back to the talk: a clicker's next press must not fall on the button or the
 * list that the mouse touched last. Who works with the keyboard keeps the focus.
 */
function useKeysBack(): void {
  useLayoutEffect(() => {
    let pointed = false;
    const point = (): void => {
      pointed = true;
    };
    const type = (): void => {
      pointed = false;
    };
    const giveBack = (event: Event): void => {
      // A list that a click has just opened is not closed again by it.
      const opens = event.type === 'click' && event.target instanceof HTMLSelectElement;
      if (pointed && !opens && event.target instanceof Element) event.target.closest<HTMLElement>('button, select')?.blur();
    };
    const listeners = [['pointerdown', point], ['keydown', type], ['click', giveBack], ['change', giveBack]] as const;
    for (const [name, listener] of listeners) document.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) document.removeEventListener(name, listener);
    };
  }, []);
}

/** Does the focused control want this key for itself? */
function isControl(event: KeyboardEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  if (event.target.closest('select, input, textarea') !== null) return true;
  return (event.key === ' ' || event.key === 'Enter') && event.target.closest('button, a, summary') !== null;
}

function toggleFullScreen(): void {
  // A browser that refuses leaves the window as it is.
  if (document.fullscreenElement === null) document.documentElement.requestFullscreen?.().catch(() => undefined);
  else document.exitFullscreen().catch(() => undefined);
}

function Blocked({ address, onClose }: { readonly address: string; readonly onClose: () => void }): ReactNode {
  const text = useText();
  return (
    <div className="talk-note" role="alert">
      <p>{text.popupBlocked}</p>
      <p>
        <a href={address} target="_blank" rel="opener">
          {new URL(address, location.href).href}
        </a>
      </p>
      <button className="btn" type="button" onClick={onClose}>
        {text.close}
      </button>
    </div>
  );
}

function KeyList({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="keys talk-keys" aria-label={text.keysTitle} onClose={onClose}>
      <h2>{text.keysTitle}</h2>
      <dl>
        {text.keys.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button className="btn" type="submit">
          {text.close}
        </button>
      </form>
    </dialog>
  );
}

/** Opens the presenter's window. False where the browser refuses it; a browser that throws while a page changes has said nothing of the window. */
function opened(address: string): boolean {
  try {
    return window.open(address, 'after-bound-presenter', 'popup,width=1280,height=860') !== null;
  } catch {
    return true;
  }
}
