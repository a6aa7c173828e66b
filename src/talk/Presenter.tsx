/** The presenter's window: what is on the stage, what comes next, notes, time, and everything that can be done to the lab. */
import { useEffect, useState, type ReactNode } from 'react';
import { offlineText } from '../i18n/offline.ts';
import { stationText } from '../i18n/stations.ts';
import { OfferButton } from '../lab/parts/Actions.tsx';
import { offersAt } from '../lab/offers.ts';
import { PANELS, type LabState } from '../lab/state.ts';
import { useSay } from '../lab/text.tsx';
import { momentOf, type Moment } from '../lab/view.ts';
import { isOfflineReady } from '../offline/worker.ts';
import { titleOf } from '../trace-view/names.ts';
import { STATIONS } from '../trace-view/station-names.ts';
import { podsAt } from '../trace-view/stations.ts';
import { objectKey, worldAt } from '../trace-view/world.ts';
import { isRun, labOf, moved, stepOf, type Deck } from './deck.ts';
import type { Command } from './keys.ts';
import type { Runs, Shown } from './runs.ts';
import { Slide, useShown } from './Slide.tsx';
import { useLang, useText } from './TalkWords.tsx';
import type { Talk } from './use-talk.ts';

interface Props {
  readonly deck: Deck;
  readonly talk: Talk;
  readonly runs: Runs;
  readonly digits: string;
  readonly perform: (command: Command) => void;
}

export function Presenter({ deck, talk, runs, digits, perform }: Props): ReactNode {
  const text = useText();
  const { state } = talk;
  const lab = labOf(deck, state);
  const { shown, at, ready } = useShown(runs, lab);
  const next = moved(deck, state, { do: 'next' }, talk.walk(state));
  const { notes } = stepOf(deck, state);
  const stageAt = isRun(deck) ? (labOf(deck, talk.onStage)?.step ?? 0) + 1 : talk.onStage.step + 1;
  return (
    <>
      <header className="presenter-top">
        <h1>{deck.title}</h1>
        <Place deck={deck} talk={talk} digits={digits} />
        <Kept />
        <Clock started={talk.onStage.started} onRestart={talk.restartClock} />
      </header>
      {talk.looking && (
        <p className="looking" role="status">
          <b>{text.looking(stageAt)}</b>
          <button className="btn" type="button" onClick={() => perform({ do: 'show' })}>
            {text.showThis}
          </button>
          <button className="btn plain" type="button" onClick={() => perform({ do: 'ahead' })}>
            {text.backToStage}
          </button>
        </p>
      )}
      <main className="presenter-main">
        <section className="now">
          <h2>{talk.looking ? text.lookAhead : text.onStage}</h2>
          <div className={`small-stage${talk.onStage.black && !talk.looking ? ' dimmed' : ''}`}>
            <Slide deck={deck} state={state} runs={runs} />
          </div>
          {talk.onStage.black && <p role="status">{text.blackNow}</p>}
          <Moves talk={talk} perform={perform} lab={lab} />
          {talk.trouble !== undefined && (
            <p className="talk-trouble" role="alert">
              {text.failed(talk.trouble)}
            </p>
          )}
          {at !== undefined && shown !== undefined && <Bench talk={talk} lab={at} shown={shown} ready={ready} />}
        </section>
        <section className="then">
          <h2>{text.next}</h2>
          {next === state ? (
            <p className="second">{text.lastStep}</p>
          ) : (
            <div className="small-stage">
              <Slide deck={deck} state={next} runs={runs} />
            </div>
          )}
          <h2>{text.notes}</h2>
          {notes === '' ? <p className="second">{text.noNotes}</p> : <div className="speaker-notes" dangerouslySetInnerHTML={{ __html: notes }} />}
        </section>
      </main>
    </>
  );
}

function Place({ deck, talk, digits }: { readonly deck: Deck; readonly talk: Talk; readonly digits: string }): ReactNode {
  const text = useText();
  if (digits !== '') return <p className="place">{text.jump(digits)}</p>;
  if (!isRun(deck)) return <p className="place">{text.stepOf(talk.state.step + 1, deck.steps.length)}</p>;
  const count = talk.walk(talk.state)?.count;
  return <p className="place">{count === undefined ? '' : text.stepOf((labOf(deck, talk.state)?.step ?? 0) + 1, count)}</p>;
}

/** Is the site kept for offline use? Good to know before the hall's network is met. */
function Kept(): ReactNode {
  const lang = useLang();
  const [ready, setReady] = useState(false);
  useEffect(() => {
    isOfflineReady().then(setReady, () => undefined);
  }, []);
  return ready ? <p className="second">{offlineText[lang].ready}</p> : null;
}

