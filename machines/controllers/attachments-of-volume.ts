/** Which VolumeAttachments name a volume. */
import type { ApiServer } from '../kernel/api-server.ts';
import type { VolumeAttachment } from '../model/objects.ts';

const ATTACHMENTS_OF_VOLUME = 'attachments-of-volume';

/** Declares the index that `attachmentsOf` reads. */
export function indexAttachments(api: ApiServer): void {
  api.index(ATTACHMENTS_OF_VOLUME, 'VolumeAttachment', (attachment) => [attachment.spec.source.persistentVolumeName]);
}

/** The attachments of the volume with this name, on whatever nodes. */
export function attachmentsOf(api: ApiServer, volume: string): VolumeAttachment[] {
  return api.byIndex<'VolumeAttachment'>(ATTACHMENTS_OF_VOLUME, volume);
}
