/**
 * The expand controller of the controller manager (ref 10; pkg/controller/volume/expand/expand_controller.go, v1.35). It
 * can grow nothing itself any more: it tells that an external resizer has to. It also follows the claim's resize states.
 */
import { objectKey } from '../../kernel/api-server.ts';
import { timings } from '../../kernel/timings.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolumeClaim } from '../../model/objects.ts';
import { bytesOf } from '../../model/quantity.ts';
import { requestedBytes } from './matching.ts';
import { resizeChart } from './resize-chart.ts';

/** Starts the controller. @recorded #expand-online */
export function startExpandController(world: World): void {
  const recorder = world.recorder('volume_expand');
  const lanes = world.lanes(resizeChart);
  const queue = new WorkQueue(world.clock, function* (key) {
    yield timings.request;
    const claim = world.api.byKey('PersistentVolumeClaim', key);
    const volume = claim && world.api.byKey('PersistentVolume', claim.spec.volumeName ?? '');
    if (!claim) return;
    if (!volume || volume.spec.claimRef?.uid !== claim.metadata.uid) {
      queue.addRateLimited(key);
      return;
    }
    queue.forget(key);
    if (requestedBytes(claim) <= capacityBytes(claim)) return;
    // Only CSI volumes can be left to somebody else without a warning (FindExpandablePluginBySpec).
    recorder.event(claim, volume.spec.csi ? 'Normal' : 'Warning', 'ExternalExpanding', 'waiting for an external controller to expand this PVC');
  });
  world.api.watch('PersistentVolumeClaim', ({ verb, object, old, key }) => {
    if (verb === 'DELETED') lanes.drop(key);
    if (verb !== 'MODIFIED' || !old) return;
    if (requestedBytes(object) > requestedBytes(old)) lanes.get(key).try('REQUEST');
    followStatus(lanes.get.bind(lanes), object, old);
    const grows = requestedBytes(object) > requestedBytes(old) || capacityBytes(object) > capacityBytes(old);
    if (grows && object.status.phase === 'Bound') queue.add(key);
  });
}

/** Bytes that the claim has; 0 before it is bound. */
export function capacityBytes(claim: PersistentVolumeClaim): number {
  return bytesOf(claim.status.capacity?.storage ?? '0');
}

const EVENT_OF_STATUS = {
  ControllerResizeInProgress: 'CONTROLLER_START',
  ControllerResizeInfeasible: 'CONTROLLER_REFUSE',
  NodeResizePending: 'NODE_PENDING',
  NodeResizeInProgress: 'NODE_START',
  NodeResizeInfeasible: 'NODE_REFUSE',
} as const;

/** The chart follows what resizer and kubelet write into the claim. @recorded #expand-online */
function followStatus(lane: (key: string) => { try(event: (typeof EVENT_OF_STATUS)[keyof typeof EVENT_OF_STATUS] | 'FINISH'): boolean }, claim: PersistentVolumeClaim, old: PersistentVolumeClaim): void {
  const before = old.status.allocatedResourceStatuses?.storage;
  const now = claim.status.allocatedResourceStatuses?.storage;
  if (now === before) return;
  if (now === undefined) lane(objectKey(claim)).try('FINISH');
  else if (now in EVENT_OF_STATUS) lane(objectKey(claim)).try(EVENT_OF_STATUS[now as keyof typeof EVENT_OF_STATUS]);
}
