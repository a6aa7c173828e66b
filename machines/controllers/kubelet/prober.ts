/**
 * Probes of a pod's containers (pkg/kubelet/prober/worker.go, prober.go and prober_manager.go, v1.35). Only commands are
 * asked: probes that need a network are left out, and the support table names them.
 */
import type { Pod, Probe, ProbeField } from '../../model/objects.ts';
import { PROBES } from '../../model/objects.ts';
import { goDuration, type Answer, type PodContainer } from './container.ts';
import type { KubeletEnvironment } from './environment.ts';
import { CANCELLED, EXITED, type ExecOutcome, type ExecSync } from './exec-sync.ts';
import type { NodeTimer } from './node-clock.ts';
import type { ContainerView, PodView } from './pod-status.ts';

/** What an answer changes. */
export interface ProbeListener {
  /** The pod's status says something else. */
  statusChanged(): void;
  /** The pod is to be synced. */
  sync(): void;
}

/** What a container counts as until its probe has answered. */
const AT_FIRST: Readonly<Record<ProbeField, Answer>> = { livenessProbe: 'success', readinessProbe: 'failure', startupProbe: 'unknown' };
const TITLES: Readonly<Record<ProbeField, string>> = { livenessProbe: 'Liveness', readinessProbe: 'Readiness', startupProbe: 'Startup' };
/** Characters of a command's output that an event tells (pkg/probe/exec/exec.go maxReadLength). */
const MOST_OUTPUT = 10 * 1024;

export class PodProber {
  private readonly workers: readonly ProbeWorker[];
  private started = false;

  /** Undefined for a pod whose containers have no probe that could be asked. */
  static of(env: KubeletEnvironment, pod: Pod, containers: readonly PodContainer[], listener: ProbeListener): PodProber | undefined {
    const probed = containers.filter(({ probed: asked }) => asked);
    return probed.length === 0 ? undefined : new PodProber(env, pod, probed, listener);
  }

  private constructor(env: KubeletEnvironment, pod: Pod, containers: readonly PodContainer[], listener: ProbeListener) {
    this.workers = containers.flatMap((container) => PROBES.flatMap((field) => (container.spec[field]?.exec ? [new ProbeWorker(env, pod, container, field, listener)] : [])));
  }

  /** The pod's first sync has come to its containers: from now on the workers tick. */
  start(): void {
    if (this.started) return;
    this.started = true;
    for (const worker of this.workers) worker.tick();
  }

  /**
   * The pod has this status now, which is all that the workers know of the containers. One that has started and is not yet
   * ready is asked at once, besides its period.
   * @modelled pkg/kubelet/prober/prober_manager.go (UpdatePodStatus), v1.35
   */
  told(view: PodView): void {
    this.remember(view);
    for (const worker of this.workers) worker.askAtOnce();
  }

  /** The same, where only an answer has changed it: nobody is asked for that. @modelled pkg/kubelet/status/status_manager.go (SetContainerReadiness, SetContainerStartup), v1.35 */
  remember({ containers, initContainers }: PodView): void {
    for (const worker of this.workers) {
      const { container } = worker;
      worker.status = (container.init ? initContainers : containers).find(({ spec }) => spec.name === container.spec.name);
    }
  }

  /**
   * The pod's deletion cancels the context that its workers ask with: no command answers any more, and a pod that was ready
   * stays so until its containers end. Later releases have mended that.
   * @modelled pkg/kubelet/prober/prober_manager.go (AddPod), v1.35
   */
  cancel(): void {
    for (const worker of this.workers) worker.cancel();
  }

  /** The containers are being stopped: only readiness is still asked for. */
  stopLivenessAndStartup(): void {
    for (const worker of this.workers) if (worker.field !== 'readinessProbe') worker.stop();
  }

  stop(): void {
    for (const worker of this.workers) worker.stop();
  }
}

/** One probe of one container. */
class ProbeWorker {
  readonly container: PodContainer;
  readonly field: ProbeField;
  private readonly env: KubeletEnvironment;
  private readonly pod: Pod;
  private readonly probe: Probe;
  private readonly listener: ProbeListener;
  /** What the pod's status last said of the container. */
  status: ContainerView | undefined;
  /** The container that it asks. */
  private id: string | undefined;
  private last: Answer | undefined;
  /** How many times in a row that was the answer. */
  private run = 0;
  /** Nothing is asked until there is another container. */
  private onHold = false;
  private asking = false;
  private command: ExecSync | undefined;
  /** What came while it asked: one tick, one wish for an answer at once. */
  private readonly due = { tick: false, atOnce: false };
  private timer: NodeTimer | undefined;
  private cancelled = false;
  private stopped = false;

