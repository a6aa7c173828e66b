/**
 * The lab: shows any trace. Its whole state is one small value ({@link LabState}); what is drawn follows from it and from
 * the run it names. The page carries the run; the simulated cluster is loaded at the first action.
 */
import { useCallback, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Trace } from '../../machines/trace/format.ts';
import type { MessageKey, Messages } from '../i18n/en.ts';
import type { Lang } from '../i18n/langs.ts';
import { ageOf, describedMessage, fromOf, type EventRow } from '../trace-view/events.ts';
import { keyStep, nextStation } from '../trace-view/history.ts';
import { planAt } from '../trace-view/plan.ts';
import type { StationName } from '../trace-view/station-names.ts';
import { podsAt } from '../trace-view/stations.ts';
import { nextOnLane, stepOfRecord, steps } from '../trace-view/steps.ts';
import { clock } from '../trace-view/times.ts';
import { momentOf as momentOfAction, type Action } from './actions.ts';
import { brief } from './brief.ts';
import type { LabData, LabPaths } from './data.ts';
import { loadEngine } from './engine.ts';
import { FAULTY_DRIVER } from './known-names.ts';
import { isLoadFailure, load } from './load.ts';
import { drawn } from './marks.ts';
import { outlookAt } from './outlook.ts';
import { useOpenLab } from './open-labs.ts';
import { Actions, Failed } from './parts/Actions.tsx';
import { Controls, Dock, type Speed } from './parts/Controls.tsx';
import { Events } from './parts/Events.tsx';
import { Head, type SaveKind } from './parts/Head.tsx';
import { lazyPart } from './parts/lazy-part.tsx';
import { Line } from './parts/Line.tsx';
import { Logs } from './parts/Logs.tsx';
import { Machine, type WitnessLine } from './parts/Machine.tsx';
import { Objects } from './parts/Objects.tsx';
import { Output, printedBy } from './parts/Output.tsx';
import { Plan } from './parts/Plan.tsx';
import { Refused } from './parts/Refused.tsx';
import { saidBy } from './parts/Sentence.tsx';
import { StandingLine } from './parts/StandingLine.tsx';
import { TimeLine } from './parts/TimeLine.tsx';
import { Trouble, type TroubleText } from './parts/Trouble.tsx';
import { Written } from './parts/Written.tsx';
import { recordedHref, sourceAt } from './source.ts';
import { carriesState, decodeState, encodeState, MOST_ACTIONS, startState, type LabState, type PanelName } from './state.ts';
import { stepAt } from './step-at.ts';
import { MessagesContext, Rich, useSay } from './text.tsx';
import { useOffers } from './use-offers.ts';
import { usePlayer } from './use-player.ts';
import { useRun, type Run } from './use-run.ts';
import { momentOf, type Moment } from './view.ts';

const Compare = lazyPart((parts) => parts.Compare);
const Keys = lazyPart((parts) => parts.Keys);
const Sequence = lazyPart((parts) => parts.Sequence);
const StationPanel = lazyPart((parts) => parts.StationPanel);
const TextLine = lazyPart((parts) => parts.TextLine);

export interface LabProps {
  readonly lang: Lang;
  readonly messages: Messages;
  /** {@link LabData} as JSON. */
  readonly packed: string;
  readonly paths: LabPaths;
}

export function Lab({ messages, packed, ...rest }: LabProps): ReactNode {
  const data = useMemo(() => JSON.parse(packed) as LabData, [packed]);
  return (
    <MessagesContext value={messages}>
      <Bench data={data} {...rest} />
    </MessagesContext>
  );
}

interface BenchProps {
  readonly lang: Lang;
  readonly data: LabData;
  readonly paths: LabPaths;
}

