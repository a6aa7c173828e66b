/** All of kubectl that needs nothing but a view. */
import type { KubectlCommand } from './command.ts';
import { parseCommand } from './command.ts';
import { runEvents } from './events.ts';
import type { KubectlOutcome } from './outcome.ts';
import { notModelled } from './outcome.ts';
import { runParsed } from './run-parsed.ts';
import { describeNode, parseSeldom } from './seldom.ts';
import type { ClusterView } from './view.ts';

/** {@link parseCommand} with all commands. */
export function parseKubectl(command: string | readonly string[]): KubectlCommand {
  return parseCommand(command, parseSeldom);
}

/**
 * Runs a kubectl command on a view and returns what it prints.
 *
 * @example
 * runKubectl('kubectl get pvc,pv', view).text
 *
 * Never throws for what a person typed: mistakes come back with kubectl's text, and what is not modelled with a text
 * that says so; both with a non-zero code.
 */
export function runKubectl(command: string | readonly string[], view: ClusterView): KubectlOutcome {
  const parsed = parseKubectl(command);
  if (parsed.verb === 'events') return runEvents(parsed, view);
  if (parsed.verb === 'wait' || parsed.verb === 'drain' || parsed.verb === 'rollout') return { code: 1, text: `${notModelled(`"kubectl ${parsed.verb}" at a cluster that is only looked at`).message}\n` };
  return runParsed(parsed, { ...view, describeNode });
}
