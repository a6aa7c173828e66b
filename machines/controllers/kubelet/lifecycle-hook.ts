/** Handlers of a container's lifecycle (pkg/kubelet/lifecycle/handlers.go, v1.35). */
import type { Container, LifecycleHandler, Pod } from '../../model/objects.ts';
import { podText, type PodContainer } from './container.ts';
import type { ExecOutcome } from './exec-sync.ts';
import type { NodeClock } from './node-clock.ts';

export interface Hook {
  /** The kubelet does not wait for it any longer: it fails. */
  cancel(): void;
}

/** Handlers that need a network are left out, and do nothing; the support table names them. */
export function isModelledHandler({ exec, sleep }: LifecycleHandler): boolean {
  return exec !== undefined || sleep !== undefined;
}

/**
 * Runs a handler in the container. `done` gets why it failed, if it did: a command that ended with another code than 0, or
 * that could not be run.
 * @modelled pkg/kubelet/lifecycle/handlers.go (handlerRunner.Run), v1.35
 */
export function runHook(clock: NodeClock, pod: Pod, container: PodContainer, handler: LifecycleHandler, done: (failure: string | undefined) => void): Hook {
  const { exec, sleep } = handler;
  if (exec) {
    const argv = exec.command ?? [];
    return container.execSync({ argv, timeoutMs: undefined }, (outcome) => {
      const error = errorOf(argv, outcome);
      done(error === undefined ? undefined : failureText(pod, container.spec, argv, error, outcome));
    });
  }
  const { seconds = 0 } = sleep ?? {};
  const timer = clock.after(seconds * 1000, () => done(undefined));
  return {
    cancel: () => {
      timer.cancel();
      done(`Sleep lifecycle hook (${seconds}) for Container "${container.spec.name}" in Pod "${podText(pod)}" failed - error: container terminated before sleep hook finished`);
    },
  };
}

/** @modelled k8s.io/cri-client pkg/remote_runtime.go (ExecSync), v0.35 */
function errorOf(argv: readonly string[], outcome: ExecOutcome): string | undefined {
  if (outcome.type === 'failed') return outcome.message;
  if (outcome.type === 'timedOut' || outcome.code === 0) return undefined;
  return `command '${argv.join(' ')}' exited with ${outcome.code}: ${outcome.stderr}`;
}

function failureText(pod: Pod, { name }: Container, argv: readonly string[], error: string, outcome: ExecOutcome): string {
  const output = outcome.type === 'exited' ? outcome.output : '';
  return `Exec lifecycle hook ([${argv.join(' ')}]) for Container "${name}" in Pod "${podText(pod)}" failed - error: ${error}, message: ${JSON.stringify(output)}`;
}
