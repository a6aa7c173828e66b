/**
 * The volume manager of one kubelet (kubelet/volumemanager, v1.35; ref 7): what the pods want mounted, what is mounted,
 * and the loops that bring the one to the other. The populator and the reconciler each run every 100 ms, here only when
 * something may have changed.
 */
import { SPAM_BURST, SPAM_REFILL_MS, type EventRecorder } from '../../kernel/event-recorder.ts';
import type { Lane, Lanes } from '../../kernel/machine.ts';
import { PendingOperations, type OperationKey } from '../../kernel/pending-operations.ts';
import { Ticker } from '../../kernel/ticker.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { AttachedVolume, Node, Pod } from '../../model/objects.ts';
import { SmallMap } from '../../model/small-map.ts';
import { ActualState, type ActualVolume, type MountedPod } from './actual-state.ts';
import { kubeletDeviceChart, kubeletVolumeChart } from './charts.ts';
import { DesiredState, type WantedVolume } from './desired-state.ts';
import { Mounter } from './mounter.ts';
import type { NodeClock } from './node-clock.ts';
import type { Steps } from './outcome.ts';
import { expandAtMount, expandVolume, needsExpansion, type Expansion } from './expansion.ts';
import { mountVolume, type MountContext, type MountFailure } from './mount-operation.ts';
import type { VolumeContent } from './volume-content.ts';
import { podVolume, VolumeSpecError, volumeUse, type PodVolume, type VolumeUse } from './volume-spec.ts';

type VolumeState = (typeof kubeletVolumeChart.states)[number];
type VolumeEvent = (typeof kubeletVolumeChart.transitions)[number]['event'];
type DeviceState = (typeof kubeletDeviceChart.states)[number];
type DeviceEvent = (typeof kubeletDeviceChart.transitions)[number]['event'];
export type VolumeLane = Lane<VolumeState, VolumeEvent>;
export type DeviceLane = Lane<DeviceState, DeviceEvent>;

/** A pod as the volume manager knows it. */
interface ManagedPod {
  pod: Pod;
  /** Every volume has entered the desired state at least once. */
  seen: boolean;
  /** Its containers are gone: it will want nothing again. */
  released: boolean;
  /** Why volumes could not enter the desired state. */
  errors: ReadonlySet<string>;
  /** How often its raw block volumes were refused on this node. */
  refusals: number;
  /** Called when something about the pod's volumes changed. */
  changed: () => void;
  /** What its volumes have come to, by their names in the spec. */
  readonly lanes: SmallMap<VolumeLane>;
  /** How its containers use its volumes. */
  use: VolumeUse;
}

export class VolumeManager {
  readonly mounter: Mounter;
  private readonly world: World;
  private readonly clock: NodeClock;
  private readonly recorder: EventRecorder;
  private readonly desired = new DesiredState();
  private readonly actual = new ActualState();
  private readonly operations: PendingOperations;
  private readonly volumeLanes: Lanes<VolumeState, VolumeEvent>;
  private readonly deviceLanes: Lanes<DeviceState, DeviceEvent>;
  private readonly populator: Ticker;
  private readonly reconciler: Ticker;
  private readonly inUseChanged: () => void;
  private readonly pods = new Map<string, ManagedPod>();
  private readonly toProcess = new Set<string>();
  private readonly toRemove = new Set<string>();
  private readonly changed = new Set<string>();
  /** Volumes of the desired state that the actual state does not have. */
  private readonly awaited = new Set<string>();
  private attachedList: readonly AttachedVolume[] | undefined;
  private attached: ReadonlySet<string> = new Set();

  /** `inUseChanged` is called when the node status should list other volumes in use, or must list one again. */
  constructor(world: World, clock: NodeClock, recorder: EventRecorder, inUseChanged: () => void) {
    this.world = world;
    this.clock = clock;
    this.recorder = recorder;
    this.inUseChanged = inUseChanged;
    this.mounter = new Mounter(world, clock.node);
    this.operations = new PendingOperations(world.clock);
    this.volumeLanes = world.lanes(kubeletVolumeChart);
    this.deviceLanes = world.lanes(kubeletDeviceChart);
    const after = (ms: number, run: () => void): void => void clock.after(ms, run);
    this.populator = new Ticker(world.clock, timings.kubeletLoop, world.random.between(0, timings.kubeletLoop), () => this.populate(), after);
    this.reconciler = new Ticker(world.clock, timings.kubeletLoop, world.random.between(0, timings.kubeletLoop), () => this.reconcile(), after);
  }