function Bench({ lang, data, paths }: BenchProps): ReactNode {
  const say = useSay();
  const scenario = data.trace.scenario.id;
  const start = startState(scenario, data.step, data.source);
  const [state, setState] = useState<LabState>(start);
  const [trouble, setTrouble] = useState<TroubleText>();
  const [file, setFile] = useState<Trace>();
  const [keysOpen, setKeysOpen] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const touched = useRef(false);
  /** The steps at which the actions of this visit were taken, the last one last. */
  const cameFrom = useRef<number[]>([]);
  const panelId = useId();
  const { run, status, again } = useRun(data, state, paths);
  const shown: Run = file === undefined ? run : { trace: file, without: undefined, recorded: undefined, coveredUntil: 0, charts: data.charts, made: state };
  const trace = shown.trace;
  const count = steps(trace).length;
  const made = JSON.stringify([shown.made.recording, shown.made.actions]) === JSON.stringify([state.recording, state.actions]);
  const step = useStep(state, shown, made);
  const moment = momentOf(trace, step, state.pod);

  /** Every change goes through here, so that the address can follow. */
  const change = useCallback((next: (old: LabState) => LabState): void => {
    touched.current = true;
    setState(next);
  }, []);
  const goTo = useCallback((step: number): void => change((old) => ({ ...old, step: Math.max(0, step) })), [change]);
  const player = usePlayer(moment.steps, moment.step, speed, goTo);

  /** Another state than the one that was made here takes the lab: nothing plays on, and no file lies over it. */
  const take = (next: LabState): void => {
    player.stop();
    cameFrom.current = [];
    setTrouble(undefined);
    setFile(undefined);
    setState(next);
  };
  const addressRead = useAddress(start, state, touched, take, setTrouble, say);
  useEffect(() => {
    if (made && state.step === FOLLOW) setState((old) => (old.step === FOLLOW ? { ...old, step } : old));
  }, [made, state.step, step]);
  useOutOfRange(state, count, made && status.kind === 'ready', say, setTrouble);

  const act = (action: Action): void => {
    player.stop();
    // What could not be run is not in the run shown, and is not built upon.
    const before = status.kind === 'failed' ? shown.made.actions : state.actions;
    if (before.length >= MOST_ACTIONS) {
      setTrouble({ title: say('fullTitle'), text: say('full', { n: MOST_ACTIONS }) });
      return;
    }
    hadFocus.current = section.current?.contains(document.activeElement) === true;
    setTrouble(undefined);
    setFile(undefined);
    cameFrom.current.push(moment.step);
    change((old) => ({ ...old, recording: 0, actions: [...before, action], step: FOLLOW }));
  };
  const undo = (): void => {
    const last = state.actions.at(-1);
    if (last === undefined) return;
    player.stop();
    setTrouble(undefined);
    hadFocus.current = section.current?.contains(document.activeElement) === true;
    const at = momentOfAction(last);
    const back = shown.without;
    const from = cameFrom.current.pop();
    change((old) => ({ ...old, actions: old.actions.slice(0, -1), step: from ?? (at === undefined || back === undefined ? FOLLOW : stepAt(back, at / 1000)) }));
  };
  const byHand = (step: number): void => {
    player.stop();
    goTo(Math.min(step, count - 1));
  };
  const nextEvent = nextOnLane(trace, moment.step, 'event');
  const nextStop = nextStation(trace, state.pod, moment.step);
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const onButton = event.target instanceof HTMLElement && event.target.closest('button, a, summary, select, input:not([type=range])') !== null;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => byHand(moment.step - 1),
      ArrowRight: () => byHand(moment.step + 1),
      Home: () => byHand(0),
      End: () => byHand(count - 1),
      e: () => nextEvent !== undefined && byHand(nextEvent),
      s: () => nextStop !== undefined && byHand(nextStop),
      u: undo,
      Escape: () => (openStation !== undefined ? closeStation(openStation) : state.panel !== undefined && closePanel(state.panel)),
      '?': () => setKeysOpen(true),
      ...(onButton ? {} : { ' ': player.toggle }),
    };
    const run = keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const listen = useLabKeys(onKey);
  const section = useRef<HTMLElement | null>(null);
  const hadFocus = useRef(false);
  const root = useCallback(
    (element: HTMLElement | null) => {
      section.current = element;
      listen(element);
    },
    [listen],
  );
  useOpenLab(
    {
      data,
      paths,
      state: { ...state, step: moment.step },
      run: shown,
      ready: made && status.kind === 'ready',
      show: (next) => {
        player.stop();
        setFile(undefined);
        change(() => next);
      },
      play: player.toggle,
    },
    () => section.current,
  );

  const openStation = state.station;
  const toggle = (station: StationName): void => change((old) => ({ ...old, station: old.station === station ? undefined : station }));
  /** What lay open had the focus, or may have had it: the button that opened it gets it. */
  const focusOn = (selector: string): void => {
    [...(section.current?.querySelectorAll<HTMLElement>(selector) ?? [])].find((button) => button.offsetParent !== null)?.focus({ preventScroll: true });
  };
  const closeStation = (station: StationName): void => {
    toggle(station);
    focusOn(`[data-station="${station}"]`);
  };
  const closePanel = (panel: PanelName): void => {
    togglePanel(panel);
    focusOn(`[data-panel="${panel}"]`);
  };
  const togglePanel = (panel: PanelName): void => change((old) => ({ ...old, panel: old.panel === panel ? undefined : panel }));
  const refused = moment.line.stations.node.refusal;
  const plan = refused === undefined || moment.line.pod === undefined ? undefined : planAt(trace, refused.index, moment.line.pod);
  const { offers, state: offersState, prepare } = useOffers(data, moment, state.pod, state.recording > 0 || file !== undefined);
  // A button that goes with what it did takes the focus along; the lab itself keeps it, so that its keys go on.
  useEffect(() => {
    if (!hadFocus.current || !made || status.kind === 'computing' || offersState === 'stale') return;
    if (document.activeElement === null || document.activeElement === document.body) section.current?.focus({ preventScroll: true });
    hadFocus.current = false;
  });
  const branchAt = state.actions.map(momentOfAction).findLast((at) => at !== undefined);
  const panel = (id: string | undefined): ReactNode =>
    openStation === undefined ? null : (
      <StationPanel lang={lang} station={moment.line.stations[openStation]} silent={drawn(moment.line, openStation, moment.line.stations[openStation].mark) === 'heard' ? moment.line.silent : undefined} t={moment.t} id={id} onRecord={(index) => byHand(stepOfRecord(trace, index))} onClose={() => closeStation(openStation)} />
    );
  const pods = podsAt(trace, moment.index);
  const sentence = saidBy(moment.sentence, lang, say);

  return (
    <section className="lab" aria-label={say('lab')} ref={root} tabIndex={-1} onPointerDown={prepare} data-scenario={scenario} data-ready={addressRead && status.kind === 'ready' && made}>
     <fieldset className="alive" role="none" disabled={!addressRead}>
      <Head
        scenario={trace.scenario.id}
        provenance={provenance(data, state, file, shown, say)}
        onBack={
          (state.recording > 0 && data.source === 0) || file !== undefined
            ? () => {
                setFile(undefined);
                change(() => start);
              }
            : undefined
        }
        link={() => addressOf(state)}
        onSave={(what) => void save(what, trace).catch((error: unknown) => setTrouble({ title: say('saveTitle'), text: isLoadFailure(error) ? say('engineFailed') : String(error) }))}
        onFile={(chosen) =>
          void openFile(chosen).then(
            (opened) => {
              setTrouble(undefined);
              setFile(opened);
              setState(startState(scenario, keyStep(opened, undefined), data.source));
            },
            (error: unknown) => setTrouble({ title: say('fileTitle'), text: isLoadFailure(error) ? say('engineFailed') : error instanceof Error ? error.message : String(error) }),
          )
        }
        onKeys={() => setKeysOpen(true)}
      />
      {trouble !== undefined && (
        <Trouble
          trouble={trouble}
          onStart={() => {
            setTrouble(undefined);
            setFile(undefined);
            change(() => start);
          }}
        />
      )}
      {offers.length > 0 && <Actions offers={offers} offersState={offersState} outlook={outlookAt(trace, moment.step, state.pod)} status={status} onAgain={again} t={moment.t} canUndo={state.actions.length > 0} modelled={paths.modelled} onAction={act} onUndo={undo} />}
      {offers.length === 0 && status.kind === 'failed' && (
        <p className="acts-note" role="status">
          <Failed why={status.why} onAgain={again} />
        </p>
      )}
      <p className="say" aria-live={player.playing ? 'off' : 'polite'}>
        <Rich text={sentence} />
      </p>
      {pods.length > 1 && (
        <p className="pods" role="group" aria-label={say('podInView')}>
          <span className="second">{say('podInView')}</span>
          {pods.map((pod) => (
            <button key={pod} className="link" type="button" aria-pressed={pod === moment.line.pod} onClick={() => change((old) => ({ ...old, pod: old.pod === pod ? undefined : pod }))}>
              <code>{pod}</code>
            </button>
          ))}
        </p>
      )}
      <Line lang={lang} line={moment.line} open={openStation} onOpen={toggle} panelId={panelId} withPlan={plan !== undefined} />
      <StandingLine lang={lang} line={moment.line} open={openStation} onOpen={toggle} panel={panel(undefined)} />
      <Refused lang={lang} line={moment.line} withPlan={plan !== undefined} />
      <div className="wide-panel">{panel(panelId)}</div>
      {plan !== undefined && <Plan plan={plan} />}
      <div className="time">
        <Controls
          t={moment.t}
          step={moment.step}
          of={count}
          playing={player.playing}
          speed={speed}
          onStep={(by) => byHand(moment.step + by)}
          onPlay={player.toggle}
          onSpeed={setSpeed}
          onNextEvent={nextEvent === undefined ? undefined : () => byHand(nextEvent)}
          onNextStation={nextStop === undefined ? undefined : () => byHand(nextStop)}
        />
        <TimeLine
          lang={lang}
          trace={trace}
          step={moment.step}
          pod={state.pod}
          branch={branchAt === undefined || state.recording > 0 ? undefined : stepAt(trace, branchAt / 1000) + 1}
          what={brief(moment, moment.index)}
          onScrub={byHand}
        />
      </div>
      <div className="two">
        <div>
          <Written key={moment.index} moment={moment} />
          <Objects moment={moment} opened={state.object} onOpen={(object) => change((old) => ({ ...old, object }))} />
        </div>
        <div>
          <Machine moment={moment} charts={shown.charts} witnessOf={(index) => witnessAt(data, shown, index, paths)} />
          <Logs key={moment.index} moment={moment} />
        </div>
      </div>
      <Events moment={moment} sourceOf={(row) => sourceAt(row, state.recording, shown, paths)} copyText={(row) => eventText(row, moment, state, shown, say)} />
      <Panels lang={lang} moment={moment} state={state} shown={shown} toggle={togglePanel} onStep={byHand} />
      <p className="true-for">{say('versions', versionsOf(trace, say))}</p>
      <Dock t={moment.t} step={moment.step} of={count} onStep={(by) => byHand(moment.step + by)} />
     </fieldset>
      {keysOpen && <Keys open onClose={() => setKeysOpen(false)} />}
    </section>
  );
}

