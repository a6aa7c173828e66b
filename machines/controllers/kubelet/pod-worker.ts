/**
 * The worker of one pod (pkg/kubelet/pod_workers.go and SyncPod, SyncTerminatingPod, SyncTerminatedPod of kubelet.go,
 * v1.35). One sync at a time; what happens meanwhile makes one more sync afterwards, and never before the containers
 * have been looked at again.
 */
import type { Lane } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import { DEADLINE_EXCEEDED, deadlineOf } from './active-deadline.ts';
import type { podWorkerChart } from './charts.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { NodeTimer } from './node-clock.ts';
import { PodContainers } from './pod-containers.ts';
import { PodProber } from './prober.ts';
import { podStatus, rejectedStatus, terminatedStatus, type Verdict } from './pod-status.ts';
import { VolumeWait, type WaitResult } from './volume-wait.ts';

type WorkerLane = Lane<(typeof podWorkerChart.states)[number], (typeof podWorkerChart.transitions)[number]['event']>;
/** Syncing, stopping the containers, tearing down, nothing left to do. */
type Phase = 'sync' | 'terminating' | 'terminated' | 'finished';

export class PodWorker {
  pod: Pod;
  private readonly env: KubeletEnvironment;
  private readonly containers: PodContainers;
  private readonly lane: WorkerLane;
  private readonly startTime: string;
  private phase: Phase = 'sync';
  /** A sync runs or waits for its turn. */
  private busy = false;
  private again = false;
  private lastEnd = -Infinity;
  private resync: NodeTimer | undefined;
  private restingSince = 0;
  /** Something changed while a sync ran. */
  private stale = false;
  private wait: VolumeWait | undefined;
  /** The object is gone from the API. */
  private objectGone = false;
  private rejection: Verdict | undefined;
  private readonly prober: PodProber | undefined;
  private deadlineTimer: NodeTimer | undefined;

  constructor(env: KubeletEnvironment, pod: Pod) {
    this.env = env;
    this.pod = pod;
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    this.lane = env.workerLanes.make(key);
    this.startTime = env.world.api.timestamp();
    const seen = (): void => this.relisted();
    this.containers = new PodContainers(env, pod, () => env.relist.notice(seen));
    this.prober = PodProber.of(env, pod, this.containers.all, { statusChanged: () => this.readinessChanged(), sync: () => this.trigger() });
  }

  /** The pod appeared on the node. */
  begin(): void {
    if (this.pod.metadata.deletionTimestamp !== undefined) this.phase = 'terminating';
    this.env.clock.after(timings.podAdmission, () => this.trigger());
    this.watchDeadline();
  }

  /** The object changed. Its own status writes mean nothing to the worker. */
  update(pod: Pod): void {
    const before = this.pod;
    this.pod = pod;
    const sameSpec = before.spec === pod.spec && before.metadata.labels === pod.metadata.labels && before.metadata.annotations === pod.metadata.annotations;
    if (pod.metadata.deletionTimestamp !== undefined) this.terminate();
    else if (!sameSpec) {
      if (before.spec !== pod.spec) this.containers.update(pod);
      if (before.spec.activeDeadlineSeconds !== pod.spec.activeDeadlineSeconds) this.watchDeadline();
      this.trigger();
    }
    else if (this.phase === 'sync') this.env.statuses.reconcile(pod);
  }

  private watchDeadline(): void {
    const deadline = deadlineOf(this.pod, this.startTime);
    this.deadlineTimer?.cancel();
    if (deadline === undefined) return;
    this.deadlineTimer = this.env.clock.after(deadline - this.env.world.api.unixMs + timings.deadlineLook, () => {
      if (this.phase === 'sync') this.trigger();
    });
  }

  /**
   * The pod has been active too long: it fails, and its containers are stopped as those of any pod. Each time that the
   * kubelet makes the pod's status it says so once more.
   * @modelled pkg/kubelet/active_deadline.go, pkg/kubelet/kubelet_pods.go generateAPIPodStatus, v1.35
   */
  private evicted(): Verdict | undefined {
    const deadline = deadlineOf(this.pod, this.startTime);
    if (deadline === undefined || this.env.world.api.unixMs < deadline) return undefined;
    this.env.recorder.event(this.pod, 'Normal', DEADLINE_EXCEEDED.reason, DEADLINE_EXCEEDED.message);
    return DEADLINE_EXCEEDED;
  }