  constructor(env: KubeletEnvironment, pod: Pod, container: PodContainer, field: ProbeField, listener: ProbeListener) {
    this.env = env;
    this.pod = pod;
    this.container = container;
    this.field = field;
    this.probe = container.spec[field] ?? {};
    this.listener = listener;
  }

  tick(): void {
    if (this.stopped) return;
    this.timer = this.env.clock.after((this.probe.periodSeconds ?? 10) * 1000, () => this.tick());
    if (this.asking) this.due.tick = true;
    else this.look();
  }

  askAtOnce(): void {
    const { started, ready } = this.status?.probed ?? {};
    if (this.field !== 'readinessProbe' || started !== true || ready === true) return;
    this.env.clock.after(0, () => {
      if (this.asking) this.due.atOnce = true;
      else this.look();
    });
  }

  cancel(): void {
    this.cancelled = true;
    this.command?.cancel();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  /** @modelled pkg/kubelet/prober/worker.go (doProbe), v1.35 */
  private look(): void {
    const { status, field, probe } = this;
    if (this.stopped || status?.id === undefined) return;
    if (status.id !== this.id) {
      this.id = status.id;
      this.onHold = false;
      this.answer(AT_FIRST[field]);
    }
    if (this.onHold) return;
    const { running, terminated } = status.state;
    if (!running) {
      this.answer('failure');
      if (terminated && this.pod.spec.restartPolicy === 'Never' && !this.container.sidecar) this.stop();
      return;
    }
    const seconds = Math.floor((this.env.world.api.unixMs - Date.parse(running.startedAt)) / 1000);
    if (seconds < (probe.initialDelaySeconds ?? 0)) return;
    if ((status.probed?.started === true) !== (field === 'startupProbe')) this.ask();
  }

  /** @modelled pkg/kubelet/prober/prober.go (probe), pkg/probe/exec/exec.go, v1.35 */
  private ask(): void {
    this.asking = true;
    const heard = (outcome: ExecOutcome): void => {
      this.command = undefined;
      this.asking = false;
      if (!this.stopped) this.hear(outcome);
      this.catchUp();
    };
    const { container } = this;
    if (this.cancelled) heard(CANCELLED);
    else if (!container.running || container.currentId !== this.id) heard(EXITED);
    else this.command = container.execSync({ argv: this.argv, timeoutMs: (this.probe.timeoutSeconds ?? 1) * 1000 }, heard);
  }

  private catchUp(): void {
    const { due } = this;
    while (!this.asking && (due.tick || due.atOnce)) {
      if (due.tick) due.tick = false;
      else due.atOnce = false;
      this.look();
    }
  }

  private get argv(): readonly string[] {
    return this.probe.exec?.command ?? [];
  }

  /** An error says nothing about the container, and is thrown away. */
  private hear(outcome: ExecOutcome): void {
    const title = TITLES[this.field];
    if (outcome.type === 'failed') {
      this.tellUnhealthy(`${title} probe errored and resulted in unknown state: ${outcome.message}`);
      return;
    }
    const good = outcome.type === 'exited' && outcome.code === 0;
    if (!good) this.tellUnhealthy(`${title} probe failed: ${outcome.type === 'exited' ? outcome.output.slice(0, MOST_OUTPUT) : this.timeoutText}`);
    this.count(good ? 'success' : 'failure');
  }

  private get timeoutText(): string {
    return `command timed out: "${this.argv.join(' ')}" timed out after ${goDuration((this.probe.timeoutSeconds ?? 1) * 1000)}`;
  }

  private tellUnhealthy(message: string): void {
    this.env.recorder.event(this.pod, 'Warning', 'Unhealthy', message, this.container.fieldPath);
  }

  /** Only so many equal answers in a row count. What ends the container, or its start, is asked no more. */
  private count(answer: 'success' | 'failure'): void {
    this.run = this.last === answer ? this.run + 1 : 1;
    this.last = answer;
    const { failureThreshold = 3, successThreshold = 1 } = this.probe;
    if (this.run < (answer === 'failure' ? failureThreshold : successThreshold)) return;
    this.answer(answer);
    if (this.field === 'readinessProbe' || (this.field === 'livenessProbe' && answer === 'success')) return;
    this.onHold = true;
    this.run = 0;
  }

  private answer(answer: Answer): void {
    const { container, field, id, listener } = this;
    if (id === undefined || !container.answered(field, id, answer)) return;
    if (field === 'livenessProbe' && answer !== 'failure') return;
    this.env.clock.after(0, () => {
      if (field !== 'livenessProbe') listener.statusChanged();
      listener.sync();
    });
  }
}
