/** One sync of a volume by the PV controller (ref 2.6; syncVolume). */
import type { Rest } from '../../kernel/work-queue.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { hasAnnotation, PROVISIONED_BY } from './annotations.ts';
import { setVolumePhase, type Binder, type Step } from './binder.ts';
import { unbindVolume } from './bind.ts';
import { claimKeyOf, volumeModesDiffer } from './matching.ts';
import { reclaim } from './reclaim.ts';

/** Where the volume stands with the claim that its claimRef names. @recorded #static-volume, #retain-released, #retain-reuse */
export function syncVolume(binder: Binder, volume: PersistentVolume): Rest {
  const reference = volume.spec.claimRef;
  if (!reference || (reference.uid ?? '') === '') return enterPhase(binder, volume, 'Available');
  const key = claimKeyOf(reference);
  const claim = binder.world.api.byKey('PersistentVolumeClaim', key);
  if (!claim || claim.metadata.uid !== reference.uid) return release(binder, volume);
  if (claim.spec.volumeName === volume.metadata.name) return enterPhase(binder, volume, 'Bound');
  if ((claim.spec.volumeName ?? '') !== '') return leaveClaim(binder, volume);
  nudgeClaim(binder, volume, claim, key);
  return undefined;
}

function enterPhase(binder: Binder, volume: PersistentVolume, phase: 'Available' | 'Bound'): Rest {
  return volume.status.phase === phase ? undefined : setVolumePhase(binder, volume, phase);
}

/** The claim is gone, or another one bears its name: Released, then the reclaim policy. A Failed volume stays Failed. @recorded #retain-released, #claim-recreate */
function* release(binder: Binder, volume: PersistentVolume): Step<void> {
  const settled = volume.status.phase === 'Released' || volume.status.phase === 'Failed';
  const released = settled ? volume : yield* setVolumePhase(binder, volume, 'Released');
  if (released) yield* reclaim(binder, released);
}

/** The claim does not know its volume yet: have it synced, unless the two can never bind. @recorded #immediate-happy */
function nudgeClaim(binder: Binder, volume: PersistentVolume, claim: PersistentVolumeClaim, key: string): void {
  if (!volumeModesDiffer(volume, claim)) {
    binder.enqueueClaim(key);
    return;
  }
  binder.recorder.event(volume, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" due to incompatible volumeMode.`);
  binder.recorder.event(claim, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim due to incompatible volumeMode.`);
}

/** The claim is bound to another volume: a volume made for it is deleted, any other is free again. @modelled ref 2.6 */
function leaveClaim(binder: Binder, volume: PersistentVolume): Rest {
  const madeForIt = hasAnnotation(volume, PROVISIONED_BY) && volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  return madeForIt ? release(binder, volume) : unbindVolume(binder, volume);
}
