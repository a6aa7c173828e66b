/** The text of FailedScheduling (framework/types.go FitError.Error, framework/runtime/framework.go, v1.35; ref 3.2). */
import type { Rejection } from './status.ts';

/** What an attempt found out: a PreFilter refusal for all nodes, or a verdict per node. */
export interface Diagnosis {
  readonly numAllNodes: number;
  readonly preFilter?: Rejection | undefined;
  /** By node name. A node that fits is not in it. */
  readonly nodes: ReadonlyMap<string, Rejection>;
  /** Reasons of the nodes that are in neither: those that a PreFilter result left out. */
  readonly absentReasons?: readonly string[] | undefined;
}

/**
 * `0/N nodes are available: …`: the PreFilter refusal, or how many nodes gave which reason, sorted as whole strings, then
 * what the PostFilter plugins said, without a dot of its own.
 * @recorded #wait-pod-unschedulable, #zone-class-forbids, #claim-not-found
 */
export function fitErrorMessage(diagnosis: Diagnosis, postFilter: string): string {
  const reasons = diagnosis.preFilter ? diagnosis.preFilter.reasons.join(', ') : countedReasons(diagnosis);
  const found = reasons === '' ? '' : ` ${reasons}.`;
  return `0/${diagnosis.numAllNodes} nodes are available:${found}${postFilter === '' ? '' : ` ${postFilter}`}`;
}

/** `1 node(s) had untolerated taint(s), 3 Insufficient cpu`: Go's sort of the finished strings, so `10 …` stands before `2 …`. */
function countedReasons(diagnosis: Diagnosis): string {
  const counts = new Map<string, number>();
  const add = (reason: string, by: number): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + by);
  };
  for (const rejection of diagnosis.nodes.values()) for (const reason of rejection.reasons) add(reason, 1);
  const absent = diagnosis.numAllNodes - diagnosis.nodes.size;
  if (absent > 0) for (const reason of diagnosis.absentReasons ?? []) add(reason, absent);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted(byBytes)
    .join(', ');
}

function byBytes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The PostFilter plugins' part when no victim was found. A pod that a PreFilter refused never reached
 * DynamicResources.PreFilter, whose PostFilter then misses its state: the part is the bare error `not found`.
 * @recorded #claim-not-found, #wait-pod-unschedulable, #rwop-second-pod
 */
export function postFilterText(diagnosis: Diagnosis, preemption: string): string {
  return diagnosis.preFilter ? 'not found' : `no new claims to deallocate, preemption: ${preemption}`;
}
