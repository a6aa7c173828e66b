/** What pages carry of a workshop: its parts with everything that the runs decide, found when the site is built. */
import type { Action } from '../lab/actions.ts';
import type { LabPart, LessonPart, TaskPart } from './workshop.ts';
import type { Said } from './workshop.ts';

/** A task ready to be done: its deeds are actions, its moment a step. */
export interface TaskData extends Omit<TaskPart, 'start' | 'solution' | 'opens'> {
  readonly start: readonly Action[];
  readonly solution: readonly Action[];
  /** The step at which the lab opens, from 0. */
  readonly step: number;
}

export type PartData = LessonPart | LabPart | TaskData;

export interface WorkshopData {
  readonly id: string;
  readonly title: Said;
  readonly about: Said;
  readonly parts: readonly PartData[];
}
