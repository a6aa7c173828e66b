/**
 * Looks for pods of lower priority whose removal would make room (framework/preemption/preemption.go,
 * framework/plugins/defaultpreemption/default_preemption.go, v1.35; ref 14.4, refinements 5).
 */
import { matchesLabelSelector } from '../../model/label-selector.ts';
import type { Pod, PodDisruptionBudget } from '../../model/objects.ts';
import type { Cycle } from './cycle.ts';
import { runFiltersWithNominated, updateWithPod } from './filters.ts';
import { fitErrorMessage, type Diagnosis } from './message.ts';
import type { NodeInfo } from './node-info.ts';
import type { Nominator } from './nominator.ts';
import type { PodInfo } from './pod-info.ts';
import { unresolvable, type Rejection } from './status.ts';

export interface Candidate {
  readonly node: string;
  /** The most important one first. */
  readonly victims: readonly PodInfo[];
  /** Victims that a budget does not allow to go. */
  readonly violations: number;
}
/** `message` is what stands behind `preemption: ` in FailedScheduling. */
export type Preemption =
  | { readonly kind: 'ineligible'; readonly message: string }
  /** `tried`: some node was worth a dry run. */
  | { readonly kind: 'notHelpful'; readonly tried: boolean; readonly message: string }
  | { readonly kind: 'candidate'; readonly candidate: Candidate };

const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
const NO_VICTIMS = 'No preemption victims found for incoming pod';

