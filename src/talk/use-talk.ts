/** The state of a talk in one window, and what changes it. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Trace } from '../../machines/trace/format.ts';
import { keyStep } from '../trace-view/history.ts';
import { steps } from '../trace-view/steps.ts';
import { momentOf, type Action } from '../lab/actions.ts';
import { stepAt } from '../lab/step-at.ts';
import type { LabState } from '../lab/state.ts';
import { labOf, moved, type Deck, type Walk } from './deck.ts';
import type { Command } from './keys.ts';
import { openMirror, type Mirror } from './mirror.ts';
import type { Runs } from './runs.ts';
import { packState, readState, type TalkState } from './state.ts';
import { stopsOf } from './stops.ts';

export interface Talk {
  /** What this window shows: the stage's state, or the place the presenter looks at. */
  readonly state: TalkState;
  readonly onStage: TalkState;
  readonly looking: boolean;
  /** Is something that was asked for still being done? */
  readonly busy: boolean;
  /** Why the last change could not be made. */
  readonly trouble: string | undefined;
  /** Does what the command asks, after everything asked before. */
  readonly perform: (command: Command) => void;
  readonly act: (action: Action) => void;
  readonly open: (what: Partial<Pick<LabState, 'station' | 'object' | 'panel' | 'pod'>>) => void;
  readonly asPlanned: () => void;
  readonly restartClock: () => void;
  /** The steps of the run shown, if it is there. */
  readonly walk: (state: TalkState) => Walk | undefined;
}

export function useTalk(deck: Deck, runs: Runs, opening: TalkState): Talk {
  const [onStage, setOnStage] = useState(opening);
  const [ahead, setAhead] = useState<TalkState>();
  const [trouble, setTrouble] = useState<string>();
  const [asked, setAsked] = useState(0);
  const mirror = useMirror(deck, opening, setOnStage);
  const latestAhead = useRef(ahead);
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const look = (state: TalkState | undefined): void => {
    latestAhead.current = state;
    setAhead(state);
  };
  const current = (): TalkState => latestAhead.current ?? mirror().state();
  const put = (state: TalkState): void => {
    if (latestAhead.current !== undefined) look(state);
    else mirror().set(state);
  };
  /** One after the other: a second press counts from where the first one led. */
  const inTurn = (work: () => Promise<void> | void): void => {
    setAsked((n) => n + 1);
    queue.current = queue.current
      .then(work)
      .then(
        () => setTrouble(undefined),
        (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => setAsked((n) => n - 1));
  };

  const move = async (command: Command): Promise<void> => {
    const before = current();
    const lab = labOf(deck, before);
    const shown = lab === undefined ? undefined : await runs.get(lab).catch(() => undefined);
    const after = moved(deck, before, command, shown === undefined ? undefined : walkOf(shown.run.trace, lab?.pod));
    if (after !== before) put({ ...after, started: after.started ?? (latestAhead.current === undefined ? Date.now() : undefined) });
  };
  const change = async (lab: LabState, at: (trace: Trace) => number): Promise<void> => {
    const { run } = await runs.get(lab);
    put({ ...current(), lab: { ...lab, step: at(run.trace), station: undefined, object: undefined, panel: undefined } });
  };

  const perform = (command: Command): void =>
    inTurn(() => {
      switch (command.do) {
        case 'black':
          return mirror().set({ ...mirror().state(), black: !mirror().state().black });
        case 'ahead':
          return look(latestAhead.current === undefined ? mirror().state() : undefined);
        case 'show': {
          const next = latestAhead.current;
          if (next === undefined) return move({ do: 'next' });
          look(undefined);
          const { black, started } = mirror().state();
          return mirror().set({ ...next, black, started: started ?? Date.now() });
        }
        case 'leave':
          return look(undefined);
        case 'undo': {
          const lab = labOf(deck, current());
          const last = lab?.actions.at(-1);
          if (lab === undefined || last === undefined) return undefined;
          const moment = momentOf(last);
          return change({ ...lab, actions: lab.actions.slice(0, -1) }, (trace) => (moment === undefined ? keyStep(trace, lab.pod) : stepAt(trace, moment / 1000)));
        }
        default:
          return move(command);
      }
    });

  const act = (action: Action): void =>
    inTurn(() => {
      const lab = labOf(deck, current());
      if (lab === undefined) return undefined;
      const moment = momentOf(action);
      return change({ ...lab, recording: 0, actions: [...lab.actions, action] }, (trace) => keyStep(trace, lab.pod, moment === undefined ? 0 : stepAt(trace, moment / 1000) + 1));
    });

  const open = (what: Parameters<Talk['open']>[0]): void =>
    inTurn(() => {
      const lab = labOf(deck, current());
      if (lab !== undefined) put({ ...current(), lab: { ...lab, station: undefined, object: undefined, panel: undefined, ...what } });
    });

  return {
    state: ahead ?? onStage,
    onStage,
    looking: ahead !== undefined,
    busy: asked > 0,
    trouble,
    perform,
    act,
    open,
    asPlanned: () => inTurn(() => put({ ...current(), lab: undefined })),
    restartClock: () => inTurn(() => mirror().set({ ...mirror().state(), started: Date.now() })),
    walk: (state) => {
      const lab = labOf(deck, state);
      const shown = lab === undefined ? undefined : runs.peek(lab);
      return shown === undefined ? undefined : walkOf(shown.run.trace, lab?.pod);
    },
  };
}

function walkOf(trace: Trace, pod: string | undefined): Walk {
  return { stops: stopsOf(trace, pod), count: steps(trace).length };
}

/** The mirror of this window, opened once and closed with it. */
function useMirror(deck: Deck, opening: TalkState, onChange: (state: TalkState) => void): () => Mirror<TalkState> {
  const opened = useRef<Mirror<TalkState>>(undefined);
  const name = `after-bound:${deck.id}`;
  const me = useMemo(newName, []);
  // Before the window is painted: whoever sees it may press a key.
  useLayoutEffect(() => {
    const channel = new BroadcastChannel(name);
    opened.current = openMirror<TalkState>({
      me,
      opening,
      wire: {
        post: (message) => channel.postMessage(message),
        listen: (hear) => channel.addEventListener('message', (event) => hear(event.data)),
      },
      shelf: shelfOf(name),
      pack: packState,
      unpack: (value) => inside(deck, readState(value)),
      onChange,
    });
    onChange(opened.current.state());
    return () => channel.close();
    // A window shows one deck from its opening to its end.
  }, [name]);
  return () => {
    if (opened.current === undefined) throw new Error('the talk is not open yet');
    return opened.current;
  };
}

/** A name that no other window has. Not `randomUUID`: a site opened from another machine by plain HTTP has none. */
function newName(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}

/** A state that this deck can show. */
function inside(deck: Deck, state: TalkState | undefined): TalkState | undefined {
  if (state === undefined || state.step >= deck.steps.length) return undefined;
  const { face } = deck.steps[state.step] ?? {};
  return state.lab === undefined || (face?.kind === 'lab' && face.state.scenario === state.lab.scenario) ? state : undefined;
}

/** What a window keeps for itself while it stays open, also when it is loaded again. */
function shelfOf(name: string): { read: () => unknown; write: (entry: unknown) => void } {
  return {
    read() {
      try {
        return JSON.parse(sessionStorage.getItem(name) ?? 'null');
      } catch {
        return undefined;
      }
    },
    write(entry) {
      try {
        sessionStorage.setItem(name, JSON.stringify(entry));
      } catch {
        // A window that keeps nothing asks the others when it is loaded again.
      }
    },
  };
}