/** A step still to be found: the run's own key step, once the run is there. */
const FOLLOW = -1;

type Say = ReturnType<typeof useSay>;

/**
 * The step shown: the state's own; after an action the first thing that the change brought about, and until its run is
 * there the step shown before.
 */
function useStep(state: LabState, shown: Run, made: boolean): number {
  const before = useRef(state.step);
  let step = state.step;
  if (step === FOLLOW && !made) step = before.current;
  else if (step === FOLLOW) {
    const last = state.actions.at(-1);
    const at = last === undefined ? undefined : momentOfAction(last);
    step = keyStep(shown.trace, state.pod, at === undefined ? 0 : stepAt(shown.trace, at / 1000) + 1);
  }
  useEffect(() => {
    before.current = step;
  }, [step]);
  return step;
}

/** An address may name a step that its run does not have. */
function useOutOfRange(state: LabState, count: number, ready: boolean, say: Say, setTrouble: (trouble: TroubleText) => void): void {
  useEffect(() => {
    if (ready && state.step >= count) setTrouble({ title: say('damagedTitle'), text: say('damaged_step', { got: state.step + 1, of: count }) });
    // Said once for each state that is out of range.
  }, [ready, state.step, count]);
}

/** The state is read from the address when it names one, and written there once the reader has done something. */
function useAddress(
  start: LabState,
  state: LabState,
  touched: { current: boolean },
  take: (state: LabState) => void,
  setTrouble: (trouble: TroubleText) => void,
  say: Say,
): boolean {
  const { scenario } = start;
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    const read = (event?: HashChangeEvent): void => {
      // Back to the address without a state: the lab stands as the page showed it then. A heading's anchor leaves it alone.
      if (location.hash === '' && event !== undefined && names(event.oldURL, scenario)) take(start);
      if (!carriesState(location.hash)) return;
      const found = decodeState(location.hash);
      if (!found.ok) {
        const params = 'got' in found.damage ? { got: found.damage.got, want: '1' } : 'part' in found.damage ? { part: found.damage.part } : {};
        setTrouble({ title: say('damagedTitle'), text: say(`damaged_${found.damage.what}` as MessageKey, params) });
        return;
      }
      if (found.state.scenario !== scenario) {
        if (document.querySelector(`[data-scenario="${found.state.scenario}"]`) === null) setTrouble({ title: say('damagedTitle'), text: say('damaged_scenario', { got: found.state.scenario }) });
        return;
      }
      take(found.state);
      document.querySelector(`[data-scenario="${scenario}"]`)?.scrollIntoView({ block: 'start' });
    };
    read();
    setIsRead(true);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
    // The words of a page never change.
  }, [scenario]);
  useEffect(() => {
    if (!touched.current || state.step < 0) return;
    history.replaceState(history.state, '', `#${encodeState(state)}`);
  }, [state, touched]);
  return isRead;
}

