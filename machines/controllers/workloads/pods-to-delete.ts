/** Which pods a ReplicaSet gives up first (ActivePodsWithRanks, pkg/controller/controller_utils.go, v1.35). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Pod } from '../../model/objects.ts';
import { isActive, podsOfController, controllerOf, readySince } from './pods.ts';

const PHASE_RANK: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The `count` pods to delete: unassigned before assigned, pending before running, not ready before ready, cheaper first,
 * those that share their node with more pods of the same owner first, ready for a shorter time first, more restarts
 * first, younger first.
 * @modelled pkg/controller/controller_utils.go, v1.35
 */
export function podsToDelete(api: ApiServer, active: readonly Pod[], count: number): Pod[] {
  if (count >= active.length) return [...active];
  const onNode = podsPerNode(api, active);
  const rank = (pod: Pod): readonly number[] => [
    pod.spec.nodeName === undefined ? 0 : 1,
    PHASE_RANK[pod.status.phase] ?? 1,
    readySince(pod) === undefined ? 0 : 1,
    Number(pod.metadata.annotations?.[DELETION_COST] ?? 0),
    -(onNode.get(pod.spec.nodeName ?? '') ?? 0),
    -(readySince(pod) ?? 0),
    -Math.max(0, ...(pod.status.containerStatuses ?? []).map((status) => status.restartCount)),
    -Date.parse(pod.metadata.creationTimestamp),
  ];
  return active.toSorted((a, b) => compareRanks(rank(a), rank(b))).slice(0, count);
}

function podsPerNode(api: ApiServer, active: readonly Pod[]): Map<string, number> {
  const counts = new Map<string, number>();
  const owner = active[0] && controllerOf(active[0]);
  for (const pod of owner ? podsOfController(api, owner.uid).filter(isActive) : []) {
    counts.set(pod.spec.nodeName ?? '', (counts.get(pod.spec.nodeName ?? '') ?? 0) + 1);
  }
  return counts;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const difference = value - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
