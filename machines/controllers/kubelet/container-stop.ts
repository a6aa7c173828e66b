/** Stopping containers: hooks, order, grace (kuberuntime_container.go killContainer, kuberuntime_termination_order.go, v1.35). */
import { timings } from '../../kernel/timings.ts';
import type { Pod } from '../../model/objects.ts';
import type { PodContainer } from './container.ts';
import type { KubeletEnvironment } from './environment.ts';
import { isModelledHandler, runHook, type Hook } from './lifecycle-hook.ts';
import type { NodeTimer } from './node-clock.ts';

export interface StopRequest {
  readonly containers: readonly PodContainer[];
  readonly graceSeconds: number;
  /** What the Killing event says. */
  message(container: PodContainer): string;
  /** Containers that must have ended before this one is told to. */
  mustEndBefore(container: PodContainer): readonly PodContainer[];
}

/** One container on its way out. */
interface Stop {
  readonly container: PodContainer;
  /** Whole seconds that are left of its grace period. */
  graceSeconds: number;
  hook: Hook | undefined;
  /** Set while it waits for its turn, which comes at the end of its grace period whatever happens. */
  turn: { readonly since: number; readonly timer: NodeTimer } | undefined;
  termSent: boolean;
  killTimer: NodeTimer | undefined;
  over: boolean;
}

/** Stops some containers of a pod, all at once as far as their order allows. */
export class ContainerStop {
  private readonly env: KubeletEnvironment;
  private readonly pod: Pod;
  private readonly request: StopRequest;
  private readonly stops: readonly Stop[];
  private readonly done: () => void;
  private killAt: number;
  private finished = false;

  /** `done` is called when all have ended. */
  constructor(env: KubeletEnvironment, pod: Pod, request: StopRequest, done: () => void) {
    this.env = env;
    this.pod = pod;
    this.request = request;
    this.done = done;
    this.killAt = env.clock.now + graceMs(request.graceSeconds);
    this.stops = request.containers.map((container) => ({ container, graceSeconds: request.graceSeconds, hook: undefined, turn: undefined, termSent: false, killTimer: undefined, over: false }));
  }

  begin(): void {
    for (const stop of this.stops) {
      this.env.recorder.event(this.pod, 'Normal', 'Killing', this.request.message(stop.container), stop.container.fieldPath);
      this.runPreStop(stop);
    }
    this.look();
  }

  /** A container has ended. */
  look(): void {
    for (const stop of this.stops) if (stop.termSent && !stop.container.running) this.over(stop);
    for (const stop of this.stops) if (stop.turn && this.isItsTurn(stop)) this.takeTurn(stop);
    if (this.finished || this.stops.some(({ over }) => !over)) return;
    this.finished = true;
    this.done();
  }

  /** A later deletion may shorten the grace period of one that is under way, never lengthen it. @modelled pkg/kubelet/pod_workers.go, v1.35 */
  shorten(graceSeconds: number): void {
    if (this.finished || this.env.clock.now + graceSeconds * 1000 >= this.killAt - timings.minimumGrace) return;
    this.killAt = this.env.clock.now + graceMs(graceSeconds);
    for (const stop of this.stops) {
      if (stop.over) continue;
      stop.graceSeconds = graceSeconds;
      this.giveUpWaiting(stop);
      this.terminate(stop);
    }
    this.look();
  }

  /** The kubelet does not wait any longer; what it has signalled stays signalled. */
  abandon(): void {
    if (this.finished) return;
    this.finished = true;
    for (const stop of this.stops) {
      stop.over = true;
      this.giveUpWaiting(stop);
      stop.killTimer?.cancel();
    }
    this.done();
  }

  private giveUpWaiting(stop: Stop): void {
    stop.turn?.timer.cancel();
    stop.turn = undefined;
    const { hook } = stop;
    stop.hook = undefined;
    hook?.cancel();
  }

  /**
   * A hook takes its time from the grace period, in whole seconds; one that takes it all is not waited for. What it says
   * when it fails stays in the kubelet's log, for it might be secret.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_container.go (executePreStopHook), v1.35
   */
  private runPreStop(stop: Stop): void {
    const { container } = stop;
    const handler = container.spec.lifecycle?.preStop;
    if (!handler || !isModelledHandler(handler)) {
      this.awaitTurn(stop);
      return;
    }
    const { clock, recorder } = this.env;
    const since = clock.now;
    const goOn = (): void => {
      timeout.cancel();
      if (stop.hook === undefined) return;
      stop.hook = undefined;
      stop.graceSeconds -= wholeSeconds(clock.now - since);
      this.awaitTurn(stop);
      this.look();
    };
    const timeout = clock.after(stop.graceSeconds * 1000, goOn);
    stop.hook = runHook(clock, this.pod, container, handler, (failure) => {
      if (failure !== undefined && !stop.over) recorder.event(this.pod, 'Warning', 'FailedPreStopHook', 'PreStopHook failed', container.fieldPath);
      goOn();
    });
  }

  /** @modelled pkg/kubelet/kuberuntime/kuberuntime_termination_order.go (waitForTurn), v1.35 */
  private awaitTurn(stop: Stop): void {
    if (stop.graceSeconds <= 0 || this.isItsTurn(stop)) {
      this.terminate(stop);
      return;
    }
    const { clock } = this.env;
    stop.turn = { since: clock.now, timer: clock.after(stop.graceSeconds * 1000, () => this.takeTurn(stop)) };
  }

  private isItsTurn({ container }: Stop): boolean {
    const before = this.request.mustEndBefore(container);
    return before.every((other) => !other.running && (this.stops.find((stop) => stop.container === other)?.over ?? true));
  }

  private takeTurn(stop: Stop): void {
    if (!stop.turn) return;
    stop.turn.timer.cancel();
    stop.graceSeconds -= wholeSeconds(this.env.clock.now - stop.turn.since);
    stop.turn = undefined;
    this.terminate(stop);
    this.look();
  }

  /** SIGTERM, and SIGKILL after what is left of the grace period, which is two seconds at least. @recorded #node-move, #slow-goodbye */
  private terminate(stop: Stop): void {
    stop.termSent = true;
    stop.killTimer?.cancel();
    stop.killTimer = this.env.clock.after(graceMs(stop.graceSeconds), () => stop.container.signal('KILL'));
    stop.container.signal('TERM');
  }

  private over(stop: Stop): void {
    stop.over = true;
    stop.killTimer?.cancel();
  }
}

function graceMs(seconds: number): number {
  return Math.max(seconds * 1000, timings.minimumGrace);
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
