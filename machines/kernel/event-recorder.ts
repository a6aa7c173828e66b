/**
 * The two event recorders of client-go. Core components and sidecars use the core/v1 recorder: aggregation of many
 * similar events, counting of equal ones, a spam filter (client-go tools/record/events_cache.go, v1.35; ref 0.4).
 * The scheduler uses the events.k8s.io recorder: a repeated event becomes a series
 * (client-go tools/events/event_broadcaster.go, v1.35; ref 0.4).
 */
import type { AnyObject, KubeEvent, ObjectReference } from '../model/objects.ts';
import { KINDS } from '../model/kinds.ts';
import { appended } from '../model/values.ts';
import type { ApiServer } from './api-server.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type EventType = 'Normal' | 'Warning';

/** Events with the same key but 10 different messages within 600 s are combined into one (events_cache.go). */
const AGGREGATE_AFTER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
/** Spam filter: 25 events at once per source, object and type, then one per 300 s (events_cache.go; ref 0.4). */
export const SPAM_BURST = 25;
export const SPAM_REFILL_MS = 300_000;
/** From recording an event to its write: the broadcaster's goroutine and one request (recordings: 2–15 ms). */
const EVENT_WRITE_MS = 6;

/** Events of one type and reason about one object. */
interface Topic {
  readonly type: EventType;
  readonly reason: string;
  /** Different messages within the window: the first, and others; from the tenth on only their number matters. */
  message: string;
  others: readonly string[];
  last: number;
  written: Written | undefined;
  readonly next: Topic | undefined;
}
/** An event that was written, for counting its repetitions. */
interface Written {
  readonly fieldPath: string | undefined;
  /** Undefined for the one that combines many messages. */
  readonly message: string | undefined;
  name: string;
  count: number;
  readonly next: Written | undefined;
}
/** What a recorder remembers of one object. Tens of thousands are kept, of few events each: chains take less room than lists. */
interface Memory {
  readonly namespace: string;
  topics: Topic | undefined;
  /** Spam filter; a type of which nothing was recorded yet has a full bucket. */
  Normal: Bucket | undefined;
  Warning: Bucket | undefined;
}
interface Bucket {
  tokens: number;
  filledAt: number;
}

export interface RecorderDeps {
  readonly clock: Clock;
  readonly api: ApiServer;
  readonly names: EventNames;
}

/**
 * Names of events: the object's, and the time in nanoseconds. Two events of one cluster never have the same time, and one
 * that is recorded later has a later one, also within a millisecond: a list of events is ordered by these names.
 */
export class EventNames {
  private readonly random: Random;
  /** The millisecond of the last name, and the nanoseconds within it. */
  private ms = -1;
  private nanos = 0;

  constructor(random: Random) {
    this.random = random;
  }

  next(object: string, unixMs: number): string {
    const after = unixMs > this.ms ? 0 : this.nanos + 1;
    this.ms = Math.max(unixMs, this.ms);
    // A step of up to a sixteenth of what is left of the millisecond leaves room for all that may follow in it.
    this.nanos = after + Math.floor((this.random.next() * Math.max(0, NANOS_PER_MS - after)) / 16);
    // Joined: a template leaves a chain of pieces in the store and in the trace.
    return [object, hexNanos(this.ms, this.nanos)].join('.');
  }
}
const NANOS_PER_MS = 1_000_000;

/**
 * Milliseconds and nanoseconds as one hexadecimal number. It has more digits than a double holds, and printing a large double
 * is slow, so it is made of pieces of five digits.
 */
function hexNanos(ms: number, nanos: number): string {
  const low = (ms % FIVE_DIGITS) * NANOS_PER_MS + nanos;
  const high = Math.floor(ms / FIVE_DIGITS) * NANOS_PER_MS + Math.floor(low / FIVE_DIGITS);
  return Math.floor(high / FIVE_DIGITS).toString(16) + fiveDigits(high % FIVE_DIGITS) + fiveDigits(low % FIVE_DIGITS);
}
const FIVE_DIGITS = 16 ** 5;

