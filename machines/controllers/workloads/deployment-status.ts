/** A Deployment's status (calculateStatus and syncRolloutStatus, pkg/controller/deployment, v1.35). */
import type { World } from '../../kernel/world.ts';
import type { Deployment, Json, ReplicaSet } from '../../model/objects.ts';
import { conditionOf, conditionsOf, newCondition, withCondition, type WorkloadCondition, type WorkloadStatus } from './conditions.ts';
import { withoutZeros } from './replicaset.ts';
import { counterOf, maxUnavailable, totalOf, totalWanted, wanted } from './rollout.ts';

/** progressDeadlineSeconds; the largest int32 means none (HasProgressDeadline). */
export function deadlineOf(deployment: Deployment): number | undefined {
  const seconds = deployment.spec.progressDeadlineSeconds;
  return seconds === undefined || seconds >= 2_147_483_647 ? undefined : seconds;
}

/** DeploymentComplete: all replicas are of the new set, available, and there is none beside. */
export function isComplete(deployment: Deployment, status: WorkloadStatus): boolean {
  const count = (counter: string): number => (typeof status[counter] === 'number' ? status[counter] : 0);
  return count('updatedReplicas') === wanted(deployment) && count('replicas') === wanted(deployment) && count('availableReplicas') === wanted(deployment) && count('observedGeneration') >= (deployment.metadata.generation ?? 1);
}

/** @recorded #rolling-update */
export function deploymentStatus(world: World, deployment: Deployment, newSet: ReplicaSet | undefined, old: readonly ReplicaSet[]): WorkloadStatus {
  const all = newSet ? [...old, newSet] : old;
  const available = totalOf(all, 'availableReplicas');
  const counts = withoutZeros({
    availableReplicas: available,
    collisionCount: counterOf(deployment, 'collisionCount'),
    observedGeneration: deployment.metadata.generation ?? 1,
    readyReplicas: totalOf(all, 'readyReplicas'),
    replicas: totalOf(all, 'replicas'),
    unavailableReplicas: Math.max(0, totalWanted(all) - available),
    updatedReplicas: newSet ? counterOf(newSet, 'replicas') : 0,
  });
  const status: WorkloadStatus = { ...counts, terminatingReplicas: totalOf(all, 'terminatingReplicas') };
  const conditions = progress(world, deployment, status, newSet, availability(world, deployment, available));
  const failure = replicaFailure(newSet, old);
  const complete = failure ? withCondition(conditions, failure) : conditions.filter((condition) => condition.type !== 'ReplicaFailure');
  return { ...status, conditions: complete as unknown as Json };
}

function availability(world: World, deployment: Deployment, available: number): readonly WorkloadCondition[] {
  const enough = available >= wanted(deployment) - maxUnavailable(deployment);
  return withCondition(
    conditionsOf(deployment.status),
    enough
      ? newCondition(world, 'Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
      : newCondition(world, 'Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'),
  );
}

/**
 * The Progressing condition: complete, on its way, or past its deadline. Progress renews the update time even where the
 * reason stays.
 * @recorded #rolling-update
 */
function progress(world: World, deployment: Deployment, status: WorkloadStatus, newSet: ReplicaSet | undefined, conditions: readonly WorkloadCondition[]): readonly WorkloadCondition[] {
  const current = conditionOf(conditions, 'Progressing');
  if (deadlineOf(deployment) === undefined) return conditions.filter((condition) => condition.type !== 'Progressing');
  if (deployment.spec.paused) return paused(world, conditions, current);
  if (current?.reason === 'NewReplicaSetAvailable' && status['replicas'] === status['updatedReplicas']) return conditions;
  const what = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) return withCondition(conditions, newCondition(world, 'Progressing', 'True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`));
  if (hasProgressed(deployment, status)) {
    const next = newCondition(world, 'Progressing', 'True', 'ReplicaSetUpdated', `${what} is progressing.`);
    const kept = current?.status === 'True' ? { ...next, lastTransitionTime: current.lastTransitionTime } : next;
    return [...conditions.filter((condition) => condition.type !== 'Progressing'), kept];
  }
  if (!hasTimedOut(world, deployment, current)) return conditions;
  return withCondition(conditions, newCondition(world, 'Progressing', 'False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`));
}

/** checkPausedConditions. @modelled pkg/controller/deployment/sync.go, v1.35 */
function paused(world: World, conditions: readonly WorkloadCondition[], current: WorkloadCondition | undefined): readonly WorkloadCondition[] {
  if (current?.reason === 'ProgressDeadlineExceeded') return conditions;
  return withCondition(conditions, newCondition(world, 'Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused'));
}

/** DeploymentProgressing: more new, fewer old, more ready or more available replicas than before. */
function hasProgressed(deployment: Deployment, status: WorkloadStatus): boolean {
  const now = (counter: string): number => (typeof status[counter] === 'number' ? status[counter] : 0);
  const before = (counter: string): number => counterOf(deployment, counter);
  return (
    now('updatedReplicas') > before('updatedReplicas') ||
    now('replicas') - now('updatedReplicas') < before('replicas') - before('updatedReplicas') ||
    now('readyReplicas') > before('readyReplicas') ||
    now('availableReplicas') > before('availableReplicas')
  );
}

/** @modelled pkg/controller/deployment/util/deployment_util.go DeploymentTimedOut, v1.35 */
function hasTimedOut(world: World, deployment: Deployment, current: WorkloadCondition | undefined): boolean {
  const deadline = deadlineOf(deployment);
  if (!current || deadline === undefined || current.reason === 'NewReplicaSetAvailable') return false;
  if (current.reason === 'ProgressDeadlineExceeded') return true;
  return Date.parse(current.lastUpdateTime ?? current.lastTransitionTime) + deadline * 1000 < world.api.unixMs;
}

/** The failure of the new set, else of any old one, as the Deployment's own condition. */
function replicaFailure(newSet: ReplicaSet | undefined, old: readonly ReplicaSet[]): WorkloadCondition | undefined {
  for (const set of newSet ? [newSet, ...old] : old) {
    const failure = conditionOf(conditionsOf(set.status), 'ReplicaFailure');
    if (failure) return { ...failure, lastUpdateTime: failure.lastTransitionTime };
  }
  return undefined;
}
