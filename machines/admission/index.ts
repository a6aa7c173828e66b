/**
 * What the API server does to an object before it stores it: it completes a new one, checks it, and refuses what is not
 * allowed (ref 1; refinements 1).
 */
import { BETA_CLASS, hasAnnotation } from '../controllers/claims/annotations.ts';
import { defaultClassName } from '../controllers/claims/classes.ts';
import { withFinalizer, withMeta } from '../kernel/api-server.ts';
import type { World } from '../kernel/world.ts';
import { deepEqual } from '../model/values.ts';
import type { AnyObject, CSIDriver, Json, PersistentVolume, PersistentVolumeClaim } from '../model/objects.ts';
import { completePod } from './pod-defaults.ts';
import { completeSecret, updatedSecret, validateConfigMapUpdate } from './secrets.ts';
import { completeBudget, updatedBudget } from './budgets.ts';
import { validateAttachment, validateAttachmentUpdate } from './validate-attachment.ts';
import { validateClaim, validateClaimUpdate } from './validate-claim.ts';
import { validateClass, validateClassUpdate } from './validate-class.ts';
import { validatePod, validatePodUpdate } from './validate-pod.ts';
import { validateVolume, validateVolumeUpdate } from './validate-volume.ts';
import { validateDeployment, validateReplicaSet, validateStatefulSet, validateStatefulSetUpdate, validateWorkloadUpdate } from './validate-workload.ts';
import { completeDeployment, completeReplicaSet, completeStatefulSet, deploymentSpecDefaults, statefulSetSpecDefaults } from './workload-defaults.ts';

/** Installs the admission chain into the world's API server. */
export function installAdmission(world: World): void {
  world.api.setAdmission((object) => admitNew(world, object), (old, next) => admitUpdate(world, old, next));
}

function admitNew(world: World, object: AnyObject): AnyObject {
  switch (object.kind) {
    case 'PersistentVolumeClaim':
      return checked(completeClaim(world, object), validateClaim);
    case 'PersistentVolume':
      return checked(completeVolume(world, object), validateVolume);
    case 'VolumeAttachment':
      return checked({ ...object, status: { attached: false } }, validateAttachment);
    case 'StorageClass':
      return checked({ ...object, reclaimPolicy: object.reclaimPolicy ?? 'Delete', volumeBindingMode: object.volumeBindingMode ?? 'Immediate' }, validateClass);
    case 'CSIDriver':
      return completeDriver(object);
    case 'Pod':
      return checked(completePod(world, object), validatePod);
    case 'Secret':
      return completeSecret(object);
    case 'Deployment':
      return checked(completeDeployment(object), validateDeployment);
    case 'ReplicaSet':
      return checked(completeReplicaSet(object), validateReplicaSet);
    case 'StatefulSet':
      return checked(completeStatefulSet(object), validateStatefulSet);
    case 'PodDisruptionBudget':
      return completeBudget(object);
    default:
      return object;
  }
}

function admitUpdate(world: World, old: AnyObject, next: AnyObject): AnyObject {
  if (old.kind === 'VolumeAttachment' && next.kind === 'VolumeAttachment') validateAttachmentUpdate(old, next);
  if (old.kind === 'PersistentVolumeClaim' && next.kind === 'PersistentVolumeClaim') validateClaimUpdate(world, old, next);
  if (old.kind === 'Pod' && next.kind === 'Pod') validatePodUpdate(old, next);
  if (old.kind === 'StorageClass' && next.kind === 'StorageClass') validateClassUpdate(old, next);
  if (old.kind === 'ConfigMap' && next.kind === 'ConfigMap') validateConfigMapUpdate(old, next);
  if (old.kind === 'Secret' && next.kind === 'Secret') return updatedSecret(old, next);
  if (old.kind === 'PodDisruptionBudget' && next.kind === 'PodDisruptionBudget') return updatedBudget(old, next);
  if (old.kind !== 'PersistentVolume' || next.kind !== 'PersistentVolume') return withGeneration(old, next);
  validateVolumeUpdate(old, next);
  return stampPhase(world, old, next);
}

function checked<T extends AnyObject>(object: T, check: (object: T) => void): T {
  check(object);
  return object;
}

/**
 * A changed spec of a workload gets its defaults again and raises the generation.
 * @recorded #rolling-update
 */
