/** Annotations and finalizers by which the claim and volume components talk to each other (ref 1, catalogue). */

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
export const DELETION_SECRET_NAME = 'volume.kubernetes.io/provisioner-deletion-secret-name';
export const DELETION_SECRET_NAMESPACE = 'volume.kubernetes.io/provisioner-deletion-secret-namespace';

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';
export const PROVISIONER_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';

/** The beta annotation for a class, still honoured before the field (component-helpers storage/volume, v1.35). */
export const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

interface Annotated {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | undefined };
}

/** The value of an annotation, or undefined. */
export function annotation(object: Annotated, key: string): string | undefined {
  return object.metadata.annotations?.[key];
}

/** True when the annotation is there, whatever its value. */
export function hasAnnotation(object: Annotated, key: string): boolean {
  return annotation(object, key) !== undefined;
}

/** The class that a claim or a volume names; `""` for none (GetPersistentVolumeClaimClass, GetPersistentVolumeClass). */
export function classNameOf(object: Annotated & { readonly spec: { readonly storageClassName?: string | undefined } }): string {
  return annotation(object, BETA_CLASS) ?? object.spec.storageClassName ?? '';
}