function fiveDigits(value: number): string {
  return (FIVE_DIGITS + value).toString(16).slice(1);
}

export function referenceTo(object: AnyObject, fieldPath?: string): ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const { kind } = object;
  const { apiVersion } = KINDS[kind];
  if (namespace === undefined) return fieldPath === undefined ? { apiVersion, kind, name, resourceVersion, uid } : { apiVersion, fieldPath, kind, name, resourceVersion, uid };
  return fieldPath === undefined ? { apiVersion, kind, name, namespace, resourceVersion, uid } : { apiVersion, fieldPath, kind, name, namespace, resourceVersion, uid };
}

const NONE: readonly never[] = [];

function topicOf(memory: Memory, type: EventType, reason: string): Topic | undefined {
  let topic = memory.topics;
  while (topic && (topic.reason !== reason || topic.type !== type)) topic = topic.next;
  return topic;
}

function writtenAs(topic: Topic, message: string | undefined, fieldPath: string | undefined): Written | undefined {
  let { written } = topic;
  while (written && (written.message !== message || written.fieldPath !== fieldPath)) written = written.next;
  return written;
}

/** core/v1 recorder of one component (and, for the kubelet, one host). */
export class EventRecorder {
  private readonly deps: RecorderDeps;
  private readonly component: string;
  private readonly host: string | undefined;
  private readonly source: KubeEvent['source'];
  private readonly memory = new Map<string, Memory>();

  constructor(deps: RecorderDeps, component: string, host?: string) {
    this.deps = deps;
    this.component = component;
    this.host = host;
    this.source = host === undefined ? { component } : { component, host };
  }

  /** Records an event about `about` (an object or a bare reference). The write follows a few milliseconds later. */
  event(about: AnyObject | ObjectReference, type: EventType, reason: string, message: string, fieldPath?: string): void {
    const ref = 'metadata' in about ? referenceTo(about, fieldPath) : about;
    this.deps.clock.after(EVENT_WRITE_MS, () => this.write(ref, type, reason, message));
  }

  private write(ref: ObjectReference, type: EventType, reason: string, message: string): void {
    const memory = this.memoryOf(ref);
    const topic = this.heard(memory, type, reason, message);
    if (!this.allowed(memory, type)) return;
    const combined = topic.others.length + 1 >= AGGREGATE_AFTER;
    const text = combined ? `(combined from similar events): ${message}` : message;
    const counted = combined ? undefined : message;
    const known = writtenAs(topic, counted, ref.fieldPath);
    if (known && this.bump(known, memory.namespace, text)) return;
    const count = known ? known.count + 1 : 1;
    const name = this.post(ref, memory.namespace, type, reason, text, count);
    if (known) Object.assign(known, { name, count });
    else topic.written = { fieldPath: ref.fieldPath, message: counted, name, count, next: topic.written };
  }

  private memoryOf(ref: ObjectReference): Memory {
    const { kind = '', namespace = '', name = '', uid = '' } = ref;
    // A uid is nobody else's; a node's events carry its name instead.
    const key = uid === '' || uid === name ? `${kind}|${namespace}|${name}|${uid}` : uid;
    let memory = this.memory.get(key);
    if (!memory) this.memory.set(key, (memory = { namespace: ref.namespace ?? 'default', topics: undefined, Normal: undefined, Warning: undefined }));
    return memory;
  }

  /** EventAggregator: the tenth different message within the window, and all later ones, are combined. */
  private heard(memory: Memory, type: EventType, reason: string, message: string): Topic {
    const { now } = this.deps.clock;
    const topic = topicOf(memory, type, reason);
    if (!topic) return (memory.topics = { type, reason, message, others: NONE, last: now, written: undefined, next: memory.topics });
    if (now - topic.last > AGGREGATE_WINDOW_MS) {
      topic.message = message;
      topic.others = NONE;
    } else if (topic.message !== message && topic.others.length + 1 < AGGREGATE_AFTER && !topic.others.includes(message)) {
      topic.others = appended(topic.others, message);
    }
    topic.last = now;
    return topic;
  }

