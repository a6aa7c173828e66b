/** Carrying out what was read, where the view is all that it takes. */
import type { KubectlCommand, RolloutStatusCommand, SeldomCommand } from './command.ts';
import { runDescribe } from './describe.ts';
import { runExec } from './exec.ts';
import { runGet } from './get.ts';
import { runLogs } from './logs.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notModelled } from './outcome.ts';
import { ROLLOUT_TIMED_OUT, rolloutStatusLine, rolloutTarget } from './rollout.ts';
import type { ClusterView } from './view.ts';

/**
 * What a command prints that was read before and needs nothing but the view. Never throws for what a person typed. A
 * `rollout status` that is not over is answered as if its time were up: drive it with `rolloutStatusLine` where time passes.
 */
export function runParsed(parsed: Exclude<KubectlCommand, SeldomCommand>, view: ClusterView): KubectlOutcome {
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
