/** The StatefulSet controller (pkg/controller/statefulset/stateful_set_control.go, v1.35). */
import { ApiError } from '../../kernel/api-error.ts';
import { objectKey, type Draft } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { chart, type Lanes } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { WorkQueue, type Work } from '../../kernel/work-queue.ts';
import type { ControllerRevision, Pod, PodTemplate, StatefulSet } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import type { WorkloadStatus } from './conditions.ts';
import { controllerOf, controllerReference, isAvailable, isReady, readySince } from './pods.ts';
import { withoutZeros } from './replicaset.ts';
import { claimPods, watchPods } from './claim-pods.ts';
import { ClaimProblem, SetClaims } from './statefulset-claims.ts';
import { ordinalOf, ordinalsOf, podDraft, podName, revisionOfPod } from './statefulset-identity.ts';
import { templateHash } from './template-hash.ts';

/** A StatefulSet: what it waits for. */
export const statefulSetChart = chart({
  id: 'statefulset',
  initial: 'settled',
  states: {
    settled: { on: { CREATE: 'creating', WAIT: 'waitingForPod', DELETE: 'deleting' } },
    creating: { on: { CREATE: 'creating', WAIT: 'waitingForPod', DELETE: 'deleting', DONE: 'settled' } },
    waitingForPod: { on: { CREATE: 'creating', WAIT: 'waitingForPod', DELETE: 'deleting', DONE: 'settled' } },
    deleting: { on: { CREATE: 'creating', WAIT: 'waitingForPod', DELETE: 'deleting', DONE: 'settled' } },
  },
});

const REVISIONS_OF_SET = 'workloads.revisions-of-statefulset';

export function startStatefulSetController(world: World): void {
  world.api.index(REVISIONS_OF_SET, 'ControllerRevision', (revision) => {
    const owner = controllerOf(revision);
    return owner ? [owner.uid] : [];
  });
  const controller = new StatefulSetController(world);
  world.api.watch('StatefulSet', ({ verb, object }) => {
    if (verb !== 'DELETED') controller.enqueue(objectKey(object));
  });
  watchPods(world.api, 'StatefulSet', (key) => controller.enqueue(key));
}

interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
}

/** One sync: the set, its pods as they stood, its two revisions. */
interface Round extends Revisions {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
}

/** 'stop' where the set must wait before it may go on to the next pod. */
type Step = 'stop' | 'go on';

