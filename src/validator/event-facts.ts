/** Facts of events: one per object, reason, component and text, and how often it was counted. */
import type { KubeEvent } from '../../machines/model/objects.ts';
import type { Trace, WatchRecord } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import { isFreeCount } from './ignored.ts';
import type { Dropped } from './ignored.ts';
import type { Names } from './names.ts';

interface Counted {
  readonly fact: Fact;
  readonly event: KubeEvent;
  readonly counts: Map<string, number>;
}

export function eventFacts(trace: Trace, names: Names, dropped: Dropped): Fact[] {
  const events = new Map<string, Counted>();
  const odd: Fact[] = [];
  trace.records.forEach((record, index) => {
    if (record.type !== 'watch' || record.object.kind !== 'Event') return;
    const event = record.object;
    if (record.verb === 'DELETED') return dropped.add('eventExpiry');
    if (event.involvedObject.kind === 'Node' && event.reason !== 'NodeReady' && event.reason !== 'NodeNotReady') return dropped.add('oldNodeEvent');
    dropped.add('eventName');
    dropped.add('uid');
    dropped.add('resourceVersion');
    const fact = eventFact(event, index, record.t, names);
    const key = `${fact.subject}|${fact.text}`;
    const known = events.get(key) ?? { fact, event, counts: new Map<string, number>() };
    events.set(key, known);
    const count = event.series?.count ?? event.count ?? 1;
    odd.push(...oddities(record.verb, known.counts.get(event.metadata.uid), count, event).map(text => ({ ...fact, text: `${fact.text}: ${text}` })));
    if (known.counts.size > 0 && !known.counts.has(event.metadata.uid) && !isFreeCount(event.reportingComponent, 'apart')) odd.push({ ...fact, text: `${fact.text}: as another event beside the first` });
    known.counts.set(event.metadata.uid, count);
  });
  return [...[...events.values()].flatMap(event => [event.fact, ...countFacts(event, dropped)]), ...odd];
}

/** What the recorder does not do: write an event anew, count on one it never wrote, or count otherwise than by one. */
function oddities(verb: WatchRecord['verb'], before: number | undefined, count: number, event: KubeEvent): string[] {
  if (verb === 'ADDED') return before === undefined ? [] : ['created again'];
  // Events of a node may have been written before the run.
  if (before === undefined) return event.involvedObject.kind === 'Node' ? [] : ['counted without having been created'];
  return count === before + 1 ? [] : [`counted from ${before} to ${count}`];
}

/** The fact that an event was written, whatever its count. */
export function eventFact(event: KubeEvent, index: number, t: number, names: Names): Fact {
  const view = names.viewOf(event.involvedObject, index);
  const subject = names.idOf(event.involvedObject, index);
  const component = names.text(event.reportingComponent, view);
  const details = [
    event.involvedObject.fieldPath,
    event.action === undefined ? undefined : `action ${event.action}`,
    event.related === undefined ? undefined : `related ${names.idOf(event.related, index)}`,
    event.source.component === undefined ? undefined : `source ${names.text(event.source.component, view)}`,
    event.source.host === undefined ? undefined : `host ${names.text(event.source.host, view)}`,
    event.reportingInstance === '' ? undefined : `instance ${names.text(event.reportingInstance, view)}`,
    ...shapeOf(event, names),
  ].filter(part => part !== undefined);
  const text = `${event.type} ${event.reason} from ${component}: ${names.text(event.message ?? '', view)} (${details.join(', ')})`;
  return { kind: 'event', subject, text, lane: `events of ${component} about ${subject}`, often: true, index, t };
}

/** What every recorded event has is not told; what is otherwise is. */
function shapeOf(event: KubeEvent, names: Names): string[] {
  const { involvedObject: about, metadata } = event;
  const counted = [event.firstTimestamp, event.lastTimestamp, event.count].filter(field => field !== undefined && field !== null).length;
  const time = event.eventTime === undefined || event.eventTime === null ? 0 : 1;
  return [
    ...(event.apiVersion === 'v1' ? [] : [`written as ${event.apiVersion}`]),
    `about ${about.apiVersion ?? 'no version'}`,
    // A Node stands before the run, so its uid is of no object that the trace writes; the kubelet gives its name instead.
    ...(about.kind === 'Node' || names.has({ uid: about.uid }) ? [] : [`uid ${about.uid ?? 'missing'} of no object`]),
    ...(about.resourceVersion === undefined ? ['at no version'] : []),
    ...(metadata.namespace === (about.namespace ?? 'default') ? [] : [`in namespace ${metadata.namespace ?? 'none'}, not in the object's`]),
    ...(about.kind === 'Node' || about.kind === 'PersistentVolume' ? [about.namespace === undefined ? '' : `object in ${about.namespace}`].filter(part => part !== '') : about.namespace === undefined ? ['object in no namespace'] : []),
    ...(metadata.name.startsWith(`${about.name ?? ''}.`) ? [] : ['not named after its object']),
    ...(time === 1 && counted === 0 ? ['at one time'] : time === 0 && counted === 3 ? [] : ['counted and at one time']),
  ];
}

function countFacts({ fact, event, counts }: Counted, dropped: Dropped): Fact[] {
  if (isFreeCount(event.reportingComponent, event.reason)) {
    dropped.add('loopCount');
    return [];
  }
  const value = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [{ kind: 'count', subject: fact.subject, text: fact.text, value, index: fact.index, t: fact.t }];
}
