/** A workshop's task above the lab it is done in: what to reach, how far the reader's run reaches, hints, a worked solution. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Trace } from '../../machines/trace/format.ts';
import type { Lang } from '../i18n/langs.ts';
import { workshopText, type WorkshopText } from '../i18n/workshop.ts';
import type { Action } from '../lab/actions.ts';
import { loadEngine } from '../lab/engine.ts';
import { onLabChange, openLabs, type OpenLab } from '../lab/open-labs.ts';
import { carriesState, decodeState, startState } from '../lab/state.ts';
import { Coded } from './Coded.tsx';
import type { TaskData, WorkshopData } from './data.ts';
import { factsOf, type FactState } from './passed.ts';
import { NOTHING_DONE, withTask, type TaskProgress } from './progress.ts';
import { keepProgress, keptProgress } from './shelf.ts';

interface Props {
  readonly lang: Lang;
  readonly workshop: WorkshopData;
  readonly task: TaskData;
  /** Addresses of the workshop and of the part after this one. */
  readonly pathAddress: string;
  readonly nextAddress: string | undefined;
}

export function TaskPanel({ lang, workshop, task, pathAddress, nextAddress }: Props): ReactNode {
  const text = workshopText[lang];
  const panel = useRef<HTMLElement>(null);
  const lab = useLab();
  const begun = useBegun(lab, task);
  const { entry, change } = useEntry(workshop, task);
  const playing = useSolution(lab, task);
  const own = lab === undefined ? undefined : ownActions(lab.state.actions, task);
  const facts = lab === undefined || begun === undefined || own === undefined || !lab.ready || lab.state.recording > 0 ? undefined : factsOf(task.passes, lab.run.trace, begun);
  const passed = facts?.every((fact) => fact.holds) ?? false;

  useBeginning(lab, task, entry, panel);
  const done = JSON.stringify(own);
  useEffect(() => {
    if (own === undefined || facts === undefined || own.length === 0) return;
    change((now) => (passed || !now.passed ? { actions: own, passed } : {}));
    // What was done and whether it passed decide; nothing else of the page does.
  }, [done, passed, facts === undefined]);

  const restart = (): void => lab?.show(beginningOf(task));
  return (
    <section className="task" ref={panel} data-ready={facts !== undefined} aria-label={text.taskOf(workshop.title[lang])}>
      <p className="second">
        <a href={pathAddress}>{text.taskOf(workshop.title[lang])}</a>
      </p>
      <h2>{task.title[lang]}</h2>
      <p>
        <Coded text={task.say[lang]} />
      </p>
      <Facts text={text} task={task} facts={facts} />
      {lab !== undefined && own === undefined && <p role="alert">{text.leftBeginning}</p>}
      {lab !== undefined && lab.state.recording > 0 && <p role="alert">{text.notARun}</p>}
      <p className="task-passed" role="status">
        {passed ? <b>{text.isPassed}</b> : entry.passed ? text.passed : playing.shown ? text.solutionShown : ''}
      </p>
      {entry.hints > 0 && (
        <ol className="hints">
          {task.hints.slice(0, entry.hints).map((hint, i) => (
            <li key={i}>
              <b>{text.hint(i + 1, task.hints.length)}</b> <Coded text={hint[lang]} />
            </li>
          ))}
        </ol>
      )}
      <div className="acts">
        {entry.hints < task.hints.length && (
          <button className="btn" type="button" onClick={() => change((now) => ({ hints: Math.max(now.hints, entry.hints + 1) }))}>
            {text.moreHint}
          </button>
        )}
        <button className="btn" type="button" onClick={restart}>
          {text.startAgain}
        </button>
        <button
          className="btn plain"
          type="button"
          onClick={() => {
            change(() => ({ solution: true }));
            playing.play();
          }}
        >
          {text.showSolution}
        </button>
        {nextAddress !== undefined && (
          <a className={`btn${passed || entry.passed ? ' repair' : ' plain'}`} href={nextAddress}>
            {text.nextPart}
          </a>
        )}
      </div>
    </section>
  );
}

