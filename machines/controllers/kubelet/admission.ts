/**
 * What a kubelet refuses to run although it was bound to its node: a pod that bypassed the scheduler is checked again
 * (pkg/kubelet/lifecycle/predicate.go, v1.35).
 */
import { podSelectsNode, selectable } from '../../model/node-selector.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { anyToleratesTaint } from '../../model/tolerations.ts';
import { amountsOf, podRequests } from '../scheduler/resources.ts';

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * The first check that the pod fails: node selector and affinity, resources, NoExecute taints. `requested` is what the
 * node's other pods ask for.
 * @modelled pkg/kubelet/lifecycle/predicate.go, v1.35
 */
export function refusalOf(pod: Pod, node: Node, requested: ReadonlyMap<string, number>): Refusal | undefined {
  if (!podSelectsNode(pod.spec, selectable(node))) return predicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  const requests = podRequests(pod.spec);
  const allocatable = amountsOf(requests.size === 0 ? undefined : node.status.allocatable);
  for (const [resource, amount] of requests) {
    const used = requested.get(resource) ?? 0;
    const capacity = allocatable.get(resource) ?? 0;
    if (amount > 0 && used + amount > capacity) {
      return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, requested: ${amount}, used: ${used}, capacity: ${capacity}` };
    }
  }
  const untolerated = node.spec.taints?.some((taint) => taint.effect === 'NoExecute' && !anyToleratesTaint(pod.spec.tolerations, taint)) ?? false;
  return untolerated ? predicate('TaintToleration', "node(s) had taints that the pod didn't tolerate") : undefined;
}

function predicate(reason: string, description: string): Refusal {
  return { reason, message: `Predicate ${reason} failed: ${description}` };
}
