/** The pods/eviction subresource (pkg/registry/core/pod/storage/eviction.go, v1.35). */
import { withDisruption } from '../controllers/nodes/disruption.ts';
import { isReady, isTerminal } from '../controllers/workloads/pods.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { World } from '../kernel/world.ts';
import { withDisruptionCondition } from '../model/budget-condition.ts';
import { matchesLabelSelector } from '../model/label-selector.ts';
import type { Pod, PodDisruptionBudget } from '../model/objects.ts';

const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

/**
 * Takes a pod away where its budget allows it: the budget is charged, the pod gets the condition that says why it goes,
 * and is deleted. Throws ApiError NotFound, TooManyRequests where the budget does not allow it, InternalError where several
 * budgets select the pod. Budgets do not guard a pod that is not running yet, has ended or is going.
 * @modelled pkg/registry/core/pod/storage/eviction.go, v1.35
 */
export function evictPod(world: World, namespace: string | undefined, name: string, graceSeconds: number | undefined): void {
  const pod = world.api.get('Pod', namespace, name);
  if (!pod) throw new ApiError('NotFound', `pods "${name}" not found`);
  if (!isUnguarded(pod)) chargeBudget(world, pod);
  world.api.update('Pod', namespace, name, (stored) => withDisruption(world, stored, 'EvictionByEvictionAPI', 'Eviction API: evicting'));
  world.api.delete('Pod', namespace, name, graceSeconds === undefined ? {} : { graceSeconds });
}

function isUnguarded(pod: Pod): boolean {
  return isTerminal(pod) || pod.status.phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined;
}

function chargeBudget(world: World, pod: Pod): void {
  const { namespace, name, labels } = pod.metadata;
  const budgets = [...world.api.list('PodDisruptionBudget')].filter(({ metadata, spec }) => metadata.namespace === namespace && spec.selector !== undefined && matchesLabelSelector(spec.selector, labels));
  const [budget, second] = budgets;
  if (second) throw new ApiError('InternalError', 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  if (!budget || (!isReady(pod) && mayGoUnready(budget))) return;
  const { status, metadata } = budget;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0) || status.disruptionsAllowed <= 0) throw new ApiError('TooManyRequests', REFUSED);
  world.api.update('PodDisruptionBudget', namespace, metadata.name, (stored) => {
    const charged = { ...stored.status, disruptedPods: { ...stored.status.disruptedPods, [name]: world.api.timestamp() }, disruptionsAllowed: stored.status.disruptionsAllowed - 1 };
    return { ...stored, status: charged.disruptionsAllowed === 0 ? withDisruptionCondition(charged, world.api.timestamp()) : charged };
  });
}

/** A pod that is not ready counts for nothing: it may go where the others are enough, or where the budget says so. */
function mayGoUnready({ spec, status }: PodDisruptionBudget): boolean {
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0);
}
