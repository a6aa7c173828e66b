/** One sync of a volume by the PV controller (ref 2.6; syncVolume). */
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { hasAnnotation, PROVISIONED_BY } from './annotations.ts';
import { setVolumePhase, type Binder, type Step } from './binder.ts';
import { unbindVolume } from './bind.ts';
import { claimKeyOf, volumeModesDiffer } from './matching.ts';
import { reclaim } from './reclaim.ts';

/** Where the volume stands with the claim that its claimRef names. @recorded #static-volume, #retain-released, #retain-reuse */
export function* syncVolume(binder: Binder, volume: PersistentVolume): Step<void> {
  const reference = volume.spec.claimRef;
  if (!reference || (reference.uid ?? '') === '') {
    yield* setVolumePhase(binder, volume, 'Available');
    return;
  }
  const claim = binder.world.api.byKey('PersistentVolumeClaim', claimKeyOf(reference));
  if (!claim || claim.metadata.uid !== reference.uid) yield* release(binder, volume);
  else if ((claim.spec.volumeName ?? '') === '') nudgeClaim(binder, volume, claim);
  else if (claim.spec.volumeName === volume.metadata.name) yield* setVolumePhase(binder, volume, 'Bound');
  else yield* leaveClaim(binder, volume);
}

/** The claim is gone, or another one bears its name: Released, then the reclaim policy. A Failed volume stays Failed. @recorded #retain-released, #claim-recreate */
function* release(binder: Binder, volume: PersistentVolume): Step<void> {
  const settled = volume.status.phase === 'Released' || volume.status.phase === 'Failed';
  const released = settled ? volume : yield* setVolumePhase(binder, volume, 'Released');
  if (released) yield* reclaim(binder, released);
}

/** The claim does not know its volume yet: have it synced, unless the two can never bind. @recorded #immediate-happy */
function nudgeClaim(binder: Binder, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
  if (!volumeModesDiffer(volume, claim)) {
    binder.enqueueClaim(claimKeyOf(claim.metadata));
    return;
  }
  binder.recorder.event(volume, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" due to incompatible volumeMode.`);
  binder.recorder.event(claim, 'Warning', 'VolumeMismatch', `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim due to incompatible volumeMode.`);
}

/** The claim is bound to another volume: a volume made for it is deleted, any other is free again. @modelled ref 2.6 */
function* leaveClaim(binder: Binder, volume: PersistentVolume): Step<void> {
  const madeForIt = hasAnnotation(volume, PROVISIONED_BY) && volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  if (madeForIt) yield* release(binder, volume);
  else yield* unbindVolume(binder, volume);
}