/** The whole decision for a pod that no node fits. @recorded #rwop-preemption, #rwop-second-pod, #wait-pod-unschedulable */
export function findPreemption(cycle: Cycle, diagnosis: Diagnosis, nominator: Nominator, budgets: readonly PodDisruptionBudget[]): Preemption {
  const { view, pod } = cycle;
  const refusal = whyNotEligible(cycle, diagnosis);
  if (refusal !== undefined) return { kind: 'ineligible', message: refusal };
  const verdicts = new Map<string, Rejection>();
  const candidates: Candidate[] = [];
  // Only a plain Unschedulable can be resolved by removing pods.
  const potential = view.nodes().filter(({ name }) => diagnosis.nodes.get(name)?.code === 'Unschedulable');
  for (const node of potential) {
    const result = selectVictims(cycle.clone(), node.clone(), nominator.on(node.name), budgets);
    if ('code' in result) verdicts.set(node.name, result);
    else candidates.push({ node: node.name, ...result });
  }
  if (candidates.length > 0) return { kind: 'candidate', candidate: pickCandidate(candidates) };
  return { kind: 'notHelpful', tried: potential.length > 0, message: fitErrorMessage({ numAllNodes: diagnosis.numAllNodes, nodes: verdicts, absentReasons: [NOT_HELPFUL] }, '') };

  function whyNotEligible({ pod: { pod: preemptor } }: Cycle, { nodes }: Diagnosis): string | undefined {
    if (preemptor.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const nominated = preemptor.status.nominatedNodeName ?? '';
    if (nominated === '' || nodes.get(nominated)?.code === 'UnschedulableAndUnresolvable') return undefined;
    const leaving = [...(view.node(nominated)?.pods.values() ?? [])].some((other) => other.priority < pod.priority && isBeingPreempted(other.pod));
    return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
  }
}

function isBeingPreempted(pod: Pod): boolean {
  const target = pod.status.conditions?.find((condition) => condition.type === 'DisruptionTarget');
  return pod.metadata.deletionTimestamp !== undefined && target?.status === 'True' && target.reason === 'PreemptionByScheduler';
}

/**
 * Takes all lower-priority pods off the node; if the pod fits then, gives back as many as possible, the most important
 * first, and before all others those that a budget would not let go. Who cannot be given back is a victim.
 * @recorded #rwop-preemption
 */
function selectVictims(cycle: Cycle, node: NodeInfo, nominated: readonly PodInfo[], budgets: readonly PodDisruptionBudget[]): Omit<Candidate, 'node'> | Rejection {
  const potential = [...node.pods.values()].filter((other) => other.priority < cycle.pod.priority).toSorted(moreImportant);
  if (potential.length === 0) return unresolvable('DefaultPreemption', NO_VICTIMS);
  const take = (other: PodInfo): void => {
    node.removePod(other.uid);
    updateWithPod(cycle, other, node, -1);
  };
  for (const other of potential) take(other);
  const refusal = runFiltersWithNominated(cycle, node, nominated);
  if (refusal) return refusal;
  const staysAway = (other: PodInfo): boolean => {
    node.addPod(other);
    updateWithPod(cycle, other, node, 1);
    if (!runFiltersWithNominated(cycle, node, nominated)) return false;
    take(other);
    return true;
  };
  const guarded = budgets.length === 0 ? NO_PODS : guardedByBudgets(potential, budgets);
  if (guarded.size === 0) return { victims: potential.filter(staysAway), violations: 0 };
  const violating = potential.filter((other) => guarded.has(other) && staysAway(other));
  const others = potential.filter((other) => !guarded.has(other) && staysAway(other));
  return { victims: [...violating, ...others].toSorted(moreImportant), violations: violating.length };
}

const NO_PODS: ReadonlySet<PodInfo> = new Set();

/**
 * The pods, taken in this order, whose going some budget does not allow any more. One whose eviction was granted already
 * does not count again; an empty selector selects nothing here.
 * @modelled framework/plugins/defaultpreemption/default_preemption.go (filterPodsWithPDBViolation), v1.35
 */
function guardedByBudgets(potential: readonly PodInfo[], budgets: readonly PodDisruptionBudget[]): ReadonlySet<PodInfo> {
  const left = new Map(budgets.map((budget) => [budget, budget.status.disruptionsAllowed]));
  const guarded = new Set<PodInfo>();
  for (const info of potential) {
    for (const budget of budgets) {
      if (!guards(budget, info.pod)) continue;
      const rest = (left.get(budget) ?? 0) - 1;
      left.set(budget, rest);
      if (rest < 0) guarded.add(info);
    }
  }
  return guarded;
}

function guards({ metadata, spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  const { selector } = spec;
  const selects = selector !== undefined && (Object.keys(selector.matchLabels ?? {}).length > 0 || (selector.matchExpressions ?? []).length > 0);
  if (!selects || metadata.namespace !== pod.metadata.namespace || Object.keys(pod.metadata.labels ?? {}).length === 0) return false;
  return status.disruptedPods?.[pod.metadata.name] === undefined && matchesLabelSelector(selector, pod.metadata.labels);
}

/** Higher priority first, then the longer running (util.MoreImportantPod). */
function moreImportant(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || startOf(a).localeCompare(startOf(b));
}
function startOf({ pod }: PodInfo): string {
  return pod.status.startTime ?? '9999';
}

/**
 * The node where preemption costs least: fewest violations of budgets, lowest highest priority, lowest sum of priorities, fewest victims, the latest
 * start among the most important (pickOneNodeForPreemption). @modelled ref 14.4
 */
function pickCandidate(candidates: readonly Candidate[]): Candidate {
  const scores: ((candidate: Candidate) => number)[] = [
    ({ violations }) => -violations,
    ({ victims }) => -(victims[0]?.priority ?? 0),
    ({ victims }) => -victims.reduce((sum, victim) => sum + victim.priority + 2 ** 31, 0),
    ({ victims }) => -victims.length,
    ({ victims }) => Math.min(...victims.filter((victim) => victim.priority === victims[0]?.priority).map((victim) => Date.parse(startOf(victim)) || 0)),
  ];
  let left = candidates;
  for (const score of scores) {
    const best = Math.max(...left.map(score));
    left = left.filter((candidate) => score(candidate) === best);
  }
  return left[0] ?? (candidates[0] as Candidate);
}
