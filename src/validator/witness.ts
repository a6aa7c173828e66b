/**
 * Which log line witnesses which state of which machine.
 *
 * `witnesses` maps every kind of log line that says something about a state; `ignoredLines` lists every other recorded
 * kind with the reason why it says nothing that another record does not; `unwitnessed` lists the states that no log line
 * shows. A line matches exactly one entry of the first two; every state of every machine is in the first or in the third.
 */
import type { LogLine } from './log-line.ts';
import { podPath, volumeWords } from './log-line.ts';
import type { InstanceKey } from './machine-key.ts';

/** Component and source file as the log names them. */
export type Component = 'scheduler' | 'controller-manager' | 'kubelet';

/** What about the claim's class a reading needs to know. */
export interface Surroundings {
  /** Whether a claim waits for the first consumer: its class does, and it names no volume itself. */
  waitsForConsumer(claim: string): boolean;
}

/**
 * How a line tells of a state. `enters`: printed once each time the state is entered, so the number counts. `shows`: printed
 * while the machine is in the state, or by a loop; only that the state was reached counts. `details`: a step inside the
 * state, shown beside it and not compared.
 */
export type Telling = 'enters' | 'shows' | 'details';

export interface Sighting {
  readonly machine: string;
  readonly state: string;
  readonly how: Telling;
  readonly key: InstanceKey;
}

export interface LineKind {
  readonly component: Component;
  readonly source: string;
  /** The whole message. */
  readonly message?: string;
  /** The beginning of the message. */
  readonly prefix?: string;
  /** Told apart from the same message by what else the line says. */
  readonly when?: (line: LogLine) => boolean;
}

export interface Witness extends LineKind {
  /** Set where no recording has such a line: the Kubernetes source its text is from. */
  readonly unrecorded?: string;
  /** The states that the line can witness, as `machine.state`, and how it tells of each. */
  readonly telling: Readonly<Record<string, Telling>>;
  readonly read: (line: LogLine, around: Surroundings) => readonly Sighting[];
}

export interface IgnoredLine extends LineKind {
  readonly why: string;
}

/** The line kind matches. */
export function matches(kind: LineKind, line: LogLine): boolean {
  const { record, message } = line;
  if (record.component !== kind.component || record.source !== kind.source) return false;
  if (kind.message !== undefined && message !== kind.message) return false;
  if (kind.prefix !== undefined && !message.startsWith(kind.prefix)) return false;
  return kind.when?.(line) ?? true;
}

const claim = (line: LogLine): InstanceKey => ({ about: 'claim', name: line.value('PVC') ?? line.value('pvcKey') ?? '' });
const volume = (line: LogLine): InstanceKey => ({ about: 'volume', name: line.value('volumeName') ?? line.value('PV') ?? '' });
const pod = (line: LogLine): InstanceKey => ({ about: 'pod', name: line.value('pod') ?? line.value('preemptor') ?? '' });
const device = (line: LogLine): InstanceKey => {
  const words = volumeWords(line.message);
  return { about: 'device', node: line.value('nodeName') ?? words.node ?? line.record.node ?? undefined, uniqueName: line.value('volumeName') ?? words.uniqueName ?? '' };
};
const podVolume = (line: LogLine): InstanceKey => {
  const words = volumeWords(line.message);
  return { about: 'podVolume', pod: line.value('pod'), uid: line.value('podUID') ?? words.podUid, volume: words.volume ?? line.value('volumeName') ?? '' };
};
const podVolumeOfPath = (line: LogLine): InstanceKey => {
  const path = podPath(line.message);
  return { about: 'podVolume', uid: path?.podUid, volume: path?.volume ?? '' };
};
const podPathOfValue = (line: LogLine) => podPath(line.value('targetPath') ?? '');
const podVolumeOfTarget = (line: LogLine): InstanceKey => {
  const path = podPathOfValue(line);
  return { about: 'podVolume', uid: path?.podUid, volume: path?.volume ?? '' };
};
/** The PV in `…/volumeDevices/staging/PV`. */
const stagedDevice = (line: LogLine): string => /\/staging\/([^/\]]+)/.exec(line.message)?.[1] ?? '';
/** The PV in `…/volumeDevices/publish/PV`; the line names no pod. */
const podVolumeOfDevicePath = (line: LogLine): InstanceKey => ({ about: 'podVolume', onNode: line.record.node ?? '', volume: /\/publish\/([^/\]]+)/.exec(line.message)?.[1] ?? '' });

type KeyReader = (line: LogLine) => InstanceKey;

/** One line kind that always witnesses one state. */
function of(kind: LineKind, machine: string, state: string, how: Telling, key: KeyReader): Witness {
  return { ...kind, telling: { [`${machine}.${state}`]: how }, read: line => [{ machine, state, how, key: key(line) }] };
}

