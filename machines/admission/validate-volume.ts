/** What is refused of a persistent volume (ValidatePersistentVolume and …Update, pkg/apis/core/validation/validation.go, v1.35; ref 1). */
import type { PersistentVolume } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { checkAccessModes, checkVolumeMode } from './access-modes.ts';
import { FieldErrors } from './field-errors.ts';
import { goDiff } from './go-diff.ts';
import { checkMeta, checkSubdomain } from './names.ts';
import { checkPositive } from './quantities.ts';
import { checkNodeSelectorTerm } from './selectors.ts';

/** Volume sources in the order of Go's core.PersistentVolumeSource, with their Go names. */
const SOURCES = [
  ['gcePersistentDisk', 'GCEPersistentDisk'],
  ['awsElasticBlockStore', 'AWSElasticBlockStore'],
  ['hostPath', 'HostPath'],
  ['glusterfs', 'Glusterfs'],
  ['nfs', 'NFS'],
  ['rbd', 'RBD'],
  ['quobyte', 'Quobyte'],
  ['iscsi', 'ISCSI'],
  ['flexVolume', 'FlexVolume'],
  ['cinder', 'Cinder'],
  ['cephfs', 'CephFS'],
  ['fc', 'FC'],
  ['flocker', 'Flocker'],
  ['azureFile', 'AzureFile'],
  ['vsphereVolume', 'VsphereVolume'],
  ['azureDisk', 'AzureDisk'],
  ['photonPersistentDisk', 'PhotonPersistentDisk'],
  ['portworxVolume', 'PortworxVolume'],
  ['scaleIO', 'ScaleIO'],
  ['local', 'Local'],
  ['storageos', 'StorageOS'],
  ['csi', 'CSI'],
] as const;
const HOST_PATH_TYPES = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
/** Fields that must not be empty in each source that the simulated cluster can use. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = { hostPath: ['path'], local: ['path'], nfs: ['server', 'path'], csi: ['driver', 'volumeHandle'] };
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

type Fields = Readonly<Record<string, unknown>>;

/** Throws ApiError for a new volume that is not valid. @modelled ref 1 */
export function validateVolume(volume: PersistentVolume): void {
  const errors = new FieldErrors();
  checkMeta(errors, volume);
  checkVolumeSpec(errors, volume);
  errors.throwFor(volume);
}