  /** EventSourceObjectSpamFilter: a token bucket; a dropped event does not even raise a count. */
  private allowed(memory: Memory, type: EventType): boolean {
    const { now } = this.deps.clock;
    const bucket = memory[type];
    if (!bucket) {
      memory[type] = { tokens: SPAM_BURST - 1, filledAt: now };
      return true;
    }
    const filled = Math.min(SPAM_BURST, bucket.tokens + (now - bucket.filledAt) / SPAM_REFILL_MS);
    bucket.filledAt = now;
    bucket.tokens = filled >= 1 ? filled - 1 : filled;
    return filled >= 1;
  }

  private bump(known: Written, namespace: string, message: string): boolean {
    const next = this.deps.api.updateIfPresent('Event', namespace, known.name, (event) => ({
      ...event,
      message,
      count: (event.count ?? 1) + 1,
      lastTimestamp: this.deps.api.timestamp(),
    }));
    if (!next) return false;
    known.count = next.count ?? known.count + 1;
    return true;
  }

  private post(ref: ObjectReference, namespace: string, type: EventType, reason: string, message: string, count: number): string {
    const now = this.deps.api.timestamp();
    const name = this.deps.names.next(ref.name ?? '', this.deps.api.unixMs);
    this.deps.api.createComplete('Event', namespace, name, (metadata) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      count,
      eventTime: null,
      firstTimestamp: now,
      lastTimestamp: now,
      involvedObject: ref,
      message,
      reason,
      reportingComponent: this.component,
      reportingInstance: this.host ?? '',
      source: this.source,
      type,
    }));
    return name;
  }
}

/** An event of the newer kind that was written: the note is not part of what makes it the same. */
interface Series {
  readonly type: EventType;
  readonly action: string;
  readonly reason: string;
  readonly resourceVersion: string | undefined;
  readonly relatedUid: string | undefined;
  readonly name: string;
  readonly namespace: string;
  seen: number;
}

/** events.k8s.io recorder (the scheduler's): the note is not part of the key, the object's resourceVersion is. */
export class SeriesRecorder {
  private readonly deps: RecorderDeps;
  private readonly controller: string;
  private readonly instance: string;
  /** By the uid of what the events are about. */
  private readonly series = new Map<string, readonly Series[]>();

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
    const { uid = '', resourceVersion } = ref;
    const relatedUid = related?.metadata.uid;
    const about = this.series.get(uid) ?? NONE;
    const known = about.find((one) => one.reason === reason && one.resourceVersion === resourceVersion && one.type === type && one.action === action && one.relatedUid === relatedUid);
    if (known) {
      known.seen++;
      // The second occurrence starts the series; later ones are counted in memory only (ref 0.4).
      if (known.seen === 2) this.startSeries(known);
      return;
    }
    const namespace = ref.namespace ?? 'default';
    const name = this.post(ref, namespace, type, reason, action, note, related);
    this.series.set(uid, appended(about, { type, action, reason, resourceVersion, relatedUid, name, namespace, seen: 1 }));
  }

  private startSeries(known: Series): void {
    this.deps.api.updateIfPresent('Event', known.namespace, known.name, (event) => ({
      ...event,
      series: { count: 2, lastObservedTime: this.deps.api.microTimestamp() },
    }));
  }

  private post(ref: ObjectReference, namespace: string, type: EventType, reason: string, action: string, note: string, related: AnyObject | undefined): string {
    const name = this.deps.names.next(ref.name ?? '', this.deps.api.unixMs);
    this.deps.api.createComplete('Event', namespace, name, (metadata) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      action,
      eventTime: this.deps.api.microTimestamp(),
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
    }));
    return name;
  }
}
