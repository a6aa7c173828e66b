/** Where an event shown stands in the recordings. */
import type { EventRow } from '../trace-view/events.ts';
import { placesOf } from '../trace-view/recorded.ts';
import type { LabPaths } from './data.ts';
import type { Source } from './parts/Events.tsx';
import type { Run } from './use-run.ts';

/** Before the run left the recordings an event is theirs or is not; after, nothing can be said of it. `recording` is 0 for a simulated run. */
export function sourceAt(row: EventRow, recording: number, run: Run, paths: LabPaths): Source {
  if (recording > 0) return { kind: 'itself' };
  const index = run.recorded;
  if (index === undefined || row.first * 1000 > run.coveredUntil) return { kind: 'modelled' };
  const places = placesOf(index, row.event);
  const [first] = places;
  if (first === undefined) return { kind: 'differs' };
  return { kind: 'recorded', n: places.length, of: index.runs, href: recordedHref(index.scenario, first[0], first[1], paths) };
}

/** A record's line on the page of its recording. */
export function recordedHref(scenario: string, run: number, record: number, paths: LabPaths): string {
  return `${paths.recordings}${scenario}/${run}/#r${record}`;
}
