/**
 * The scheduling queue: active, back-off, back-off after errors, and the pool of unschedulable pods
 * (backend/queue/scheduling_queue.go, active_queue.go, backoff_queue.go, v1.35; ref 0.5, 3.4).
 */
import type { Clock, Timer } from '../../kernel/clock.ts';
import type { Pod } from '../../model/objects.ts';
import type { SchedulingLane } from './chart.ts';
import { podUpdates, type ClusterEvent } from './cluster-event.ts';
import { KeyedHeap } from './heap.ts';
import { interestedIn, worthRequeuing } from './hints.ts';
import { Nominator } from './nominator.ts';
import { podInfoOf, type PodInfo } from './pod-info.ts';
import type { PluginName } from './status.ts';

const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;
/** Back-offs end with whole seconds of the wall clock, and the queue is flushed at whole seconds. */
const WINDOW_MS = 1_000;
/** A pod leaves the pool after 5 minutes at the latest; looked at every 30 s. */
const MAX_IN_POOL_MS = 300_000;
const POOL_FLUSH_MS = 30_000;

/** A pod in the queue, or in the hands of the scheduler. */
export interface QueuedPod {
  readonly uid: string;
  readonly lane: SchedulingLane;
  /** The pod as the queue last saw it: what an attempt works with. */
  info: PodInfo;
  /** When it was last put into the queue, Unix milliseconds. */
  timestamp: number;
  unschedulableCount: number;
  consecutiveErrors: number;
  /** The plugins that refused it in the last attempt; empty after an error. */
  rejectors: Set<PluginName>;
  /** End of its back-off, a whole second; undefined until asked for. */
  backoffUntil: number | undefined;
  /** Kept out of the active queue until its preemption is through. */
  gated: boolean;
  /** The pod object is deleted. */
  gone: boolean;
  readonly seq: number;
}

const NOBODY: readonly QueuedPod[] = [];

interface InFlightEvent {
  readonly seq: number;
  readonly event: ClusterEvent;
}

export interface QueueOptions {
  readonly clock: Clock;
  /** Unix milliseconds now. */
  readonly unixMs: () => number;
  readonly laneOf: (key: string) => SchedulingLane;
  /** DefaultPreemption.PreEnqueue: true while the pod's preemption still runs. */
  readonly preempting: (uid: string) => boolean;
  /** Called whenever a pod can be popped. */
  readonly wake: () => void;
  /** Phase of the 30 s look at the pool, milliseconds. */
  readonly poolPhaseMs: number;
}

export class SchedulingQueue {
  readonly nominator = new Nominator();
  private readonly options: QueueOptions;
  private readonly pods = new Map<string, QueuedPod>();
  private readonly active = new KeyedHeap<QueuedPod>((pod) => pod.uid, precedes);
  private readonly backoff: KeyedHeap<QueuedPod>;
  private readonly errorBackoff: KeyedHeap<QueuedPod>;
  private readonly pool = new Map<string, QueuedPod>();
  /** Pods being worked on → the number of the last event before they were popped. */
  private readonly inFlight = new Map<string, number>();
  private events: InFlightEvent[] = [];
  private seq = 0;
  private flushTimer: Timer | undefined;
  private poolTimer: Timer | undefined;

  constructor(options: QueueOptions) {
    this.options = options;
    const until = (pod: QueuedPod): number => this.backoffUntil(pod) ?? 0;
    this.backoff = new KeyedHeap((pod) => pod.uid, (a, b) => until(a) < until(b) || (until(a) === until(b) && precedes(a, b)));
    this.errorBackoff = new KeyedHeap((pod) => pod.uid, (a, b) => until(a) < until(b) || (until(a) === until(b) && a.seq < b.seq));
  }

  /** A new unscheduled pod. @recorded #immediate-happy */
  add(pod: Pod): void {
    const info = podInfoOf(pod);
    const queued: QueuedPod = {
      uid: info.uid,
      lane: this.options.laneOf(info.key),
      info,
      timestamp: this.options.unixMs(),
      unschedulableCount: 0,
      consecutiveErrors: 0,
      rejectors: new Set(),
      backoffUntil: undefined,
      gated: false,
      gone: false,
      seq: ++this.seq,
    };
    this.pods.set(info.uid, queued);
    this.active.push(queued);
    this.nominator.add(info, undefined);
    this.options.wake();
  }