function Facts({ text, task, facts }: { readonly text: WorkshopText; readonly task: TaskData; readonly facts: readonly FactState[] | undefined }): ReactNode {
  return (
    <>
      <p className="second">{text.atEnd}</p>
      <ul className="facts">
        {task.passes.map((fact, i) => {
          const holds = facts?.[i]?.holds ?? false;
          return (
            <li key={fact} className={holds ? '' : 'no'}>
              <svg className="mk" aria-hidden="true">
                <use href={holds ? '#m-lit' : '#m-no'} />
              </svg>
              <code>{fact}</code> <span className="second">{holds ? text.holds : text.holdsNot}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The page's lab, as it stands now. */
function useLab(): OpenLab | undefined {
  const [lab, setLab] = useState<OpenLab>();
  useEffect(() => {
    const read = (): void => setLab(openLabs()[0]);
    read();
    return onLabChange(read);
  }, []);
  return lab;
}

/** The run that the task begins with. */
function useBegun(lab: OpenLab | undefined, task: TaskData): Trace | undefined {
  const [begun, setBegun] = useState<Trace>();
  const data = lab?.data;
  useEffect(() => {
    if (data === undefined) return;
    if (task.start.length === 0) setBegun(data.trace);
    else void loadEngine(data.trace.scenario).then((engine) => setBegun(engine.runWith(data, task.start)));
  }, [data, task]);
  return begun;
}

function useEntry(workshop: WorkshopData, task: TaskData): { readonly entry: TaskProgress; readonly change: (change: (now: TaskProgress) => Partial<TaskProgress>) => void } {
  const [entry, setEntry] = useState<TaskProgress>(() => keptProgress(workshop.id).tasks[task.task] ?? NOTHING_DONE);
  return {
    entry,
    change(change) {
      // Read anew each time: another tab may have gone on.
      const now = keptProgress(workshop.id);
      const next = withTask(now, task.task, change(now.tasks[task.task] ?? NOTHING_DONE));
      keepProgress(next);
      setEntry(next.tasks[task.task] ?? NOTHING_DONE);
    },
  };
}

function beginningOf(task: TaskData, after: readonly Action[] = []): OpenLab['state'] {
  return { ...startState(task.lab, task.step), actions: [...task.start, ...after] };
}

/** What the reader did after the task's beginning; undefined if that is undone. */
function ownActions(actions: readonly Action[], task: TaskData): readonly Action[] | undefined {
  const begins = JSON.stringify(actions.slice(0, task.start.length)) === JSON.stringify(task.start);
  return begins ? actions.slice(task.start.length) : undefined;
}

/** Puts the lab at the task's beginning, once: with what was done before, unless the address already holds a state of this task. */
function useBeginning(lab: OpenLab | undefined, task: TaskData, entry: TaskProgress, panel: { readonly current: HTMLElement | null }): void {
  const done = useRef(false);
  // As the page was opened: the lab writes into the address as soon as somebody acts.
  const [address] = useState(() => (carriesState(location.hash) ? decodeState(location.hash) : undefined));
  useEffect(() => {
    if (lab === undefined || done.current) return;
    done.current = true;
    const ours = address?.ok === true && ownActions(address.state.actions, task) !== undefined;
    // A reader may be quicker than the task: what was done already is done after its beginning.
    const already = openLabs()[0]?.state.actions ?? [];
    const sooner = address === undefined && already.length > 0 ? already : entry.actions;
    if (!ours) lab.show(beginningOf(task, sooner));
    // A lab that its address puts into a state comes into view; here the task above it has to.
    panel.current?.scrollIntoView({ block: 'start' });
  }, [lab, task, entry, panel, address]);
}

/** Plays the worked solution: the lab is put before its first deed, and plays once the run is there. */
function useSolution(lab: OpenLab | undefined, task: TaskData): { readonly shown: boolean; readonly play: () => void } {
  const [waiting, setWaiting] = useState(false);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!waiting || lab === undefined || !lab.ready || lab.state.actions.length !== task.start.length + task.solution.length) return;
    setWaiting(false);
    lab.play();
  }, [waiting, lab, task]);
  return {
    shown,
    play: () => {
      if (lab === undefined) return;
      setShown(true);
      setWaiting(true);
      lab.show(beginningOf(task, task.solution));
    },
  };
}
