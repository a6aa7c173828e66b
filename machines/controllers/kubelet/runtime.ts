/** The container runtime of a node: makes a process with the files that the pod's volumes give it. */
import type { Container, Pod } from '../../model/objects.ts';
import type { ExecResult } from '../../kernel/world.ts';
import type { KubeletEnvironment } from './environment.ts';

export interface ContainerProcess {
  begin(): void;
  signal(name: 'TERM' | 'KILL'): void;
  exec(argv: readonly string[], nowMs: number): ExecResult;
}

export function startProcess(env: KubeletEnvironment, pod: Pod, spec: Container, ended: (exitCode: number) => void): ContainerProcess {
  void [pod, spec];
  let live = true;
  return {
    begin: () => undefined,
    signal: (name) => {
      if (name !== 'KILL' || !live) return;
      live = false;
      env.clock.after(0, () => ended(137));
    },
    exec: () => ({ stdout: '', stderr: 'not modelled\n', code: 1 }),
  };
}
