/**
 * Replays progress files in a worker, one task after the other. A file's actions may be many and its waits long, so each
 * file has a limit of time; what is not done by then is given up, and the worker with it.
 */
import type { TaskData } from './data.ts';
import type { Progress, TaskProgress } from './progress.ts';
import type { Replay } from './replay.ts';

export interface ReplayRequest {
  readonly task: TaskData;
  readonly entry: TaskProgress;
  /** The address of the lab's file. */
  readonly lab: string;
}
export type ReplayAnswer = { readonly replay: Replay } | { readonly failed: string };

/** The longest that the replay of one file may take, milliseconds. What people do takes less than a tenth. */
export const LONGEST = 30_000;
/** After so many actions the worker is made anew: it keeps every run that it has computed. */
const MOST_ACTIONS = 300;

const UNTRIED: Replay = { outcome: 'untried', why: undefined };
const LATE: Replay = { outcome: 'late', why: undefined };

export interface Replayer {
  /** What became of each task. Rejects where a lab cannot be loaded, or the replayer was closed. */
  readonly replay: (progress: Progress) => Promise<Readonly<Record<string, Replay>>>;
  readonly close: () => void;
}

export function openReplayer(tasks: readonly TaskData[], labFiles: string): Replayer {
  let worker: Worker | undefined;
  let done = 0;
  let giveUp: ((error: Error) => void) | undefined;

  const end = (): void => {
    worker?.terminate();
    worker = undefined;
    done = 0;
  };
  /** Undefined where the time was over before the answer. */
  const ask = (request: ReplayRequest, left: number): Promise<Replay | undefined> =>
    new Promise((resolve, reject) => {
      worker ??= new Worker(new URL('./replay-worker.ts', import.meta.url), { type: 'module' });
      const timer = setTimeout(() => {
        end();
        resolve(undefined);
      }, left);
      giveUp = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      worker.onmessage = ({ data }: MessageEvent<ReplayAnswer>) => {
        clearTimeout(timer);
        if ('replay' in data) resolve(data.replay);
        else reject(new Error(data.failed));
      };
      worker.onerror = () => giveUp?.(new Error('the worker could not be loaded'));
      worker.postMessage(request);
    });

  return {
    async replay(progress) {
      const until = performance.now() + LONGEST;
      const found: Record<string, Replay> = {};
      for (const task of tasks) {
        const entry = progress.tasks[task.task];
        if (entry === undefined || (entry.actions.length === 0 && !entry.passed)) {
          found[task.task] = UNTRIED;
          continue;
        }
        const left = until - performance.now();
        const answer = left <= 0 ? undefined : await ask({ task, entry, lab: new URL(`${labFiles}${task.lab}.json`, location.href).href }, left);
        found[task.task] = answer ?? LATE;
        done += task.start.length + entry.actions.length;
        if (done > MOST_ACTIONS) end();
      }
      return found;
    },
    close() {
      end();
      giveUp?.(new Error('stopped'));
    },
  };
}
