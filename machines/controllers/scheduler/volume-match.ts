/** Which existing volume a waiting claim would get on a node (component-helpers storage/volume/pv_helpers.go FindMatchingVolume, scheduler path, v1.35). */
import { matchesLabelSelector } from '../../model/label-selector.ts';
import { volumeReachable } from '../../model/node-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim, StringMap } from '../../model/objects.ts';
import { bytesOf } from '../../model/quantity.ts';
import { couldServe, isVolumeBoundToClaim, offersAccessModes } from '../claims/matching.ts';
import type { StorageView } from './cluster-view.ts';

/** The volumes that come into question for a waiting claim on any node: of its class, and free or written for a claim of its name. */
export function candidateVolumes(storage: StorageView, claim: PersistentVolumeClaim): PersistentVolume[] {
  const key = `${claim.metadata.namespace ?? ''}/${claim.metadata.name}`;
  const className = claim.spec.storageClassName ?? '';
  const named = storage.volumesNaming(key).filter((volume) => (volume.spec.storageClassName ?? '') === className && isVolumeBoundToClaim(volume, claim));
  return [...named, ...storage.freeVolumes(className)].filter((volume) => couldServe(volume, claim));
}

/**
 * A volume that someone pre-bound to the claim, else the smallest fitting Available one. Unlike the volume controller the
 * scheduler does not prefer few access modes. A pre-bound volume out of the node's reach means no volume at all.
 * @modelled ref 2.5
 */
export function findVolumeForNode(candidates: readonly PersistentVolume[], claim: PersistentVolumeClaim, labels: StringMap, taken: ReadonlySet<string>): PersistentVolume | undefined {
  let smallest: PersistentVolume | undefined;
  for (const volume of candidates) {
    if (taken.has(volume.metadata.name)) continue;
    if (volume.spec.claimRef) return volumeReachable(volume, labels) ? volume : undefined;
    if (!mayBeChosen(volume, claim) || !volumeReachable(volume, labels)) continue;
    if (!smallest || bytesOf(volume.spec.capacity.storage) < bytesOf(smallest.spec.capacity.storage)) smallest = volume;
  }
  return smallest;
}

function mayBeChosen(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.status.phase === 'Available' &&
    offersAccessModes(volume, claim) &&
    (!claim.spec.selector || matchesLabelSelector(claim.spec.selector, volume.metadata.labels))
  );
}