function withGeneration(old: AnyObject, next: AnyObject): AnyObject {
  if (next.kind === 'Deployment' && old.kind === 'Deployment') return raised(old, next.spec === old.spec ? next : { ...next, spec: deploymentSpecDefaults(next.spec) }, (changed) => validateWorkloadUpdate(old, changed));
  if (next.kind === 'StatefulSet' && old.kind === 'StatefulSet') return raised(old, next.spec === old.spec ? next : { ...next, spec: statefulSetSpecDefaults(next.spec) }, (changed) => validateStatefulSetUpdate(old, changed));
  return next.kind === 'ReplicaSet' && old.kind === 'ReplicaSet' ? raised(old, next, (changed) => validateWorkloadUpdate(old, changed)) : next;
}

function raised<T extends AnyObject & { readonly spec: unknown }>(old: T, next: T, check: (next: T) => void): T {
  if (next.spec === old.spec || deepEqual(old.spec, next.spec)) return next;
  check(next);
  return withMeta(next, { generation: (old.metadata.generation ?? 1) + 1 });
}

/** PVC create: status Pending, protection finalizer, default class, volumeMode (ref 1). @recorded #default-class-local-path, #static-no-match */
function completeClaim(world: World, claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const storageClassName = claim.spec.storageClassName ?? (hasAnnotation(claim, BETA_CLASS) ? undefined : defaultClassName(world.api));
  return withFinalizer(
    {
      ...claim,
      spec: { ...withDataSources(claim.spec), volumeMode: claim.spec.volumeMode ?? 'Filesystem', ...(storageClassName === undefined ? {} : { storageClassName }) },
      status: { phase: 'Pending' },
    },
    'kubernetes.io/pvc-protection',
  );
}

/**
 * Both fields for a data source say the same: the one that is given fills the other. `dataSource` alone may name claims and
 * snapshots only; anything else in it is dropped (EnforceDataSourceBackwardsCompatibility, NormalizeDataSources).
 * @modelled pkg/api/persistentvolumeclaim/util.go, v1.35
 */
function withDataSources(spec: PersistentVolumeClaim['spec']): PersistentVolumeClaim['spec'] {
  const { dataSource: given, dataSourceRef: reference, ...rest } = spec;
  if (reference !== undefined) return { ...rest, dataSource: given ?? reference, dataSourceRef: reference };
  return given !== undefined && isClaimOrSnapshot(given) ? { ...rest, dataSource: given, dataSourceRef: given } : rest;
}

function isClaimOrSnapshot(source: Json): boolean {
  const { kind, apiGroup } = source as { readonly kind?: Json; readonly apiGroup?: Json };
  return (kind === 'PersistentVolumeClaim' && (apiGroup ?? '') === '') || (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io');
}

/** PV create: phase Pending, pv-protection appended, defaults Retain, Filesystem, and a hostPath of no type (ref 1). @recorded #static-volume */
function completeVolume(world: World, volume: PersistentVolume): PersistentVolume {
  return withFinalizer(
    {
      ...volume,
      spec: { ...volume.spec, ...(volume.spec.hostPath ? { hostPath: { type: '', ...volume.spec.hostPath } } : {}), persistentVolumeReclaimPolicy: volume.spec.persistentVolumeReclaimPolicy ?? 'Retain', volumeMode: volume.spec.volumeMode ?? 'Filesystem' },
      status: { phase: 'Pending', lastPhaseTransitionTime: world.api.timestamp() },
    },
    'kubernetes.io/pv-protection',
  );
}

/** Every setting of a driver that is not given (SetDefaults_CSIDriver). @modelled pkg/apis/storage/v1/defaults.go, v1.35 */
function completeDriver(driver: CSIDriver): CSIDriver {
  const defaults = { attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: false, requiresRepublish: false, seLinuxMount: false, storageCapacity: false, volumeLifecycleModes: ['Persistent'] } as const;
  return { ...driver, spec: { ...defaults, ...driver.spec } };
}

/** The API server stamps every phase change of a volume (ref 1). @recorded #retain-released */
function stampPhase(world: World, old: PersistentVolume, next: PersistentVolume): PersistentVolume {
  if (old.status.phase === next.status.phase) return next;
  return { ...withMeta(next, {}), status: { ...next.status, lastPhaseTransitionTime: world.api.timestamp() } };
}
