/** The containers of one pod: sandbox, start order, restarts, stopping (kuberuntime_manager.go SyncPod and KillPod, v1.35). */
import { timings } from '../../kernel/timings.ts';
import type { Container, Pod } from '../../model/objects.ts';
import { isOnNodes } from '../../process/node-images.ts';
import { PodContainer, podText } from './container.ts';
import { containerConfig, ContainerConfigError, type ContainerConfig } from './container-config.ts';
import { ContainerStop } from './container-stop.ts';
import type { KubeletEnvironment } from './environment.ts';
import { ImagePulls } from './image-pull.ts';
import { isModelledHandler, runHook, type Hook } from './lifecycle-hook.ts';
import type { ContainerView, PodView, Verdict } from './pod-status.ts';
import { ContainerRun } from './runtime.ts';

/** What the last look at the containers showed; a pod's status speaks of that. */
interface Observed {
  readonly sandboxReady: boolean;
  readonly podIP: string | undefined;
  /** Of all containers, in their order. */
  readonly views: readonly ContainerView[];
}

const NONE: readonly never[] = [];
const NOBODY: ReadonlySet<PodContainer> = new Set();

/** Stops some containers: all of a pod in their order, or single ones. */
interface Kill {
  readonly containers: readonly PodContainer[];
  /** What the Killing event says, unless the usual. */
  readonly message: string | undefined;
  readonly graceSeconds: number;
  readonly ordered: boolean;
}

/** What the Killing event says of a container whose postStart hook failed. */
const HOOK_FAILED = 'FailedPostStartHook';

export class PodContainers {
  private readonly env: KubeletEnvironment;
  private pod: Pod;
  private readonly init: readonly PodContainer[];
  private readonly regular: readonly PodContainer[];
  readonly all: readonly PodContainer[];
  /** Some of them have probes. */
  private readonly probed: boolean;
  /** Told when a container or the sandbox changed. */
  private readonly noticed: () => void;
  private sandboxReady = false;
  private podIP: string | undefined;
  private observed: Observed;
  /** Stops that are under way, and all that a deletion of the pod interrupts. */
  private stops: readonly ContainerStop[] = NONE;
  private work: readonly Hook[] = NONE;
  private imagePulls: ImagePulls | undefined;

  constructor(env: KubeletEnvironment, pod: Pod, noticed: () => void) {
    this.env = env;
    this.pod = pod;
    this.noticed = noticed;
    const { initContainers = [], containers } = pod.spec;
    const make = (init: boolean) => (spec: Container): PodContainer => {
      // Joined: a template leaves a chain of pieces in the trace.
      const key = [pod.metadata.namespace, pod.metadata.name, spec.name].join('/');
      return new PodContainer(spec, init, initContainers.length > 0, env.containerLanes.make(key));
    };
    this.init = initContainers.map(make(true));
    this.regular = containers.map(make(false));
    this.all = this.init.length === 0 ? this.regular : [...this.init, ...this.regular];
    this.probed = this.all.some((container) => container.probed);
    this.observed = this.look();
  }

  /** The pod's spec changed: of its containers that can only be their images. */
  update(pod: Pod): void {
    this.pod = pod;
    const specs = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
    for (const [i, container] of this.all.entries()) container.spec = specs[i] ?? container.spec;
  }

  /** The pod is gone, and its logs with it. */
  forget(): void {
    const { logs } = this.env.world;
    for (const { lane: { key } } of this.all) if (logs.get(key)?.uid === this.pod.metadata.uid) logs.delete(key);
  }

  // What the status shows.

  private look(): Observed {
    return { sandboxReady: this.sandboxReady, podIP: this.podIP, views: this.all.map((container) => container.view()) };
  }

  /** A relist has looked at the containers. */
  observe(): void {
    this.observed = this.look();
  }

  view(startTime: string, phase: string, evicted: Verdict | undefined): PodView {
    const stopped = phase === 'terminated';
    const { sandboxReady, podIP, views } = stopped ? this.look() : this.observed;
    const shown = phase === 'sync' ? views.map((view, i) => this.all[i]?.told(view) ?? view) : views;
    const told = this.probed ? shown.map((view, i) => this.all[i]?.withAnswers(view) ?? view) : shown;
    const hostIP = this.env.world.api.get('Node', undefined, this.env.node)?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    const first = this.init.length;
    return { containers: first === 0 ? told : told.slice(first), initContainers: first === 0 ? NONE : told.slice(0, first), sandboxReady, podIP, hostIP, startTime, stopping: stopped, stopped, evicted };
  }

