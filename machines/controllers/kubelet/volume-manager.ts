/**
 * The volume manager of one kubelet (kubelet/volumemanager, v1.35; ref 7): what the pods want mounted, what is mounted,
 * and the loops that bring the one to the other. The populator and the reconciler each run every 100 ms, here only when
 * something may have changed.
 */
import { SPAM_BURST, SPAM_REFILL_MS, type EventRecorder } from '../../kernel/event-recorder.ts';
import type { Lanes } from '../../kernel/machine.ts';
import type { Worker } from '../../kernel/pending-operations.ts';
import { Ticker } from '../../kernel/ticker.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { appended } from '../../model/values.ts';
import { AttachedList } from './attached-list.ts';
import { kubeletDeviceChart, kubeletVolumeChart, type DeviceLane, type VolumeLane } from './charts.ts';
import { expandAtMount, expandVolume, hasGrown, needsExpansion, type Expansion } from './expansion.ts';
import { ManagedPod, NO_ERRORS, type NamedVolume, type VolumesWaiting } from './managed-pod.ts';
import { MountOperation, type MountFailure, type MountTools } from './mount-operation.ts';
import { Mounter } from './mounter.ts';
import type { NodeClock } from './node-clock.ts';
import { NodeVolume, PodMount } from './node-volume.ts';
import { isCall, type Outcome, type Step, type Steps } from './outcome.ts';
import type { VolumeContent } from './volume-content.ts';
import { podVolume, VolumeSpecError, type PodVolume } from './volume-spec.ts';

export class VolumeManager implements MountTools {
  readonly mounter: Mounter;
  readonly clock: NodeClock;
  private readonly world: World;
  private readonly recorder: EventRecorder;
  /** Those that pods share, by their unique names, from the first wish until nothing is left of them. */
  private readonly volumes = new Map<string, NodeVolume>();
  /** Of those, the ones that are wanted and not in the actual state. */
  private awaited: readonly NodeVolume[] = NONE;
  private readonly volumeLanes: Lanes<VolumeLane['state'], Parameters<VolumeLane['send']>[0]>;
  private readonly deviceLanes: Lanes<DeviceLane['state'], Parameters<DeviceLane['send']>[0]>;
  private readonly populator: Ticker;
  private readonly reconciler: Ticker;
  private readonly inUseChanged: () => void;
  private readonly pods = new Map<string, ManagedPod>();
  private readonly attachedToNode: AttachedList;
  /** What the populator will look at: pods that were synced, and pods to let go. */
  private toProcess: ManagedPod[] = [];
  private toRemove: ManagedPod[] = [];
  /** What the reconciler will look at. */
  private touched: NodeVolume[] = [];

  /** `inUseChanged` is called when the node status should list other volumes in use, or must list one again. */
  constructor(world: World, clock: NodeClock, recorder: EventRecorder, inUseChanged: () => void) {
    this.world = world;
    this.clock = clock;
    this.recorder = recorder;
    this.inUseChanged = inUseChanged;
    this.mounter = new Mounter(world, clock.node);
    this.attachedToNode = new AttachedList(world.api.get('Node', undefined, clock.node)?.status.volumesAttached);
    this.volumeLanes = world.lanes(kubeletVolumeChart);
    this.deviceLanes = world.lanes(kubeletDeviceChart);
    const after = (ms: number, run: () => void): void => void clock.after(ms, run);
    this.populator = new Ticker(world.clock, timings.kubeletLoop, world.random.between(0, timings.kubeletLoop), () => this.populate(), after);
    this.reconciler = new Ticker(world.clock, timings.kubeletLoop, world.random.between(0, timings.kubeletLoop), () => this.reconcile(), after);
  }

  // What pod workers ask.

  /** The pod is synced: its volumes are looked at again by the populator, refreshed ones are set up again (ReprocessPod). */
  process(pod: Pod, waiting: VolumesWaiting): ManagedPod {
    let known = this.pods.get(pod.metadata.uid);
    if (known) known.update(pod, waiting);
    else this.pods.set(pod.metadata.uid, (known = new ManagedPod(pod, waiting)));
    this.queue(known);
    return known;
  }

  private queue(pod: ManagedPod): void {
    if (!pod.queued) this.toProcess.push(pod);
    pod.queued = true;
    this.populator.wake();
  }