  /**
   * The next pod: the head of the active queue, or, when that is empty, of the back-off queue before its time
   * (SchedulerPopFromBackoffQ). Pods that failed by an error serve their back-off to the end.
   * @recorded #pod-before-claim-binds, #bind-reverts
   */
  pop(): QueuedPod | undefined {
    const fromActive = this.active.pop();
    const pod = fromActive ?? this.backoff.pop();
    if (!pod) return undefined;
    pod.lane.send(fromActive ? 'POP' : 'POP_EARLY');
    this.inFlight.set(pod.uid, this.seq);
    pod.rejectors = new Set();
    pod.gated = false;
    pod.backoffUntil = undefined;
    return pod;
  }

  get empty(): boolean {
    return this.active.size === 0 && this.backoff.size === 0;
  }

  /** The attempt is over as far as events are concerned: nothing more has to be remembered for it. */
  done(uid: string): void {
    if (!this.inFlight.delete(uid)) return;
    const oldest = Math.min(...this.inFlight.values());
    this.events = this.inFlight.size === 0 ? [] : this.events.filter((entry) => entry.seq > oldest);
  }

  /**
   * A pod comes back from a failed attempt. It goes to the pool, or straight to back-off when something happened meanwhile
   * that may let it through, or when it failed by an error.
   * @recorded #claim-not-found, #pod-before-claim-binds, #bind-reverts
   */
  addUnschedulable(pod: QueuedPod): void {
    if (pod.rejectors.size === 0) pod.consecutiveErrors++;
    else {
      pod.unschedulableCount++;
      pod.consecutiveErrors = 0;
    }
    // Even one that something happened for meanwhile was found not to fit (schedule_one.go "Unable to schedule pod; no fit; waiting").
    if (pod.rejectors.size > 0) pod.lane.send('NO_FIT');
    pod.timestamp = this.options.unixMs();
    pod.backoffUntil = undefined;
    const since = this.inFlight.get(pod.uid) ?? this.seq;
    const worth = pod.rejectors.size === 0 || this.events.some(({ seq, event }) => seq > since && worthRequeuing(pod.info, pod.rejectors, event));
    this.done(pod.uid);
    if (worth) this.requeue(pod);
    else this.toPool(pod);
  }

  /** An unscheduled pod changed. @recorded #pod-before-claim-binds */
  update(old: Pod, next: Pod): void {
    const pod = this.pods.get(next.metadata.uid);
    if (!pod) {
      this.add(next);
      return;
    }
    const actions = podUpdates(old, next);
    if (this.inFlight.has(pod.uid)) {
      // The attempt goes on with what it popped; the failure handler will fetch the newest pod.
      for (const action of actions) this.remember({ resource: 'UnscheduledPod', action, old, next });
      return;
    }
    pod.info = podInfoOf(next);
    this.nominator.update(old, pod.info);
    if (!this.pool.has(pod.uid)) return;
    for (const action of actions) {
      if (!worthRequeuing(pod.info, pod.rejectors, { resource: 'UnscheduledPod', action, old, next })) continue;
      this.requeue(pod);
      return;
    }
  }

  /** The pod is bound or deleted. */
  delete(uid: string): void {
    const pod = this.pods.get(uid);
    this.nominator.remove(uid);
    this.pods.delete(uid);
    this.active.remove(uid);
    if (!this.backoff.remove(uid)) this.errorBackoff.remove(uid);
    this.pool.delete(uid);
    if (pod) pod.gone = true;
  }

  /** Something happened: every pod in the pool that it may help leaves it (MoveAllToActiveOrBackoffQueue). @recorded #pod-before-claim-binds, #rwop-second-pod */
  moveAll(event: ClusterEvent, preCheck: (pod: PodInfo) => boolean = () => true): void {
    if (interestedIn(event).length === 0) return;
    for (const pod of this.pool.size === 0 ? NOBODY : [...this.pool.values()]) {
      if (!preCheck(pod.info) || (pod.gated && !isPodDeletion(event))) continue;
      if (worthRequeuing(pod.info, pod.rejectors, event)) this.requeue(pod);
    }
    if (this.inFlight.size > 0) this.remember(event);
  }

  private remember(event: ClusterEvent): void {
    this.events.push({ seq: ++this.seq, event });
  }

  /** To the active queue, or to back-off while that lasts. */
  private requeue(pod: QueuedPod): void {
    if (this.gate(pod)) return;
    if (this.isBackingOff(pod)) this.toBackoff(pod);
    else this.toActive(pod, 'REQUEUE');
  }

