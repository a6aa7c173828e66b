/** The Deployment controller (pkg/controller/deployment, v1.35): one ReplicaSet a template, rolled over by its strategy. */
import { ApiError } from '../../kernel/api-error.ts';
import { objectKey, withMeta, type Draft } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { chart, type Lanes } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { WorkQueue, type Work } from '../../kernel/work-queue.ts';
import type { Deployment, PodTemplate, ReplicaSet } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import { conditionOf, conditionsOf, newCondition, withCondition, type WorkloadStatus } from './conditions.ts';
import { deadlineOf, deploymentStatus, isComplete } from './deployment-status.ts';
import { controllerOf, controllerReference, isTerminal, podsOfController } from './pods.ts';
import { counterOf, DESIRED_REPLICAS, isRollingUpdate, MAX_REPLICAS, maxSurge, newSetSize, oldSetSizes, proportionalSizes, REVISION, totalWanted, wanted } from './rollout.ts';
import { templateHash } from './template-hash.ts';

/** A Deployment as `rollout status` speaks of it. */
export const deploymentChart = chart({
  id: 'deployment',
  initial: 'unobserved',
  states: {
    unobserved: { on: { PROGRESS: 'progressing', COMPLETE: 'complete' } },
    progressing: { on: { COMPLETE: 'complete', TIMED_OUT: 'deadlineExceeded' } },
    complete: { on: { PROGRESS: 'progressing' } },
    deadlineExceeded: { on: { PROGRESS: 'progressing', COMPLETE: 'complete' } },
  },
});

const HASH_LABEL = 'pod-template-hash';
const SETS_OF_DEPLOYMENT = 'workloads.replicasets-of-deployment';
/** Annotations that a ReplicaSet does not take over from its Deployment (annotationsToSkip). */
const OWN_ANNOTATIONS = new Set([REVISION, DESIRED_REPLICAS, MAX_REPLICAS, 'kubectl.kubernetes.io/last-applied-configuration', 'deprecated.deployment.rollback.to']);

export function startDeploymentController(world: World): void {
  world.api.index(SETS_OF_DEPLOYMENT, 'ReplicaSet', (set) => {
    const owner = controllerOf(set);
    return owner ? [owner.uid] : [];
  });
  const controller = new DeploymentController(world);
  world.api.watch('Deployment', ({ verb, object }) => {
    if (verb !== 'DELETED') controller.enqueue(objectKey(object));
  });
  world.api.watch('ReplicaSet', ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === 'Deployment') controller.enqueue(`${object.metadata.namespace ?? ''}/${owner.name}`);
  });
  world.api.watch('Pod', ({ verb, object }) => {
    if (verb === 'DELETED') controller.podDeleted(object.metadata.namespace, controllerOf(object)?.name);
  });
}

/** The Deployment of one sync with its sets, as they stood when the sync began. */
interface Rollout {
  deployment: Deployment;
  newSet: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

class DeploymentController {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly lanes: Lanes<(typeof deploymentChart)['initial'], Parameters<(typeof deploymentChart)['can']>[1]>;
  private readonly queue: WorkQueue;

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('deployment-controller');
    this.lanes = world.lanes(deploymentChart);
    this.queue = new WorkQueue(world.clock, (key) => this.guarded(key));
  }

  enqueue(key: string): void {
    this.queue.add(key);
  }

  /** deletePod: the last old pod's end lets a Recreate go on. */
  podDeleted(namespace: string | undefined, setName: string | undefined): void {
    const set = setName === undefined ? undefined : this.world.api.get('ReplicaSet', namespace, setName);
    const owner = set && controllerOf(set);
    if (owner?.kind === 'Deployment') this.enqueue(`${namespace ?? ''}/${owner.name}`);
  }

