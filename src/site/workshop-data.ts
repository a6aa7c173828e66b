/** Workshops with their deeds found in the runs, when the site is built. */
import { limitOf } from '../course/when.ts';
import { runWith } from '../lab/engine-chunk.ts';
import { keyStep } from '../trace-view/history.ts';
import { stepOfRecord } from '../trace-view/steps.ts';
import type { PartData, TaskData, WorkshopData } from '../workshop/data.ts';
import type { Part, TaskPart, Workshop } from '../workshop/workshop.ts';
import { labData } from './lab-data.ts';
import { actionsOf } from './planned-lab.ts';

/** Throws where a fact never comes or a button is not offered. */
export function workshopData({ id, title, about, parts }: Workshop): WorkshopData {
  return { id, title, about, parts: parts.map(partData) };
}

function partData(part: Part): PartData {
  return part.kind === 'task' ? taskData(part) : part;
}

function taskData({ start, solution, opens, ...task }: TaskPart): TaskData {
  const data = labData(task.lab);
  const begins = actionsOf(data, start);
  const begun = runWith(data, begins);
  return {
    ...task,
    start: begins,
    solution: actionsOf(data, solution, begins).slice(begins.length),
    step: opens === undefined ? keyStep(begun, undefined) : stepOfRecord(begun, limitOf(begun, opens)),
  };
}