  // Starting.

  /** Everything has run and nothing will be started again, as far as the last look shows. @recorded #finished-pod */
  allDone(): boolean {
    const policy = this.pod.spec.restartPolicy ?? 'Always';
    const ended = (container: PodContainer, i: number): boolean => this.observed.views[i]?.state.terminated !== undefined && !container.wantsRestart(policy);
    if (this.init.some((c, i) => c.spec.restartPolicy !== 'Always' && ended(c, i) && c.exitCode !== 0)) return true;
    return this.regular.every((c, i) => ended(c, this.init.length + i));
  }
  allRunning(): boolean {
    return this.regular.every((container) => container.running);
  }
  somethingToStart(): boolean {
    return this.regular.some((container) => !container.running);
  }

  /**
   * Starts what should run: init containers one after the other, each to its end, then all others in the order of the
   * spec. `done` gets the time at which a container that is in back-off may start, or that something failed.
   * @recorded #immediate-happy, #read-only-one-container, #container-restart
   */
  start(stopped: () => boolean, done: (retry: number | 'failed' | undefined) => void): void {
    this.stopFailing(stopped, (startAgain) => this.startWanted(startAgain, stopped, done));
  }

  /**
   * Containers that a probe has found failing, or whose image is another now, are stopped, one after the other, and start
   * again in the same sync. A pod of which then nothing would be left is stopped as a whole.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_manager.go (computePodActions, SyncPod), v1.35
   */
  private stopFailing(stopped: () => boolean, done: (startAgain: ReadonlySet<PodContainer>) => void): void {
    const failing = this.all.filter((container) => container.outdated || container.failedProbe !== undefined);
    if (failing.length === 0) {
      done(NOBODY);
      return;
    }
    const again = failing.filter(({ outdated }) => outdated || this.pod.spec.restartPolicy !== 'Never');
    const startAgain: ReadonlySet<PodContainer> = new Set(again);
    if (again.length === 0 && this.regular.every((container) => !container.fresh && (!container.running || failing.includes(container)))) {
      this.stop(undefined, () => done(startAgain));
      return;
    }
    const next = (index: number): void => {
      const container = failing[index];
      if (!container || stopped()) done(startAgain);
      else if (!container.running) next(index + 1);
      else this.stopOne(container, () => next(index + 1));
    };
    next(0);
  }

  private stopOne(container: PodContainer, done: () => void): void {
    const { failedProbe: probe, spec } = container;
    const { name } = spec;
    const who = `${container.init ? 'Init container' : 'Container'} ${name}`;
    const why = container.outdated || probe === undefined ? 'definition changed' : `failed ${probe === 'livenessProbe' ? 'liveness' : 'startup'} probe`;
    const again = container.init || (this.pod.spec.restartPolicy === 'Never' && !container.outdated) ? '' : ', will be restarted';
    const graceSeconds = (container.outdated ? undefined : spec[probe ?? 'livenessProbe']?.terminationGracePeriodSeconds) ?? this.ownGrace();
    this.kill({ containers: [container], message: `${who} ${why}${again}`, graceSeconds, ordered: false }, done);
  }

  private startWanted(startAgain: ReadonlySet<PodContainer>, stopped: () => boolean, done: (retry: number | 'failed' | undefined) => void): void {
    const wanted = this.toStart(startAgain);
    const retryTimes: number[] = [];
    let failed = false;
    const next = (index: number): void => {
      const container = wanted[index];
      if (!container || stopped()) {
        done(retryTimes.length > 0 ? Math.min(...retryTimes) : failed ? 'failed' : undefined);
        return;
      }
      const heldUntil = container.fresh ? undefined : container.mayRestartAt(this.env.clock.now, startAgain.has(container));
      if (heldUntil !== undefined) {
        this.holdBack(container);
        retryTimes.push(heldUntil);
        next(index + 1);
      } else {
        this.startOne(container, (started) => {
          failed ||= !started;
          next(index + 1);
        });
      }
    };
    next(0);
  }

