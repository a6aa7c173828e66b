/** One container of a pod: its runs, its restart back-off and what the runtime shows of it (pkg/kubelet/kuberuntime, v1.35). */
import type { Lane } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import type { Container, ContainerState, Pod } from '../../model/objects.ts';
import type { containerChart } from './charts.ts';
import type { ExecOutcome, ExecRequest, ExecSync } from './exec-sync.ts';
import type { ContainerView } from './pod-status.ts';

export type ContainerLane = Lane<(typeof containerChart.states)[number], (typeof containerChart.transitions)[number]['event']>;

/** What a run of a container needs to be able to do. */
export interface RunningProcess {
  signal(name: 'TERM' | 'KILL'): void;
  execSync(request: ExecRequest, done: (outcome: ExecOutcome) => void): ExecSync;
}

export interface Ended {
  readonly exitCode: number;
  /** Virtual milliseconds. */
  readonly atMs: number;
  /** Its termination message, or nothing. */
  readonly message: string;
}

export class PodContainer {
  readonly spec: Container;
  readonly init: boolean;
  readonly lane: ContainerLane;
  /** Where it stands in the pod, as its events say it. */
  readonly fieldPath: string;
  private readonly waitingReason: string;
  private id: string | undefined;
  private state: ContainerState;
  private lastState: ContainerState = {};
  private restartCount = 0;
  private process: RunningProcess | undefined;
  private endedAtMs = 0;
  private backOffMs = 0;
  private backOffSetAt = 0;
  /** Why it was not started at the last sync; shown from the next sync on (reasonCache). */
  private problem: { readonly reason: string; readonly message: string } | undefined;

  constructor(spec: Container, init: boolean, hasInitContainers: boolean, lane: ContainerLane) {
    this.spec = spec;
    this.init = init;
    this.lane = lane;
    this.fieldPath = `spec.${init ? 'initContainers' : 'containers'}{${spec.name}}`;
    this.waitingReason = hasInitContainers ? 'PodInitializing' : 'ContainerCreating';
    this.state = { waiting: { reason: this.waitingReason } };
  }

  get running(): boolean {
    return this.process !== undefined;
  }
  /** Exit code of the last run, when it has ended. */
  get exitCode(): number | undefined {
    return this.process ? undefined : (this.state.terminated?.exitCode ?? this.lastState.terminated?.exitCode);
  }
  /** It has never been started. */
  get fresh(): boolean {
    return this.id === undefined;
  }

  view(): ContainerView {
    const { spec, init, id, restartCount, state, lastState } = this;
    return { spec, init, id, restartCount, state, lastState };
  }

  /** The same as the pod's status tells it: what keeps a container from running is told beside what a look at it showed. */
  told(view: ContainerView): ContainerView {
    if (!this.problem || this.running || view.state.running) return view;
    return { ...view, state: { waiting: this.problem }, lastState: view.state.terminated ? { terminated: view.state.terminated } : view.lastState };
  }

  /** A run begins. */
  started(id: string, process: RunningProcess, startedAt: string): void {
    if (this.id !== undefined) this.restartCount += 1;
    this.lastState = this.state.terminated ? { terminated: this.state.terminated } : {};
    this.id = id;
    this.process = process;
    this.problem = undefined;
    this.state = { running: { startedAt } };
    this.lane.send('START');
  }

  /** The run has ended. Exit code 0 is `Completed`, every other `Error`. @recorded #finished-pod, #container-restart, #node-move */
  ended({ exitCode, atMs, message }: Ended, finishedAt: string): void {
    const startedAt = this.state.running?.startedAt ?? null;
    this.process = undefined;
    this.problem = undefined;
    this.endedAtMs = atMs;
    this.state = { terminated: { ...(this.id === undefined ? {} : { containerID: this.id }), exitCode, finishedAt, ...(message === '' ? {} : { message }), reason: exitCode === 0 ? 'Completed' : 'Error', startedAt } };
    this.lane.send('EXIT');
  }

  signal(name: 'TERM' | 'KILL'): void {
    this.process?.signal(name);
  }

  /** Runs a command in it. Throws unless it runs. */
  execSync(request: ExecRequest, done: (outcome: ExecOutcome) => void): ExecSync {
    if (!this.process) throw new Error(`container ${this.spec.name} does not run`);
    return this.process.execSync(request, done);
  }

  /** A sidecar: an init container that goes on beside the others. */
  get sidecar(): boolean {
    return this.init && this.spec.restartPolicy === 'Always';
  }

  /** Whether the restart policy wants another run. A sidecar is always restarted. @recorded #container-restart, #finished-pod */
  wantsRestart(policy: string): boolean {
    if (this.running || this.fresh) return false;
    if (this.init) return this.sidecar || (this.exitCode !== 0 && policy !== 'Never');
    return policy === 'Always' || (policy === 'OnFailure' && this.exitCode !== 0);
  }

  /**
   * doBackOff: the first restart is free and starts the back-off at 10 s; each further one doubles it, up to 5 min, counted
   * from the end of the last run; ten quiet minutes forget it. Returns when the container may start, if not now.
   * @recorded #container-restart
   */
  mayRestartAt(now: number): number | undefined {
    const expired = this.endedAtMs - this.backOffSetAt > 2 * timings.crashBackOffMax;
    if (this.backOffMs > 0 && !expired && now - this.endedAtMs < this.backOffMs) return this.endedAtMs + this.backOffMs;
    this.backOffMs = this.backOffMs === 0 || expired ? timings.crashBackOff : Math.min(this.backOffMs * 2, timings.crashBackOffMax);
    this.backOffSetAt = now;
    return undefined;
  }

  /** It was not started because of its back-off. The texts are the kubelet's. @modelled ref 14.13 */
  heldBack(pod: Pod): void {
    this.lane.try('BACK_OFF');
    this.problem = { reason: 'CrashLoopBackOff', message: `back-off ${goDuration(this.backOffMs)} restarting failed container=${this.spec.name} pod=${podText(pod)}` };
  }

  /** It was made, but the runtime could not start its process. @modelled pkg/kubelet/kuberuntime, v1.35 */
  notStarted(id: string, message: string, nowMs: number, finishedAt: string): void {
    if (this.id !== undefined) this.restartCount += 1;
    this.lastState = this.state.terminated ? { terminated: this.state.terminated } : {};
    this.id = id;
    this.endedAtMs = nowMs;
    this.state = { terminated: { containerID: id, exitCode: 128, finishedAt, message, reason: 'StartError', startedAt: '1970-01-01T00:00:00Z' } };
    this.problem = { reason: 'RunContainerError', message };
    this.lane.try('FAIL');
  }

  /** Its postStart hook failed, and it was stopped for that. @modelled pkg/kubelet/kuberuntime/kuberuntime_container.go (ErrPostStartHook), v1.35 */
  hookFailed(message: string): void {
    this.problem = { reason: 'PostStartHookError', message };
  }

  /** It could not be made. @modelled ref 7.3 */
  notMade(message: string): void {
    this.problem = { reason: 'CreateContainerConfigError', message };
  }
}

/** `name_namespace(uid)`. */
export function podText({ metadata: { name, namespace = 'default', uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`;
}

/** Whole seconds as Go prints a duration: `10s`, `1m20s`, `5m0s`. */
function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