  /** The object is gone although the kubelet did not let it go: forced deletion, pod garbage collection. @recorded #node-down */
  removed(): void {
    this.objectGone = true;
    if (this.phase === 'finished') this.finish();
    else this.terminate();
  }

  /**
   * Something that a resync would see has changed. A pod at rest is synced every 60 to 90 s; those syncs that would see
   * nothing are left out, this one is not.
   * @recorded #secret-removed, #expand-online
   */
  changed(): void {
    if (this.phase !== 'sync' || this.resync) return;
    if (this.busy) {
      this.stale = true;
      return;
    }
    let at = this.restingSince;
    while (at <= this.env.clock.now) at += this.jitter(timings.podResync);
    this.restingSince = at;
    this.scheduleSync(at - this.env.clock.now);
  }

  private terminate(): void {
    if (this.phase === 'sync') {
      this.phase = 'terminating';
      this.resync?.cancel();
      this.resync = undefined;
      this.wait?.cancel();
      this.containers.interrupt();
      this.prober?.cancel();
      this.trigger();
    } else if (this.phase === 'terminating') this.containers.shortenGrace(graceSeconds(this.pod));
  }

  private relisted(): void {
    this.containers.observe();
    if (this.phase !== 'finished') this.trigger();
  }

  /** What a probe says is told at once; the sync that it asks for comes later. */
  private readinessChanged(): void {
    if (this.phase === 'sync' || this.phase === 'terminating') this.writeStatus('answer');
  }

  /** Asks for a sync. */
  private trigger(): void {
    if (this.phase === 'finished') return;
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    this.env.relist.newerThan(this.lastEnd, () => this.run());
  }

  private run(): void {
    this.resync?.cancel();
    this.resync = undefined;
    if (this.phase === 'sync') this.syncPod();
    else if (this.phase === 'terminating') this.syncTerminatingPod();
    else this.syncTerminatedPod();
  }

  private complete(next: { readonly inMs: number } | 'atRest' | 'atOnce'): void {
    this.busy = false;
    this.lastEnd = this.env.clock.now;
    if (this.again || next === 'atOnce') {
      this.again = false;
      this.trigger();
    } else if (next === 'atRest') this.rest();
    else this.scheduleSync(next.inMs);
  }

  private rest(): void {
    this.restingSince = this.env.clock.now;
    if (!this.stale) return;
    this.stale = false;
    this.changed();
  }

  private scheduleSync(ms: number): void {
    this.resync = this.env.clock.after(ms, () => this.trigger());
  }

  private jitter(ms: number): number {
    return ms * (1 + this.env.world.random.next() * 0.5);
  }

  /**
   * SyncPod: status, volumes, containers. A pod that has come to its end by itself is torn down next; sidecars that are
   * left are stopped first, and the look that finds them stopped brings the end.
   * @recorded #immediate-happy, #finished-pod, #missing-secret
   */
  private syncPod(): void {
    const evicted = this.writeStatus();
    if (!evicted && this.containers.servesNobody && this.containers.allDone()) {
      this.containers.stop(undefined, () => this.complete('atRest'));
      return;
    }
    if (evicted || this.containers.allDone()) {
      this.phase = 'terminating';
      this.complete('atOnce');
      return;
    }
    this.lane.try('WAIT');
    this.wait = new VolumeWait(this.env, this.pod, (result) => this.waited(result));
    this.wait.begin();
  }

  private waited(result: WaitResult): void {
    this.wait = undefined;
    if (result === 'mounted') this.startContainers();
    else if (typeof result === 'object') this.reject(result.rejected);
    else this.complete(result === 'cancelled' ? 'atOnce' : { inMs: this.jitter(timings.podRetry) });
  }

  /** The pod will never run here: it fails with the reason, and is torn down. @modelled ref 7.1 */
  private reject({ reason, message }: Verdict): void {
    this.env.recorder.event(this.pod, 'Warning', reason, message);
    this.rejection = { reason, message: `Pod was rejected: ${message}` };
    this.writeStatus();
    this.phase = 'terminating';
    this.complete('atOnce');
  }