  // What pod workers ask.

  /** The pod is synced: its volumes are looked at again by the populator, refreshed ones are set up again (ReprocessPod). */
  process(pod: Pod, changed: () => void): void {
    const { uid } = pod.metadata;
    const known = this.pods.get(uid);
    if (known) {
      if (known.pod.spec !== pod.spec) known.use = volumeUse(pod);
      known.pod = pod;
      known.changed = changed;
    } else this.pods.set(uid, { pod, seen: false, released: false, errors: NO_ERRORS, refusals: 0, changed, lanes: new SmallMap(), use: volumeUse(pod) });
    this.toProcess.add(uid);
    this.populator.wake();
  }

  /** The pod's containers are gone: nothing of it is wanted any more. */
  release(uid: string): void {
    const known = this.pods.get(uid);
    if (known) known.released = true;
    this.toRemove.add(uid);
    this.populator.wake();
  }

  /** The pod is gone altogether. */
  forget(pod: Pod): void {
    this.pods.delete(pod.metadata.uid);
  }

  /** Names of the volumes that containers use and that are not mounted. */
  unmounted(pod: Pod): string[] {
    return this.usedNames(pod).filter((name) => !this.isMounted(pod.metadata.uid, name));
  }
  /** There are none. */
  allMounted(pod: Pod): boolean {
    return this.usedNames(pod).every((name) => this.isMounted(pod.metadata.uid, name));
  }

  private isMounted(uid: string, name: string): boolean {
    const volume = this.desired.ofPod(uid, name);
    return volume !== undefined && this.actual.pod(volume.uniqueName, uid)?.mounted === 'yes';
  }
  /** Of those, the ones that wait for the attach-detach controller. */
  unattached(pod: Pod): string[] {
    return this.usedNames(pod).filter((name) => {
      const volume = this.desired.ofPod(pod.metadata.uid, name);
      return volume?.attachable === true && !this.actual.get(volume.uniqueName);
    });
  }
  /** One of those was refused by its driver for lack of room on the node (gRPC ResourceExhausted). @modelled ref 7.1 */
  attachLimitReached(pod: Pod): boolean {
    return this.unattached(pod).some((name) => {
      const source = this.desired.ofPod(pod.metadata.uid, name)?.source;
      return source?.kind === 'csi' && this.mounter.csi.attachLimitReached(source.volume);
    });
  }
  /** The ones that did not even enter the desired state. */
  unprocessed(pod: Pod): string[] {
    return this.usedNames(pod).filter((name) => !this.desired.ofPod(pod.metadata.uid, name));
  }

  private usedNames(pod: Pod): readonly string[] {
    const known = this.pods.get(pod.metadata.uid);
    return (known?.pod.spec === pod.spec ? known.use : volumeUse(pod)).names;
  }

  /** The errors since the last call, sorted (PopPodErrors). While the first processing fails, it fails every 100 ms anew. */
  popErrors(uid: string): string[] {
    const known = this.pods.get(uid);
    if (!known || known.errors.size === 0) return [];
    const errors = [...known.errors].toSorted();
    if (known.seen) known.errors = NO_ERRORS;
    return errors;
  }

  /** What the pod's containers find under the name of its spec; two names may mean the same volume. */
  content(uid: string, name: string): VolumeContent | undefined {
    const volume = this.desired.ofPod(uid, name);
    return volume && this.mounter.content(uid, volume);
  }

  /** True when nothing of the pod is mounted. */
  allUnmounted(uid: string): boolean {
    return !this.actual.hasMounts(uid);
  }

  /** Attachable volumes that are wanted or still here: node.status.volumesInUse. @recorded #immediate-happy, #pod-recreate */
  inUse(): string[] {
    const names = new Set<string>();
    for (const volume of this.desired.all()) if (volume.attachable) names.add(volume.uniqueName);
    for (const volume of this.actual.all()) if (volume.attachable) names.add(volume.uniqueName);
    return [...names].toSorted();
  }

