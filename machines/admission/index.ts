/** Admission: what the API server adds to a new object, and what it refuses (ref 1; refinements 1). */
import { ApiError } from '../kernel/api-error.ts';
import { withFinalizer, withMeta } from '../kernel/api-server.ts';
import type { World } from '../kernel/world.ts';
import { completePod } from './pod-defaults.ts';
import { completeSecret, updatedSecret } from './secrets.ts';
import { completeDeployment, completeReplicaSet, completeStatefulSet, deploymentSpecDefaults, statefulSetSpecDefaults } from './workload-defaults.ts';
import { deepEqual } from '../model/values.ts';
import type { AnyObject, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../model/objects.ts';

export const DEFAULT_CLASS_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';

/** Installs the admission chain into the world's API server. */
export function installAdmission(world: World): void {
  world.api.setAdmission((object) => admitNew(world, object), (old, next) => admitUpdate(world, old, next));
}

function admitNew(world: World, object: AnyObject): AnyObject {
  switch (object.kind) {
    case 'PersistentVolumeClaim':
      return admitClaim(world, object);
    case 'PersistentVolume':
      return admitVolume(world, object);
    case 'StorageClass':
      return { ...object, reclaimPolicy: object.reclaimPolicy ?? 'Delete', volumeBindingMode: object.volumeBindingMode ?? 'Immediate' };
    case 'Pod':
      return completePod(world, object);
    case 'Secret':
      return completeSecret(object);
    case 'Deployment':
      return completeDeployment(object);
    case 'ReplicaSet':
      return completeReplicaSet(object);
    case 'StatefulSet':
      return completeStatefulSet(object);
    default:
      return object;
  }
}

function admitUpdate(world: World, old: AnyObject, next: AnyObject): AnyObject {
  if (old.kind === 'PersistentVolume' && next.kind === 'PersistentVolume') return stampPhase(world, old, next);
  if (old.kind === 'Secret' && next.kind === 'Secret') return updatedSecret(old, next);
  return withGeneration(old, next);
}

/**
 * A changed spec of a workload gets its defaults again and raises the generation.
 * @recorded #rolling-update
 */
function withGeneration(old: AnyObject, next: AnyObject): AnyObject {
  if (next.kind === 'Deployment' && old.kind === 'Deployment') return raised(old, next.spec === old.spec ? next : { ...next, spec: deploymentSpecDefaults(next.spec) });
  if (next.kind === 'StatefulSet' && old.kind === 'StatefulSet') return raised(old, next.spec === old.spec ? next : { ...next, spec: statefulSetSpecDefaults(next.spec) });
  return next.kind === 'ReplicaSet' && old.kind === 'ReplicaSet' ? raised(old, next) : next;
}

function raised<T extends AnyObject & { readonly spec: unknown }>(old: T, next: T): T {
  return next.spec === old.spec || deepEqual(old.spec, next.spec) ? next : withMeta(next, { generation: (old.metadata.generation ?? 1) + 1 });
}

/** PVC create: status Pending, protection finalizer, default class, volumeMode (ref 1). */
function admitClaim(world: World, claim: PersistentVolumeClaim): PersistentVolumeClaim {
  if (!claim.spec) throw new ApiError('Invalid', `PersistentVolumeClaim "${claim.metadata.name}" is invalid: spec: Required value`);
  const storageClassName = claim.spec.storageClassName ?? defaultClass(world);
  return withFinalizer(
    {
      ...claim,
      spec: { ...claim.spec, volumeMode: claim.spec.volumeMode ?? 'Filesystem', ...(storageClassName === undefined ? {} : { storageClassName }) },
      status: { phase: 'Pending' },
    },
    'kubernetes.io/pvc-protection',
  );
}

/** DefaultStorageClass admission: the newest class that is annotated as default (plugin/pkg/admission/storage/storageclass, v1.35). */
function defaultClass(world: World): string | undefined {
  const defaults = [...world.api.list('StorageClass')].filter((c) => c.metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true');
  return newestFirst(defaults)[0]?.metadata.name;
}

function newestFirst(classes: readonly StorageClass[]): StorageClass[] {
  return classes.toSorted((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp) || a.metadata.name.localeCompare(b.metadata.name));
}

/** PV create: phase Pending, pv-protection appended, defaults Retain and Filesystem (ref 1). */
function admitVolume(world: World, volume: PersistentVolume): PersistentVolume {
  return withFinalizer(
    {
      ...volume,
      spec: { ...volume.spec, persistentVolumeReclaimPolicy: volume.spec.persistentVolumeReclaimPolicy ?? 'Retain', volumeMode: volume.spec.volumeMode ?? 'Filesystem' },
      status: { phase: 'Pending', lastPhaseTransitionTime: world.api.timestamp() },
    },
    'kubernetes.io/pv-protection',
  );
}

/** The API server stamps every phase change of a volume (ref 1). */
function stampPhase(world: World, old: PersistentVolume, next: PersistentVolume): PersistentVolume {
  if (old.status.phase === next.status.phase) return next;
  return { ...withMeta(next, {}), status: { ...next.status, lastPhaseTransitionTime: world.api.timestamp() } };
}
