/** framework/plugins/podtopologyspread/filtering.go, v1.35 (DoNotSchedule constraints). */
import { matchesLabelSelector } from '../../../model/label-selector.ts';
import { podSelectsNode, selectable } from '../../../model/node-selector.ts';
import { untoleratedTaint } from '../../../model/tolerations.ts';
import type { Node, Pod, TopologySpreadConstraint } from '../../../model/objects.ts';
import type { Cycle } from '../cycle.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import { unresolvable, unschedulable, type Rejection } from '../status.ts';

export class SpreadState {
  readonly constraints: readonly TopologySpreadConstraint[];
  /** Per constraint: topology value → matching pods. Every eligible domain is in it, also with 0. */
  readonly counts: readonly Map<string, number>[];

  constructor(constraints: readonly TopologySpreadConstraint[], from?: SpreadState) {
    this.constraints = constraints;
    this.counts = constraints.map((_, i) => new Map(from?.counts[i]));
  }

  clone(): SpreadState {
    return new SpreadState(this.constraints, this);
  }
}

/** Pods of one kind may not crowd in one domain. @modelled ref 3.1 */
export const podTopologySpread: FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter,
  filter: (cycle, { node }) => (cycle.spread && node ? filter(cycle.spread, cycle.pod.pod, node) : undefined),
  updateWithPod: (cycle, { pod }, { node }, by) => {
    if (cycle.spread && node && pod.metadata.namespace === cycle.pod.pod.metadata.namespace) countPods(cycle.spread, cycle.pod.pod, node, [pod], by);
  },
};

function preFilter(cycle: Cycle): PreFilterResult {
  const { pod } = cycle.pod;
  const constraints = (pod.spec.topologySpreadConstraints ?? []).filter((constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule');
  if (constraints.length === 0) return 'skip';
  const state = new SpreadState(constraints);
  for (const { node, pods } of cycle.view.nodes()) {
    if (!node) continue;
    const others = [...pods.values()].map((other) => other.pod).filter((other) => other.metadata.namespace === pod.metadata.namespace && other.metadata.deletionTimestamp === undefined);
    countPods(state, pod, node, others, 1);
  }
  cycle.spread = state;
  return undefined;
}

function countPods(state: SpreadState, pod: Pod, node: Node, others: readonly Pod[], by: 1 | -1): void {
  const labels = node.metadata.labels ?? {};
  if (!state.constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined)) return;
  for (const [i, constraint] of state.constraints.entries()) {
    if (!nodeCounts(constraint, pod, node)) continue;
    const value = labels[constraint.topologyKey] ?? '';
    const matching = others.filter((other) => matches(constraint, other)).length;
    state.counts[i]?.set(value, (state.counts[i].get(value) ?? 0) + by * matching);
  }
}

/** nodeAffinityPolicy (default Honor) and nodeTaintsPolicy (default Ignore) decide which nodes count at all. */
function nodeCounts(constraint: TopologySpreadConstraint, pod: Pod, node: Node): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !podSelectsNode(pod.spec, selectable(node))) return false;
  return constraint.nodeTaintsPolicy !== 'Honor' || untoleratedTaint(node.spec.taints, pod.spec.tolerations) === undefined;
}

function matches(constraint: TopologySpreadConstraint, pod: Pod): boolean {
  return constraint.labelSelector !== undefined && matchesLabelSelector(constraint.labelSelector, pod.metadata.labels);
}

function filter(state: SpreadState, pod: Pod, node: Node): Rejection | undefined {
  for (const [i, constraint] of state.constraints.entries()) {
    const value = node.metadata.labels?.[constraint.topologyKey];
    if (value === undefined) return unresolvable('PodTopologySpread', "node(s) didn't match pod topology spread constraints (missing required label)", `Node ${node.metadata.name} .metadata.labels[${constraint.topologyKey}]`);
    const counts = state.counts[i] ?? new Map<string, number>();
    const least = counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...counts.values());
    const here = (counts.get(value) ?? 0) + (matches(constraint, pod) ? 1 : 0);
    if (here - least > constraint.maxSkew) return unschedulable('PodTopologySpread', "node(s) didn't match pod topology spread constraints", `Pod .spec.topologySpreadConstraints[${i}]`);
  }
  return undefined;
}