  private startContainers(): void {
    this.lane.try('READY');
    this.prober?.start();
    if (this.containers.somethingToStart()) this.lane.try('START');
    this.containers.start(() => this.phase !== 'sync', (retryAt) => {
      if (this.containers.allRunning()) this.lane.try('RUN');
      if (retryAt === undefined) this.complete('atRest');
      else if (retryAt === 'failed') this.complete({ inMs: this.jitter(timings.podRetry) });
      else this.complete({ inMs: this.jitter(Math.min(timings.podResync, Math.max(0, retryAt - this.env.clock.now))) });
    });
  }

  /** SyncTerminatingPod: the containers are stopped; with them gone the pod is Failed or Succeeded. @recorded #node-move, #slow-goodbye, #finished-pod */
  private syncTerminatingPod(): void {
    this.lane.try('TERMINATE');
    this.prober?.stopLivenessAndStartup();
    this.writeStatus();
    this.containers.stop(graceSeconds(this.pod), () => {
      this.phase = 'terminated';
      this.prober?.stop();
      this.lane.try('STOPPED');
      this.writeStatus();
      this.env.volumes.release(this.pod.metadata.uid);
      this.env.stopped(this.pod);
      this.complete('atOnce');
    });
  }

  /** SyncTerminatedPod: only a pod whose volumes are all unmounted lets its object go. @recorded #node-move, #finished-pod */
  private syncTerminatedPod(): void {
    const started = this.env.clock.now;
    if (!this.rejection) this.evicted();
    const look = (): void => {
      if (!this.env.volumes.allUnmounted(this.pod.metadata.uid)) {
        if (this.env.clock.now - started >= timings.volumeWaitTimeout) this.complete({ inMs: this.jitter(timings.podRetry) });
        else this.env.clock.after(timings.volumeWaitPoll, look);
        return;
      }
      this.lane.try('GONE');
      this.phase = 'finished';
      this.env.volumes.forget(this.pod);
      this.env.statuses.set(this.pod, (pod) => terminatedStatus(pod.status));
      this.env.clock.after(timings.podDeletion, () => this.letGo());
    };
    look();
  }

  private finish(): void {
    this.deadlineTimer?.cancel();
    this.containers.forget();
    this.env.finished(this.pod.metadata.uid);
  }

  private letGo(): void {
    const { namespace, name, uid, deletionTimestamp } = this.pod.metadata;
    if (this.objectGone) {
      this.finish();
      return;
    }
    if (deletionTimestamp !== undefined) deletePod(this.env.world, namespace, name, uid);
  }

  /** Returns why the kubelet ends the pod, if it does. */
  private writeStatus(because: 'sync' | 'answer' = 'sync'): Verdict | undefined {
    if (this.rejection) {
      const { rejection } = this;
      this.env.statuses.set(this.pod, (pod) => rejectedStatus(pod, rejection));
      return undefined;
    }
    const evicted = this.evicted();
    const view = this.containers.view(this.startTime, this.phase, evicted);
    const now = this.env.world.api.timestamp();
    if (because === 'sync') this.prober?.told(view);
    else this.prober?.remember(view);
    this.env.statuses.set(this.pod, (pod) => podStatus(pod, view, now));
    return evicted;
  }
}

/**
 * How long the containers of a pod may take to end. A deletion with grace 0, a forced one, takes the object away at once and
 * still gives the containers their own time. @modelled pkg/kubelet/pod_workers.go calculateEffectiveGracePeriod, v1.35
 */
function graceSeconds({ metadata, spec }: Pod): number {
  return Math.max(1, metadata.deletionGracePeriodSeconds || (spec.terminationGracePeriodSeconds ?? 30));
}

/** The last step of a deletion: the kubelet lets the object go. */
export function deletePod(world: World, namespace: string | undefined, name: string, uid: string): void {
  if (world.api.get('Pod', namespace, name)?.metadata.uid === uid) world.api.delete('Pod', namespace, name, { graceSeconds: 0, uid });
}