  /** The node status now lists these volumes: their attachment may be looked at. */
  reportedInUse(names: readonly string[]): void {
    for (const name of names) {
      const wanted = this.desired.get(name);
      if (!wanted || wanted.reportedInUse) continue;
      wanted.reportedInUse = true;
      this.touch(name);
    }
  }
  /** True while some volume waits to be listed. */
  awaitsReport(): boolean {
    for (const volume of this.desired.all()) if (volume.attachable && !volume.reportedInUse) return true;
    return false;
  }

  // What watches tell.

  /** The node's object changed: a volume that turned attached can be verified. */
  nodeChanged(old: Node | undefined, node: Node): void {
    if (old?.status.volumesAttached === node.status.volumesAttached) return;
    if (this.awaited.size === 0) return;
    let found = false;
    for (const { name } of node.status.volumesAttached ?? []) {
      if (!this.awaited.has(name)) continue;
      found = true;
      // One that is not listed in use yet is looked at when it is: until then the loop finds nothing to do for it.
      if (this.desired.get(name)?.reportedInUse === true) this.changed.add(name);
    }
    if (found) this.reconciler.wake();
  }

  /** A claim or volume changed that this pod could not use yet. */
  retry(uid: string): void {
    const known = this.pods.get(uid);
    if (!known || known.seen) return;
    this.toProcess.add(uid);
    this.populator.wake();
  }

  // The populator.

  private populate(): void {
    const process = [...this.toProcess];
    this.toProcess.clear();
    for (const uid of process) this.processPod(uid);
    const remove = [...this.toRemove];
    this.toRemove.clear();
    for (const uid of remove) this.removePod(uid);
  }

  /**
   * Brings every used volume of the pod into the desired state, as far as its claim can be resolved. What cannot is an
   * error that the pod's sync will find.
   * @recorded #immediate-happy, #block-as-filesystem
   */
  private processPod(uid: string): void {
    const known = this.pods.get(uid);
    if (!known || known.released) return;
    let errors: Set<string> | undefined;
    const { use } = known;
    for (const entry of known.pod.spec.volumes ?? []) {
      if (!use.names.includes(entry.name)) continue;
      try {
        this.want(known, podVolume(this.world.api, known.pod, entry, use));
      } catch (error) {
        if (!(error instanceof VolumeSpecError)) throw error;
        errors = (errors ?? new Set()).add(error.message);
      }
    }
    if (!errors) known.seen = true;
    known.errors = errors ?? NO_ERRORS;
    known.changed();
  }

  private want(known: ManagedPod, volume: PodVolume): void {
    const { uid } = known.pod.metadata;
    const isNew = this.desired.ofPod(uid, volume.name)?.uniqueName !== volume.uniqueName;
    const wanted = this.desired.add(uid, volume);
    if (!this.actual.get(volume.uniqueName)) this.awaited.add(volume.uniqueName);
    if (isNew) this.volumeLane(known, volume).try('WANT');
    const mounted = this.actual.pod(volume.uniqueName, uid);
    if (mounted && volume.refreshed) mounted.remount = true;
    if (mounted && needsExpansion(this.world.api, volume)) mounted.resize = true;
    if (wanted.attachable && !wanted.reportedInUse) this.inUseChanged();
    this.touch(volume.uniqueName);
  }

  private removePod(uid: string): void {
    for (const volume of this.desired.removePod(uid)) {
      if (!this.desired.get(volume.uniqueName)) this.awaited.delete(volume.uniqueName);
      this.touch(volume.uniqueName);
      if (volume.attachable && !this.actual.get(volume.uniqueName)) this.inUseChanged();
    }
    this.pods.get(uid)?.changed();
  }

  // The reconciler.

  private touch(uniqueName: string): void {
    this.changed.add(uniqueName);
    this.reconciler.wake();
  }

  /** Unmounts first, then attaches and mounts, then unmounts devices. @recorded #rwop-second-pod, #node-move */
  private reconcile(): void {
    const names = [...this.changed];
    this.changed.clear();
    for (const name of names) this.unmountVolumes(name);
    for (const name of names) this.mountVolumes(name);
    for (const name of names) this.unmountDevice(name);
  }

  /** Begins an operation unless another one or a back-off stands in the way; then it is looked at again in time. */
  private begin(key: OperationKey, name: string): boolean {
    const start = this.operations.start(key, name);
    if (!start.started && start.retryAt !== undefined) this.touchAt(key.volume, start.retryAt);
    return start.started;
  }

  private touchAt(uniqueName: string, timeMs: number): void {
    this.clock.after(timeMs - this.clock.now, () => this.touch(uniqueName));
  }

