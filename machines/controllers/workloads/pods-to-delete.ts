/** Which pods a ReplicaSet gives up first (ActivePodsWithRanks, pkg/controller/controller_utils.go, v1.35). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Pod } from '../../model/objects.ts';
import { isActive, podsOfController, controllerOf, readySince } from './pods.ts';

const PHASE_RANK: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The `count` pods to delete: unassigned before assigned, pending before running, not ready before ready, cheaper first,
 * those that share their node with more pods of the same owner first, ready for a shorter time first, more restarts
 * first, younger first. Of two ages only the order of magnitude counts: where both have the same, the smaller uid decides,
 * which is chance.
 * @modelled pkg/controller/controller_utils.go ActivePodsWithRanks, v1.35 (LogarithmicScaleDown)
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
  ];
  const byRank = (a: Pod, b: Pod): number => compareRanks(rank(a), rank(b));
  const byReadiness = (a: Pod, b: Pod): number => compareAges(a, b, readySince, api.unixMs);
  const byCreation = (a: Pod, b: Pod): number => compareAges(a, b, ({ metadata }) => Date.parse(metadata.creationTimestamp), api.unixMs);
  return active.toSorted((a, b) => byRank(a, b) || byReadiness(a, b) || restarts(b) - restarts(a) || byCreation(a, b) || byUid(a, b)).slice(0, count);
}

function restarts(pod: Pod): number {
  return Math.max(0, ...(pod.status.containerStatuses ?? []).map((status) => status.restartCount));
}

/** The younger first, as far as the ages are of different orders of magnitude (logarithmicRankDiff); 0 for equal times. */
function compareAges(a: Pod, b: Pod, since: (pod: Pod) => number | undefined, nowMs: number): number {
  const [one, two] = [since(a), since(b)];
  if (one === undefined || two === undefined || one === two) return 0;
  return magnitude(nowMs - one) - magnitude(nowMs - two) || byUid(a, b);
}

/** Whole powers of two, of an age in nanoseconds. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function byUid(a: Pod, b: Pod): number {
  return a.metadata.uid < b.metadata.uid ? -1 : 1;
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