function checkVolumeSpec(errors: FieldErrors, volume: PersistentVolume): void {
  const { spec } = volume;
  if ((spec.accessModes ?? []).length === 0) errors.required('spec.accessModes');
  checkAccessModes(errors, 'spec.accessModes', spec.accessModes ?? []);
  if (spec.capacity?.storage === undefined) errors.required('spec.capacity');
  else checkPositive(errors, 'spec.capacity[storage]', spec.capacity.storage);
  if (spec.persistentVolumeReclaimPolicy !== undefined && !RECLAIM_POLICIES.includes(spec.persistentVolumeReclaimPolicy)) errors.notSupported('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, RECLAIM_POLICIES);
  checkNodeAffinity(errors, volume);
  checkSource(errors, volume);
  if (spec.storageClassName !== undefined && spec.storageClassName !== '') checkSubdomain(errors, 'spec.storageClassName', spec.storageClassName);
  checkVolumeMode(errors, 'spec.volumeMode', spec.volumeMode);
}

function checkNodeAffinity(errors: FieldErrors, { spec }: PersistentVolume): void {
  if (!spec.nodeAffinity) return;
  if (!spec.nodeAffinity.required) errors.required('spec.nodeAffinity.required', 'must specify required node constraints');
  else if ((spec.nodeAffinity.required.nodeSelectorTerms ?? []).length === 0) errors.required('spec.nodeAffinity.required.nodeSelectorTerms', 'must have at least one node selector term');
  for (const [i, term] of (spec.nodeAffinity.required?.nodeSelectorTerms ?? []).entries()) checkNodeSelectorTerm(errors, `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`, term);
}

function sourcesOf(volume: PersistentVolume): string[] {
  return SOURCES.map(([name]) => name).filter((name) => (volume.spec as unknown as Fields)[name] !== undefined);
}

function checkSource(errors: FieldErrors, volume: PersistentVolume): void {
  const [first, ...more] = sourcesOf(volume);
  if (first === undefined) {
    errors.required('spec', 'must specify a volume type');
    return;
  }
  for (const name of more) errors.forbidden(`spec.${name}`, 'may not specify more than 1 volume type');
  const source = (volume.spec as unknown as Readonly<Record<string, Fields>>)[first] ?? {};
  for (const field of REQUIRED[first] ?? []) if ((source[field] ?? '') === '') errors.required(`spec.${first}.${field}`);
  const path = source['path'];
  if (first === 'hostPath') checkHostPathType(errors, 'spec.hostPath.type', source['type']);
  if (typeof path === 'string' && path.split('/').includes('..')) errors.invalid(`spec.${first}.path`, path, "must not contain '..'");
  if (first === 'local' && !volume.spec.nodeAffinity) errors.required('spec.nodeAffinity', 'Local volume requires node affinity');
  if (first === 'hostPath' && path === '/' && volume.spec.persistentVolumeReclaimPolicy === 'Recycle') errors.forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'");
}

/** @modelled pkg/apis/core/validation/validation.go validateHostPathType, v1.35 */
export function checkHostPathType(errors: FieldErrors, at: string, type: unknown): void {
  if (type !== undefined && type !== null && !HOST_PATH_TYPES.includes(String(type))) errors.notSupported(at, type, HOST_PATH_TYPES);
}

/**
 * Source, volume mode and a node affinity once set stay as they are; reclaim policy, capacity, class and access modes may change.
 * @modelled ref 1
 */
export function validateVolumeUpdate(old: PersistentVolume, next: PersistentVolume): void {
  if (old.spec === next.spec) return;
  const errors = new FieldErrors();
  checkVolumeSpec(errors, next);
  errors.throwFor(next);
  const sources = (volume: PersistentVolume): Fields => Object.fromEntries(SOURCES.map(([name]) => [name, (volume.spec as unknown as Fields)[name]]));
  if (!deepEqual(sources(old), sources(next))) {
    errors.forbidden('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${goDiff(goSource(old), goSource(next))}`);
  }
  errors.immutable('volumeMode', old.spec.volumeMode, next.spec.volumeMode);
  if (old.spec.nodeAffinity && !deepEqual(old.spec.nodeAffinity, next.spec.nodeAffinity)) errors.invalid('nodeAffinity', next.spec.nodeAffinity ?? null, 'field is immutable');
  errors.throwFor(next);
}

/** The source as Go prints it: every possible source, one of them set. */
function goSource(volume: PersistentVolume): Fields {
  const spec = volume.spec as unknown as Readonly<Record<string, Fields | undefined>>;
  return Object.fromEntries(SOURCES.map(([name, goName]) => [goName, spec[name] === undefined ? null : goFields(name, spec[name])]));
}

/** The Go fields of the sources that the simulated cluster can use; other sources as they stand. */
function goFields(name: string, source: Fields): Fields {
  switch (name) {
    case 'hostPath':
      return { Path: source['path'] ?? '', Type: source['type'] ?? null };
    case 'local':
      return { Path: source['path'] ?? '', FSType: source['fsType'] ?? null };
    case 'nfs':
      return { Server: source['server'] ?? '', Path: source['path'] ?? '', ReadOnly: source['readOnly'] ?? false };
    case 'csi':
      return {
        Driver: source['driver'] ?? '',
        VolumeHandle: source['volumeHandle'] ?? '',
        ReadOnly: source['readOnly'] ?? false,
        FSType: source['fsType'] ?? '',
        VolumeAttributes: source['volumeAttributes'] ?? null,
        ControllerPublishSecretRef: source['controllerPublishSecretRef'] ?? null,
        NodeStageSecretRef: source['nodeStageSecretRef'] ?? null,
        NodePublishSecretRef: source['nodePublishSecretRef'] ?? null,
        ControllerExpandSecretRef: source['controllerExpandSecretRef'] ?? null,
        NodeExpandSecretRef: source['nodeExpandSecretRef'] ?? null,
      };
    default:
      return source;
  }
}