  /**
   * Init containers come one after the other; a sidecar among them lets the next one begin when it has started. Those that
   * have ended are started again beside.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_container.go (computeInitContainerActions), v1.35
   */
  private toStart(startAgain: ReadonlySet<PodContainer>): PodContainer[] {
    const policy = this.pod.spec.restartPolicy ?? 'Always';
    const wants = (container: PodContainer): boolean => container.fresh || container.wantsRestart(policy) || startAgain.has(container);
    if (this.init.length === 0) return this.regular.filter((container) => !container.running && wants(container));
    const last = this.init.findLastIndex((container) => !container.fresh);
    const current = this.init[last];
    const next = this.initialized ? undefined : current && !isThrough(current) ? current : this.init[last + 1];
    if (next) return [...this.init.slice(0, Math.max(0, last)), next].filter((container) => (container === next || container.sidecar) && wants(container));
    return [...this.sidecars, ...this.regular].filter((container) => !container.running && wants(container));
  }

  private get sidecars(): PodContainer[] {
    return this.init.filter((container) => container.sidecar);
  }

  /** Its first regular container has been made: no init container stands in the way any more. */
  private get initialized(): boolean {
    return this.regular.some((container) => !container.fresh);
  }

  /**
   * Nothing but the end of its back-off, or the pod's resync, brings the next sync: until then the status goes on telling
   * that it has ended.
   * @modelled pkg/kubelet/pod_workers.go, v1.35
   */
  private holdBack(container: PodContainer): void {
    container.heldBack(this.pod);
    this.tell(container, 'Warning', 'BackOff', `Back-off restarting failed container ${container.spec.name} in pod ${podText(this.pod)}`);
  }

  /** Sandbox first, then image found, created, started. @recorded #immediate-happy, #container-restart */
  private startOne(container: PodContainer, done: (started: boolean) => void): void {
    const { clock } = this.env;
    const needsSandbox = !this.sandboxReady;
    if (needsSandbox) this.startSandbox();
    clock.after(needsSandbox ? timings.sandboxStart : timings.imageCheck, () => {
      if (!isOnNodes(container.spec.image)) {
        this.imagePulls ??= new ImagePulls(this.env);
        this.imagePulls.pull(this.pod, container.spec, container.fieldPath, (problem) => {
          container.notMade(problem);
          done(false);
        });
        return;
      }
      this.tell(container, 'Normal', 'Pulled', `Container image "${container.spec.image}" already present on machine and can be accessed by the pod`);
      const config = this.configure(container);
      if (!config) {
        done(false);
        return;
      }
      clock.after(timings.containerCreate, () => {
        this.tell(container, 'Normal', 'Created', 'Container created');
        clock.after(timings.containerStart, () => {
          if (this.run(container, config)) this.afterStart(container, done);
          else done(false);
        });
      });
    });
  }