class StatefulSetController {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly lanes: Lanes<(typeof statefulSetChart)['initial'], Parameters<(typeof statefulSetChart)['can']>[1]>;
  private readonly claims: SetClaims;
  private readonly queue: WorkQueue;

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('statefulset-controller');
    this.claims = new SetClaims(world, this.recorder);
    this.lanes = world.lanes(statefulSetChart);
    this.queue = new WorkQueue(world.clock, (key) => this.guarded(key));
  }

  enqueue(key: string): void {
    this.queue.add(key);
  }

  private *guarded(key: string): Work {
    try {
      yield* this.sync(key);
      this.queue.forget(key);
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.queue.addRateLimited(key);
    }
  }

  private *sync(key: string): Work {
    const set = this.world.api.byKey('StatefulSet', key);
    if (!set) return;
    const pods = yield* claimPods(this.world.api, set, (pod) => ordinalOf(set, pod) >= 0);
    const round: Round = { set, pods, ...(yield* this.revisions(set)) };
    const status = { ...this.count(round) };
    let failure: Error | undefined;
    if (set.metadata.deletionTimestamp === undefined) {
      try {
        yield* this.manage(round, status);
      } catch (error) {
        if (!isFailure(error)) throw error;
        failure = error;
      }
    }
    yield* this.writeStatus(round, status);
    this.wakeWhenAvailable(key, round);
    if (failure) throw failure;
  }

  /** updateStatefulSet: first the pods that shall be, in order, then those that shall not, then the update. */
  private *manage(round: Round, status: Record<string, number>): Work {
    const { set, pods } = round;
    const lane = this.lanes.get(objectKey(set));
    const { start, end } = ordinalsOf(set);
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = byOrdinal.get(ordinal);
      const step = yield* pod ? this.keep(round, pod, ordinal) : this.createPod(round, ordinal);
      if (pod && step === 'go on') continue;
      lane.send(pod ? 'WAIT' : 'CREATE');
      if (step === 'stop') return;
    }
    const condemned = pods.filter((pod) => ordinalOf(set, pod) < start || ordinalOf(set, pod) >= end).toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
    for (const pod of condemned) yield* this.claims.own(set, pod, ordinalOf(set, pod), true);
    const firstUnavailable = condemned.findLast((pod) => !this.isHealthy(set, pod));
    for (const pod of condemned) {
      if ((yield* this.deleteCondemned(round, pod, firstUnavailable)) === 'stop') return;
    }
    if ((set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'OnDelete') return;
    if ((yield* this.rollOne(round, byOrdinal, status)) === 'stop') return;
    lane.try('DONE');
  }

  /**
   * processReplica for a pod that is there: in order, each must be running, ready and available before the next. A pod that
   * is pending gets those of its claims that are gone; a settled one has them owned as the policy says.
   * @modelled pkg/controller/statefulset/stateful_set_control.go, v1.35
   */
  private *keep({ set }: Round, pod: Pod, ordinal: number): Generator<number, Step, void> {
    const held: Step = isParallel(set) ? 'go on' : 'stop';
    if (pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded') {
      if (pod.metadata.deletionTimestamp === undefined) this.deletePod(set, pod);
      return held;
    }
    if (pod.status.phase === 'Pending') {
      yield* this.claims.createMissing(set, ordinal);
      yield* this.claims.own(set, pod, ordinal, false);
    }
    if (!this.isHealthy(set, pod) && held === 'stop') return 'stop';
    if (yield* this.claims.own(set, pod, ordinal, false)) this.recorder.event(set, 'Normal', 'SuccessfulUpdate', `Update Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`);
    return 'go on';
  }

  /** Running and available, and not being deleted. */
  private isHealthy(set: StatefulSet, pod: Pod): boolean {
    return pod.metadata.deletionTimestamp === undefined && pod.status.phase === 'Running' && isAvailable(pod, set.spec.minReadySeconds ?? 0, this.world.api.unixMs);
  }

  /** Claims first, then the pod; one event each. @recorded #statefulset-templates */
  private *createPod(round: Round, ordinal: number): Generator<number, Step, void> {
    const { set } = round;
    const next: Step = isParallel(set) ? 'go on' : 'stop';
    if (this.claims.isStale(set, ordinal)) return next;
    const name = podName(set, ordinal);
    const failure = `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error:`;
    try {
      yield* this.claims.createMissing(set, ordinal);
    } catch (error) {
      if (error instanceof ClaimProblem) this.recorder.event(set, 'Warning', 'FailedCreate', `${failure} ${error.message}`);
      throw error;
    }
    yield timings.request;
    const { template, revision } = this.templateFor(round, ordinal);
    const pod = this.attempt(set, failure, () => this.world.api.create<'Pod'>(podDraft(set, template, revision, ordinal)));
    yield* this.claims.own(set, pod, ordinal, false);
    this.recorder.event(set, 'Normal', 'SuccessfulCreate', `Create Pod ${name} in StatefulSet ${set.metadata.name} successful`);
    return next;
  }

  private attempt(set: StatefulSet, failure: string, act: () => Pod): Pod {
    try {
      return act();
    } catch (error) {
      if (error instanceof ApiError && error.reason !== 'AlreadyExists') this.recorder.event(set, 'Warning', 'FailedCreate', `${failure} ${error.message}`);
      throw error;
    }
  }

  /**
   * newVersionedStatefulSetPod: while an update rolls, a pod that was not its turn yet is made again from the old revision.
   * @modelled pkg/controller/statefulset/stateful_set_utils.go, v1.35
   */
  private templateFor({ set, current, update }: Round, ordinal: number): { readonly template: PodTemplate; readonly revision: string } {
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition;
    const currentReplicas = Number(set.status['currentReplicas'] ?? 0);
    const rolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
    const old = rolling && ordinal < ordinalsOf(set).start + (partition === undefined ? currentReplicas : partition);
    const revision = old ? current : update;
    return { template: revision.data.template, revision: revision.metadata.name };
  }

  private deletePod(set: StatefulSet, pod: Pod): void {
    this.world.api.delete('Pod', pod.metadata.namespace, pod.metadata.name, { uid: pod.metadata.uid });
    this.recorder.event(set, 'Normal', 'SuccessfulDelete', `Delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`);
  }

  /**
   * processCondemned: the highest ordinal goes first, and the next only after it is gone. In order, a pod that is not
   * available holds the scale-down up, unless it is the lowest such pod.
   * @modelled pkg/controller/statefulset/stateful_set_control.go, v1.35
   */
  private *deleteCondemned({ set }: Round, pod: Pod, firstUnavailable: Pod | undefined): Generator<number, Step, void> {
    const lane = this.lanes.get(objectKey(set));
    const next: Step = isParallel(set) ? 'go on' : 'stop';
    if (pod.metadata.deletionTimestamp !== undefined) {
      lane.send('DELETE');
      return next;
    }
    if (next === 'stop' && pod !== firstUnavailable && !this.isHealthy(set, pod)) {
      lane.send('WAIT');
      return 'stop';
    }
    lane.send('DELETE');
    yield timings.request;
    this.deletePod(set, pod);
    return next;
  }

  /**
   * The update: from the highest ordinal down to the partition, one pod that is not of the new revision is deleted, and
   * the next only when that one is healthy again.
   * @modelled pkg/controller/statefulset/stateful_set_control.go, v1.35
   */
  private *rollOne({ set, update }: Round, byOrdinal: ReadonlyMap<number, Pod>, status: Record<string, number>): Generator<number, Step, void> {
    const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
    const { start, end } = ordinalsOf(set);
    for (let nth = end - start - 1; nth >= partition; nth--) {
      const pod = byOrdinal.get(start + nth);
      if (!pod) return 'stop';
      const terminating = pod.metadata.deletionTimestamp !== undefined;
      if (revisionOfPod(pod) !== update.metadata.name && !terminating) {
        this.lanes.get(objectKey(set)).send('DELETE');
        yield timings.request;
        this.deletePod(set, pod);
        status['currentReplicas'] = (status['currentReplicas'] ?? 0) - 1;
        return 'stop';
      }
      if (terminating || pod.status.phase !== 'Running' || !isReady(pod)) return 'stop';
    }
    return 'go on';
  }

  /** getStatefulSetRevisions: the stored revision of the present template (made if new), and the one the pods are still of. */
  private *revisions(set: StatefulSet): Generator<number, Revisions, void> {
    const known = this.world.api.byIndex<'ControllerRevision'>(REVISIONS_OF_SET, set.metadata.uid).toSorted((a, b) => a.revision - b.revision);
    const same = known.findLast((revision) => deepEqual(revision.data.template, set.spec.template));
    const newest = known.at(-1);
    let update = same;
    if (!update) {
      yield timings.request;
      update = this.world.api.create<'ControllerRevision'>(revisionDraft(set, (newest?.revision ?? 0) + 1));
    } else if (newest && update !== newest) {
      yield timings.request;
      update = this.world.api.update('ControllerRevision', set.metadata.namespace, update.metadata.name, (revision) => ({ ...revision, revision: newest.revision + 1 }));
    }
    return { update, current: known.find((revision) => revision.metadata.name === set.status['currentRevision']) ?? update };
  }

  /** updateStatus: the counters, of the pods as the sync found them. */
  private count({ set, pods, current, update }: Round): Record<string, number> {
    const alive = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    const running = pods.filter((pod) => pod.status.phase === 'Running');
    return {
      availableReplicas: running.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, this.world.api.unixMs)).length,
      currentReplicas: alive.filter((pod) => revisionOfPod(pod) === current.metadata.name).length,
      readyReplicas: running.filter(isReady).length,
      replicas: pods.length,
      updatedReplicas: alive.filter((pod) => revisionOfPod(pod) === update.metadata.name).length,
    };
  }

  /** completeRollingUpdate, then one write if anything changed. @recorded #statefulset-templates */
  private *writeStatus({ set, current, update }: Round, counts: Readonly<Record<string, number>>): Work {
    const rolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
    const rolled = rolling && counts['updatedReplicas'] === counts['replicas'] && counts['readyReplicas'] === counts['replicas'] && current !== update;
    const { availableReplicas = 0, replicas = 0, currentReplicas = 0, updatedReplicas = 0, readyReplicas = 0 } = counts;
    const status: WorkloadStatus = {
      availableReplicas,
      collisionCount: 0,
      ...withoutZeros({ currentReplicas: rolled ? updatedReplicas : currentReplicas, readyReplicas, updatedReplicas }),
      currentRevision: rolled ? update.metadata.name : current.metadata.name,
      observedGeneration: set.metadata.generation ?? 1,
      replicas,
      updateRevision: update.metadata.name,
    };
    if (deepEqual(status, set.status)) return;
    yield timings.request;
    this.world.api.updateIfPresent('StatefulSet', set.metadata.namespace, set.metadata.name, (found) => (found.metadata.uid === set.metadata.uid ? { ...found, status } : found));
  }

  private wakeWhenAvailable(key: string, { set, pods }: Round): void {
    const minReady = set.spec.minReadySeconds ?? 0;
    if (minReady === 0) return;
    for (const pod of pods) {
      const since = readySince(pod);
      if (since !== undefined && !isAvailable(pod, minReady, this.world.api.unixMs)) this.queue.addAfter(key, since + minReady * 1000 - this.world.api.unixMs);
    }
  }
}

/** A failed attempt; the set is tried again. */
function isFailure(error: unknown): error is Error {
  return error instanceof ApiError || error instanceof ClaimProblem;
}

function isParallel(set: StatefulSet): boolean {
  return set.spec.podManagementPolicy === 'Parallel';
}

function revisionDraft(set: StatefulSet, revision: number): Draft<'ControllerRevision'> {
  const name = `${set.metadata.name}-${templateHash(set.spec.template)}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, namespace: set.metadata.namespace, labels: set.spec.selector.matchLabels ?? {}, ownerReferences: [controllerReference(set)] },
    data: { template: set.spec.template },
    revision,
  };
}
