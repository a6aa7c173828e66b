/** framework/plugins/interpodaffinity/filtering.go, v1.35 (required terms only; namespaces carry no labels here). */
import { matchesLabelSelector } from '../../../model/label-selector.ts';
import type { Node, Pod, PodAffinityTerm } from '../../../model/objects.ts';
import type { Cycle } from '../cycle.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { unresolvable, unschedulable, type Rejection } from '../status.ts';

/** How many matching pods there are per topology domain, `key=value`. */
type Counts = Map<string, number>;

export class AffinityState {
  /** Pods that the pod's affinity asks for, pods that its anti-affinity shuns, pods that shun it. */
  readonly wanted: Counts;
  readonly shunned: Counts;
  readonly shunning: Counts;

  constructor(from?: AffinityState) {
    this.wanted = new Map(from?.wanted);
    this.shunned = new Map(from?.shunned);
    this.shunning = new Map(from?.shunning);
  }

  clone(): AffinityState {
    return new AffinityState(this);
  }
}

/** Pods that must stand together, or apart, by a topology key. @modelled ref 3.1 */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter,
  filter: (cycle, { node }) => (cycle.affinity && node ? filter(cycle.affinity, cycle.pod, node) : undefined),
  updateWithPod: (cycle, pod, { node }, by) => {
    if (cycle.affinity && node) countPod(cycle.affinity, cycle.pod, pod, node, by);
  },
};

function preFilter(cycle: Cycle): PreFilterResult {
  const { pod, view } = cycle;
  const own = pod.affinity.length + pod.antiAffinity.length > 0;
  const around = own ? view.nodes() : view.nodesWithAntiAffinity();
  if (!own && around.length === 0) return 'skip';
  const state = new AffinityState();
  for (const info of around) {
    if (!info.node) continue;
    for (const other of info.pods.values()) countPod(state, pod, other, info.node, 1);
  }
  cycle.affinity = state;
  return own || state.shunning.size > 0 ? undefined : 'skip';
}

function countPod(state: AffinityState, pod: PodInfo, other: PodInfo, node: Node, by: 1 | -1): void {
  if (matchesAll(pod.affinity, pod.pod, other.pod)) for (const term of pod.affinity) count(state.wanted, term, node, by);
  for (const term of pod.antiAffinity) if (termMatches(term, pod.pod, other.pod)) count(state.shunned, term, node, by);
  for (const term of other.antiAffinity) if (termMatches(term, other.pod, pod.pod)) count(state.shunning, term, node, by);
}

function count(counts: Counts, term: PodAffinityTerm, node: Node, by: 1 | -1): void {
  const domain = domainOf(term, node);
  if (domain === undefined) return;
  const sum = (counts.get(domain) ?? 0) + by;
  if (sum === 0) counts.delete(domain);
  else counts.set(domain, sum);
}

function domainOf(term: PodAffinityTerm, node: Node): string | undefined {
  const value = node.metadata.labels?.[term.topologyKey];
  return value === undefined ? undefined : `${term.topologyKey}=${value}`;
}

/** True when one pod satisfies all terms at once; no terms match nothing. */
export function matchesAll(terms: readonly PodAffinityTerm[], owner: Pod, pod: Pod): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, owner, pod));
}

/** Namespace and labels of `pod` against a term that `owner` carries. Without namespaces the term means its owner's. */
function termMatches(term: PodAffinityTerm, owner: Pod, pod: Pod): boolean {
  const everywhere = term.namespaceSelector !== undefined && Object.keys(term.namespaceSelector).length === 0;
  const namespaces = term.namespaces?.length ? term.namespaces : [owner.metadata.namespace ?? ''];
  if (!everywhere && !namespaces.includes(pod.metadata.namespace ?? '')) return false;
  return term.labelSelector !== undefined && matchesLabelSelector(term.labelSelector, pod.metadata.labels);
}

function filter(state: AffinityState, pod: PodInfo, node: Node): Rejection | undefined {
  if (!affinityMet(state, pod, node)) return unresolvable('InterPodAffinity', "node(s) didn't match pod affinity rules", 'Pod .spec.affinity.podAffinity');
  const apart = (counts: Counts, domain: string | undefined): boolean => domain === undefined || (counts.get(domain) ?? 0) <= 0;
  if (!pod.antiAffinity.every((term) => apart(state.shunned, domainOf(term, node)))) {
    return unschedulable('InterPodAffinity', "node(s) didn't match pod anti-affinity rules", 'Pod .spec.affinity.podAntiAffinity');
  }
  if (!Object.entries(node.metadata.labels ?? {}).every(([key, value]) => apart(state.shunning, `${key}=${value}`))) {
    return unschedulable('InterPodAffinity', "node(s) didn't satisfy existing pods anti-affinity rules", `Node ${node.metadata.name} pods`);
  }
  return undefined;
}

/** All topology keys must be on the node. The first pod of a group that asks for its own kind may go anywhere. */
function affinityMet(state: AffinityState, pod: PodInfo, node: Node): boolean {
  const domains = pod.affinity.map((term) => domainOf(term, node));
  if (domains.includes(undefined)) return false;
  if (domains.every((domain) => (state.wanted.get(domain ?? '') ?? 0) > 0)) return true;
  return state.wanted.size === 0 && matchesAll(pod.affinity, pod.pod, pod.pod);
}