  /** @modelled ref 7.3 */
  private configure(container: PodContainer): ContainerConfig | undefined {
    try {
      return containerConfig(this.env, this.pod, container.spec, this.podIP ?? '');
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) throw error;
      container.notMade({ reason: 'CreateContainerConfigError', message: error.message });
      this.tell(container, 'Warning', 'Failed', `Error: ${error.message}`);
      return undefined;
    }
  }

  /** The sandbox stands well before its first container; a look in between sees only it. */
  private startSandbox(): void {
    this.env.clock.after(timings.sandboxStart / 2, () => {
      this.sandboxReady = true;
      this.podIP ??= this.env.nextPodIP();
      this.noticed();
    });
  }

  private run(container: PodContainer, config: ContainerConfig): boolean {
    const { world } = this.env;
    const { key } = container.lane;
    const run = new ContainerRun(this.env, this.pod, container.spec, config, (exitCode) => {
      world.containers.delete(key);
      container.ended({ exitCode, atMs: this.env.clock.now, message: run.message }, world.api.timestamp());
      this.noticed();
      for (const stop of this.stops) stop.look();
    });
    const error = run.start();
    // Joined: a template leaves a chain of pieces in every status of the pod.
    const id = ['containerd://', world.random.hex(64)].join('');
    this.noticed();
    if (error !== undefined) {
      container.notStarted(id, error, this.env.clock.now, world.api.timestamp());
      this.tell(container, 'Warning', 'Failed', `Error: ${error}`);
      return false;
    }
    container.begun(id, run, world.api.timestamp());
    world.containers.set(key, run);
    const { uid } = this.pod.metadata;
    const log = world.logs.get(key);
    world.logs.set(key, { uid, last: run, before: log?.uid === uid ? log.last : undefined });
    this.tell(container, 'Normal', 'Started', 'Container started');
    return true;
  }

  /**
   * The pod's sync waits for the hook. One that fails stops the container; the restart policy decides about what follows.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_container.go (startContainer), v1.35
   */
  private afterStart(container: PodContainer, done: (started: boolean) => void): void {
    const handler = container.spec.lifecycle?.postStart;
    if (!handler || !isModelledHandler(handler) || !container.running) {
      done(true);
      return;
    }
    let interrupted = false;
    const over = this.doing({
      cancel: () => {
        interrupted = true;
        hook.cancel();
      },
    });
    const hook = runHook(this.env.clock, this.pod, container, handler, (failure) => {
      over();
      if (failure === undefined) {
        done(true);
        return;
      }
      this.tell(container, 'Warning', 'FailedPostStartHook', 'PostStartHook failed');
      if (interrupted) {
        this.tell(container, 'Normal', 'Killing', HOOK_FAILED);
        done(false);
        return;
      }
      this.kill({ containers: [container], message: HOOK_FAILED, graceSeconds: this.ownGrace(), ordered: false }, () => {
        container.hookFailed(failure);
        done(false);
      });
    });
  }

  /** Remembers what a deletion of the pod would interrupt; returns what forgets it. */
  private doing(work: Hook): () => void {
    this.work = [...this.work, work];
    return () => {
      this.work = this.work.filter((other) => other !== work);
    };
  }

  private tell(container: PodContainer, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.env.recorder.event(this.pod, type, reason, message, container.fieldPath);
  }

  // Stopping.

  /** Only sidecars are left, for nobody: the others have ended and will not run again. */
  get servesNobody(): boolean {
    return this.init.some((container) => container.sidecar && container.running) && this.regular.every((container) => !container.running && !container.fresh);
  }

  /** The kubelet gives up what it is doing with the containers: hooks, and the stopping of single ones. */
  interrupt(): void {
    for (const work of this.work) work.cancel();
  }

  /**
   * Stops all that runs. `done` is called when the sandbox has been stopped too.
   * @recorded #node-move, #slow-goodbye
   */
  stop(graceSeconds: number | undefined, done: () => void): void {
    const containers = this.all.filter((container) => container.running);
    this.kill({ containers, message: undefined, graceSeconds: graceSeconds ?? this.ownGrace(), ordered: true }, () => {
      this.env.clock.after(this.sandboxReady ? timings.sandboxStop : timings.request, () => {
        this.sandboxReady = false;
        done();
      });
    });
  }

  shortenGrace(graceSeconds: number): void {
    for (const stop of this.stops) stop.shorten(graceSeconds);
  }

  private ownGrace(): number {
    return this.pod.spec.terminationGracePeriodSeconds ?? timings.minimumGrace / 1000;
  }

  private kill({ containers, message, graceSeconds, ordered }: Kill, done: () => void): void {
    const stop = new ContainerStop(
      this.env,
      this.pod,
      {
        containers,
        graceSeconds,
        message: ({ spec }) => message ?? `Stopping container ${spec.name}`,
        mustEndBefore: (container) => (ordered ? this.mustEndBefore(container) : NONE),
      },
      () => {
        over();
        this.stops = this.stops.filter((other) => other !== stop);
        done();
      },
    );
    const over = this.doing({ cancel: () => stop.abandon() });
    this.stops = [...this.stops, stop];
    stop.begin();
  }

  /**
   * A sidecar is told to stop when all that it serves has ended: the regular containers, and the sidecars after it.
   * @modelled pkg/kubelet/kuberuntime/kuberuntime_termination_order.go (newTerminationOrdering), v1.35
   */
  private mustEndBefore(container: PodContainer): readonly PodContainer[] {
    if (!container.sidecar) return NONE;
    return [...this.regular, ...this.init.slice(this.init.indexOf(container) + 1).filter((other) => other.sidecar)];
  }
}

/** It has done what the next init container waits for. */
function isThrough(container: PodContainer): boolean {
  return container.sidecar ? container.started : container.exitCode === 0;
}
