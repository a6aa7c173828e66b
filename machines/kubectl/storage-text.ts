/** Small texts about claims and volumes that get and describe share. Source: k8s.io/kubectl/pkg/util/storage, v0.35. */
import type { AccessMode, PersistentVolume, PersistentVolumeClaim } from '../model/objects.ts';

const SHORT_MODES: readonly (readonly [AccessMode, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** `RWO,ROX`: always in this order, each once. */
export function accessModesText(modes: readonly AccessMode[] | undefined): string {
  return SHORT_MODES.filter(([mode]) => modes?.includes(mode) === true).map(([, short]) => short).join(',');
}

const BETA_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The class of a claim or a volume; the beta annotation counts first. */
export function storageClassOf(object: PersistentVolumeClaim | PersistentVolume): string {
  return object.metadata.annotations?.[BETA_CLASS_ANNOTATION] ?? object.spec.storageClassName ?? '';
}

/** A quantity as stored (the API server stores canonical text); a quantity that is not there prints as `0`. */
export function quantityText(quantity: string | undefined): string {
  return quantity ?? '0';
}
