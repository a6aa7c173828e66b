/**
 * The attach and the detach operation on one volume and node (operationexecutor GenerateAttachVolumeFunc and
 * GenerateDetachVolumeFunc, csi_attacher.go, v1.35; ref 5).
 */
import { ApiError } from '../../kernel/api-error.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { CSIVolumeSource, PersistentVolume } from '../../model/objects.ts';
import { attachmentName } from '../../model/volume-identity.ts';
import { attachVerdict, detachVerdict, waitForAttachment } from './attachment-watch.ts';

type Done = (error: string | undefined) => void;

function csiOf(volume: PersistentVolume): CSIVolumeSource {
  if (!volume.spec.csi) throw new Error(`volume ${volume.metadata.name} is no CSI volume; only those are attached`);
  return volume.spec.csi;
}

/** The VolumeAttachment of a volume on a node. */
export function attachmentOf(volume: PersistentVolume, node: string): string {
  const { driver, volumeHandle } = csiOf(volume);
  return attachmentName(volumeHandle, driver, node);
}

/**
 * Attach: creates the VolumeAttachment when there is none and waits for the external attacher.
 * @recorded #immediate-happy, #attach-fails
 */
export function attach(world: World, volume: PersistentVolume, node: string, done: Done): void {
  const { driver, volumeHandle } = csiOf(volume);
  const name = attachmentOf(volume, node);
  world.clock.after(timings.attachmentWrite, () => {
    if (!world.api.get('VolumeAttachment', undefined, name)) {
      world.api.create<'VolumeAttachment'>({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name },
        spec: { attacher: driver, nodeName: node, source: { persistentVolumeName: volume.metadata.name } },
        status: { attached: false },
      });
    }
    const timedOut = `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`;
    waitForAttachment(world, name, attachVerdict, timedOut, done);
  });
}

/** Detach: deletes the VolumeAttachment and waits until it is gone. One that is not there is detached. @recorded #node-move, #detach-fails */
export function detach(world: World, volume: PersistentVolume, node: string, done: Done): void {
  const { driver, volumeHandle } = csiOf(volume);
  const name = attachmentOf(volume, node);
  world.clock.after(timings.attachmentWrite, () => {
    if (!deleteAttachment(world, name)) {
      done(undefined);
      return;
    }
    const timedOut = `timed out waiting for external-attacher of ${driver} CSI driver to detach volume ${volumeHandle}`;
    waitForAttachment(world, name, detachVerdict, timedOut, done);
  });
}

function deleteAttachment(world: World, name: string): boolean {
  try {
    world.api.delete('VolumeAttachment', undefined, name);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return false;
    throw error;
  }
}
