/** Growing a mounted volume on the node (operationexecutor node_expander.go, v1.35; ref 7.6). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Condition, PersistentVolume, PersistentVolumeClaim, Pod } from '../../model/objects.ts';
import { bytesOf } from '../../model/quantity.ts';
import type { CsiPlugin } from './csi-plugin.ts';
import { stepsOf, type Steps } from './outcome.ts';
import type { PodVolume } from './volume-spec.ts';

type ClaimStatus = PersistentVolumeClaim['status'];

/** Conditions about a resize that the kubelet takes away when it is done. */
const RESIZE_CONDITIONS: ReadonlySet<string> = new Set(['Resizing', 'FileSystemResizePending', 'ControllerResizeError', 'NodeResizeError']);
/** After these codes the kubelet will not try again by itself (util.IsInfeasibleError). */
const INFEASIBLE = /code = (InvalidArgument|OutOfRange|NotFound) /;

export interface Expansion {
  readonly world: World;
  readonly node: string;
  readonly recorder: EventRecorder;
  readonly csi: CsiPlugin;
  readonly volume: PodVolume;
  readonly pod: Pod;
}

/** `final`: the driver will not do it however often it is asked. */
export interface ExpansionFailure {
  readonly error: string;
  readonly final: boolean;
}

/** A read-only mount does not grow. @recorded #expand-online */
export function needsExpansion(api: ApiServer, volume: PodVolume): boolean {
  return volume.source.kind === 'csi' && !volume.source.readOnly && hasGrown(api, volume);
}

/** The volume has grown, the claim has not, and the resizer has handed over to the node. */
export function hasGrown(api: ApiServer, { source }: PodVolume): boolean {
  if (source.kind !== 'csi') return false;
  const { capacity, allocatedResourceStatuses } = api.byKey('PersistentVolumeClaim', source.claim)?.status ?? {};
  const state = allocatedResourceStatuses?.storage;
  if (state !== 'NodeResizePending' && state !== 'NodeResizeInProgress') return false;
  const volume = api.get('PersistentVolume', undefined, source.volume.metadata.name);
  return volume !== undefined && bytesOf(volume.spec.capacity.storage) > bytesOf(capacity?.storage ?? '0');
}

function current(api: ApiServer, volume: PersistentVolume, claim: string): { readonly volume: PersistentVolume | undefined; readonly claim: PersistentVolumeClaim | undefined } {
  return { volume: api.get('PersistentVolume', undefined, volume.metadata.name), claim: api.byKey('PersistentVolumeClaim', claim) };
}

/** The expansion that a new mount owes when the volume has grown. A read-only mount only tells that it cannot. @modelled ref 7.6 */
export function* expandAtMount(expansion: Expansion): Steps<string | undefined> {
  const { world, recorder, volume, pod } = expansion;
  if (volume.source.kind !== 'csi') return undefined;
  if (!volume.source.readOnly) return (yield* expandVolume(expansion))?.error;
  const { claim } = current(world.api, volume.source.volume, volume.source.claim);
  const message = `MountVolume.NodeExpandVolume failed for volume "${volume.specName}" requested read-only file system`;
  recorder.event(pod, 'Warning', 'FileSystemResizeFailed', message);
  if (claim) recorder.event(claim, 'Warning', 'FileSystemResizeFailed', message);
  return undefined;
}

/**
 * NodeResizeInProgress → NodeExpandVolume → event on the pod → claim status → event on the claim.
 * @recorded #expand-online
 */
export function* expandVolume({ world, node, recorder, csi, volume: { source, specName }, pod }: Expansion): Steps<ExpansionFailure | undefined> {
  if (source.kind !== 'csi') return undefined;
  const { volume, claim } = current(world.api, source.volume, source.claim);
  if (!volume || !claim) return undefined;
  yield timings.request;
  writeStatus(world, claim, (status) => ({ ...status, allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } }));
  const result = yield* stepsOf(csi.expand(volume));
  if (result !== 'done') {
    recorder.event(pod, 'Warning', 'VolumeResizeFailed', `NodeExpandVolume.NodeExpandVolume failed for volume "${specName}" : Expander.NodeExpand failed to expand the volume : ${result.error}`);
    yield timings.request;
    writeStatus(world, claim, (status) => failedStatus(status, result.error, world.api.timestamp()));
    return { error: result.error, final: INFEASIBLE.test(result.error) };
  }
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${specName}" ${node}`;
  recorder.event(pod, 'Normal', 'FileSystemResizeSuccessful', message);
  yield timings.request;
  const done = writeStatus(world, claim, (status) => doneStatus(status, volume.spec.capacity.storage));
  recorder.event(done ?? claim, 'Normal', 'FileSystemResizeSuccessful', message);
  return undefined;
}

function writeStatus(world: World, { metadata: { namespace, name } }: PersistentVolumeClaim, change: (status: ClaimStatus) => ClaimStatus): PersistentVolumeClaim | undefined {
  return world.api.updateIfPresent('PersistentVolumeClaim', namespace, name, (claim) => ({ ...claim, status: change(claim.status) }));
}

/** Capacity as the volume's, resize conditions and states gone; allocatedResources stay. @recorded #expand-online */
function doneStatus(status: ClaimStatus, storage: string): ClaimStatus {
  const { allocatedResourceStatuses: _state, conditions = [], ...rest } = status;
  const kept = conditions.filter((condition) => !RESIZE_CONDITIONS.has(condition.type));
  return { ...rest, capacity: { ...rest.capacity, storage }, ...(kept.length > 0 ? { conditions: kept } : {}) };
}

/** @modelled ref 7.6 */
function failedStatus(status: ClaimStatus, error: string, now: string): ClaimStatus {
  const condition: Condition = { type: 'NodeResizeError', status: 'True', lastTransitionTime: now, message: `failed to expand pvc with ${error}` };
  const conditions = [...(status.conditions ?? []).filter((c) => c.type !== condition.type), condition];
  const storage = INFEASIBLE.test(error) ? 'NodeResizeInfeasible' : 'NodeResizeInProgress';
  return { ...status, allocatedResourceStatuses: { storage }, conditions };
}
