/** How objects are called in captions: `PVC disk`, `PV pvc-1031057d…`, `VolumeAttachment csi-416f…`. */
import type { AnyObject } from '../../machines/model/objects.ts';

const SHORT: Readonly<Record<string, string>> = { PersistentVolumeClaim: 'PVC', PersistentVolume: 'PV' };

/** Generated names are cut after what tells them apart. */
export function shortName(name: string): string {
  return name
    .replace(/^(csi-[0-9a-f]{4})[0-9a-f]{60}$/, '$1…')
    .replace(/^(pvc-[0-9a-f]{8})-[0-9a-f-]{27}$/, '$1…')
    .replace(/^(.+\.[0-9a-f]{8})[0-9a-f]{6,}$/, '$1…');
}

export function kindName(kind: string): string {
  return SHORT[kind] ?? kind;
}

export function titleOf(object: AnyObject): string {
  return `${kindName(object.kind)} ${shortName(object.metadata.name)}`;
}
