/** What a kubectl command printed, standard output and standard error in the order they came, and its exit code. */
export interface KubectlOutcome {
  readonly code: number;
  readonly text: string;
  /** Virtual milliseconds that the command took, when it waited for something in a container. */
  readonly durationMs?: number | undefined;
}

/** An error that kubectl reports and stops at. The message is the whole line, prefix included. */
export class KubectlError extends Error {
  override readonly name = 'KubectlError';
}

/** What this simulation does not do; the command answers with it and a non-zero code. */
export function notModelled(what: string): KubectlError {
  return new KubectlError(`${what} is not modelled by this simulation (modelled: kubectl get, describe, exec, logs, events, rollout, wait, delete, patch, scale, label, annotate, set image, cordon, uncordon, taint, drain)`);
}

/** The API server's answer to a name it has not. */
export function notFound(qualifiedPlural: string, name: string): KubectlError {
  return new KubectlError(`Error from server (NotFound): ${qualifiedPlural} "${name}" not found`);
}
