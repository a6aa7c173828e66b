/** One mount of one volume into one pod, step by step (GenerateMountVolumeFunc, GenerateMapVolumeFunc, v1.35; ref 7.2). */
import type { Pod } from '../../model/objects.ts';
import type { DeviceLane, VolumeLane } from './charts.ts';
import { isForOnePod, type Mounter } from './mounter.ts';
import type { NodeClock } from './node-clock.ts';
import type { NodeVolume, PodMount } from './node-volume.ts';
import { isCall, type FailureKind, type Outcome, type Step } from './outcome.ts';
import type { PodVolume } from './volume-spec.ts';

/** What a mount needs of the kubelet. */
export interface MountTools {
  readonly mounter: Mounter;
  readonly clock: NodeClock;
  deviceLane(of: NodeVolume): DeviceLane;
  /** Expands the volume on the node where that is due; `done` gets what went wrong. */
  expandAtMount(volume: PodVolume, pod: Pod, done: (error: string | undefined) => void): void;
}

/** The step that failed, as the event names it (`STEP failed`), and the error. */
export interface MountFailure {
  readonly step: string;
  readonly error: string;
}

/** Checks, then wait for attach, then the step for the node, then the step for the pod. @recorded #immediate-happy */
export class MountOperation {
  private readonly tools: MountTools;
  private readonly mount: PodMount;
  private readonly volume: PodVolume;
  private readonly pod: Pod;
  private readonly lane: VolumeLane;
  private readonly done: (failure: MountFailure | undefined) => void;

  /** `done` gets the failure, if any. */
  constructor(tools: MountTools, mount: PodMount, lane: VolumeLane, done: (failure: MountFailure | undefined) => void) {
    this.tools = tools;
    this.mount = mount;
    this.volume = mount.volume;
    this.pod = mount.pod.pod;
    this.lane = lane;
    this.done = done;
  }

  start(): void {
    const problem = this.preconditionProblem();
    if (!problem) {
      this.waitForAttach();
      return;
    }
    this.lane.try('FAIL_PUBLISH');
    this.done(problem);
  }

  private perform(step: Step, next: (outcome: Outcome) => void): void {
    if (isCall(step)) this.tools.clock.after(step.ms, () => next(step.answer()));
    else next(step);
  }

  private preconditionProblem(): MountFailure | undefined {
    const { volume, tools: { mounter } } = this;
    const pv = 'volume' in volume.source ? volume.source.volume : undefined;
    const affinity = pv && mounter.affinityProblem(pv);
    if (affinity !== undefined) return { step: 'NodeAffinity check', error: affinity };
    const preparation = mounter.preparationProblem(volume);
    if (preparation !== undefined) return { step: 'NewMounter initialization', error: preparation };
    const options = mounter.mountOptionProblem(volume);
    if (options !== undefined) return { step: 'MountOptionSupport check', error: options };
    return isForOnePod(pv) && this.isMountedElsewhere() ? { step: volume.block ? 'SetUpDevice' : 'SetUp', error: 'volume uses the ReadWriteOncePod access mode and is already in use by another pod' } : undefined;
  }

  /** The scheduler guards ReadWriteOncePod first; the kubelet looks again. @modelled ref 3.5 */
  private isMountedElsewhere(): boolean {
    return this.mount.of.mounted.some((other) => other !== this.mount);
  }

  private waitForAttach(): void {
    const { volume, mount, tools } = this;
    if (!volume.attachable || volume.source.kind !== 'csi') {
      this.stage();
      return;
    }
    this.perform(tools.mounter.waitForAttach(mount.of, volume.source.volume), (result) => {
      if (result === 'done') this.stage();
      else {
        this.lane.try('FAIL_STAGE');
        this.done({ step: 'WaitForAttach', error: result.error });
      }
    });
  }

  /** Only where the device is not staged yet; a failed publish leaves it staged. @recorded #stage-fails-backoff, #publish-fails, #rwo-two-pods-one-node */
  private stage(): void {
    const { volume, tools, lane, mount: { of } } = this;
    if (!volume.deviceMountable || of.staged === 'yes') {
      this.publish();
      return;
    }
    const deviceLane = tools.deviceLane(of);
    lane.try('STAGE');
    deviceLane.try('STAGE');
    this.perform(tools.mounter.stage(of, volume), (result) => {
      if (result === 'done') {
        of.staged = 'yes';
        lane.try('STAGED');
        deviceLane.try('STAGED');
        this.publish();
        return;
      }
      of.staged = afterFailure(of.staged, result.kind);
      lane.try('FAIL_STAGE');
      deviceLane.try('FAIL');
      this.done({ step: volume.block ? 'SetUpDevice' : 'MountDevice', error: result.error });
    });
  }

  /** @recorded #publish-fails, #missing-secret */
  private publish(): void {
    const { volume, tools, lane, mount, pod } = this;
    lane.try('PUBLISH');
    this.perform(tools.mounter.publish(mount, volume, pod), (result) => {
      if (result === 'done') {
        lane.try('PUBLISHED');
        tools.expandAtMount(volume, pod, (error) => this.done(error === undefined ? undefined : { step: 'Setup failed while expanding volume', error }));
        return;
      }
      lane.try('FAIL_PUBLISH');
      markAfterFailure(mount, result.kind);
      this.done({ step: volume.block ? 'MapPodDevice' : 'SetUp', error: result.error });
    });
  }
}

/** A mount that was there stays; a try without a final answer is remembered, so that it will be unmounted. @modelled ref 7.2 */
function markAfterFailure(mount: PodMount, kind: FailureKind): void {
  if (mount.mounted === 'yes') return;
  if (kind === 'uncertain') mount.of.mount(mount, 'uncertain');
  else if (kind === 'final') mount.of.unmount(mount);
}

/** @modelled ref 7.2 */
function afterFailure<S extends 'no' | 'yes' | 'uncertain'>(before: S, kind: FailureKind): S | 'no' | 'uncertain' {
  if (kind === 'uncertain') return 'uncertain';
  return kind === 'final' ? 'no' : before;
}