  /** The pod's containers are gone: nothing of it is wanted any more. */
  release(uid: string): void {
    const known = this.pods.get(uid);
    if (known && !known.released) {
      known.released = true;
      this.toRemove.push(known);
    }
    this.populator.wake();
  }

  /** The pod is gone altogether. */
  forget({ metadata: { uid } }: Pod): void {
    const known = this.pods.get(uid);
    if (!known) return;
    known.forgotten = true;
    this.pods.delete(uid);
  }

  /** One of the volumes that wait for their attachment was refused by its driver for lack of room on the node (gRPC ResourceExhausted). @modelled ref 7.1 */
  attachLimitReached(pod: ManagedPod): boolean {
    return pod.names.some(({ awaitsAttach, mount }) => {
      const source = mount?.volume.source;
      return awaitsAttach && source?.kind === 'csi' && this.mounter.csi.attachLimitReached(source.volume);
    });
  }

  /** What the pod's containers find under the name of its spec; two names may mean the same volume. */
  content(uid: string, name: string): VolumeContent | undefined {
    return this.pods.get(uid)?.named(name)?.mount?.content;
  }

  /** True when nothing of the pod is mounted. */
  allUnmounted(uid: string): boolean {
    return this.pods.get(uid)?.allUnmounted ?? true;
  }

  /** Attachable volumes that are wanted or still here: node.status.volumesInUse. @recorded #immediate-happy, #pod-recreate */
  inUse(): string[] {
    const names: string[] = [];
    for (const [name, { volume, isWanted, attached }] of this.volumes) if (volume.attachable && (isWanted || attached)) names.push(name);
    return names.sort();
  }

  /** The node status now lists these volumes: their attachment may be looked at. */
  reportedInUse(names: readonly string[]): void {
    for (const name of names) {
      const volume = this.volumes.get(name);
      if (!volume?.isWanted || volume.reportedInUse) continue;
      volume.reportedInUse = true;
      this.touch(volume);
    }
  }
  /** True while some volume waits to be listed. */
  awaitsReport(): boolean {
    for (const { volume, isWanted, reportedInUse } of this.volumes.values()) if (volume.attachable && isWanted && !reportedInUse) return true;
    return false;
  }

  // What watches tell.

  /** The node's object changed: a volume that turned attached can be verified. */
  nodeChanged(node: Node): void {
    const { gone, come } = this.attachedToNode.hear(node.status.volumesAttached);
    for (const name of gone) this.listAttached(this.volumes.get(name), false);
    for (const name of come) this.listAttached(this.volumes.get(name), true);
    if (gone.length + come.length > 0 && this.awaited.some(({ listedAttached }) => listedAttached)) this.reconciler.wake();
  }

  /** A volume that is not listed in use yet is looked at when it is: until then the loop finds nothing to do for it. */
  private listAttached(volume: NodeVolume | undefined, listed: boolean): void {
    if (!volume) return;
    volume.listedAttached = listed;
    if (listed && volume.isWanted && !volume.attached && volume.reportedInUse) this.touch(volume);
  }

  /** A claim or volume changed that this pod could not use yet. */
  retry(uid: string): void {
    const known = this.pods.get(uid);
    if (known && !known.seen) this.queue(known);
  }

  // The populator.

  private populate(): void {
    const process = this.toProcess;
    this.toProcess = [];
    for (const pod of process) pod.queued = false;
    for (const pod of process) this.processPod(pod);
    const remove = this.toRemove;
    this.toRemove = [];
    for (const pod of remove) this.removePod(pod);
  }

  /**
   * Brings every used volume of the pod into the desired state, as far as its claim can be resolved. What cannot is an
   * error that the pod's sync will find.
   * @recorded #immediate-happy, #block-as-filesystem
   */
  private processPod(known: ManagedPod): void {
    if (known.released || known.forgotten) return;
    let errors: Set<string> | undefined;
    for (const entry of known.pod.spec.volumes ?? []) {
      const name = known.named(entry.name);
      if (!name) continue;
      try {
        this.want(known, name, podVolume(this.world.api, known.pod, entry, name.use, name.mount?.volume));
      } catch (error) {
        if (!(error instanceof VolumeSpecError)) throw error;
        errors = (errors ?? new Set()).add(error.message);
      }
    }
    if (!errors) known.seen = true;
    known.errors = errors ?? NO_ERRORS;
    known.changed();
  }