  /** A pod whose preemption still runs stays in the pool (DefaultPreemption.PreEnqueue). @modelled ref 3.4 */
  private gate(pod: QueuedPod): boolean {
    pod.gated = this.options.preempting(pod.uid);
    if (!pod.gated) return false;
    pod.rejectors.add('DefaultPreemption');
    if (!this.pool.has(pod.uid)) this.toPool(pod);
    return true;
  }

  private toActive(pod: QueuedPod, event: 'REQUEUE' | 'BACKOFF_COMPLETE'): void {
    this.pool.delete(pod.uid);
    pod.lane.send(event);
    this.active.push(pod);
    this.options.wake();
  }

  private toBackoff(pod: QueuedPod): void {
    this.pool.delete(pod.uid);
    // A failed binding has already said so itself.
    if (!pod.lane.is('backOff')) pod.lane.send(pod.lane.is('unschedulable') ? 'REQUEUE_AFTER_BACKOFF' : 'RETRY');
    (pod.rejectors.size === 0 ? this.errorBackoff : this.backoff).push(pod);
    this.planFlush();
    if (pod.rejectors.size > 0) this.options.wake();
  }

  private toPool(pod: QueuedPod): void {
    this.pool.set(pod.uid, pod);
    this.planPoolFlush();
  }

  /** 1 s, 2 s, 4 s … 10 s after the attempt, by how often it was refused (or failed in a row), cut to whole seconds. @recorded #bind-reverts */
  private backoffUntil(pod: QueuedPod): number | undefined {
    const count = pod.consecutiveErrors > 0 ? pod.consecutiveErrors : pod.unschedulableCount;
    if (count === 0) return undefined;
    pod.backoffUntil ??= wholeSecond(pod.timestamp + Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (count - 1)));
    return pod.backoffUntil;
  }

  private isBackingOff(pod: QueuedPod): boolean {
    const until = this.backoffUntil(pod);
    return until !== undefined && until >= wholeSecond(this.options.unixMs());
  }

  /** The next whole second in which a back-off is over: the one after the second in which it ends. */
  private planFlush(): void {
    const heads = [this.backoff.peek(), this.errorBackoff.peek()].flatMap((pod) => (pod ? [this.backoffUntil(pod) ?? 0] : []));
    this.options.clock.cancel(this.flushTimer);
    this.flushTimer = undefined;
    if (heads.length === 0) return;
    const inMs = Math.min(...heads) + WINDOW_MS - this.options.unixMs();
    this.flushTimer = this.options.clock.after(inMs, () => {
      for (const heap of [this.backoff, this.errorBackoff]) this.flush(heap);
      this.planFlush();
    });
  }

  private flush(heap: KeyedHeap<QueuedPod>): void {
    for (let head = heap.peek(); head && !this.isBackingOff(head); head = heap.peek()) {
      heap.pop();
      this.toActive(head, 'BACKOFF_COMPLETE');
    }
  }

  /** Every 30 s: pods that have been in the pool for more than 5 minutes are tried again (flushUnschedulablePodsLeftover). @modelled ref 0.5 */
  private planPoolFlush(): void {
    if (this.poolTimer || this.pool.size === 0) return;
    const { clock, poolPhaseMs } = this.options;
    const oldest = Math.min(...[...this.pool.values()].map((pod) => pod.timestamp)) + MAX_IN_POOL_MS - this.options.unixMs() + clock.now;
    const periods = Math.max(1, Math.floor((Math.max(oldest, clock.now) - poolPhaseMs) / POOL_FLUSH_MS) + 1);
    this.poolTimer = clock.at(poolPhaseMs + periods * POOL_FLUSH_MS, () => {
      this.poolTimer = undefined;
      for (const pod of [...this.pool.values()]) if (this.options.unixMs() - pod.timestamp > MAX_IN_POOL_MS && !pod.gated) this.requeue(pod);
      this.planPoolFlush();
    });
  }
}

/** PrioritySort: higher priority first, then the longer in the queue. */
function precedes(a: QueuedPod, b: QueuedPod): boolean {
  if (a.info.priority !== b.info.priority) return a.info.priority > b.info.priority;
  return a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.seq < b.seq);
}

/** The only kind of event that may end the gating of a pod whose preemption runs. */
function isPodDeletion({ resource, action }: ClusterEvent): boolean {
  return action === 'Delete' && (resource === 'AssignedPod' || resource === 'UnscheduledPod');
}

function wholeSecond(unixMs: number): number {
  return Math.floor(unixMs / WINDOW_MS) * WINDOW_MS;
}
