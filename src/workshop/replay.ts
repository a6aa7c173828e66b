/** Was a task passed? Its actions are done again from the task's beginning, and the end of that run is asked. */
import type { Trace } from '../../machines/trace/format.ts';
import type { Action } from '../lab/actions.ts';
import type { Base } from '../lab/engine-chunk.ts';
import type { TaskData } from './data.ts';
import { isPassed } from './passed.ts';
import type { TaskProgress } from './progress.ts';

/** `claimed`: the file says passed, but its actions do not reach it. `late`: doing them again takes too long (`replayer.ts`). */
export type Outcome = 'passed' | 'claimed' | 'tried' | 'untried' | 'late';

export interface Replay {
  readonly outcome: Outcome;
  /** Why the actions could not be done again; undefined where they could. */
  readonly why: string | undefined;
}

/** The part of the engine that a replay needs. */
export interface Runner {
  readonly runWith: (base: Base, actions: readonly Action[]) => Trace;
}

export function replay(task: TaskData, entry: TaskProgress | undefined, base: Base, engine: Runner): Replay {
  if (entry === undefined || (entry.actions.length === 0 && !entry.passed)) return { outcome: 'untried', why: undefined };
  try {
    const begun = engine.runWith(base, task.start);
    const run = engine.runWith(base, [...task.start, ...entry.actions]);
    const reached = isPassed(task.passes, run, begun);
    return { outcome: reached ? 'passed' : entry.passed ? 'claimed' : 'tried', why: undefined };
  } catch (error) {
    return { outcome: entry.passed ? 'claimed' : 'tried', why: error instanceof Error ? error.message : String(error) };
  }
}