  private want(known: ManagedPod, name: NamedVolume, volume: PodVolume): void {
    const before = name.mount;
    const mount = known.mountOf(volume) ?? this.makeMount(known, name, volume);
    const { of } = mount;
    mount.volume = volume;
    mount.name = name;
    name.mount = mount;
    if (volume.uniqueName !== undefined && !of.isWanted && !of.attached) this.awaited = appended(this.awaited, of);
    of.want(mount);
    if (mount !== before) this.volumeLane(mount).try('WANT');
    if (mount.mounted !== 'no') {
      if (volume.refreshed) mount.remount = true;
      if (needsExpansion(this.world.api, volume)) mount.resize = true;
    }
    if (volume.attachable && !of.reportedInUse) this.inUseChanged();
    this.touch(of);
  }

  private makeMount(known: ManagedPod, name: NamedVolume, volume: PodVolume): PodMount {
    const mount = new PodMount(known, this.volumeOnNode(volume), volume, name);
    known.add(mount);
    return mount;
  }

  private volumeOnNode(volume: PodVolume): NodeVolume {
    const { uniqueName } = volume;
    if (uniqueName === undefined) return new NodeVolume(volume);
    const known = this.volumes.get(uniqueName);
    if (known) return known;
    const shared = new NodeVolume(volume);
    shared.listedAttached = this.attachedToNode.has(uniqueName);
    this.volumes.set(uniqueName, shared);
    return shared;
  }

  private awaitNoLonger(volume: NodeVolume): void {
    if (this.awaited.includes(volume)) this.awaited = this.awaited.filter((other) => other !== volume);
  }

  private removePod(pod: ManagedPod): void {
    for (const name of pod.names) name.mount = undefined;
    for (const mount of pod.mounts) {
      const { of } = mount;
      of.unwant(mount);
      if (!of.isWanted) this.awaitNoLonger(of);
      this.touch(of);
      if (of.volume.attachable && !of.attached) this.inUseChanged();
    }
    if (!pod.forgotten) pod.changed();
  }

  // The reconciler.

  private touch(volume: NodeVolume): void {
    if (!volume.touched) this.touched.push(volume);
    volume.touched = true;
    this.reconciler.wake();
  }

  /** Unmounts first, then attaches and mounts, then unmounts devices. @recorded #rwop-second-pod, #node-move */
  private reconcile(): void {
    const { touched } = this;
    this.touched = [];
    for (const volume of touched) volume.touched = false;
    for (const volume of touched) this.unmountVolumes(volume);
    for (const volume of touched) this.mountVolumes(volume);
    for (const volume of touched) this.unmountDevice(volume);
    for (const volume of touched) this.dropUnused(volume);
  }

  /** A failure is remembered as long as its volume: its back-off holds for whoever comes next. */
  private dropUnused({ volume, isWanted, attached, touched, operations }: NodeVolume): void {
    if (volume.uniqueName !== undefined && !isWanted && !attached && !touched && operations.empty) this.volumes.delete(volume.uniqueName);
  }

  /** Begins an operation unless another one or a back-off stands in the way; then it is looked at again in time. */
  private begin(volume: NodeVolume, worker: Worker, name: string): boolean {
    const start = volume.operations.start(worker, name, this.clock.now);
    if (!start.started && start.retryAt !== undefined) this.touchAt(volume, start.retryAt);
    return start.started;
  }

  private touchAt(volume: NodeVolume, timeMs: number): void {
    this.clock.after(timeMs - this.clock.now, () => this.touch(volume));
  }

  private finish(volume: NodeVolume, worker: Worker, failed: boolean): void {
    if (failed) this.touchAt(volume, volume.operations.fail(worker, this.clock.now));
    else volume.operations.succeed(worker);
    this.touch(volume);
  }

  private run<T>(steps: Steps<T>, done: (result: T) => void): void {
    const next = steps.next();
    if (next.done) done(next.value);
    else this.clock.after(next.value, () => this.run(steps, done));
  }

  private perform(step: Step, done: (outcome: Outcome) => void): void {
    if (isCall(step)) this.clock.after(step.ms, () => done(step.answer()));
    else done(step);
  }