/** A line kind that no recording has, with the source of its text. */
function unrecorded(source: string, witness: Witness): Witness {
  return { ...witness, unrecorded: source };
}

/** One line kind that witnesses a state of two machines at once. */
function ofBoth(kind: LineKind, first: readonly [string, string, Telling, KeyReader], second: readonly [string, string, Telling, KeyReader]): Witness {
  const both = [first, second];
  return {
    ...kind,
    telling: Object.fromEntries(both.map(([machine, state, how]) => [`${machine}.${state}`, how])),
    read: line => both.map(([machine, state, how, key]) => ({ machine, state, how, key: key(line) })),
  };
}

const pv = (message: string, when?: (line: LogLine) => boolean): LineKind => ({ component: 'controller-manager', source: 'pv_controller.go', message, ...(when && { when }) });
const kcm = (source: string, prefix: string): LineKind => ({ component: 'controller-manager', source, prefix });
const kubelet = (source: string, prefix: string, when?: (line: LogLine) => boolean): LineKind => ({ component: 'kubelet', source, prefix, ...(when && { when }) });
const scheduler = (source: string, message: string, when?: (line: LogLine) => boolean): LineKind => ({ component: 'scheduler', source, message, ...(when && { when }) });
const has = (key: string, value: string) => (line: LogLine) => line.value(key) === value;
const statusStarts = (key: string, start: string) => (line: LogLine) => line.value(key)?.startsWith(start) ?? false;
/** A claim before its binding is completed, whether or not it names a volume itself. */
const isUnbound = (line: LogLine) => statusStarts('claimStatus', 'phase: Pending')(line) && (line.value('claimStatus')?.includes('bindCompleted: false') ?? false);
/** A CSI volume of its own, told by driver and handle; one written into the pod is named by the pod and is never attached. */
const isCsi = (line: LogLine) => /kubernetes\.io\/csi\/[^"]*\^/.test(line.message);
const failedOperation = (source: 'kubelet' | 'controller-manager', operation: string): LineKind => ({
  component: source,
  source: 'nestedpendingoperations.go',
  prefix: 'Operation for ',
  when: line => line.message.includes(`Error: ${operation} failed`),
});

const volumePhases = { Available: 'available', Bound: 'bound', Released: 'released', Failed: 'failed' } as const;
const queues = { Active: 'queued', Backoff: 'backOff', Unschedulable: 'unschedulable' } as const;
const queued = (source: string): Witness => ({
  ...scheduler(source, 'Pod moved to an internal scheduling queue'),
  telling: Object.fromEntries(Object.values(queues).map(state => [`scheduling.${state}`, 'shows'])),
  read: line => {
    const state = queues[(line.value('queue') ?? '') as keyof typeof queues] as string | undefined;
    return state === undefined ? [] : [{ machine: 'scheduling', state, how: 'shows', key: pod(line) }];
  },
});

const OPERATIONS = 'pkg/volume/util/operationexecutor/operation_generator.go, v1.35';
/** A claim that names its volume finds the volume reserved for it. */
const finishing = 'Synchronizing unbound PersistentVolumeClaim, volume already bound, finishing the binding';
/** A claim that was bound finds its volume without claim. */
const fixing = 'Synchronizing bound PersistentVolumeClaim, volume is unbound, fixing';

/** In the order of the line of stations. */
export const witnesses: readonly Witness[] = [
  // Claim and volume controller.
  of(pv('Synchronizing PersistentVolumeClaim', isUnbound), 'claim-binding', 'unbound', 'shows', claim),
  of(pv('Error finding provisioning plugin for claim'), 'claim-binding', 'waitingForVolume', 'shows', claim),
  {
    ...pv('Updating PersistentVolumeClaim status', has('setPhase', 'Pending')),
    telling: { 'claim-binding.waitingForFirstConsumer': 'shows', 'claim-binding.waitingForVolume': 'shows' },
    read: (line, around) => [
      {
        machine: 'claim-binding',
        state: around.waitsForConsumer(line.value('PVC') ?? '') ? 'waitingForFirstConsumer' : 'waitingForVolume',
        how: 'shows',
        key: claim(line),
      },
    ],
  },
  of(pv('provisionClaimOperationExternal started'), 'claim-binding', 'provisioningRequested', 'shows', claim),
  of(pv('provisionClaimOperationExternal provisioning claim'), 'claim-binding', 'provisioningRequested', 'details', claim),
  of(pv('Synchronizing unbound PersistentVolumeClaim, volume found'), 'claim-binding', 'binding', 'shows', claim),
  of(pv('Synchronizing unbound PersistentVolumeClaim, volume is unbound, binding'), 'claim-binding', 'binding', 'shows', claim),
  unrecorded('pkg/controller/volume/persistentvolume/pv_controller.go, v1.35', of(pv(finishing), 'claim-binding', 'binding', 'shows', claim)),
  unrecorded('pkg/controller/volume/persistentvolume/pv_controller.go, v1.35', of(pv(fixing), 'claim-binding', 'binding', 'shows', claim)),
  of(pv('Updating PersistentVolumeClaim: bound to volume'), 'claim-binding', 'binding', 'details', claim),
  of(pv('Claim entered phase', has('phase', 'Bound')), 'claim-binding', 'bound', 'enters', claim),
  of(pv('Claim changed status', has('phase', 'Lost')), 'claim-binding', 'lost', 'enters', claim),
  of(kcm('pvc_protection_controller.go', "Looking for Pods using PVC in the Informer's cache"), 'claim-binding', 'terminating', 'shows', claim),
  of(pv('Synchronizing PersistentVolume', statusStarts('volumeStatus', 'phase: Pending')), 'volume', 'pending', 'shows', volume),
  {
    ...pv('Volume entered phase'),
    telling: Object.fromEntries(Object.values(volumePhases).map(state => [`volume.${state}`, 'enters'])),
    read: line => {
      const state = volumePhases[(line.value('phase') ?? '') as keyof typeof volumePhases] as string | undefined;
      return state === undefined ? [] : [{ machine: 'volume', state, how: 'enters', key: volume(line) }];
    },
  },

  // Protection.
  of(kcm('pvc_protection_controller.go', 'Keeping PVC because it is being used'), 'protection-claim', 'kept', 'shows', claim),
  of(kcm('pvc_protection_controller.go', 'Removed protection finalizer from PVC'), 'protection-claim', 'released', 'enters', claim),
  of(kcm('pv_protection_controller.go', 'Keeping PV because it is being used'), 'protection-volume', 'kept', 'shows', volume),
  of(kcm('pv_protection_controller.go', 'Removed protection finalizer from PV'), 'protection-volume', 'released', 'enters', volume),

  // Resize.
  of(kcm('expand_controller.go', 'Waiting for an external controller to expand the PVC'), 'resize', 'requested', 'shows', claim),

  // Scheduling.
  queued('active_queue.go'),
  queued('backoff_queue.go'),
  queued('scheduling_queue.go'),
  of(scheduler('schedule_one.go', 'Attempting to schedule pod'), 'scheduling', 'filtering', 'shows', pod),
  of(scheduler('binder.go', 'FindPodVolumes'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'PersistentVolume and node matches for pod'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'PersistentVolume and node mismatch for pod'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'All bound volumes for pod match with node'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'No matching volumes for pod'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'Provisioning for claims of pod that has no matching volumes...'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('binder.go', 'Node cannot satisfy provisioning topology requirements of claim'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('csi.go', 'Found plugin volume limits'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('schedule_one.go', 'Status after running PreFilter plugins for pod'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('schedule_one.go', 'Status after running PostFilter plugins for pod'), 'scheduling', 'filtering', 'details', pod),
  of(scheduler('schedule_one.go', 'Unable to schedule pod; no fit; waiting'), 'scheduling', 'unschedulable', 'shows', pod),
  of(scheduler('binder.go', 'AssumePodVolumes'), 'scheduling', 'reserved', 'enters', pod),
  of(scheduler('volume_binding.go', 'Trying to bind volumes for pod'), 'scheduling', 'preBinding', 'enters', pod),
  of(scheduler('binder.go', 'BindPodVolumes'), 'scheduling', 'preBinding', 'details', pod),
  of(scheduler('binder.go', 'Updating claims objects to trigger volume provisioning'), 'scheduling', 'preBinding', 'details', pod),
  of(scheduler('binder.go', 'All PVCs for pod are bound'), 'scheduling', 'preBinding', 'details', pod),
  of(scheduler('volume_binding.go', 'Success binding volumes for pod'), 'scheduling', 'preBinding', 'details', pod),
  of(scheduler('volume_binding.go', 'Failed to bind volumes for pod'), 'scheduling', 'preBinding', 'details', pod),
  of(scheduler('default_binder.go', 'Attempting to bind pod to node'), 'scheduling', 'binding', 'enters', pod),
  of(scheduler('schedule_one.go', 'Successfully bound pod to node'), 'scheduling', 'bound', 'enters', pod),
  of(scheduler('preemption.go', 'Dry run the preemption'), 'preemption', 'dryRun', 'shows', pod),
  of(scheduler('preemption.go', 'No preemption candidate is found; preemption is not helpful for scheduling'), 'preemption', 'notHelpful', 'shows', pod),
  of(scheduler('preemption.go', 'Preemption will not help schedule pod on any node'), 'preemption', 'notHelpful', 'details', pod),
  of(scheduler('preemption.go', 'the target node for the preemption is determined'), 'preemption', 'victimsChosen', 'enters', pod),
  of(scheduler('preemption.go', 'Start the preemption asynchronously'), 'preemption', 'evicting', 'enters', pod),
  of(scheduler('preemption.go', 'Async Preemption finished completely'), 'preemption', 'evicted', 'enters', pod),

  // Eviction by taint.
  of(kcm('taint_eviction.go', 'Not all taints are tolerated after update for pod on node'), 'taint-eviction', 'evicted', 'details', pod),
  of(kcm('taint_eviction.go', 'Deleting pod'), 'taint-eviction', 'evicted', 'enters', pod),

  // Attach and detach.
  of(kcm('reconciler.go', 'attacherDetacher.AttachVolume started'), 'attach', 'attaching', 'enters', device),
  of(kcm('operation_generator.go', 'AttachVolume.Attach succeeded for volume'), 'attach', 'attached', 'enters', device),
  of(failedOperation('controller-manager', 'AttachVolume.Attach'), 'attach', 'attachFailed', 'enters', device),
  of(kcm('reconciler.go', 'Multi-Attach error: '), 'attach', 'multiAttach', 'enters', line => ({
    about: 'device',
    node: undefined,
    uniqueName: /"VolumeName":"([^"]*)"/.exec(line.record.text)?.[1] ?? '',
  })),
  of(kcm('operation_generator.go', 'Verified volume is safe to detach for volume'), 'attach', 'detaching', 'enters', device),
  of(failedOperation('controller-manager', 'DetachVolume.Detach'), 'attach', 'detachFailed', 'enters', device),
  of(kcm('operation_generator.go', 'DetachVolume.Detach succeeded for volume'), 'attach', 'detached', 'enters', device),
  of(kcm('operation_generator.go', 'VerifyVolumesAreAttached determined volume'), 'attach', 'detached', 'details', device),

  // Kubelet.
  of(kubelet('desired_state_of_world_populator.go', 'Added volume to desired state'), 'kubelet-volume', 'wanted', 'shows', line => ({
    about: 'podVolume',
    pod: line.value('pod'),
    volume: line.value('volumeName') ?? '',
  })),
  of(kubelet('reconciler_common.go', 'operationExecutor.VerifyControllerAttachedVolume started', isCsi), 'kubelet-volume', 'waitingForAttach', 'shows', podVolume),
  of(kubelet('operation_generator.go', 'Controller attach succeeded for volume'), 'kubelet-volume', 'attachVerified', 'shows', podVolume),
  of(kubelet('operation_generator.go', 'MountVolume.WaitForAttach succeeded'), 'kubelet-volume', 'attachVerified', 'details', podVolume),
  of(kubelet('operation_generator.go', 'MapVolume.WaitForAttach succeeded'), 'kubelet-volume', 'attachVerified', 'details', podVolume),
  ofBoth(kubelet('operation_generator.go', 'MountVolume.MountDevice succeeded'), ['kubelet-volume', 'staged', 'enters', podVolume], ['kubelet-device', 'staged', 'enters', line => ({ ...device(line), node: line.record.node ?? undefined })]),
  ofBoth(
    kubelet('csi_block.go', 'kubernetes.io/csi: blockMapper.stageVolumeForBlock successfully requested NodeStageVolume'),
    ['kubelet-volume', 'staged', 'enters', line => ({ about: 'podVolume', onNode: line.record.node ?? '', volume: stagedDevice(line) })],
    ['kubelet-device', 'staged', 'enters', line => ({ about: 'device', node: line.record.node ?? undefined, uniqueName: stagedDevice(line) })],
  ),
  of(failedOperation('kubelet', 'MountVolume.MountDevice'), 'kubelet-volume', 'stageFailed', 'shows', podVolume),
  ...['MountVolume.WaitForAttach', 'MapVolume.SetUpDevice', 'MapVolume.WaitForAttach'].map(step => unrecorded(OPERATIONS, of(failedOperation('kubelet', step), 'kubelet-volume', 'stageFailed', 'shows', podVolume))),
  of(kubelet('csi_mounter.go', 'kubernetes.io/csi: Mounter.SetUpAt('), 'kubelet-volume', 'publishing', 'shows', podVolumeOfPath),
  of(kubelet('csi_block.go', 'kubernetes.io/csi: blockMapper.publishVolumeForBlock created directory'), 'kubelet-volume', 'publishing', 'shows', podVolumeOfDevicePath),
  of(kubelet('csi_client.go', 'kubernetes.io/csi: calling NodePublishVolume rpc', line => podPathOfValue(line) !== undefined), 'kubelet-volume', 'publishing', 'details', podVolumeOfTarget),
  of(kubelet('csi_mounter.go', 'kubernetes.io/csi: mounter.SetUp successfully requested NodePublish'), 'kubelet-volume', 'publishing', 'details', podVolumeOfPath),
  of(kubelet('secret.go', 'Setting up volume'), 'kubelet-volume', 'publishing', 'shows', podVolumeOfPath),
  of(kubelet('configmap.go', 'Setting up volume'), 'kubelet-volume', 'publishing', 'shows', podVolumeOfPath),
  of(kubelet('projected.go', 'Setting up volume'), 'kubelet-volume', 'publishing', 'shows', podVolumeOfPath),
  of(kubelet('operation_generator.go', 'MountVolume.SetUp succeeded'), 'kubelet-volume', 'published', 'shows', podVolume),
  of(kubelet('operation_generator.go', 'MapVolume.MapPodDevice succeeded'), 'kubelet-volume', 'published', 'shows', podVolume),
  of(failedOperation('kubelet', 'MountVolume.SetUp'), 'kubelet-volume', 'publishFailed', 'shows', podVolume),
  ...['MountVolume.NodeAffinity check', 'MountVolume.NewMounter initialization', 'MountVolume.MountOptionSupport check', 'MapVolume.MapPodDevice'].map(step =>
    unrecorded(OPERATIONS, of(failedOperation('kubelet', step), 'kubelet-volume', 'publishFailed', 'shows', podVolume)),
  ),
  of(kubelet('reconciler_common.go', 'operationExecutor.UnmountVolume started'), 'kubelet-volume', 'unpublishing', 'shows', podVolume),
  of(kubelet('operation_generator.go', 'UnmountVolume.TearDown succeeded'), 'kubelet-volume', 'unpublished', 'enters', podVolume),
  of(kubelet('operation_generator.go', 'UnmapVolume succeeded'), 'kubelet-volume', 'unpublished', 'enters', podVolume),
  of(kubelet('desired_state_of_world_populator.go', 'Removing volume from desired state'), 'kubelet-volume', 'unpublishing', 'details', podVolume),
  of(kubelet('csi_mounter.go', 'kubernetes.io/csi: Unmounter.TearDownAt('), 'kubelet-volume', 'unpublishing', 'details', podVolumeOfPath),
  of(kubelet('csi_client.go', 'kubernetes.io/csi: calling NodeUnpublishVolume rpc', line => podPathOfValue(line) !== undefined), 'kubelet-volume', 'unpublishing', 'details', podVolumeOfTarget),
  of(kubelet('csi_mounter.go', 'kubernetes.io/csi: Unmounter.TearDownAt successfully'), 'kubelet-volume', 'unpublishing', 'details', podVolumeOfPath),
  of(kubelet('reconciler_common.go', 'operationExecutor.UnmountDevice started'), 'kubelet-device', 'unstaging', 'enters', device),
  of(kubelet('operation_generator.go', 'UnmountDevice succeeded'), 'kubelet-device', 'unstaged', 'enters', device),
  of(kubelet('operation_generator.go', 'UnmapDevice succeeded'), 'kubelet-device', 'unstaged', 'enters', device),
  of(kubelet('volume_manager.go', 'Waiting for volumes to attach and mount for pod'), 'pod-worker', 'waitingForVolumes', 'shows', pod),
  of(kubelet('volume_manager.go', 'All volumes are attached and mounted for pod'), 'pod-worker', 'volumesReady', 'shows', pod),
  of(kubelet('volume_manager.go', 'Waiting for volumes to unmount for pod'), 'pod-worker', 'unmounting', 'shows', pod),
  of(kubelet('volume_manager.go', 'All volumes are unmounted for pod'), 'pod-worker', 'gone', 'shows', pod),
];

/** Line kinds of one source file that are left out for one reason. */
function leftOut(component: Component, source: string, why: string, messages: readonly string[], when?: (line: LogLine) => boolean): IgnoredLine[] {
  return messages.map(prefix => ({ component, source, prefix, why, ...(when && { when }) }));
}

const aSync = 'one look at an object by a loop that comes by every 15 s and after every write; what it decided stands in other lines';
const ownWrite = 'a write that the object history holds itself';
const conflict = 'the two workers of the controller wrote at once; the loser tries again and nothing is seen of it in objects or events';
const insidePublish = 'a step inside publish or unpublish between lines that are mapped';
const whole = (message: string) => (line: LogLine) => line.message === message;

/** Every recorded kind of line that is no witness, with the reason. */
export const ignoredLines: readonly IgnoredLine[] = [
  ...leftOut('controller-manager', 'pv_controller.go', aSync, ['Synchronizing PersistentVolumeClaim'], line => line.message === 'Synchronizing PersistentVolumeClaim' && !isUnbound(line)),
  ...leftOut('controller-manager', 'pv_controller.go', aSync, ['Synchronizing PersistentVolume'], line => line.message === 'Synchronizing PersistentVolume' && !statusStarts('volumeStatus', 'phase: Pending')(line)),
  ...leftOut('controller-manager', 'pv_controller.go', aSync, [
    'Synchronizing PersistentVolume, ',
    'Synchronizing unbound PersistentVolumeClaim, no volume found',
    'Synchronizing unbound PersistentVolumeClaim, volume requested',
    'Attempting to assign storage class to unbound PersistentVolumeClaim',
    'Binding volume to claim',
    'Volume bound to claim',
    'Updating PersistentVolume: binding to claim',
    'Maybe cached claim is not the newest one',
    'PersistentVolume references a claim that is not found',
  ]),
  ...leftOut('controller-manager', 'pv_controller.go', aSync, ['Synchronizing bound PersistentVolumeClaim, '], line => line.message !== fixing),
  ...leftOut('controller-manager', 'pv_controller.go', aSync, ['Updating PersistentVolumeClaim: binding to volume'], whole('Updating PersistentVolumeClaim: binding to volume')),
  ...leftOut('controller-manager', 'pv_controller.go', ownWrite, ['Updating PersistentVolumeClaim status'], line => line.value('setPhase') !== 'Pending'),
  ...leftOut('controller-manager', 'pv_controller.go', ownWrite, ['Updating PersistentVolume'], whole('Updating PersistentVolume')),
  ...leftOut('controller-manager', 'pv_controller.go', ownWrite, ['Claim entered phase'], line => line.value('phase') !== 'Bound'),
  ...leftOut('controller-manager', 'pv_controller.go', ownWrite, ['Claim bound to volume', 'Updating PersistentVolume: bound to claim', 'Updating updateClaimStatusWithEvent']),
  ...leftOut('controller-manager', 'pv_controller.go', conflict, [
    'Error binding volume to claim: ',
    'Error reading persistent volume',
    'Updating PersistentVolume: set phase failed',
    'Updating PersistentVolumeClaim: binding to volume failed',
  ]),
  ...leftOut('controller-manager', 'pv_controller.go', 'starts an operation that the next line names, or finds one running', ['provisionClaim: started', 'scheduleOperation', 'Operation is already running, skipping']),
  ...leftOut('controller-manager', 'pv_controller.go', 'reclaiming is left to the provisioner, whose log is not recorded; its CSI calls and writes are', [
    'Volume is released and reclaim policy will be executed',
    'ReclaimVolume: ',
    'DeleteVolumeOperation started',
    'isVolumeReleased: ',
    'doDeleteVolume',
    'External deleter for volume requested, ignoring',
  ]),
  ...leftOut('controller-manager', 'pv_controller_base.go', 'an object left the watch, and whom that wakes; its deletion stands in the object history', [
    'Claim deleted',
    'deleteClaim: ',
    'volume deleted',
    'deleteVolume: ',
    'Deletion of claim was already processed',
  ]),
  ...leftOut('controller-manager', 'pv_controller_base.go', conflict, ['Could not sync claim', 'Could not sync volume']),
  ...leftOut('controller-manager', 'pvc_protection_controller.go', 'a re-check after a pod event or a step of it; its outcome is mapped', [
    'Enqueuing PVCs for Pod',
    'Processing PVC',
    'Live listing Pods in namespace',
    'No Pod using PVC was found',
    'PVC is unused',
    'PVC not found, ignoring',
    'Pod uses PVC',
  ]),
  ...leftOut('controller-manager', 'pvc_protection_controller.go', 'a re-check after a pod event or a step of it; its outcome is mapped', ['Looking for Pods using PVC'], whole('Looking for Pods using PVC')),
  ...leftOut('controller-manager', 'pv_protection_controller.go', 'frames a check; its outcome is mapped', ['Processing PV', 'Finished processing PV', 'PV not found, ignoring']),
  ...leftOut('controller-manager', 'pv_protection_controller.go', ownWrite, ['Added protection finalizer to PV']),
  ...leftOut('controller-manager', 'pv_protection_controller.go', conflict, ['Error removing protection finalizer from PV', 'Unhandled Error']),
  ...leftOut('controller-manager', 'reconciler.go', 'comes every 0.1 s while an attach is wanted or waits for its back-off, and does not say for which node', ['Starting attacherDetacher.AttachVolume']),
  ...leftOut('controller-manager', 'taint_eviction.go', ownWrite, ['Noticed pod deletion']),

  ...leftOut('scheduler', 'eventhandlers.go', 'a write that the object history holds, as the scheduler saw it', ['Add event for ', 'Delete event for ']),
  ...leftOut('scheduler', 'schedule_one.go', 'says what the next line says', ['About to try and schedule pod']),
  ...leftOut('scheduler', 'schedule_one.go', ownWrite, ['Updating pod condition and nominated node name']),
  ...leftOut('scheduler', 'schedule_one.go', "the attempt's error stands in the event and the condition", ['Error scheduling pod; retrying', 'Error updating pod', "Pod doesn't exist in informer cache"]),
  ...leftOut('scheduler', 'active_queue.go', 'books an attempt that has failed', ['Checking events for in-flight pod']),
  ...leftOut('scheduler', 'scheduling_queue.go', 'an event that changes no state', ['Event is not making pod schedulable']),
  ...leftOut('scheduler', 'binder.go', 'a claim as one attempt saw it', ['PVC is fully bound to PV', 'PVC is not bound', 'AssumePodVolumes: all PVCs bound and nothing to do']),
  ...leftOut('scheduler', 'csi.go', 'a volume that is not counted against a limit', ['Could not find a CSI driver name or volume handle', 'Persistent volume had no name for claim']),
  ...leftOut('scheduler', 'volume_binding.go', 'a hint of what may wake a pod; that it woke is mapped', ['PersistentVolumeClaim the pod requires was created or updated']),
  ...leftOut('scheduler', 'volume_restrictions.go', 'a hint of what may wake a pod; that it woke is mapped', ['PVC that is referred from the pod was created', 'Pod with the same PVC']),
  ...leftOut('scheduler', 'preemption.go', 'a step of the dry run or of the eviction between lines that are mapped', ['Check the potential node for preemption', 'Preemptor Pod preempted victim Pod']),
  ...leftOut('scheduler', 'default_preemption.go', 'a step of the dry run between lines that are mapped', ['Pod is a potential preemption victim on node']),

  ...leftOut('kubelet', 'desired_state_of_world_populator.go', 'the volume is not wanted; the reason stands in the event', ['Error processing volume']),
  ...leftOut('kubelet', 'desired_state_of_world_populator.go', 'repeated while the process of a deleted pod lives', ['Pod still has one or more containers']),
  ...leftOut('kubelet', 'reconciler_common.go', 'begins an operation that stages or publishes or both, or comes every 0.1 s during its back-off', ['Starting operationExecutor.MountVolume', 'operationExecutor.MountVolume started']),
  ...leftOut('kubelet', 'reconciler_common.go', 'Secrets, ConfigMaps and tokens print it too and wait for no attach', ['operationExecutor.VerifyControllerAttachedVolume started'], line => !isCsi(line)),
  ...leftOut('kubelet', 'reconciler_common.go', "gone from the kubelet's own list; not the controller's detach", ['Volume detached for volume']),
  ...leftOut('kubelet', 'reconciler_common.go', "the growth on the node stands in the claim's status and in events", ['Starting operationExecutor.ExpandInUseVolume', 'operationExecutor.ExpandInUseVolume started']),
  ...leftOut('kubelet', 'operation_generator.go', 'before the look at the attachment; the line after it is mapped', ['MountVolume.WaitForAttach entering', 'MapVolume.WaitForAttach entering']),
  ...leftOut('kubelet', 'operation_generator.go', insidePublish, ["The path isn't device path"]),
  ...leftOut('kubelet', 'csi_attacher.go', 'computes a path, when staging, unstaging and growing', ['kubernetes.io/csi: attacher.GetDeviceMountPath']),
  ...leftOut('kubelet', 'csi_mounter.go', insidePublish, [
    'kubernetes.io/csi: mounter.GetPath generated',
    'kubernetes.io/csi: created target path successfully',
    'kubernetes.io/csi: removing mount path',
    'kubernetes.io/csi: dir not mounted',
    'kubernetes.io/csi: also deleting volume info data file',
    'kubernetes.io/csi: deleting volume path',
  ]),
  ...leftOut('kubelet', 'csi_util.go', insidePublish, ['kubernetes.io/csi: loading volume data file', 'kubernetes.io/csi: saving volume data file', 'kubernetes.io/csi: volume data file saved']),
  ...leftOut('kubelet', 'csi_plugin.go', insidePublish, ['kubernetes.io/csi: created path successfully', 'kubernetes.io/csi: setting up block unmapper', 'kubernetes.io/csi: setting up unmounter']),
  ...leftOut('kubelet', 'csi_block.go', insidePublish, [
    'kubernetes.io/csi: blockMapper.GetGlobalMapPath',
    'kubernetes.io/csi: blockMapper.GetPodDeviceMapPath',
    'kubernetes.io/csi: blockMapper.stageVolumeForBlock created',
    'kubernetes.io/csi: blockMapper.stageVolumeForBlock stagingPath set',
    'kubernetes.io/csi: blockMapper.unpublishVolumeForBlock',
    'kubernetes.io/csi: blockMapper.unstageVolumeForBlock',
  ]),
  ...leftOut('kubelet', 'csi_client.go', insidePublish, ['kubernetes.io/csi: calling NodeStageVolume rpc', 'kubernetes.io/csi: calling NodeUnstageVolume rpc']),
  ...leftOut('kubelet', 'csi_client.go', insidePublish, ['kubernetes.io/csi: calling NodePublishVolume rpc', 'kubernetes.io/csi: calling NodeUnpublishVolume rpc'], line => podPathOfValue(line) === undefined),
  ...leftOut('kubelet', 'csi_client.go', 'a poll of usage in the background', ['kubernetes.io/csi: calling NodeGetVolumeStats rpc']),
  ...leftOut('kubelet', 'mount_linux.go', insidePublish, ['Mounting cmd (mount)', 'Unmounting ']),
  ...leftOut('kubelet', 'volume_linux.go', insidePublish, ['Perform recursive ownership change']),
  ...leftOut('kubelet', 'projected.go', insidePublish, ['Tearing down volume']),
  ...leftOut('kubelet', 'secret.go', insidePublish, ['Received secret', "Couldn't get secret"]),
  ...leftOut('kubelet', 'configmap.go', insidePublish, ['Received configMap']),
];

/** Entries into a witnessed state that the log passes over in silence, so that a recording cannot show them. */
export interface SilentEntry {
  readonly machine: string;
  readonly state: string;
  /** Only when it is entered from this state. */
  readonly from?: string;
  /** Only for pod volumes of these sources. */
  readonly sources?: readonly VolumeSource[];
  /** Only when this transition of the machine enters it. */
  readonly event?: string;
  /** Only for pods without claims. */
  readonly withoutClaims?: true;
  /** Whether a line may be written all the same: then its presence is compared where all recordings have it. */
  readonly sometimes?: boolean;
  readonly why: string;
}

export type VolumeSource = 'csi' | 'secret' | 'configMap' | 'projected' | 'other';

export const silentEntries: readonly SilentEntry[] = [
  { machine: 'kubelet-device', state: 'unstaged', from: 'staging', why: 'the failed stage is the line, of the pod volume' },
  { machine: 'scheduling', state: 'reserved', withoutClaims: true, why: 'the line is that of the volume binder, which has nothing to do with such a pod' },
  { machine: 'preemption', state: 'evicted', from: 'victimsChosen', why: 'victims that somebody else deletes already are not evicted, and nothing is said' },
  { machine: 'attach', state: 'detached', event: 'LOSE', why: 'an attachment that somebody else took away: the line is that of the check, not of a detach' },
  { machine: 'attach', state: 'detaching', sometimes: true, why: 'a forced detach skips the check that writes the line' },
  { machine: 'kubelet-volume', state: 'publishing', sources: ['other'], why: 'only CSI, Secret, ConfigMap and projected volumes write a line before' },
  { machine: 'kubelet-volume', state: 'waitingForAttach', sources: ['secret', 'configMap', 'projected', 'other'], why: 'only volumes that are attached wait for it' },
];

const noLog = 'its component writes no recorded log line; objects, events and CSI calls show it';
const noLine = 'no line is written on entering it';

/** States that no recorded line witnesses, by machine, with the reason. `*` stands for all states of a machine. */
export const unwitnessed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  provisioning: { '*': noLog },
  'volume-deletion': { '*': noLog },
  attacher: { '*': noLog },
  container: { '*': noLog },
  'node-lifecycle': { '*': noLine },
  statefulset: { '*': noLog },
  deployment: { '*': noLog },
  replicaset: { '*': noLog },
  ephemeral: { '*': noLog },
  volume: { terminating: noLine },
  resize: {
    atRest: noLine,
    controllerResizeInProgress: noLog,
    controllerResizeInfeasible: noLog,
    nodeResizePending: noLog,
    nodeResizeInProgress: noLog,
    nodeResizeInfeasible: noLog,
  },
  'protection-claim': { guarded: noLine },
  'protection-volume': { guarded: noLine },
  attach: { wanted: 'the line does not say for which node' },
  'kubelet-volume': { staging: 'no line tells it from the look at the attachment before it' },
  'kubelet-device': { staging: 'no line tells it from the look at the attachment before it' },
  preemption: { idle: noLine },
  'taint-eviction': { tolerated: noLine, scheduled: noLine },
  'pod-worker': { starting: noLine, running: noLine, terminating: noLine },
};
