/** The container runtime of a node: one run of a container on the node's time, with the files that the pod's volumes give it. */
import type { ExecTarget, LogSource } from '../../kernel/world.ts';
import type { Container, Pod } from '../../model/objects.ts';
import { createContainerProcess, type ContainerProcess, type ExecResult } from '../../process/process.ts';
import type { RunningProcess } from './container.ts';
import { expandVariables, type ContainerConfig } from './container-config.ts';
import type { KubeletEnvironment } from './environment.ts';
import { ExecSync, type ExecOutcome, type ExecRequest } from './exec-sync.ts';
import type { NodeTimer } from './node-clock.ts';

/** How much of the output stands in for a termination message (kubecontainer.MaxContainerTerminationMessageLogLines, …LogLength). */
const LOG_LINES = 80;
const LOG_BYTES = 2048;

export class ContainerRun implements ExecTarget, LogSource, RunningProcess {
  private readonly env: KubeletEnvironment;
  private readonly process: ContainerProcess;
  private readonly ended: (exitCode: number) => void;
  private readonly logsTellFailure: boolean;
  private wake: NodeTimer | undefined;
  private over = false;
  /** Commands that the kubelet runs beside it; most containers never have any. */
  private commands: Set<ExecSync> | undefined;

  /** `ended` is called once, when the process has ended. */
  constructor(env: KubeletEnvironment, pod: Pod, spec: Container, config: ContainerConfig, ended: (exitCode: number) => void) {
    this.env = env;
    this.ended = ended;
    const security = pod.spec.securityContext;
    const fsGroup = security?.fsGroup;
    this.process = createContainerProcess({
      command: spec.command?.map((word) => expandVariables(word, config.environment)),
      args: spec.args?.map((word) => expandVariables(word, config.environment)),
      env: config.environment.size === 0 ? undefined : Object.fromEntries(config.environment),
      mounts: config.mounts,
      devices: config.devices.map(({ path, content }) => ({ devicePath: path, tree: content.tree })),
      uid: spec.securityContext?.runAsUser ?? security?.runAsUser,
      gid: spec.securityContext?.runAsGroup ?? security?.runAsGroup,
      groups: [...(security?.supplementalGroups ?? []), ...(fsGroup === undefined ? [] : [fsGroup])],
      hostname: pod.spec.hostname ?? pod.metadata.name,
      readOnlyRoot: spec.securityContext?.readOnlyRootFilesystem,
      workingDir: spec.workingDir,
      terminationMessagePath: spec.terminationMessagePath,
    });
    this.logsTellFailure = spec.terminationMessagePolicy === 'FallbackToLogsOnError';
  }

  /**
   * The termination message: what the container wrote for it, or else, where its policy says so and it failed, the end of
   * its output.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_container.go getTerminationMessage, v1.35
   */
  get message(): string {
    const { lastWords, exited, output } = this.process;
    if (lastWords !== '' || !this.logsTellFailure || exited?.code === 0) return lastWords;
    return output.split('\n').slice(-LOG_LINES - 1).join('\n').slice(-LOG_BYTES);
  }

  /** What it printed, for `kubectl logs`. */
  get output(): string {
    return this.process.output;
  }

  /** Starts the process. Returns the runtime's error when it cannot be started. */
  start(): string | undefined {
    this.process.start(this.now);
    this.env.clock.after(0, () => this.follow());
    return this.process.startError;
  }

  signal(name: 'TERM' | 'KILL'): void {
    this.process.signal(name, this.now);
    this.follow();
  }

  /** Runs a command beside the process, which the command may have signalled. */
  exec(argv: readonly string[]): ExecResult {
    const result = this.process.exec(argv, this.now);
    this.env.clock.after(0, () => this.follow());
    return result;
  }

  execSync(request: ExecRequest, done: (outcome: ExecOutcome) => void): ExecSync {
    const commands = (this.commands ??= new Set());
    const { world, clock } = this.env;
    const host = {
      clock,
      get nowMs(): number {
        return world.api.unixMs;
      },
      begin: (argv: readonly string[]) => this.process.beginExec(argv, world.api.unixMs),
      touched: () => this.follow(),
      newId: () => world.random.hex(64),
    };
    const command: ExecSync = new ExecSync(host, request, (outcome) => {
      commands.delete(command);
      done(outcome);
    });
    commands.add(command);
    return command;
  }

  private get now(): number {
    return this.env.world.api.unixMs;
  }

  /** Sets the timer for what the process wants to do next, or tells that it has ended. */
  private follow(): void {
    if (this.over) return;
    this.wake?.cancel();
    const exit = this.process.exited;
    if (exit) {
      this.over = true;
      for (const command of this.commands ?? []) command.containerEnded();
      this.ended(exit.code);
      return;
    }
    const next = this.process.nextWakeMs;
    if (next === undefined || next === Infinity) return;
    this.wake = this.env.clock.after(next - this.now, () => {
      this.process.advance(this.now);
      this.follow();
    });
  }
}
