/**
 * The two event recorders of client-go. Core components and sidecars use the core/v1 recorder: aggregation of many
 * similar events, counting of equal ones, a spam filter (client-go tools/record/events_cache.go, v1.35; ref 0.4).
 * The scheduler uses the events.k8s.io recorder: a repeated event becomes a series
 * (client-go tools/events/event_broadcaster.go, v1.35; ref 0.4).
 */
import type { AnyObject, KubeEvent, ObjectReference } from '../model/objects.ts';
import { KINDS } from '../model/kinds.ts';
import type { ApiServer } from './api-server.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type EventType = 'Normal' | 'Warning';

/** Events with the same key but 10 different messages within 600 s are combined into one (events_cache.go). */
const AGGREGATE_AFTER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
/** Spam filter: 25 events at once per source, object and type, then one per 300 s (events_cache.go; ref 0.4). */
const SPAM_BURST = 25;
const SPAM_REFILL_MS = 300_000;
/** From recording an event to its write: the broadcaster's goroutine and one request (recordings: 2–15 ms). */
const EVENT_WRITE_MS = 6;

interface Aggregate {
  messages: Set<string>;
  last: number;
}
interface Written {
  name: string;
  namespace: string;
  count: number;
}

export interface RecorderDeps {
  readonly clock: Clock;
  readonly api: ApiServer;
  readonly random: Random;
}

export function referenceTo(object: AnyObject, fieldPath?: string): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: KINDS[object.kind].apiVersion,
    ...(fieldPath === undefined ? {} : { fieldPath }),
    kind: object.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    resourceVersion,
    uid,
  };
}

function eventName(deps: RecorderDeps, object: string): string {
  const nanos = BigInt(deps.api.unixMs) * 1_000_000n + BigInt(Math.floor(deps.random.next() * 1_000_000));
  return `${object}.${nanos.toString(16)}`;
}

/** core/v1 recorder of one component (and, for the kubelet, one host). */
export class EventRecorder {
  private readonly deps: RecorderDeps;
  private readonly component: string;
  private readonly host: string | undefined;
  private readonly aggregates = new Map<string, Aggregate>();
  private readonly written = new Map<string, Written>();
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(deps: RecorderDeps, component: string, host?: string) {
    this.deps = deps;
    this.component = component;
    this.host = host;
  }

  /** Records an event about `about` (an object or a bare reference). The write follows a few milliseconds later. */
  event(about: AnyObject | ObjectReference, type: EventType, reason: string, message: string, fieldPath?: string): void {
    const ref = 'metadata' in about ? referenceTo(about, fieldPath) : about;
    this.deps.clock.after(EVENT_WRITE_MS, () => this.write(ref, type, reason, message));
  }

  private write(ref: ObjectReference, type: EventType, reason: string, message: string): void {
    const objectKey = [ref.kind, ref.namespace, ref.name, ref.uid].join('|');
    const text = this.aggregate(`${objectKey}|${type}|${reason}`, message);
    const key = [objectKey, ref.fieldPath, type, reason, text === message ? message : '(combined)'].join('|');
    if (!this.allowed(`${objectKey}|${type}`)) return;
    const known = this.written.get(key);
    if (known && this.bump(known, text)) return;
    this.written.set(key, this.post(ref, type, reason, text, known ? known.count + 1 : 1));
  }

  /** EventAggregator: the tenth distinct message within the window, and all later ones, are combined. */
  private aggregate(key: string, message: string): string {
    const now = this.deps.clock.now;
    let group = this.aggregates.get(key);
    if (!group || now - group.last > AGGREGATE_WINDOW_MS) this.aggregates.set(key, (group = { messages: new Set(), last: now }));
    group.messages.add(message);
    group.last = now;
    return group.messages.size < AGGREGATE_AFTER ? message : `(combined from similar events): ${message}`;
  }

