/**
 * Which of several nodes that fit. The default profile's scores that matter here: least allocated and balanced
 * (framework/plugins/noderesources), preferred node affinity, PreferNoSchedule taints, and a stand-in for the default
 * topology spread: fewer pods of the same controller. The highest sum wins, a tie is broken by chance, as in the real one
 * (schedule_one.go prioritizeNodes, v1.35).
 */
import { matchesNodeSelectorTerms, selectable } from '../../model/node-selector.ts';
import { anyToleratesTaint } from '../../model/tolerations.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

const MAX_SCORE = 100;
/** Weights of the default profile (apis/config/v1/default_plugins.go). */
const WEIGHT = { taints: 3, nodeAffinity: 2, spread: 2, leastAllocated: 1, balanced: 1 } as const;

/** The nodes with the highest score. Never empty for a non-empty list. */
export function bestNodes(pod: PodInfo, nodes: readonly NodeInfo[]): NodeInfo[] {
  const raw = nodes.map((node) => ({ node, taints: preferredTaints(pod, node), affinity: preferredAffinity(pod, node), owned: node.owners.get(pod.owner ?? '') ?? 0, resources: resourceScore(pod, node) }));
  const most = { taints: highest(raw.map((r) => r.taints)), affinity: highest(raw.map((r) => r.affinity)), owned: highest(raw.map((r) => r.owned)) };
  const scored = raw.map((r) => ({
    node: r.node,
    score: r.resources + WEIGHT.taints * fewer(r.taints, most.taints) + WEIGHT.nodeAffinity * more(r.affinity, most.affinity) + WEIGHT.spread * fewer(r.owned, most.owned),
  }));
  const best = highest(scored.map(({ score }) => score));
  return scored.filter(({ score }) => score === best).map(({ node }) => node);
}

/**
 * The nodes in groups of equal score, the best first, for a pod whose score on one node hangs on no other node: it has
 * no owner, prefers no node, and no node has a taint that is only to be avoided. Undefined for any other pod.
 */
export function nodesByScore(pod: PodInfo, nodes: readonly NodeInfo[]): Iterable<NodeInfo[]> | undefined {
  if (pod.owner !== undefined || pod.pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution) return undefined;
  for (const node of nodes) {
    if (node.avoided) return undefined;
    if (node.scoredFor === pod.scoreKey) continue;
    node.score = resourceScore(pod, node);
    node.scoredFor = pod.scoreKey;
  }
  return groupsByScore(nodes);
}

/** The first group mostly has a node that fits, so the next one is only put together when it is asked for. */
function* groupsByScore(nodes: readonly NodeInfo[]): Generator<NodeInfo[], void, void> {
  for (let below = Number.POSITIVE_INFINITY; ; ) {
    let best = Number.NEGATIVE_INFINITY;
    let group: NodeInfo[] = [];
    for (const node of nodes) {
      if (node.score >= below || node.score < best) continue;
      if (node.score > best) group = [];
      best = node.score;
      group.push(node);
    }
    if (group.length === 0) return;
    yield group;
    below = best;
  }
}

function highest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
function more(value: number, most: number): number {
  return most === 0 ? 0 : Math.floor((MAX_SCORE * value) / most);
}
function fewer(value: number, most: number): number {
  return MAX_SCORE - more(value, most);
}

function preferredTaints(pod: PodInfo, { node }: NodeInfo): number {
  return (node?.spec.taints ?? []).filter((taint) => taint.effect === 'PreferNoSchedule' && !anyToleratesTaint(pod.pod.spec.tolerations, taint)).length;
}

function preferredAffinity(pod: PodInfo, { node }: NodeInfo): number {
  if (!node) return 0;
  const preferred = pod.pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred.filter((term) => matchesNodeSelectorTerms([term.preference], selectable(node))).reduce((sum, term) => sum + term.weight, 0);
}

function resourceScore(pod: PodInfo, node: NodeInfo): number {
  const cpu = node.allocatable.get('cpu') ?? 0;
  const memory = node.allocatable.get('memory') ?? 0;
  const known = Number(cpu > 0) + Number(memory > 0);
  if (known === 0) return 0;
  const free = freeScore(cpu, node.nonZero.cpu + pod.nonZero.cpu) + freeScore(memory, node.nonZero.memory + pod.nonZero.memory);
  const leastAllocated = Math.floor(free / known);
  const spread = known === 2 ? Math.abs(share('cpu', cpu, pod, node) - share('memory', memory, pod, node)) / 2 : 0;
  return WEIGHT.leastAllocated * leastAllocated + WEIGHT.balanced * Math.floor((1 - spread) * MAX_SCORE);
}

function freeScore(of: number, used: number): number {
  return used > of || of === 0 ? 0 : Math.floor(((of - used) * MAX_SCORE) / of);
}

function share(resource: string, of: number, pod: PodInfo, node: NodeInfo): number {
  return Math.min(1, ((node.requested.get(resource) ?? 0) + (pod.requests.get(resource) ?? 0)) / of);
}
