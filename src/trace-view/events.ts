/** Events of a trace as `kubectl describe` prints them at a moment of the run. */
import type { AnyObject, KubeEvent } from '../../machines/model/objects.ts';
import type { Trace, WatchRecord } from '../../machines/trace/format.ts';

export interface EventRow {
  readonly key: string;
  readonly event: KubeEvent;
  /** The record of its first and of its latest write up to the moment shown. */
  readonly firstIndex: number;
  readonly index: number;
  readonly first: number;
  readonly last: number;
  /** How often it was seen; the scheduler counts in a series. */
  readonly count: number;
}

export interface EventGroup {
  /** `pod/first` */
  readonly about: string;
  readonly command: string;
  /** The object is not the one that has its name now, or the last that had it: another stood there before. */
  readonly former: boolean;
  readonly rows: readonly EventRow[];
}

/** Is this record a write of an Event object? */
export function isEventWrite(record: Trace['records'][number]): record is WatchRecord & { object: KubeEvent } {
  return record.type === 'watch' && record.object.kind === 'Event';
}

/** Every event object written up to record `index`, in the order of their first writes. Expired ones are left out. */
export function eventsAt(trace: Trace, index: number): EventRow[] {
  const rows = new Map<string, EventRow>();
  for (let i = 0; i <= index && i < trace.records.length; i++) {
    const record = trace.records[i];
    if (record === undefined || !isEventWrite(record)) continue;
    const key = `${record.object.metadata.namespace ?? ''}/${record.object.metadata.name}`;
    if (record.verb === 'DELETED') {
      rows.delete(key);
      continue;
    }
    const before = rows.get(key);
    rows.set(key, {
      key,
      event: record.object,
      firstIndex: before?.firstIndex ?? i,
      index: i,
      first: before?.first ?? record.t,
      last: record.t,
      count: record.object.series?.count ?? record.object.count ?? 1,
    });
  }
  return [...rows.values()];
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  PersistentVolumeClaim: 'pvc',
  PersistentVolume: 'pv',
  StatefulSet: 'statefulset',
  Deployment: 'deployment',
  ReplicaSet: 'replicaset',
  Pod: 'pod',
  Node: 'node',
};

/** The events at a moment, grouped by the object they are about; the pods first, as a reader describes them first. */
export function eventGroups(trace: Trace, index: number): EventGroup[] {
  const groups = new Map<string, EventRow[]>();
  for (const row of eventsAt(trace, index)) {
    const kind = row.event.involvedObject.kind ?? '';
    const about = `${SHORT_KINDS[kind] ?? kind.toLowerCase()}/${row.event.involvedObject.name ?? ''}`;
    const key = `${about}|${row.event.involvedObject.uid ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const last = new Map([...groups.keys()].map((key) => [key.split('|')[0] ?? '', key]));
  const rank = (about: string): number => (about.startsWith('pod/') ? 0 : about.startsWith('pvc/') ? 1 : 2);
  return [...groups]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, rows]) => {
      const about = key.split('|')[0] ?? '';
      return { about, command: `kubectl describe ${about.replace('/', ' ')}`, former: last.get(about) !== key, rows };
    });
}

/** The age column: `0s`, `2s (x3 over 4s)`. `now` in seconds of the run. */
export function ageOf(row: EventRow, now: number): string {
  const last = humanDuration(now - row.last);
  return row.count > 1 ? `${last} (x${row.count} over ${humanDuration(now - row.first)})` : last;
}

/** kubectl's short durations: seconds up to two minutes, then minutes and seconds. Source: apimachinery `HumanDuration`. */
export function humanDuration(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 120) return `${s}s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 10) return s % 60 === 0 ? `${minutes}m` : `${minutes}m${s % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h`;
}

/** An event's message as describe prints it: what is about one container begins with its path. */
export function describedMessage(event: KubeEvent): string {
  const path = event.involvedObject.fieldPath;
  return path === undefined || path === '' ? event.message : `${path}: ${event.message}`;
}

/** Who wrote an event, as the From column names it: the component, and which instance of it. */
export function fromOf(event: KubeEvent): { readonly component: string; readonly instance: string | undefined } {
  const whole = event.source.component ?? event.reportingComponent;
  const cut = /^([a-z0-9.-]+\.[a-z0-9./-]+?)_(.+)$/.exec(whole);
  if (cut !== null) return { component: cut[1] ?? whole, instance: `_${cut[2] ?? ''}` };
  return { component: whole, instance: event.source.host };
}

/** Is the event about this object? By uid where both know one: a name may live twice. */
export function isAbout(event: KubeEvent, object: AnyObject): boolean {
  const about = event.involvedObject;
  if (about.kind !== object.kind || about.name !== object.metadata.name) return false;
  if ((about.namespace ?? '') !== (object.metadata.namespace ?? '')) return false;
  return about.uid === undefined || about.uid === '' || about.uid === object.metadata.uid;
}
