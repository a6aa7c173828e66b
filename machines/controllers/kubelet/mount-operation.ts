/** One mount of one volume into one pod, step by step (GenerateMountVolumeFunc, GenerateMapVolumeFunc, v1.35; ref 7.2). */
import type { Pod } from '../../model/objects.ts';
import type { ActualState, ActualVolume } from './actual-state.ts';
import { isForOnePod, type Mounter } from './mounter.ts';
import type { FailureKind, Steps } from './outcome.ts';
import type { DeviceLane, VolumeLane } from './volume-manager.ts';
import type { PodVolume } from './volume-spec.ts';

export interface MountContext {
  readonly mounter: Mounter;
  readonly state: ActualState;
  readonly actual: ActualVolume;
  readonly volume: PodVolume;
  readonly pod: Pod;
  readonly volumeLane: VolumeLane;
  /** Only of a volume with a step for the whole node. */
  readonly deviceLane: DeviceLane | undefined;
  /** Expands the volume on the node where that is due; returns what went wrong. */
  readonly expand: () => Steps<string | undefined>;
}

/** The step that failed, as the event names it (`STEP failed`), and the error. */
export interface MountFailure {
  readonly step: string;
  readonly error: string;
}

/**
 * Checks, then wait for attach, then the step for the node, then the step for the pod. Returns the failure, if any.
 * @recorded #immediate-happy
 */
export function* mountVolume(context: MountContext): Steps<MountFailure | undefined> {
  const problem = preconditionProblem(context);
  if (problem) {
    context.volumeLane.try('FAIL_PUBLISH');
    return problem;
  }
  return (yield* waitForAttach(context)) ?? (yield* stage(context)) ?? (yield* publish(context)) ?? (yield* grow(context));
}

/** A volume that grew while no pod had it mounted grows on the node now. @modelled ref 7.2 */
function* grow({ expand }: MountContext): Steps<MountFailure | undefined> {
  const error = yield* expand();
  return error === undefined ? undefined : { step: 'Setup failed while expanding volume', error };
}

function preconditionProblem({ mounter, actual, volume, pod }: MountContext): MountFailure | undefined {
  const pv = 'volume' in volume.source ? volume.source.volume : undefined;
  const affinity = pv && mounter.affinityProblem(pv);
  if (affinity !== undefined) return { step: 'NodeAffinity check', error: affinity };
  const preparation = mounter.preparationProblem(volume);
  if (preparation !== undefined) return { step: 'NewMounter initialization', error: preparation };
  const options = mounter.mountOptionProblem(volume);
  if (options !== undefined) return { step: 'MountOptionSupport check', error: options };
  return isForOnePod(pv) && isMountedElsewhere(actual, pod) ? { step: volume.block ? 'SetUpDevice' : 'SetUp', error: 'volume uses the ReadWriteOncePod access mode and is already in use by another pod' } : undefined;
}

/** The scheduler guards ReadWriteOncePod first; the kubelet looks again. @modelled ref 3.5 */
function isMountedElsewhere(actual: ActualVolume, pod: Pod): boolean {
  return actual.pods.keys().some((uid) => uid !== pod.metadata.uid);
}

function* waitForAttach({ mounter, volume, volumeLane }: MountContext): Steps<MountFailure | undefined> {
  if (!volume.attachable || volume.source.kind !== 'csi') return undefined;
  const result = yield* mounter.csi.waitForAttach(volume.source.volume);
  if (result === 'done') return undefined;
  volumeLane.try('FAIL_STAGE');
  return { step: 'WaitForAttach', error: result.error };
}

/** Only where the device is not staged yet; a failed publish leaves it staged. @recorded #stage-fails-backoff, #publish-fails, #rwo-two-pods-one-node */
function* stage({ mounter, actual, volume, volumeLane, deviceLane }: MountContext): Steps<MountFailure | undefined> {
  if (!volume.deviceMountable || actual.staged === 'yes') return undefined;
  volumeLane.try('STAGE');
  deviceLane?.try('STAGE');
  const result = yield* mounter.stage(volume);
  if (result === 'done') {
    actual.staged = 'yes';
    volumeLane.try('STAGED');
    deviceLane?.try('STAGED');
    return undefined;
  }
  actual.staged = afterFailure(actual.staged, result.kind);
  volumeLane.try('FAIL_STAGE');
  deviceLane?.try('FAIL');
  return { step: volume.block ? 'SetUpDevice' : 'MountDevice', error: result.error };
}

/** @recorded #publish-fails, #missing-secret */
function* publish({ mounter, state, actual, volume, pod, volumeLane }: MountContext): Steps<MountFailure | undefined> {
  volumeLane.try('PUBLISH');
  const result = yield* mounter.publish(volume, pod);
  if (result === 'done') {
    volumeLane.try('PUBLISHED');
    return undefined;
  }
  volumeLane.try('FAIL_PUBLISH');
  markAfterFailure(state, actual, volume, pod, result.kind);
  return { step: volume.block ? 'MapPodDevice' : 'SetUp', error: result.error };
}

/** A mount that was there stays; a try without a final answer is remembered, so that it will be unmounted. @modelled ref 7.2 */
function markAfterFailure(state: ActualState, actual: ActualVolume, volume: PodVolume, pod: Pod, kind: FailureKind): void {
  const { uid } = pod.metadata;
  const known = actual.pods.get(uid);
  if (known?.mounted === 'yes') return;
  if (kind === 'uncertain') state.mount(actual.uniqueName, { uid, volume, mounted: 'uncertain', remount: false, resize: false });
  else if (kind === 'final') state.unmount(actual.uniqueName, uid);
}

/** @modelled ref 7.2 */
function afterFailure<S extends 'no' | 'yes' | 'uncertain'>(before: S, kind: FailureKind): S | 'no' | 'uncertain' {
  if (kind === 'uncertain') return 'uncertain';
  return kind === 'final' ? 'no' : before;
}