  private finish(key: OperationKey, failed: boolean): void {
    if (failed) this.touchAt(key.volume, this.operations.fail(key));
    else this.operations.succeed(key);
    this.touch(key.volume);
  }

  private run<T>(steps: Steps<T>, done: (result: T) => void): void {
    const next = steps.next();
    if (next.done) done(next.value);
    else this.clock.after(next.value, () => this.run(steps, done));
  }

  private unmountVolumes(uniqueName: string): void {
    const volume = this.actual.get(uniqueName);
    if (!volume) return;
    for (const mounted of volume.pods.values()) {
      const key = { volume: uniqueName, pod: mounted.uid };
      if (this.desired.get(uniqueName)?.pods.has(mounted.uid) || !this.begin(key, 'volume_unmount')) continue;
      this.unmount(volume, mounted, key);
    }
  }

  /** Silent, whether it works or not. @recorded #node-move */
  private unmount(volume: ActualVolume, mounted: MountedPod, key: OperationKey): void {
    const known = this.pods.get(mounted.uid);
    const lane = known && this.volumeLane(known, mounted.volume);
    lane?.try('UNPUBLISH');
    this.run(this.mounter.unpublish(mounted.volume, mounted.uid), (result) => {
      if (result === 'done') {
        this.actual.unmount(volume.uniqueName, mounted.uid);
        lane?.try('UNPUBLISHED');
      }
      this.finish(key, result !== 'done');
      known?.changed();
    });
  }

  private mountVolumes(uniqueName: string): void {
    const wanted = this.desired.get(uniqueName);
    if (!wanted) return;
    for (const { uid, volume } of wanted.pods.values()) {
      const known = this.pods.get(uid);
      // One operation at a time per volume: whoever holds it looks again when it ends.
      if (!known || this.operations.isPending({ volume: uniqueName })) continue;
      const actual = this.actual.get(uniqueName);
      if (!actual) this.verify(wanted, volume, known);
      else this.mountInto(actual, volume, known);
    }
  }

  /**
   * VerifyControllerAttachedVolume: the volume must stand in node.status.volumesInUse first and then in volumesAttached.
   * While it does not nothing is tried, so there is no back-off and no event.
   * @recorded #immediate-happy, #multi-attach
   */
  private verify(wanted: WantedVolume, volume: PodVolume, known: ManagedPod): void {
    if (volume.attachable && (!wanted.reportedInUse || !this.isAttached(volume.uniqueName))) return;
    const key = operationKey(volume, known.pod.metadata.uid);
    if (!this.begin(key, 'verify_controller_attached_volume')) return;
    const lane = this.volumeLane(known, volume);
    if (volume.attachable) lane.try('VERIFY');
    this.clock.after(volume.attachable ? timings.verifyAttached : 0, () => {
      if (volume.attachable) lane.try('VERIFIED');
      this.actual.attach(volume);
      this.awaited.delete(volume.uniqueName);
      this.finish(key, false);
    });
  }

  private isAttached(uniqueName: string): boolean {
    const list = this.world.api.get('Node', undefined, this.clock.node)?.status.volumesAttached;
    if (list !== this.attachedList) {
      this.attachedList = list;
      this.attached = new Set(list?.map(({ name }) => name));
    }
    return this.attached.has(uniqueName);
  }

  private mountInto(actual: ActualVolume, volume: PodVolume, known: ManagedPod): void {
    const { pod } = known;
    const mounted = actual.pods.get(pod.metadata.uid);
    const key = operationKey(volume, pod.metadata.uid);
    if (mounted?.mounted !== 'yes' || mounted.remount) {
      if (volume.block && !this.mayMap(volume, known)) return;
      if (this.begin(key, 'volume_mount')) this.mount(actual, volume, known, key);
    } else if (mounted.resize && this.begin(key, 'expand_volume')) this.expand(mounted, volume, pod, key);
  }

  /** @recorded #immediate-happy, #missing-secret, #stage-fails-backoff, #publish-fails */
  private mount(actual: ActualVolume, volume: PodVolume, known: ManagedPod, key: OperationKey): void {
    const { pod } = known;
    this.run(mountVolume(this.mountContext(actual, volume, known)), (failure) => {
      if (failure) this.tellFailure(volume, pod, failure);
      else {
        this.actual.mount(actual.uniqueName, { uid: pod.metadata.uid, volume, mounted: 'yes', remount: false, resize: false });
        if (volume.block) this.tellMapped(volume, pod);
      }
      this.finish(key, failure !== undefined);
      known.changed();
    });
  }