/** Does an address carry a state of this scenario? */
function names(address: string, scenario: string): boolean {
  const { hash } = new URL(address);
  const found = carriesState(hash) ? decodeState(hash) : undefined;
  return found?.ok === true && found.state.scenario === scenario;
}

/** The lab of the page that was used last. */
let inUse: HTMLElement | undefined;

/**
 * The lab that keys go to where nothing has the focus: the one used last if it is in view, else the one of which most is;
 * `?` also finds one that is not in view, where there is only one.
 */
function labForKeys(key: string): HTMLElement | undefined {
  const labs = [...document.querySelectorAll<HTMLElement>('.lab')];
  const seen = (lab: HTMLElement): number => {
    const box = lab.getBoundingClientRect();
    return box.top < innerHeight * 0.75 && box.bottom > innerHeight * 0.25 ? Math.min(box.bottom, innerHeight) - Math.max(box.top, 0) : 0;
  };
  const inView = labs.filter((lab) => seen(lab) > 0).sort((a, b) => seen(b) - seen(a));
  if (inUse !== undefined && inView.includes(inUse)) return inUse;
  return inView[0] ?? (key === '?' && labs.length === 1 ? labs[0] : undefined);
}

/** Keys work when the lab has the focus, and also when nothing has and this is the lab they go to. */
function useLabKeys(onKey: (event: KeyboardEvent) => void): (element: HTMLElement | null) => void {
  const latest = useRef(onKey);
  latest.current = onKey;
  const root = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      const lab = root.current;
      if (lab === null || document.querySelector('dialog[open]') !== null) return;
      const inside = lab.contains(document.activeElement);
      const nobody = document.activeElement === document.body || document.activeElement === null;
      if (inside || (nobody && labForKeys(event.key) === lab)) latest.current(event as unknown as KeyboardEvent);
    };
    const use = (): void => {
      inUse = root.current ?? undefined;
    };
    const lab = root.current;
    document.addEventListener('keydown', listen);
    lab?.addEventListener('pointerdown', use);
    lab?.addEventListener('focusin', use);
    return () => {
      document.removeEventListener('keydown', listen);
      lab?.removeEventListener('pointerdown', use);
      lab?.removeEventListener('focusin', use);
    };
  }, []);
  return useCallback((element) => {
    root.current = element;
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName) || (target instanceof HTMLInputElement && target.type !== 'range'));
}

