/**
 * kubectl, printed from objects: the door of this directory.
 *
 * Everything is a function of the view given. `get`, `describe` and `exec` answer at once. `rollout status` waits, so a
 * caller with a clock drives it: see rollout.ts.
 */
import { parseKubectl } from './command.ts';
import { runDescribe } from './describe.ts';
import { runEvents } from './events.ts';
import { runExec } from './exec.ts';
import { runGet } from './get.ts';
import { runLogs } from './logs.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notModelled } from './outcome.ts';
import { ROLLOUT_TIMED_OUT, rolloutStatusLine, rolloutTarget } from './rollout.ts';
import type { RolloutStatusCommand } from './command.ts';
import type { ClusterView } from './view.ts';

export type { ClusterView, ExecOutcome, ExecRequest, LogsRequest, ViewOptions } from './view.ts';
export { viewOfObjects } from './view.ts';
export type { Change, ChangeCommand } from './change-command.ts';
export type { DescribeCommand, ExecCommand, GetCommand, KubectlCommand, LogsCommand, RefusedCommand, RolloutStatusCommand, Target } from './command.ts';
export { parseKubectl, splitCommandLine } from './command.ts';
export type { KubectlOutcome } from './outcome.ts';
export type { RolloutProgress } from './rollout.ts';
export { ROLLOUT_OBJECT_DELETED, ROLLOUT_TIMED_OUT, rolloutStatusLine, rolloutTarget } from './rollout.ts';
export { chosenObjects } from './choose.ts';
export type { WaitCommand } from './wait.ts';
export { meetsCondition } from './wait.ts';
export type { DrainCommand } from './drain.ts';
export { isSkipped, podsToDrain } from './drain.ts';
export { goDuration } from './command-words.ts';
export { fieldMatcher } from './selector.ts';
export { notFound } from './outcome.ts';
export { qualifiedPlural, qualifiedSingular, resourceOfKind } from './resources.ts';
export { execInPod } from './exec.ts';
export { describeObject } from './describe.ts';
export { lastAppliedConfiguration } from './last-applied.ts';
export { ageSince, humanDuration } from './age.ts';

/**
 * Runs a kubectl command on a view and returns what it prints.
 *
 * @example
 * runKubectl('kubectl get pvc,pv', view).text
 *
 * Never throws for what a person typed: mistakes come back with kubectl's text, and what is not modelled with a text
 * that says so; both with a non-zero code. A `rollout status` that is not over is answered as if its time were up: drive
 * it with `rolloutStatusLine` where time passes.
 */
export function runKubectl(command: string | readonly string[], view: ClusterView): KubectlOutcome {
  const parsed = parseKubectl(command);
  try {
    switch (parsed.verb) {
      case 'get':
        return runGet(parsed, view);
      case 'describe':
        return runDescribe(parsed, view);
      case 'exec':
        return runExec(parsed, view);
      case 'logs':
        return runLogs(parsed, view);
      case 'rollout-status':
        return rolloutStatusNow(parsed, view);
      case 'events':
        return runEvents(parsed, view);
      case 'wait':
        throw notModelled('Waiting at a cluster that is only looked at');
      case 'drain':
      case 'change':
        throw notModelled('Changing a cluster that is only looked at');
      case 'refused':
        return { code: parsed.code, text: parsed.text };
    }
  } catch (error) {
    if (error instanceof KubectlError) return { code: 1, text: `${error.message}\n` };
    throw error;
  }
}

function rolloutStatusNow(command: RolloutStatusCommand, view: ClusterView): KubectlOutcome {
  const target = rolloutTarget(command, view);
  if (!('metadata' in target)) return target;
  const progress = rolloutStatusLine(target);
  if (progress.error !== undefined) return { code: 1, text: progress.error };
  if (progress.done || !command.watch) return { code: 0, text: progress.line };
  return { code: 1, text: progress.line + ROLLOUT_TIMED_OUT };
}
