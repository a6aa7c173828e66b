/** What the order of all records says: time does not go back, and the store numbers its writes upwards. No recording does otherwise. */
import type { Trace } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import type { Names } from './names.ts';

export function orderFacts(trace: Trace, names: Names): Fact[] {
  let time = 0;
  let version = 0;
  return trace.records.flatMap((record, index): Fact[] => {
    const place = { kind: 'end', subject: 'order of records', index, t: record.t } as const;
    const back = record.t < time ? [{ ...place, text: `a record (${record.type}) earlier than the one before it` }] : [];
    time = Math.max(time, record.t);
    // The end of an old event is shown under the version that it had.
    if (record.type !== 'watch' || (record.object.kind === 'Event' && record.verb === 'DELETED')) return back;
    const { kind, metadata } = record.object;
    const below = Number(metadata.resourceVersion) <= version ? [{ ...place, text: `${names.idOf({ kind, ...metadata }, index)} written under a version that is not above the last one` }] : [];
    version = Math.max(version, Number(metadata.resourceVersion));
    return [...back, ...below];
  });
}
