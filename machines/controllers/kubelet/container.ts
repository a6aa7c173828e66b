/** One container of a pod: its runs, its restart back-off and what the runtime shows of it (pkg/kubelet/kuberuntime, v1.35). */
import type { Lane } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import { PROBES, type Container, type ContainerState, type Pod, type ProbeField } from '../../model/objects.ts';
import type { containerChart } from './charts.ts';
import type { ExecOutcome, ExecRequest, ExecSync } from './exec-sync.ts';
import type { ContainerView } from './pod-status.ts';

export type ContainerLane = Lane<(typeof containerChart.states)[number], (typeof containerChart.transitions)[number]['event']>;

/** What a run of a container needs to be able to do. */
export interface RunningProcess {
  signal(name: 'TERM' | 'KILL'): void;
  execSync(request: ExecRequest, done: (outcome: ExecOutcome) => void): ExecSync;
}

/** What a probe has said of a container. */
export type Answer = 'success' | 'failure' | 'unknown';

export interface Ended {
  readonly exitCode: number;
  /** Virtual milliseconds. */
  readonly atMs: number;
  /** Its termination message, or nothing. */
  readonly message: string;
}

/** Before its first run. */
const CREATING: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const INITIALIZING: ContainerState = { waiting: { reason: 'PodInitializing' } };
const NOTHING: ContainerState = {};

export class PodContainer {
  spec: Container;
  readonly init: boolean;
  readonly lane: ContainerLane;
  /** Where it stands in the pod, as its events say it. */
  readonly fieldPath: string;
  private id: string | undefined;
  /** What its last run was made of. */
  private image: string | undefined;
  private state: ContainerState;
  private lastState = NOTHING;
  private restartCount = 0;
  private process: RunningProcess | undefined;
  private endedAtMs = 0;
  /** When the run before the last ended. */
  private endedBeforeMs: number | undefined;
  /** What its probes have said, each of the container with this id. */
  private answers: Partial<Record<ProbeField, { readonly id: string; readonly answer: Answer }>> | undefined;
  private backOffMs = 0;
  private backOffSetAt = 0;
  /** Why it was not started at the last sync; shown from the next sync on (reasonCache). */
  private problem: { readonly reason: string; readonly message: string } | undefined;

  constructor(spec: Container, init: boolean, hasInitContainers: boolean, lane: ContainerLane) {
    this.spec = spec;
    this.init = init;
    this.lane = lane;
    // Joined: a template leaves a chain of pieces in every event.
    this.fieldPath = ['spec.', init ? 'initContainers' : 'containers', '{', spec.name, '}'].join('');
    this.state = hasInitContainers ? INITIALIZING : CREATING;
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

  /** Of the run that goes on, or went on last. */
  get currentId(): string | undefined {
    return this.id;
  }

  view(): ContainerView {
    const { spec, init, id, restartCount, state, lastState } = this;
    return { spec, init, id, restartCount, state, lastState };
  }

  // Probes.

  /** One of its probes can be asked. */
  get probed(): boolean {
    return PROBES.some((field) => this.asks(field));
  }

  private asks(field: ProbeField): boolean {
    return this.spec[field]?.exec !== undefined;
  }

  private answerOf(field: ProbeField, id: string | undefined): Answer | undefined {
    const answer = this.answers?.[field];
    return answer?.id === id ? answer?.answer : undefined;
  }

  /** Remembers what a probe says of the container with this id. False when it says nothing new. */
  answered(field: ProbeField, id: string, answer: Answer): boolean {
    if (this.answerOf(field, id) === answer) return false;
    this.answers = { ...this.answers, [field]: { id, answer } };
    return true;
  }

  /**
   * A container has started when its startup probe says so, and is ready when its readiness probe does too; without these as
   * soon as it runs. It is told of the container that a look has shown.
   * @modelled pkg/kubelet/prober/prober_manager.go (isContainerStarted, UpdatePodStatus), v1.35
   */
  withAnswers(view: ContainerView): ContainerView {
    if (!this.probed) return view;
    const is = (field: ProbeField): boolean => !this.asks(field) || this.answerOf(field, view.id) === 'success';
    const started = view.state.running !== undefined && is('startupProbe');
    return { ...view, probed: { started, ready: started && is('readinessProbe') } };
  }

  /** It runs, and nothing that waits for it has to wait longer. */
  get started(): boolean {
    return this.running && (!this.asks('startupProbe') || this.answerOf('startupProbe', this.id) === 'success');
  }

  /** The probe for which it must be stopped, if it runs. */
  get failedProbe(): 'livenessProbe' | 'startupProbe' | undefined {
    if (!this.running || !this.answers) return undefined;
    return (['livenessProbe', 'startupProbe'] as const).find((field) => this.answerOf(field, this.id) === 'failure');
  }

  /** The same as the pod's status tells it: what keeps a container from running is told beside what a look at it showed. */
  told(view: ContainerView): ContainerView {
    if (!this.problem || this.running || view.state.running) return view;
    return { ...view, state: { waiting: this.problem }, lastState: view.state.terminated ? { terminated: view.state.terminated } : view.lastState };
  }

  /** A run begins. */
  begun(id: string, process: RunningProcess, startedAt: string): void {
    if (this.id !== undefined) this.restartCount += 1;
    this.lastState = this.state.terminated ? { terminated: this.state.terminated } : NOTHING;
    this.id = id;
    this.image = this.spec.image;
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
    this.endedBeforeMs = this.restartCount > 0 ? this.endedAtMs : undefined;
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
   * from the end of the last run; ten quiet minutes forget it. Returns when the container may start, if not now. A sync that
   * has just stopped the container itself still goes by the run before that one.
   * @recorded #container-restart
   */
  mayRestartAt(now: number, stoppedInThisSync: boolean): number | undefined {
    const ended = stoppedInThisSync ? this.endedBeforeMs : this.endedAtMs;
    if (ended === undefined) return undefined;
    const expired = ended - this.backOffSetAt > 2 * timings.crashBackOffMax;
    if (this.backOffMs > 0 && !expired && now - ended < this.backOffMs) return ended + this.backOffMs;
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
    this.lastState = this.state.terminated ? { terminated: this.state.terminated } : NOTHING;
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
  notMade(problem: { readonly reason: string; readonly message: string }): void {
    this.problem = problem;
  }

  /** It runs another image than its spec names now. Init containers are left as they are. @modelled pkg/kubelet/container/helpers.go (HashContainer), v1.35 */
  get outdated(): boolean {
    return !this.init && this.running && this.image !== this.spec.image;
  }
}

/** `name_namespace(uid)`. */
export function podText({ metadata: { name, namespace = 'default', uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`;
}

/** Whole seconds as Go prints a duration: `10s`, `1m20s`, `5m0s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
