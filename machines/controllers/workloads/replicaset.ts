/** The ReplicaSet controller (pkg/controller/replicaset/replica_set.go, v1.35). */
import { ApiError } from '../../kernel/api-error.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { objectKey } from '../../kernel/api-server.ts';
import { chart, type Lanes } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { WorkQueue, type Work } from '../../kernel/work-queue.ts';
import { deepEqual } from '../../model/values.ts';
import type { Pod, ReplicaSet } from '../../model/objects.ts';
import { claimPods, watchPods } from './claim-pods.ts';
import { failureCondition, type WorkloadStatus } from './conditions.ts';
import { controllerReference, isActive, isAvailable, isReady, isTerminating, podMetaOfTemplate, readySince } from './pods.ts';
import { podsToDelete } from './pods-to-delete.ts';

/** A ReplicaSet: as many pods as wanted, or making or deleting some. */
export const replicaSetChart = chart({
  id: 'replicaset',
  initial: 'settled',
  states: {
    settled: { on: { TOO_FEW: 'creating', TOO_MANY: 'deleting' } },
    creating: { on: { TOO_FEW: 'creating', TOO_MANY: 'deleting', AS_WANTED: 'settled' } },
    deleting: { on: { TOO_FEW: 'creating', TOO_MANY: 'deleting', AS_WANTED: 'settled' } },
  },
});

/** burstReplicas (replica_set.go). */
const BURST_REPLICAS = 500;

export function startReplicaSetController(world: World): void {
  const controller = new ReplicaSetController(world);
  world.api.watch('ReplicaSet', ({ verb, object }) => {
    if (verb !== 'DELETED') controller.enqueue(objectKey(object));
  });
  watchPods(world.api, 'ReplicaSet', (key) => controller.enqueue(key));
}

class ReplicaSetController {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly lanes: Lanes<(typeof replicaSetChart)['initial'], Parameters<(typeof replicaSetChart)['can']>[1]>;
  private readonly queue: WorkQueue;

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('replicaset-controller');
    this.lanes = world.lanes(replicaSetChart);
    this.queue = new WorkQueue(world.clock, (key) => this.sync(key));
  }

  enqueue(key: string): void {
    this.queue.add(key);
  }

  private *sync(key: string): Work {
    const set = this.world.api.byKey('ReplicaSet', key);
    if (!set) return;
    const pods = yield* claimPods(this.world.api, set);
    const active = pods.filter(isActive);
    const failure = set.metadata.deletionTimestamp === undefined ? yield* this.manageReplicas(set, active) : undefined;
    yield timings.request;
    this.writeStatus(set, active, pods.filter(isTerminating).length, failure);
    this.wakeWhenAvailable(key, set, active);
  }

  /** manageReplicas: makes what is missing, deletes what is too much. Returns the error that stopped it. */
  private *manageReplicas(set: ReplicaSet, active: readonly Pod[]): Generator<number, string | undefined, void> {
    const lane = this.lanes.get(objectKey(set));
    const wanted = set.spec.replicas ?? 1;
    const missing = wanted - active.length;
    if (missing === 0) {
      lane.try('AS_WANTED');
      return undefined;
    }
    lane.send(missing > 0 ? 'TOO_FEW' : 'TOO_MANY');
    return missing > 0 ? yield* this.createPods(set, Math.min(missing, BURST_REPLICAS)) : yield* this.deletePods(set, podsToDelete(this.world.api, active, Math.min(-missing, BURST_REPLICAS)));
  }

  /** Slow start: batches of 1, 2, 4, …; the first failure ends it. */
  private *createPods(set: ReplicaSet, count: number): Generator<number, string | undefined, void> {
    for (let made = 0, batch = 1; made < count; made += batch, batch = Math.min(2 * batch, count - made)) {
      yield timings.request;
      for (let i = 0; i < batch; i++) {
        const failure = this.createPod(set);
        if (failure !== undefined) return failure;
      }
    }
    return undefined;
  }

  private createPod(set: ReplicaSet): string | undefined {
    try {
      const pod = this.world.api.create<'Pod'>({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { generateName: `${set.metadata.name}-`, namespace: set.metadata.namespace, ...podMetaOfTemplate(set.spec.template, controllerReference(set)) },
        spec: set.spec.template.spec,
        status: { phase: 'Pending' },
      });
      this.recorder.event(set, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.recorder.event(set, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      return error.message;
    }
  }

  private *deletePods(set: ReplicaSet, pods: readonly Pod[]): Generator<number, undefined, void> {
    yield timings.request;
    for (const pod of pods) {
      const current = this.world.api.get('Pod', pod.metadata.namespace, pod.metadata.name);
      if (current?.metadata.uid !== pod.metadata.uid) continue;
      this.world.api.delete('Pod', pod.metadata.namespace, pod.metadata.name);
      this.recorder.event(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    }
    return undefined;
  }

  /**
   * calculateStatus counts the pods as they stood when the sync began; so the status follows a creation one sync later.
   * @recorded #rolling-update
   */
  private writeStatus(set: ReplicaSet, active: readonly Pod[], terminating: number, failure: string | undefined): void {
    this.world.api.updateIfPresent('ReplicaSet', set.metadata.namespace, set.metadata.name, (current) => {
      if (current.metadata.uid !== set.metadata.uid) return current;
      const status = replicaSetStatus(this.world, set, active, terminating, failure);
      return deepEqual(status, current.status) ? current : { ...current, status };
    });
  }

  /** With minReadySeconds a ready pod becomes available later, without a write that would tell. */
  private wakeWhenAvailable(key: string, set: ReplicaSet, active: readonly Pod[]): void {
    const minReady = set.spec.minReadySeconds ?? 0;
    if (minReady === 0) return;
    for (const pod of active) {
      const since = readySince(pod);
      if (since !== undefined && !isAvailable(pod, minReady, this.world.api.unixMs)) this.queue.addAfter(key, since + minReady * 1000 - this.world.api.unixMs);
    }
  }
}

/** @recorded #rolling-update */
function replicaSetStatus(world: World, set: ReplicaSet, active: readonly Pod[], terminating: number, failure: string | undefined): WorkloadStatus {
  const labels = Object.entries(set.spec.template.metadata?.labels ?? {});
  const counts = {
    availableReplicas: active.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, world.api.unixMs)).length,
    fullyLabeledReplicas: active.filter((pod) => labels.every(([key, value]) => pod.metadata.labels?.[key] === value)).length,
    readyReplicas: active.filter(isReady).length,
  };
  const conditions = failure === undefined ? undefined : [failureCondition(world, set.status, failure)];
  return {
    ...withoutZeros(counts),
    ...(conditions ? { conditions } : {}),
    observedGeneration: set.metadata.generation ?? 1,
    replicas: active.length,
    terminatingReplicas: terminating,
  };
}

/** Counters of Go structs with omitempty: a zero is not there. */
export function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