  /** EventSourceObjectSpamFilter: a token bucket; a dropped event does not even raise a count. */
  private allowed(key: string): boolean {
    const now = this.deps.clock.now;
    const bucket = this.buckets.get(key) ?? { tokens: SPAM_BURST, at: now };
    const tokens = Math.min(SPAM_BURST, bucket.tokens + (now - bucket.at) / SPAM_REFILL_MS);
    this.buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1;
  }

  private bump(known: Written, message: string): boolean {
    const next = this.deps.api.updateIfPresent('Event', known.namespace, known.name, (event) => ({
      ...event,
      message,
      count: (event.count ?? 1) + 1,
      lastTimestamp: this.deps.api.timestamp(),
    }));
    if (!next) return false;
    known.count = next.count ?? known.count + 1;
    return true;
  }

  private post(ref: ObjectReference, type: EventType, reason: string, message: string, count: number): Written {
    const now = this.deps.api.timestamp();
    const namespace = ref.namespace ?? 'default';
    const event = this.deps.api.create<'Event'>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName(this.deps, ref.name ?? ''), namespace },
      count,
      eventTime: null,
      firstTimestamp: now,
      lastTimestamp: now,
      involvedObject: ref,
      message,
      reason,
      reportingComponent: this.component,
      reportingInstance: this.host ?? '',
      source: this.host === undefined ? { component: this.component } : { component: this.component, host: this.host },
      type,
    });
    return { name: event.metadata.name, namespace, count };
  }
}

/** events.k8s.io recorder (the scheduler's): the note is not part of the key, the object's resourceVersion is. */
export class SeriesRecorder {
  private readonly deps: RecorderDeps;
  private readonly controller: string;
  private readonly instance: string;
  private readonly series = new Map<string, { name: string; namespace: string; seen: number }>();

  constructor(deps: RecorderDeps, controller: string, instance: string) {
    this.deps = deps;
    this.controller = controller;
    this.instance = instance;
  }

  /** Records an event. `related` is the other object of e.g. a preemption. The message is cut at 1024 bytes (ref 0.3). */
  event(about: AnyObject, type: EventType, reason: string, action: string, message: string, related?: AnyObject): void {
    const ref = referenceTo(about);
    const note = message.length > 1024 ? `${message.slice(0, 1024 - 4)} ...` : message;
    this.deps.clock.after(EVENT_WRITE_MS, () => this.write(ref, type, reason, action, note, related));
  }

  private write(ref: ObjectReference, type: EventType, reason: string, action: string, note: string, related: AnyObject | undefined): void {
    const key = [type, action, reason, ref.kind, ref.namespace, ref.name, ref.uid, ref.resourceVersion, related?.metadata.uid].join('|');
    const known = this.series.get(key);
    if (known) {
      known.seen++;
      // The second occurrence starts the series; later ones are counted in memory only (ref 0.4).
      if (known.seen === 2) this.startSeries(known);
      return;
    }
    this.series.set(key, { ...this.post(ref, type, reason, action, note, related), seen: 1 });
  }

  private startSeries(known: { name: string; namespace: string }): void {
    this.deps.api.updateIfPresent('Event', known.namespace, known.name, (event) => ({
      ...event,
      series: { count: 2, lastObservedTime: this.microTime() },
    }));
  }

  private post(ref: ObjectReference, type: EventType, reason: string, action: string, note: string, related: AnyObject | undefined): { name: string; namespace: string } {
    const namespace = ref.namespace ?? 'default';
    const event: KubeEvent = this.deps.api.create<'Event'>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName(this.deps, ref.name ?? ''), namespace },
      action,
      eventTime: this.microTime(),
      firstTimestamp: null,
      lastTimestamp: null,
      involvedObject: ref,
      ...(related ? { related: referenceTo(related) } : {}),
      message: note,
      reason,
      reportingComponent: this.controller,
      reportingInstance: this.instance,
      source: {},
      type,
    });
    return { name: event.metadata.name, namespace };
  }

  private microTime(): string {
    return new Date(this.deps.api.unixMs).toISOString().replace('Z', '000Z');
  }
}
