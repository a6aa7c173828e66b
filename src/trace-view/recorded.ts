/** The recorded runs beside a run: in how many of them does an event stand, and where. */
import type { KubeEvent } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { fromOf, isEventWrite } from './events.ts';

/** What a page keeps of the recordings of one scenario: for each kind of event, where it stands in which run. */
export interface RecordedIndex {
  readonly scenario: string;
  /** How often the scenario was recorded. */
  readonly runs: number;
  /** By {@link eventKey}: run (from 1), record, seconds. The first write in each run. */
  readonly events: Readonly<Record<string, readonly Place[]>>;
}
export type Place = readonly [run: number, record: number, t: number];

export function recordedIndex(scenario: string, recordings: readonly Trace[]): RecordedIndex {
  const events: Record<string, Place[]> = {};
  recordings.forEach((trace, i) => {
    trace.records.forEach((record, index) => {
      if (!isEventWrite(record) || record.verb === 'DELETED') return;
      const places = (events[eventKey(record.object)] ??= []);
      if (!places.some(([run]) => run === i + 1)) places.push([i + 1, index, record.t]);
    });
  });
  return { scenario, runs: recordings.length, events };
}

/** Where an event stands in the recordings; empty where it stands in none. */
export function placesOf(index: RecordedIndex, event: KubeEvent): readonly Place[] {
  return index.events[eventKey(event)] ?? [];
}

/**
 * What makes two events of two runs the same event: object, type, reason, component and text, without what no two runs
 * share (uids, generated names, which of the fitting nodes was chosen).
 */
export function eventKey(event: KubeEvent): string {
  const about = `${event.involvedObject.kind ?? ''}/${sameInAllRuns(event.involvedObject.name ?? '')}`;
  return [about, event.type, event.reason, sameInAllRuns(fromOf(event).component), sameInAllRuns(event.message)].join('|');
}

const FREE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '‹uid›'],
  [/\bvol-[0-9a-f]{8}\b/g, '‹handle›'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-‹random›'],
  [/-[0-9a-f]{8,10}(-[bcdfghjklmnpqrstvwxz2-9]{5})?\b/g, '-‹generated›'],
  [/\bab-(?:worker\d*|control-plane)\b/g, '‹node›'],
];

function sameInAllRuns(text: string): string {
  return FREE.reduce((kept, [pattern, stand]) => kept.replace(pattern, stand), text).trim();
}