/** The time of day, and how long the talk has been going. */
function Clock({ started, onRestart }: { readonly started: number | undefined; readonly onRestart: () => void }): ReactNode {
  const text = useText();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="clocks">
      <span>
        <span className="second">{text.elapsed}</span> <b role="timer">{started === undefined ? '0:00' : minutes(Math.max(0, now - started))}</b>
      </span>
      <button className="link" type="button" onClick={onRestart}>
        {text.restartClock}
      </button>
      <span>
        <span className="second">{text.clock}</span> {new Date(now).toTimeString().slice(0, 5)}
      </span>
    </p>
  );
}

/** `19:05`, and `1:02:30` after an hour. */
function minutes(milliseconds: number): string {
  const all = Math.floor(milliseconds / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(all / 3600);
  const rest = `${hours > 0 ? two(Math.floor(all / 60) % 60) : Math.floor(all / 60)}:${two(all % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function Moves({ talk, perform, lab }: { readonly talk: Talk; readonly perform: (command: Command) => void; readonly lab: LabState | undefined }): ReactNode {
  const text = useText();
  const button = (command: Command, label: string, pressed?: boolean): ReactNode => (
    <button className="btn" type="button" aria-pressed={pressed} onClick={() => perform(command)}>
      {label}
    </button>
  );
  return (
    <>
      <div className="acts">
        {button({ do: 'back' }, text.goBack)}
        {button({ do: 'next' }, text.goOn)}
        {button({ do: 'black' }, text.black, talk.onStage.black)}
        {button({ do: 'ahead' }, text.lookAhead, talk.looking)}
      </div>
      {lab !== undefined && (
        <div className="acts">
          {button({ do: 'runBack' }, text.runBack)}
          {button({ do: 'runOn' }, text.runOn)}
          {lab.actions.length > 0 && button({ do: 'undo' }, text.undo)}
          {talk.state.lab !== undefined && (
            <button className="btn plain" type="button" onClick={talk.asPlanned}>
              {text.asPlanned}
            </button>
          )}
        </div>
      )}
    </>
  );
}

interface BenchProps {
  readonly talk: Talk;
  readonly lab: LabState;
  readonly shown: Shown;
  readonly ready: boolean;
}

/** What can be done to the lab on the stage: faults and repairs, and what of it lies open. */
function Bench({ talk, lab, shown, ready }: BenchProps): ReactNode {
  const say = useSay();
  const text = useText();
  const lang = useLang();
  const moment = momentOf(shown.run.trace, lab.step, lab.pod);
  const offers = lab.recording > 0 ? [] : offersAt(moment.trace, moment.index, moment.line);
  const pods = podsAt(moment.trace, moment.index);
  return (
    <div className="bench" inert={!ready}>
      <h3>{text.offers}</h3>
      {offers.length === 0 ? (
        <p className="second">{text.noOffers}</p>
      ) : (
        <div className="acts">
          {offers.map((offer) => (
            <OfferButton key={offer.label + JSON.stringify(offer.params)} offer={offer} onAction={talk.act} />
          ))}
        </div>
      )}
      <div className="selects">
        <Choice label={text.openStation} value={lab.station} options={STATIONS.map((name) => [name, stationText[lang][name]])} onChoose={(station) => talk.open({ station: STATIONS.find((name) => name === station) })} />
        <Choice label={text.openObject} value={lab.object} options={objectsOf(moment)} onChoose={(object) => talk.open({ object })} />
        <Choice
          label={text.openPanel}
          value={lab.panel}
          options={PANELS.filter((panel) => panel !== 'compare' || shown.run.without !== undefined).map((panel) => [panel, say(({ compare: 'compare', sequence: 'sequence', output: 'output', text: 'textLine' } as const)[panel])])}
          onChoose={(panel) => talk.open({ panel: PANELS.find((name) => name === panel) })}
        />
        {pods.length > 1 && <Choice label={text.pod} value={lab.pod} nothing={text.lastPod} options={pods.map((pod) => [pod, pod])} onChoose={(pod) => talk.open({ pod })} />}
      </div>
    </div>
  );
}

/** The objects written so far, the newest first; events are on the stage anyway. */
function objectsOf(moment: Moment): [string, string][] {
  return [...worldAt(moment.trace, moment.index).objects.values()]
    .filter((held) => held.index >= 0 && held.object.kind !== 'Event')
    .sort((a, b) => b.index - a.index)
    .map((held) => [objectKey(held.object), titleOf(held.object)]);
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly nothing?: string;
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value, options, nothing, onChoose }: ChoiceProps): ReactNode {
  const text = useText();
  return (
    <label>
      <span>{label}</span>
      <select value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}>
        <option value="">{nothing ?? text.nothingOpen}</option>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