  private unmountVolumes(volume: NodeVolume): void {
    for (const mount of volume.mounted) {
      const worker = { pod: mount.pod.uid };
      if (!mount.wanted && this.begin(volume, worker, 'volume_unmount')) this.unmount(mount, worker);
    }
  }

  /** Silent, whether it works or not. @recorded #node-move */
  private unmount(mount: PodMount, worker: Worker): void {
    const { pod, of } = mount;
    const lane = pod.forgotten ? undefined : this.volumeLane(mount);
    lane?.try('UNPUBLISH');
    this.perform(this.mounter.unpublish(mount), (result) => {
      if (result === 'done') {
        of.unmount(mount);
        lane?.try('UNPUBLISHED');
      }
      this.finish(of, worker, result !== 'done');
      if (lane) pod.changed();
    });
  }

  private mountVolumes(volume: NodeVolume): void {
    for (const mount of volume.wanted) {
      // One operation at a time per volume: whoever holds it looks again when it ends.
      if (mount.pod.forgotten || volume.operations.isPending(ANYBODY)) continue;
      if (volume.attached) this.mountInto(mount);
      else this.verify(mount);
    }
  }

  /**
   * VerifyControllerAttachedVolume: the volume must stand in node.status.volumesInUse first and then in volumesAttached.
   * While it does not nothing is tried, so there is no back-off and no event.
   * @recorded #immediate-happy, #multi-attach
   */
  private verify({ of, volume, pod, name: { lane } }: PodMount): void {
    if (volume.attachable && (!of.reportedInUse || !this.isAttached(of))) return;
    const worker = workerOf(volume, pod);
    if (!this.begin(of, worker, 'verify_controller_attached_volume')) return;
    if (volume.attachable) lane?.try('VERIFY');
    this.clock.after(volume.attachable ? timings.verifyAttached : 0, () => {
      if (volume.attachable) lane?.try('VERIFIED');
      of.attached = true;
      this.awaitNoLonger(of);
      of.volume = volume;
      this.finish(of, worker, false);
    });
  }

  /** As the node's object says now, which the kubelet may not have heard yet. */
  private isAttached({ listedAttached, volume: { uniqueName } }: NodeVolume): boolean {
    const listed = this.world.api.get('Node', undefined, this.clock.node)?.status.volumesAttached;
    return this.attachedToNode.isLatest(listed) ? listedAttached : listed?.some(({ name }) => name === uniqueName) === true;
  }

  private mountInto(mount: PodMount): void {
    const { of, volume, pod } = mount;
    const worker = workerOf(volume, pod);
    if (mount.mounted !== 'yes' || mount.remount) {
      if (volume.block && !this.mayMap(mount)) return;
      if (this.begin(of, worker, 'volume_mount')) this.mount(mount, worker);
    } else if (mount.resize && this.begin(of, worker, 'expand_volume')) this.expand(mount, worker);
  }

  /** @recorded #immediate-happy, #missing-secret, #stage-fails-backoff, #publish-fails */
  private mount(mount: PodMount, worker: Worker): void {
    const { of, volume, pod: known } = mount;
    const { pod } = known;
    const ended = (failure: MountFailure | undefined): void => {
      if (failure) this.tellFailure(volume, pod, failure);
      else {
        of.mount(mount, 'yes');
        if (volume.block) this.tellMapped(volume, pod);
      }
      this.finish(of, worker, failure !== undefined);
      known.changed();
    };
    new MountOperation(this, mount, this.volumeLane(mount), ended).start();
  }

  /**
   * A raw block volume that its plugin cannot map (hostPath) is passed over without a word. One that cannot reach the node is
   * refused before there is an operation that could be in back-off: every loop says so anew, until the recorder's spam filter
   * lets nothing through; then we look as seldom as it does.
   * @modelled pkg/volume/util/operationexecutor/operation_generator.go GenerateMapVolumeFunc, v1.35
   */
  private mayMap({ of, volume, pod: known }: PodMount): boolean {
    if (volume.source.kind === 'hostPath') return false;
    const problem = 'volume' in volume.source && volume.source.volume ? this.mounter.affinityProblem(volume.source.volume) : undefined;
    if (problem === undefined) return true;
    this.recorder.event(known.pod, 'Warning', 'FailedMount', `MapVolume.NodeAffinity check failed for volume "${volume.specName}" : ${problem}`);
    known.refusals += 1;
    this.touchAt(of, this.clock.now + (known.refusals < SPAM_BURST ? 1 : SPAM_REFILL_MS));
    return false;
  }

