/** Facts of CSI calls: method, request and answer, per volume. */
import type { Json } from '../../machines/model/objects.ts';
import type { CsiRecord, Trace } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import type { Dropped } from './ignored.ts';
import type { Names, View } from './names.ts';

/** Lists that mean a set: the specification of CSI gives their order no meaning. */
const unordered: ReadonlySet<string> = new Set(['requisite']);

/** Calls that a sidecar may make once more when its own writes have put the object into its queue again. */
const oftenTwice: ReadonlySet<string> = new Set(['ControllerPublishVolume', 'DeleteVolume']);

export function csiFacts(trace: Trace, names: Names, dropped: Dropped): Fact[] {
  const last = new Map<string, string>();
  const twice = new Set<string>();
  return trace.records.flatMap((record, index) => {
    if (record.type !== 'csi') return [];
    const fact = csiFact(record, index, names);
    const equal = oftenTwice.has(record.method) && record.code === 'OK' && last.get(fact.subject) === fact.text;
    const repeated = equal && !twice.has(fact.subject);
    last.set(fact.subject, fact.text);
    if (equal) twice.add(fact.subject);
    else twice.delete(fact.subject);
    if (repeated) dropped.add('publishTwice');
    return repeated ? [] : [fact];
  });
}

function csiFact(record: CsiRecord, index: number, names: Names): Fact {
  const volume = volumeOfCall(record, names);
  const view = volume === undefined ? { pods: [] } : names.viewOfVolume(volume);
  const id = String(record.request['volume_id'] ?? record.request['name'] ?? '');
  const subject = `csi ${record.driver} ${names.text(volume ?? id, view)}`;
  const answer = record.code === 'OK' && record.error === '' ? 'OK' : `${record.code}: ${names.text(record.error, view)}`;
  const text = `${record.method} on ${names.text(record.node, view)} ${requestText(record.request as Record<string, Json>, names, view)} -> ${answer}`;
  return { kind: 'csi', subject, text, lane: subject, index, t: record.t, byClock: true };
}

function volumeOfCall(record: CsiRecord, names: Names): string | undefined {
  const { volume_id: id, name } = record.request;
  if (typeof id === 'string') return names.volumeOfHandle(id);
  return typeof name === 'string' ? name : undefined;
}

function requestText(request: Record<string, Json>, names: Names, view: View): string {
  const sorted = (value: Json, field: string): Json => {
    if (Array.isArray(value)) {
      const list = value.map(element => sorted(element, field));
      return unordered.has(field) ? list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list;
    }
    if (value === null || typeof value !== 'object') return typeof value === 'string' ? names.text(value, view) : value;
    return Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key] ?? null, key)]));
  };
  return JSON.stringify(sorted(request, ''));
}