function provenance(data: LabData, state: LabState, file: Trace | undefined, shown: Run, say: Say): string {
  if (file !== undefined) return say('openedFile');
  if (state.recording > 0) return say('recordedRun', { n: state.recording, of: data.recorded.runs });
  if (data.differences === undefined || shown.recorded === undefined || state.actions.length > 0) return say('simulated');
  return data.differences === 0 ? say('noDifference', { n: data.recorded.runs }) : say('someDifference', { d: data.differences, n: data.recorded.runs });
}

/** The recorded line beside a state. Until a run leaves the recordings its records are those of the page's own run. */
function witnessAt(data: LabData, shown: Run, index: number, paths: LabPaths): WitnessLine | 'modelled' | undefined {
  if (shown.recorded !== data.recorded || (shown.trace.records[index]?.t ?? 0) * 1000 > shown.coveredUntil) return 'modelled';
  const found = data.witnesses[index];
  if (found === undefined) return undefined;
  return { ...found, of: data.recorded.runs, href: recordedHref(data.recorded.scenario, found.run, found.record, paths) };
}

function addressOf(state: LabState): string {
  return `${location.origin}${location.pathname}${location.search}#${encodeState(state)}`;
}

/** An event as text, with where it is from. */
function eventText(row: EventRow, moment: Moment, state: LabState, shown: Run, say: Say): string {
  const source = sourceAt(row, state.recording, shown, { recordings: '' });
  const stands =
    source.kind === 'recorded' ? say('recordedIn', { n: source.n, of: source.of }) : source.kind === 'modelled' ? say('modelled') : source.kind === 'differs' ? say('differs') : say('recordedRun', { n: state.recording, of: shown.recorded?.runs ?? '?' });
  return [
    `${row.event.type}\t${row.event.reason}\t${ageOf(row, moment.t)}\t${fromOf(row.event).component}\t${describedMessage(row.event)}`,
    `${row.event.involvedObject.kind ?? ''}/${row.event.involvedObject.name ?? ''}, ${clock(row.last)} s, ${moment.trace.scenario.id}, Kubernetes ${moment.trace.cluster.kubernetes}; ${stands}`,
    addressOf(state),
  ].join('\n');
}

