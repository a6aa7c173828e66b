/** Which run is shown: the page's own, one with the reader's actions, a recording, or an opened file. */
import { useEffect, useRef, useState } from 'react';
import type { Trace } from '../../machines/trace/format.ts';
import type { ChartDrawing } from '../trace-view/charts.ts';
import type { RecordedIndex } from '../trace-view/recorded.ts';
import type { LabData, LabPaths } from './data.ts';
import { loadEngine, type Engine } from './engine.ts';
import { isLoadFailure } from './load.ts';
import type { LabState } from './state.ts';

export interface Run {
  readonly trace: Trace;
  /** The run without the reader's last action, for showing both side by side. */
  readonly without: Trace | undefined;
  /** The recordings that this run can be held to, and until when (milliseconds; Infinity: to its end). */
  readonly recorded: RecordedIndex | undefined;
  readonly coveredUntil: number;
  readonly charts: readonly ChartDrawing[];
  /** The state this run was made for. */
  readonly made: Pick<LabState, 'recording' | 'actions'>;
}

export type RunStatus = { readonly kind: 'ready' } | { readonly kind: 'computing' } | { readonly kind: 'failed'; readonly why: string | undefined };

/** The page's own run, as a lab shows it before anything is done to it. */
export function baseOf(data: LabData): Run {
  return { trace: data.trace, without: undefined, recorded: data.recorded, coveredUntil: Infinity, charts: data.charts, made: { recording: data.source, actions: [] } };
}

/** Makes the run for a state. Rejects with words for the reader where a change makes no sense. */
export async function runOf(data: LabData, state: Pick<LabState, 'recording' | 'actions'>, paths: LabPaths): Promise<Run> {
  if (state.recording === data.source && state.actions.length === 0) return baseOf(data);
  return state.recording > 0 ? fetchRecording(data, state, paths) : compute(data, state, paths);
}

/** The run for a state. While it is computed the run before stays; what failed leaves it as well. */
export function useRun(data: LabData, state: Pick<LabState, 'recording' | 'actions'>, paths: LabPaths): { run: Run; status: RunStatus; again: () => void } {
  const base = baseOf(data);
  const [run, setRun] = useState<Run>(base);
  const [status, setStatus] = useState<RunStatus>({ kind: 'ready' });
  const wanted = JSON.stringify([state.recording, state.actions]);
  const [tries, setTries] = useState(0);
  const latest = useRef(wanted);
  latest.current = wanted;
  useEffect(() => {
    if (state.recording === data.source && state.actions.length === 0) {
      setRun(base);
      setStatus({ kind: 'ready' });
      return;
    }
    setStatus({ kind: 'computing' });
    const made = runOf(data, state, paths);
    made.then(
      (next) => {
        if (latest.current !== wanted) return;
        setRun(next);
        setStatus({ kind: 'ready' });
      },
      (error: unknown) => {
        if (latest.current === wanted) setStatus({ kind: 'failed', why: reasonOf(error) });
      },
    );
    // The run follows from the recording and the actions alone, `wanted`; the reader may ask for it again.
  }, [wanted, tries]);
  return { run, status, again: () => setTries(tries + 1) };
}

/** What to tell the reader: a change that makes no sense says why; a chunk that did not load has no words of its own. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  return isLoadFailure(error) ? undefined : error.message;
}

async function fetchRecording(data: LabData, state: Pick<LabState, 'recording' | 'actions'>, paths: LabPaths): Promise<Run> {
  const answer = await fetch(`${paths.recordings}${data.trace.scenario.id}/${state.recording}.json`);
  if (!answer.ok) throw new Error(`recording ${state.recording} of ${data.trace.scenario.id}: HTTP ${answer.status}`);
  return { trace: (await answer.json()) as Trace, without: undefined, recorded: undefined, coveredUntil: 0, charts: [], made: state };
}

async function compute(data: LabData, state: Pick<LabState, 'recording' | 'actions'>, paths: LabPaths): Promise<Run> {
  const engine = await loadEngine(data.trace.scenario);
  const trace = engine.runWith(data, state.actions);
  const without = engine.runWith(data, state.actions.slice(0, -1));
  const charts = engine.allCharts();
  const shared = engine.sharedUntil(state.actions);
  if (shared > 0) return { trace, without, recorded: data.recorded, coveredUntil: shared, charts, made: state };
  const twin = await recordedTwin(engine, trace, paths);
  return { trace, without, recorded: twin, coveredUntil: twin === undefined ? 0 : Infinity, charts, made: state };
}

/** The recordings of a scenario that does exactly what this run's scenario does, if there is one. */
async function recordedTwin(engine: Engine, trace: Trace, paths: LabPaths): Promise<RecordedIndex | undefined> {
  const keys = await fetch(`${paths.recordings}keys.json`);
  if (!keys.ok) return undefined;
  const id = ((await keys.json()) as Record<string, string>)[engine.keyOf(trace.scenario)];
  if (id === undefined) return undefined;
  const index = await fetch(`${paths.recordings}${id}/index.json`);
  return index.ok ? ((await index.json()) as RecordedIndex) : undefined;
}
