/** Kinds that a person may make; the others are the cluster's own. */
import type { Kind } from '../model/objects.ts';

export const KINDS_BY_HAND = [
  'PersistentVolumeClaim', 'PersistentVolume', 'StorageClass', 'Pod', 'Secret',
  'ConfigMap', 'PriorityClass', 'Deployment', 'ReplicaSet', 'StatefulSet',
  'VolumeAttachment', 'CSIDriver', 'PodDisruptionBudget',
] as const satisfies readonly Kind[];

const BY_HAND: ReadonlySet<Kind> = new Set(KINDS_BY_HAND);

export function isMadeByHand(kind: Kind): boolean {
  return BY_HAND.has(kind);
}