  /**
   * A raw block volume that its plugin cannot map (hostPath) is passed over without a word. One that cannot reach the node is
   * refused before there is an operation that could be in back-off: every loop says so anew, until the recorder's spam filter
   * lets nothing through; then we look as seldom as it does.
   * @modelled pkg/volume/util/operationexecutor/operation_generator.go GenerateMapVolumeFunc, v1.35
   */
  private mayMap(volume: PodVolume, known: ManagedPod): boolean {
    if (volume.source.kind === 'hostPath') return false;
    const problem = 'volume' in volume.source && volume.source.volume ? this.mounter.affinityProblem(volume.source.volume) : undefined;
    if (problem === undefined) return true;
    this.recorder.event(known.pod, 'Warning', 'FailedMount', `MapVolume.NodeAffinity check failed for volume "${volume.specName}" : ${problem}`);
    known.refusals += 1;
    this.touchAt(volume.uniqueName, this.clock.now + (known.refusals < SPAM_BURST ? 1 : SPAM_REFILL_MS));
    return false;
  }

  private mountContext(actual: ActualVolume, volume: PodVolume, known: ManagedPod): MountContext {
    const { pod } = known;
    return { mounter: this.mounter, state: this.actual, actual, volume, pod, volumeLane: this.volumeLane(known, volume), deviceLane: volume.deviceMountable ? this.deviceLane(volume.uniqueName) : undefined, expand: () => expandAtMount(this.expansion(volume, pod)) };
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

  private expand(mounted: MountedPod, volume: PodVolume, pod: Pod, key: OperationKey): void {
    this.run(expandVolume(this.expansion(volume, pod)), (failure) => {
      mounted.resize = failure?.final === false;
      this.finish(key, mounted.resize);
    });
  }

  private expansion(volume: PodVolume, pod: Pod): Expansion {
    return { world: this.world, node: this.clock.node, recorder: this.recorder, csi: this.mounter.csi, volume, pod };
  }

  private unmountDevice(uniqueName: string): void {
    const volume = this.actual.get(uniqueName);
    if (!volume || volume.pods.size > 0 || this.desired.get(uniqueName)) return;
    if (volume.staged === 'no') this.dropFromNode(volume);
    else if (this.begin({ volume: uniqueName }, 'unmount_device')) this.unstage(volume);
  }

  /** Only now the volume is no longer in use, which the next node status will say. */
  private dropFromNode(volume: ActualVolume): void {
    if (this.operations.isPending({ volume: volume.uniqueName })) return;
    this.actual.remove(volume.uniqueName);
    if (volume.attachable) this.inUseChanged();
  }

  /** @recorded #node-move, #rwo-two-pods-one-node */
  private unstage(volume: ActualVolume): void {
    const lane = this.deviceLane(volume.uniqueName);
    lane.try('UNSTAGE');
    this.run(this.mounter.unstage(volume.volume), (result) => {
      if (result === 'done') {
        volume.staged = 'no';
        lane.try('UNSTAGED');
      }
      this.finish({ volume: volume.uniqueName }, result !== 'done');
    });
  }

  /** A new pod may have come under the name of one whose volumes are still being unmounted: each has its own. */
  private volumeLane({ pod, lanes }: ManagedPod, { name }: PodVolume): VolumeLane {
    let lane = lanes.get(name);
    if (!lane) lanes.set(name, (lane = this.volumeLanes.make(volumeKey(pod, name))));
    return lane;
  }
  private deviceLane(uniqueName: string): DeviceLane {
    return this.deviceLanes.get(`${this.clock.node}/${uniqueName}`);
  }
}

const NO_ERRORS: ReadonlySet<string> = new Set();

function volumeKey(pod: Pod, name: string): string {
  return `${pod.metadata.namespace ?? ''}/${pod.metadata.name}/${name}`;
}

/** Volumes that are one pod's own are mounted side by side; a device excludes every other operation on it. */
function operationKey(volume: PodVolume, podUid: string): OperationKey {
  return volume.attachable || volume.deviceMountable ? { volume: volume.uniqueName } : { volume: volume.uniqueName, pod: podUid };
}