  private tellFailure(volume: PodVolume, pod: Pod, { step, error }: MountFailure): void {
    const reason = volume.block ? 'FailedMapVolume' : 'FailedMount';
    const prefix = volume.block ? 'MapVolume' : 'MountVolume';
    const failed = step.includes('failed') ? step : `${step} failed`;
    this.recorder.event(pod, 'Warning', reason, `${prefix}.${failed} for volume "${volume.specName}" : ${error}`);
  }

  /** Only a raw block volume is announced. @recorded #block-device */
  private tellMapped(volume: PodVolume, pod: Pod): void {
    const paths = this.mounter.csi.mapPaths(volume, pod.metadata.uid);
    const done = `MapVolume.MapPodDevice succeeded for volume "${volume.specName}"`;
    this.recorder.event(pod, 'Normal', 'SuccessfulMountVolume', `${done} globalMapPath "${paths.global}"`);
    this.recorder.event(pod, 'Normal', 'SuccessfulMountVolume', `${done} volumeMapPath "${paths.pod}"`);
  }

  private expand(mount: PodMount, worker: Worker): void {
    const { of, volume, pod } = mount;
    this.run(expandVolume(this.expansion(volume, pod.pod)), (failure) => {
      mount.resize = failure?.final === false;
      this.finish(of, worker, mount.resize);
    });
  }

  /** A volume that grew while no pod had it mounted grows on the node now. @modelled ref 7.2 */
  expandAtMount(volume: PodVolume, pod: Pod, done: (error: string | undefined) => void): void {
    if (hasGrown(this.world.api, volume)) this.run(expandAtMount(this.expansion(volume, pod)), done);
    else done(undefined);
  }

  private expansion(volume: PodVolume, pod: Pod): Expansion {
    return { world: this.world, node: this.clock.node, recorder: this.recorder, csi: this.mounter.csi, volume, pod };
  }

  private unmountDevice(volume: NodeVolume): void {
    if (!volume.attached || volume.mounted.length > 0 || volume.isWanted) return;
    if (volume.staged === 'no') this.dropFromNode(volume);
    else if (this.begin(volume, ANYBODY, 'unmount_device')) this.unstage(volume);
  }

  /** Only now the volume is no longer in use, which the next node status will say. */
  private dropFromNode(volume: NodeVolume): void {
    if (volume.operations.isPending(ANYBODY)) return;
    volume.attached = false;
    if (volume.volume.attachable) this.inUseChanged();
  }

  /** @recorded #node-move, #rwo-two-pods-one-node */
  private unstage(volume: NodeVolume): void {
    const lane = this.deviceLane(volume);
    lane.try('UNSTAGE');
    this.perform(this.mounter.unstage(volume.volume), (result) => {
      if (result === 'done') {
        volume.staged = 'no';
        lane.try('UNSTAGED');
      }
      this.finish(volume, ANYBODY, result !== 'done');
    });
  }

  /** A new pod may have come under the name of one whose volumes are still being unmounted: each has its own. */
  private volumeLane({ pod, name }: PodMount): VolumeLane {
    return (name.lane ??= this.volumeLanes.make(volumeKey(pod.pod, name.use.name)));
  }
  deviceLane(volume: NodeVolume): DeviceLane {
    return (volume.deviceLane ??= this.deviceLanes.get([this.clock.node, volume.volume.uniqueName].join('/')));
  }
}

/** Joined: a template leaves a chain of pieces in the trace. */
function volumeKey({ metadata: { namespace = '', name } }: Pod, volume: string): string {
  return [namespace, name, volume].join('/');
}

/** Excludes every other operation on a volume. */
const ANYBODY: Worker = {};

/** Volumes that are one pod's own are mounted side by side; a device excludes every other operation on it. */
function workerOf(volume: PodVolume, pod: ManagedPod): Worker {
  return volume.uniqueName === undefined ? { pod: pod.uid } : ANYBODY;
}

const NONE: readonly never[] = [];
