/** A workshop's path. Its file is read and checked by `format.ts`; pages get it as it is here. */
import type { Lang } from '../i18n/langs.ts';

export type Said = Readonly<Record<Lang, string>>;

interface Timed {
  readonly minutes: number;
  /** What to do there. */
  readonly say: Said;
}

export interface LessonPart extends Timed {
  readonly kind: 'lesson';
  readonly lesson: string;
}
export interface LabPart extends Timed {
  readonly kind: 'lab';
  readonly lab: string;
}
export interface TaskPart extends Timed {
  readonly kind: 'task';
  readonly task: string;
  readonly lab: string;
  readonly title: Said;
  /** What was done to the scenario before the task begins, as deeds (`src/lab/deeds.ts`). */
  readonly start: readonly string[];
  /** The moment at which the lab opens, as a fact of the run; its key step where left out. */
  readonly opens?: string | undefined;
  /** Facts that must all hold at the end of the reader's run (`passed.ts`). */
  readonly passes: readonly string[];
  readonly hints: readonly Said[];
  /** One way to pass, as deeds after the beginning. */
  readonly solution: readonly string[];
}
export type Part = LessonPart | LabPart | TaskPart;

export interface Workshop {
  readonly id: string;
  readonly order: number;
  readonly title: Said;
  readonly about: Said;
  readonly parts: readonly Part[];
}

export function tasksOf(workshop: Workshop): TaskPart[] {
  return workshop.parts.filter((part) => part.kind === 'task');
}

export function minutesOf(workshop: Workshop): number {
  return workshop.parts.reduce((sum, part) => sum + part.minutes, 0);
}
