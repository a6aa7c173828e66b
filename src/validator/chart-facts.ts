/**
 * What the state records of a run say against their own charts: a transition that the chart has not, or one that begins
 * elsewhere than where the instance was. A recording has no state records, so each of these is a difference.
 */
import type { Chart } from '../../machines/kernel/machine.ts';
import type { AnyObject } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';

/** The state charts of the engine that made a run, by id. */
export type Charts = ReadonlyMap<string, Chart>;

export function chartFacts(trace: Trace, charts: Charts): Fact[] {
  const states = new Map<string, { readonly state: string; readonly index: number }>();
  const made = new Map<string, number>();
  return trace.records.flatMap((record, index): Fact[] => {
    if (record.type === 'watch' && record.verb === 'ADDED') made.set(placeOf(record.object), index);
    if (record.type !== 'state') return [];
    const { machine, key, event, from, to } = record;
    const chart = charts.get(machine);
    const instance = `${machine} ${key}`;
    const before = states.get(instance);
    states.set(instance, { state: to, index });
    const fact = (text: string): Fact => ({ kind: 'state', subject: instance, text, index, t: record.t });
    if (chart === undefined) return [fact('no machine of this name')];
    return [
      ...(chart.can(from, event) && chart.next(from, event) === to ? [] : [fact(`no transition ${from} --${event}--> ${to}`)]),
      ...(from === (before?.state ?? chart.initial) || (from === chart.initial && madeSince(before?.index ?? 0)) ? [] : [fact(`leaves ${from}, but was in ${before?.state ?? chart.initial}`)]),
    ];

    /** An object that is made again begins anew; a key is that of the object, or of a pod with one of its volumes or containers. */
    function madeSince(last: number): boolean {
      return [key, key.slice(0, key.lastIndexOf('/'))].some(place => (made.get(place) ?? -1) > last);
    }
  });
}

function placeOf({ metadata }: AnyObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