  /** A write that meets a newer version of the object ends the sync; the key comes back after its back-off. */
  private *guarded(key: string): Work {
    try {
      yield* this.sync(key);
      this.queue.forget(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.queue.addRateLimited(key);
    }
  }

  private *sync(key: string): Work {
    const deployment = this.world.api.byKey('Deployment', key);
    if (!deployment) return;
    const sets = this.world.api.byIndex<'ReplicaSet'>(SETS_OF_DEPLOYMENT, deployment.metadata.uid);
    const newSet = findNewSet(deployment, sets);
    const rollout: Rollout = { deployment, newSet, old: sets.filter((set) => set !== newSet) };
    if (deployment.metadata.deletionTimestamp !== undefined) return yield* this.writeStatus(rollout);
    if (deployment.spec.paused || isScalingEvent(deployment, sets)) return yield* this.scaleOnly(rollout);
    yield* isRollingUpdate(deployment) ? this.rolloutRolling(rollout) : this.rolloutRecreate(rollout);
  }

  /** rolloutRolling: up within the surge, then down as far as enough pods stay available. */
  private *rolloutRolling(rollout: Rollout): Work {
    yield* this.ensureNewSet(rollout);
    const { deployment, newSet, old } = rollout;
    if (newSet && (yield* this.scaleNewSet(deployment, newSet, [...old, newSet]))) return yield* this.writeStatus(rollout);
    const resizes = oldSetSizes(deployment, old, newSet);
    for (const { set, size } of resizes) yield* this.scale(deployment, set, size);
    if (resizes.length === 0 && isComplete(deployment, deployment.status)) yield* this.cleanUp(rollout);
    yield* this.writeStatus(rollout);
  }

  /** rolloutRecreate: all old pods go before the first new one comes. */
  private *rolloutRecreate(rollout: Rollout): Work {
    const { deployment, old } = rollout;
    if (rollout.newSet) yield* this.updateNewSet(rollout, rollout.newSet);
    const active = old.filter((set) => wanted(set) > 0);
    for (const set of active) yield* this.scale(deployment, set, 0);
    if (active.length > 0 || this.oldPodsRunning(old)) return yield* this.writeStatus(rollout);
    yield* this.ensureNewSet(rollout);
    if (rollout.newSet && wanted(rollout.newSet) !== wanted(deployment)) yield* this.scale(deployment, rollout.newSet, wanted(deployment));
    if (isComplete(deployment, deployment.status)) yield* this.cleanUp(rollout);
    yield* this.writeStatus(rollout);
  }

  /** A pod counts until it is finished, also while it terminates (oldPodsRunning). */
  private oldPodsRunning(old: readonly ReplicaSet[]): boolean {
    return old.some((set) => podsOfController(this.world.api, set.metadata.uid).some((pod) => !isTerminal(pod)));
  }

  /** A paused Deployment is scaled but not rolled (sync.go). @modelled pkg/controller/deployment/sync.go, v1.35 */
  private *scaleOnly(rollout: Rollout): Work {
    const { deployment, newSet, old } = rollout;
    if (newSet) yield* this.updateNewSet(rollout, newSet);
    const active = [...old, ...(newSet ? [newSet] : [])].filter((set) => wanted(set) > 0);
    const only = active.length > 1 ? undefined : (active[0] ?? newSet ?? latest(old));
    if (only) {
      if (wanted(only) !== wanted(deployment)) yield* this.scale(deployment, only, wanted(deployment));
    } else if (newSet && isSaturated(deployment, newSet)) {
      for (const set of active.filter((candidate) => candidate !== newSet)) yield* this.scale(deployment, set, 0);
    } else if (isRollingUpdate(deployment)) {
      for (const { set, size } of proportionalSizes(deployment, active)) yield* this.scale(deployment, set, size);
    }
    yield* this.writeStatus(rollout);
  }

  private *scaleNewSet(deployment: Deployment, newSet: ReplicaSet, all: readonly ReplicaSet[]): Generator<number, boolean, void> {
    const size = wanted(newSet) > wanted(deployment) ? wanted(deployment) : newSetSize(deployment, all, wanted(newSet));
    if (size === wanted(newSet)) return false;
    yield* this.scale(deployment, newSet, size);
    return true;
  }

  /** getNewReplicaSet: finds the set of the present template, or makes it with as many replicas as there is room for. */
  private *ensureNewSet(rollout: Rollout): Work {
    if (rollout.newSet) return yield* this.updateNewSet(rollout, rollout.newSet);
    const { deployment, old } = rollout;
    const revision = String(maxRevision(old) + 1);
    const replicas = newSetSize(deployment, old, 0);
    yield timings.request;
    rollout.newSet = this.world.api.create<'ReplicaSet'>(newSetDraft(deployment, revision, replicas));
    const name = rollout.newSet.metadata.name;
    if (replicas > 0) this.recorder.event(deployment, 'Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicas}`);
    const progressing = deadlineOf(deployment) === undefined ? undefined : newCondition(this.world, 'Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
    yield* this.writeRevision(rollout, revision, progressing);
  }

  /** An existing set takes over the Deployment's annotations and the newest revision number. */
  private *updateNewSet(rollout: Rollout, newSet: ReplicaSet): Work {
    const { deployment, old } = rollout;
    const revision = Math.max(maxRevision(old) + 1, revisionOf(newSet));
    const annotations = { ...inheritedAnnotations(deployment), ...ownAnnotations(newSet), [REVISION]: String(revision) };
    if (!deepEqual(annotations, newSet.metadata.annotations ?? {}) || (newSet.spec.minReadySeconds ?? 0) !== (deployment.spec.minReadySeconds ?? 0)) {
      yield timings.request;
      rollout.newSet = this.world.api.update('ReplicaSet', newSet.metadata.namespace, newSet.metadata.name, (set) => ({
        ...withMeta(set, { annotations }),
        spec: { ...set.spec, ...(deployment.spec.minReadySeconds === undefined ? {} : { minReadySeconds: deployment.spec.minReadySeconds }) },
      }));
      return;
    }
    const known = conditionOf(conditionsOf(deployment.status), 'Progressing');
    const found = deadlineOf(deployment) !== undefined && !known ? newCondition(this.world, 'Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${newSet.metadata.name}"`) : undefined;
    yield* this.writeRevision(rollout, String(revision), found);
  }

  /** One write: the revision annotation and the condition. Later writes of this sync will meet it as a conflict. */
  private *writeRevision(rollout: Rollout, revision: string, condition: ReturnType<typeof newCondition> | undefined): Work {
    const { deployment } = rollout;
    if (deployment.metadata.annotations?.[REVISION] === revision && !condition) return;
    const conditions = condition ? withCondition(conditionsOf(deployment.status), condition) : conditionsOf(deployment.status);
    const status = conditions.length === 0 ? deployment.status : ({ ...deployment.status, conditions } as unknown as WorkloadStatus);
    yield timings.request;
    this.world.api.update('Deployment', deployment.metadata.namespace, deployment.metadata.name, (current) => ({
      ...withMeta(current, { annotations: { ...current.metadata.annotations, [REVISION]: revision } }),
      status,
    }), deployment.metadata.resourceVersion);
    rollout.deployment = { ...deployment, status };
  }

  /** scaleReplicaSet, with the event that names both sizes. */
  private *scale(deployment: Deployment, set: ReplicaSet, size: number): Work {
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    if (wanted(set) === size && deepEqual(annotations, set.metadata.annotations)) return;
    yield timings.request;
    this.world.api.update('ReplicaSet', set.metadata.namespace, set.metadata.name, (current) => ({ ...withMeta(current, { annotations }), spec: { ...current.spec, replicas: size } }), set.metadata.resourceVersion);
    if (size === wanted(set)) return;
    const direction = size > wanted(set) ? 'up' : 'down';
    this.recorder.event(deployment, 'Normal', 'ScalingReplicaSet', `Scaled ${direction} replica set ${set.metadata.name} from ${wanted(set)} to ${size}`);
  }

  /** cleanupDeployment: of the old, empty sets only revisionHistoryLimit stay. @modelled pkg/controller/deployment/sync.go, v1.35 */
  private *cleanUp({ deployment, old }: Rollout): Work {
    const idle = old.filter((set) => wanted(set) === 0 && counterOf(set, 'replicas') === 0 && set.metadata.deletionTimestamp === undefined);
    const surplus = idle.length - (deployment.spec.revisionHistoryLimit ?? 10);
    if (surplus <= 0) return;
    for (const set of idle.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus)) {
      yield timings.request;
      this.world.api.delete('ReplicaSet', set.metadata.namespace, set.metadata.name, { uid: set.metadata.uid });
    }
  }

  /** syncRolloutStatus; wakes itself when the progress deadline would pass. */
  private *writeStatus({ deployment, newSet, old }: Rollout): Work {
    const status = deploymentStatus(this.world, deployment, newSet, old);
    this.follow(deployment, status);
    if (deepEqual(status, deployment.status)) {
      this.wakeAtDeadline(deployment);
      return;
    }
    yield timings.request;
    this.world.api.update('Deployment', deployment.metadata.namespace, deployment.metadata.name, (current) => ({ ...current, status }), deployment.metadata.resourceVersion);
  }

  private wakeAtDeadline(deployment: Deployment): void {
    const progressing = conditionOf(conditionsOf(deployment.status), 'Progressing');
    const deadline = deadlineOf(deployment);
    if (deadline === undefined || !progressing || ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'].includes(progressing.reason)) return;
    const from = Date.parse(progressing.lastUpdateTime ?? progressing.lastTransitionTime);
    this.queue.addAfter(objectKey(deployment), from + deadline * 1000 - this.world.api.unixMs + 1000);
  }

  private follow(deployment: Deployment, status: WorkloadStatus): void {
    const lane = this.lanes.get(objectKey(deployment));
    const reason = conditionOf(conditionsOf(status), 'Progressing')?.reason;
    if (reason === 'ProgressDeadlineExceeded') lane.try('TIMED_OUT');
    else lane.try(isComplete(deployment, status) ? 'COMPLETE' : 'PROGRESS');
  }
}

/** EqualIgnoreHash: the oldest set with the Deployment's template. */
function findNewSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const byAge = sets.toSorted((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp) || a.metadata.name.localeCompare(b.metadata.name));
  return byAge.find((set) => deepEqual(withoutHash(set.spec.template), withoutHash(deployment.spec.template)));
}

function withoutHash(template: PodTemplate): PodTemplate {
  const labels = Object.fromEntries(Object.entries(template.metadata?.labels ?? {}).filter(([key]) => key !== HASH_LABEL));
  return { ...template, metadata: { ...template.metadata, labels } };
}

function newSetDraft(deployment: Deployment, revision: string, replicas: number): Draft<'ReplicaSet'> {
  const hash = templateHash(deployment.spec.template, counterOf(deployment, 'collisionCount'));
  const labels = { ...deployment.spec.template.metadata?.labels, [HASH_LABEL]: hash };
  const { selector, template, minReadySeconds } = deployment.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace,
      annotations: { ...inheritedAnnotations(deployment), ...sizeAnnotations(deployment), [REVISION]: revision },
      labels,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      replicas,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: {},
  };
}

function sizeAnnotations(deployment: Deployment): Record<string, string> {
  return { [DESIRED_REPLICAS]: String(wanted(deployment)), [MAX_REPLICAS]: String(wanted(deployment) + maxSurge(deployment)) };
}
function inheritedAnnotations(deployment: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !OWN_ANNOTATIONS.has(key)));
}
function ownAnnotations(set: ReplicaSet): Record<string, string> {
  return Object.fromEntries(Object.entries(set.metadata.annotations ?? {}).filter(([key]) => OWN_ANNOTATIONS.has(key)));
}

function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0);
}
function maxRevision(sets: readonly ReplicaSet[]): number {
  return sets.reduce((max, set) => Math.max(max, revisionOf(set)), 0);
}
function latest(sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.toSorted((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp))[0];
}

/** A new desired size shows in the sets' annotation first (isScalingEvent). */
function isScalingEvent(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => wanted(set) > 0 && set.metadata.annotations?.[DESIRED_REPLICAS] !== undefined && set.metadata.annotations[DESIRED_REPLICAS] !== String(wanted(deployment)));
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  return wanted(set) === wanted(deployment) && Number(set.metadata.annotations?.[DESIRED_REPLICAS]) === wanted(deployment) && counterOf(set, 'availableReplicas') === wanted(deployment) && totalWanted([set]) > 0;
}
