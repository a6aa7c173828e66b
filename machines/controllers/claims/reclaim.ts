/** What the PV controller does with a released volume (ref 2.6; reclaimVolume, deleteVolumeOperation). */
import { ApiError } from '../../kernel/api-error.ts';
import { timings } from '../../kernel/timings.ts';
import type { PersistentVolume } from '../../model/objects.ts';
import { annotation, PROVISIONED_BY } from './annotations.ts';
import { setVolumePhase, type Binder, type Step } from './binder.ts';

/** Retain: nothing. Delete: the controller's own plugin, or the external provisioner. @recorded #retain-released, #claim-recreate */
export function* reclaim(binder: Binder, volume: PersistentVolume): Step<void> {
  switch (volume.spec.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return;
    case 'Delete':
      yield* deleteByPlugin(binder, volume);
      return;
    case 'Recycle':
      yield* recycle(binder, volume);
      return;
    default:
      yield* fail(binder, volume, 'VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
}

/** Only hostPath has a recycler left; its recycler pod is not modelled, so such a volume stays Released. @modelled ref 2.6 */
function* recycle(binder: Binder, volume: PersistentVolume): Step<void> {
  if (!volume.spec.hostPath) yield* fail(binder, volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
}

/** Deletes what the controller manager's own plugins can delete; a failure is the volume's phase Failed. @modelled ref 2.6 */
function* deleteByPlugin(binder: Binder, volume: PersistentVolume): Step<void> {
  if (isExternallyDeleted(volume)) return;
  const fault = faultOfDeleter(volume);
  if (fault !== undefined) {
    yield* fail(binder, volume, 'VolumeFailedDelete', fault);
    return;
  }
  yield timings.request;
  try {
    binder.world.api.delete('PersistentVolume', undefined, volume.metadata.name, { uid: volume.metadata.uid });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** CSI volumes, and volumes that an external provisioner made, are the provisioner's to delete (findDeletablePlugin). @recorded #claim-recreate, #default-class-local-path */
function isExternallyDeleted(volume: PersistentVolume): boolean {
  const provisioner = annotation(volume, PROVISIONED_BY) ?? '';
  return volume.spec.csi !== undefined || (provisioner !== '' && !provisioner.startsWith('kubernetes.io/'));
}

/** Why no in-tree plugin can delete the volume; undefined when one can. Only hostPath under /tmp can be deleted. @modelled ref 2.6 */
function faultOfDeleter(volume: PersistentVolume): string | undefined {
  const path = volume.spec.hostPath?.path;
  if (path === undefined) return `error getting deleter volume plugin for volume "${volume.metadata.name}": no deletable volume plugin matched`;
  return /^\/tmp\/.+/.test(path) ? undefined : `host_path deleter only supports /tmp/.+ but received provided ${path}`;
}

/** Phase Failed with the message, and the event with the change of phase only (updateVolumePhaseWithEvent). @modelled ref 2.6 */
function* fail(binder: Binder, volume: PersistentVolume, reason: string, message: string): Step<void> {
  if (volume.status.phase === 'Failed') return;
  const failed = yield* setVolumePhase(binder, volume, 'Failed', message);
  if (failed) binder.recorder.event(failed, 'Warning', reason, message);
}