function versionsOf(trace: Trace, say: Say): Record<string, string> {
  const { kubernetes, kind, csi } = trace.cluster;
  return { kubernetes, kind: kind ?? '', csi: Object.entries(csi).map(([name, version]) => (name === FAULTY_DRIVER ? say('zonalDriver') : version.startsWith('v') ? `${name} ${version}` : version)).join(say('versionSep')) };
}

async function save(what: SaveKind, trace: Trace): Promise<void> {
  const id = trace.scenario.id;
  if (what === 'trace') return download(`${id}.json`, JSON.stringify(trace, null, 1), 'application/json');
  const yaml = await load(() => import('./save-chunk.ts'), 'scenarioYaml');
  if (what === 'scenario') return download(`${id}.yaml`, yaml.scenarioYaml(trace.scenario), 'text/yaml');
  return download(`${id}-manifests.yaml`, yaml.manifestsOf(trace.scenario), 'text/yaml');
}

function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const MOST_BYTES = 5_000_000;

async function openFile(file: File): Promise<Trace> {
  if (file.size > MOST_BYTES) throw new Error(`${file.name}: ${(file.size / 1e6).toFixed(1)} MB; scenarios and traces are smaller than ${MOST_BYTES / 1e6} MB`);
  const { readFile } = await load(() => import('./file-chunk.ts'), 'readFile');
  const opened = readFile(await file.text(), file.name);
  return opened.kind === 'trace' ? opened.trace : (await loadEngine(opened.scenario)).runOf(opened.scenario, opened.manifests);
}

interface PanelsProps {
  readonly lang: Lang;
  readonly moment: Moment;
  readonly state: LabState;
  readonly shown: Run;
  readonly toggle: (panel: PanelName) => void;
  readonly onStep: (step: number) => void;
}

/** Further views, closed at first. */
function Panels({ lang, moment, state, shown, toggle, onStep }: PanelsProps): ReactNode {
  const say = useSay();
  const printed = printedBy(moment).length;
  return (
    <div className="panels">
      {shown.without !== undefined && (
        <Panel name="compare" title={say('compare')} note={say('compareNote', { t: clock(moment.t) })} open={state.panel === 'compare'} toggle={toggle}>
          <Compare lang={lang} moment={moment} other={shown.without} pod={state.pod} />
        </Panel>
      )}
      <Panel name="sequence" title={say('sequence')} note={say('sequenceNote')} open={state.panel === 'sequence'} toggle={toggle}>
        <Sequence moment={moment} />
      </Panel>
      <Panel name="output" title={say('output')} note={String(printed)} open={state.panel === 'output'} toggle={toggle}>
        <Output moment={moment} />
      </Panel>
      <Panel name="text" title={say('textLine')} note={say('textLineNote')} open={state.panel === 'text'} toggle={toggle}>
        <TextLine lang={lang} moment={moment} pod={state.pod} onStep={onStep} />
      </Panel>
    </div>
  );
}

function Panel({ name, title, note, open, toggle, children }: { readonly name: PanelName; readonly title: string; readonly note: string; readonly open: boolean; readonly toggle: (panel: PanelName) => void; readonly children: ReactNode }): ReactNode {
  return (
    <section className="panel">
      <h2>
        <button type="button" data-panel={name} aria-expanded={open} onClick={() => toggle(name)}>
          {title} <span>{note}</span>
        </button>
      </h2>
      {open && <div>{children}</div>}
    </section>
  );
}
