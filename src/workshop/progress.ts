/**
 * What someone has done in a workshop: kept in the browser, and exported and imported as one file. It holds what was done,
 * not only what came of it: whether a task is passed can be found out again from the actions.
 */
import { isAction, type Action } from '../lab/actions.ts';

export const PROGRESS_FORMAT = 'after-bound/workshop@1';
/** What the format is called without its version. */
const FAMILY = 'after-bound/workshop@';

export interface TaskProgress {
  /** What was done after the task's beginning: what passed it, else what was done last. */
  readonly actions: readonly Action[];
  /** Claimed; the replay finds out. */
  readonly passed: boolean;
  readonly hints: number;
  /** Was the worked solution shown? */
  readonly solution: boolean;
}

export interface Progress {
  readonly format: typeof PROGRESS_FORMAT;
  readonly workshop: string;
  /** Whose it is, as they call themselves; may be empty. */
  readonly name: string;
  readonly tasks: Readonly<Record<string, TaskProgress>>;
}

export const NOTHING_DONE: TaskProgress = { actions: [], passed: false, hints: 0, solution: false };

export function emptyProgress(workshop: string): Progress {
  return { format: PROGRESS_FORMAT, workshop, name: '', tasks: {} };
}

export function withTask(progress: Progress, task: string, change: Partial<TaskProgress>): Progress {
  return { ...progress, tasks: { ...progress.tasks, [task]: { ...(progress.tasks[task] ?? NOTHING_DONE), ...change } } };
}

/** Why a file is not taken. */
export type FileFault =
  /** A folder, or a file that the browser may not or can no longer read. */
  | { readonly what: 'unreadable' }
  | { readonly what: 'size'; readonly bytes: number }
  /** Not JSON, or JSON of something else. */
  | { readonly what: 'other' }
  /** Ours, but its end is missing or its text was broken. */
  | { readonly what: 'cut' }
  | { readonly what: 'version'; readonly got: string }
  | { readonly what: 'workshop'; readonly got: string }
  | { readonly what: 'shape'; readonly part: string };

export type ReadFile = { readonly ok: true; readonly progress: Progress } | { readonly ok: false; readonly fault: FileFault };

/** No progress file is larger than this, bytes. */
export const MOST_BYTES = 1_000_000;
const MOST_ACTIONS = 50;
const MOST_HINTS = 3;
const MOST_NAME = 200;
/** More tasks than any workshop has. */
const MOST_TASKS = 100;
/** What a task is called (`format.ts`). A name like `__proto__` is none. */
const TASK_NAME = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;
/** So much of a wrong value is repeated in a message, characters. */
const QUOTED = 40;

/** Reads a progress file of a workshop. Nothing is guessed, and nothing outside is touched. */
export function readProgress(text: string, workshop: string): ReadFile {
  if (text.length > MOST_BYTES) return refused({ what: 'size', bytes: text.length });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return refused({ what: text.trimStart().startsWith('{') && text.includes(FAMILY) ? 'cut' : 'other' });
  }
  if (!isRecord(data) || typeof data['format'] !== 'string' || !data['format'].startsWith(FAMILY)) return refused({ what: 'other' });
  if (data['format'] !== PROGRESS_FORMAT) return refused({ what: 'version', got: quoted(data['format'].slice(FAMILY.length)) });
  if (typeof data['workshop'] !== 'string') return refused({ what: 'shape', part: 'workshop' });
  if (data['workshop'] !== workshop) return refused({ what: 'workshop', got: quoted(data['workshop']) });
  const { name, tasks } = data;
  if (typeof name !== 'string' || name.length > MOST_NAME) return refused({ what: 'shape', part: 'name' });
  if (!isRecord(tasks)) return refused({ what: 'shape', part: 'tasks' });
  const entries = Object.entries(tasks);
  if (entries.length > MOST_TASKS) return refused({ what: 'shape', part: 'tasks' });
  const wrong = entries.find(([id, task]) => !TASK_NAME.test(id) || !isTask(task));
  if (wrong !== undefined) return refused({ what: 'shape', part: `tasks.${quoted(wrong[0])}` });
  return { ok: true, progress: { format: PROGRESS_FORMAT, workshop, name, tasks: tasks as Record<string, TaskProgress> } };
}

function refused(fault: FileFault): ReadFile {
  return { ok: false, fault };
}

function quoted(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTask(value: unknown): value is TaskProgress {
  if (!isRecord(value)) return false;
  const { actions, passed, hints, solution, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    Array.isArray(actions) && actions.length <= MOST_ACTIONS && actions.every(isAction) &&
    typeof passed === 'boolean' && typeof solution === 'boolean' &&
    typeof hints === 'number' && Number.isInteger(hints) && hints >= 0 && hints <= MOST_HINTS
  );
}

/** The progress as the text of a file. */
export function fileText(progress: Progress): string {
  return `${JSON.stringify(progress, null, 1)}\n`;
}

/**
 * What is there and what a file brings, together. A task passed here stays as it is: whatever the file says of it was done
 * elsewhere. Of any other the file's actions; hints taken here or there were taken.
 */
export function merged(here: Progress, brought: Progress): Progress {
  const tasks: Record<string, TaskProgress> = { ...here.tasks };
  for (const [id, task] of Object.entries(brought.tasks)) {
    const own = tasks[id];
    const kept = own?.passed === true ? own : task;
    tasks[id] = { ...kept, hints: Math.max(task.hints, own?.hints ?? 0), solution: task.solution || (own?.solution ?? false) };
  }
  return { ...here, name: brought.name === '' ? here.name : brought.name, tasks };
}
