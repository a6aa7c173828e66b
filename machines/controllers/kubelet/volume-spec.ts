/** A pod's volume as the volume manager handles it: which plugin, under which name, for all pods of the node or for one. */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume, VolumeMode } from '../../model/objects.ts';
import { needsAttach, uniqueCsiName } from '../../model/volume-identity.ts';

/** What the plugins need to know of a volume's source. */
export type VolumeSource =
  | { readonly kind: 'csi'; readonly volume: PersistentVolume; readonly claim: string; readonly readOnly: boolean }
  | { readonly kind: 'csiEphemeral'; readonly driver: string; readonly readOnly: boolean; readonly attributes: Readonly<Record<string, string>> }
  | { readonly kind: 'hostPath'; readonly path: string; readonly type: string; readonly volume?: PersistentVolume | undefined }
  | { readonly kind: 'local'; readonly path: string; readonly volume: PersistentVolume }
  | OwnSource;
/** A volume whose files the kubelet makes itself, as the pod's spec says. */
interface OwnSource {
  readonly kind: 'secret' | 'configMap' | 'projected' | 'downwardAPI' | 'emptyDir';
}

export interface PodVolume {
  /** The name in pod.spec.volumes. */
  readonly name: string;
  /** The name in event texts: the PersistentVolume's, or `name` for a volume of the pod itself (ref 7.2). */
  readonly specName: string;
  /** Key of a volume that the pods of the node share; undefined for what is one pod's own. */
  readonly uniqueName: string | undefined;
  readonly source: VolumeSource;
  /** The attach-detach controller must attach it first. */
  readonly attachable: boolean;
  /** Has a step for the whole node (stage) before the step for the pod (publish). */
  readonly deviceMountable: boolean;
  /** Its content is set up again at every pod sync, so that updates reach the pod. */
  readonly refreshed: boolean;
  readonly block: boolean;
  /** What it was made from, in pod.spec.volumes. */
  readonly entry: Volume;
}

/** Why a volume cannot enter the desired state, in the kubelet's words (desired_state_of_world_populator.go, v1.35; ref 7.1). */
export class VolumeSpecError extends Error {}

const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';

/** How the pod's containers use one of its volumes. */
export interface VolumeUse {
  readonly name: string;
  /** `namespace/name` of its claim, if it has one. */
  readonly claim: string | undefined;
  readonly mounted: boolean;
  readonly asDevice: boolean;
}

/** The volumes that some container mounts or has as a device, by name; the kubelet does not look at others (ref 7.1). @modelled ref 7.1 */
export function volumeUses(pod: Pod): readonly VolumeUse[] {
  const uses: Draft[] = [];
  const useOf = (name: string): Draft => {
    let use = uses.find((known) => known.name === name);
    if (!use) uses.push((use = { name, claim: claimOf(pod, name), mounted: false, asDevice: false }));
    return use;
  };
  for (const containers of [pod.spec.containers, pod.spec.initContainers ?? []]) {
    for (const { volumeMounts = [], volumeDevices = [] } of containers) {
      for (const { name } of volumeMounts) useOf(name).mounted = true;
      for (const { name } of volumeDevices) useOf(name).asDevice = true;
    }
  }
  return uses.sort((a, b) => (a.name < b.name ? -1 : 1));
}
type Draft = { -readonly [K in keyof VolumeUse]: VolumeUse[K] };

function claimOf(pod: Pod, name: string): string | undefined {
  const entry = pod.spec.volumes?.find((candidate) => candidate.name === name);
  const claim = entry?.ephemeral ? `${pod.metadata.name}-${entry.name}` : entry?.persistentVolumeClaim?.claimName;
  return claim === undefined ? undefined : `${pod.metadata.namespace ?? 'default'}/${claim}`;
}

/**
 * The volume of a pod, resolved through its claim. `before` is what it was at the last look; where nothing changed it is
 * that again. Throws VolumeSpecError.
 * @recorded #block-as-filesystem
 */
export function podVolume(api: ApiServer, pod: Pod, entry: Volume, use: VolumeUse, before: PodVolume | undefined): PodVolume {
  const known = before?.entry === entry ? before : undefined;
  if (use.claim === undefined) return known ?? inlineVolume(entry);
  const volume = volumeOfClaim(api, pod, use.claim, entry.ephemeral !== undefined);
  const made = known && isStill(api, known, volume) ? known : persistentVolume(api, entry, volume, use.claim);
  checkMode(use, volume.spec.volumeMode ?? 'Filesystem');
  return made;
}

function isStill(api: ApiServer, { source, attachable }: PodVolume, volume: PersistentVolume): boolean {
  if (!('volume' in source) || source.volume !== volume) return false;
  return source.kind !== 'csi' || attachable === needsAttach(api.get('CSIDriver', undefined, volume.spec.csi?.driver ?? ''));
}

/** @recorded #block-as-filesystem */
function checkMode({ name, mounted, asDevice }: VolumeUse, mode: VolumeMode): void {
  if (mounted && mode !== 'Filesystem') throw new VolumeSpecError(`volume ${name} has volumeMode ${mode}, but is specified in volumeMounts`);
  if (asDevice && mode !== 'Block') throw new VolumeSpecError(`volume ${name} has volumeMode ${mode}, but is specified in volumeDevices`);
}

/** The claim must be bound, the volume must be bound to it (getPVCExtractPV, getPVSpec). @modelled ref 7.1 */
function volumeOfClaim(api: ApiServer, pod: Pod, key: string, ephemeral: boolean): PersistentVolume {
  const claim = api.byKey('PersistentVolumeClaim', key);
  if (!claim) throw problem(key, `failed to fetch PVC from API server: persistentvolumeclaims "${key.slice(key.indexOf('/') + 1)}" not found`);
  const name = boundName(claim, pod, key, ephemeral);
  const volume = api.get('PersistentVolume', undefined, name);
  if (!volume) throw problem(key, `failed to fetch PV ${name} from API server: persistentvolumes "${name}" not found`);
  const uid = volume.spec.claimRef?.uid;
  if (!volume.spec.claimRef) throw problem(key, `found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  if (uid !== claim.metadata.uid) throw problem(key, `found PV object ${name} but its pv.Spec.ClaimRef.UID ${uid ?? ''} does not point to claim.UID ${claim.metadata.uid}`);
  return volume;
}

function problem(claim: string, text: string): VolumeSpecError {
  return new VolumeSpecError(`error processing PVC ${claim}: ${text}`);
}

function boundName(claim: PersistentVolumeClaim, pod: Pod, key: string, ephemeral: boolean): string {
  const { uid, deletionTimestamp, finalizers, ownerReferences } = claim.metadata;
  if (ephemeral && !ownerReferences?.some((owner) => owner.uid === pod.metadata.uid && owner.controller === true)) {
    throw problem(key, `PVC ${key} was not created for pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name} (pod is not owner)`);
  }
  if (deletionTimestamp !== undefined && !finalizers?.includes(CLAIM_PROTECTION)) throw problem(key, 'PVC is being deleted');
  if (claim.status.phase !== 'Bound') throw problem(key, 'PVC is not bound');
  if (claim.spec.volumeName === undefined || uid === '') throw problem(key, 'PVC has empty pvc.Spec.VolumeName');
  return claim.spec.volumeName;
}

function persistentVolume(api: ApiServer, entry: Volume, volume: PersistentVolume, claim: string): PodVolume {
  const { csi, hostPath, local } = volume.spec;
  const made = (source: VolumeSource, uniqueName: string | undefined, attachable: boolean): PodVolume => ({
    name: entry.name,
    specName: volume.metadata.name,
    uniqueName,
    source,
    attachable,
    deviceMountable: uniqueName !== undefined,
    refreshed: false,
    block: volume.spec.volumeMode === 'Block',
    entry,
  });
  if (csi) {
    const readOnly = (entry.persistentVolumeClaim?.readOnly ?? false) || (csi.readOnly ?? false);
    return made({ kind: 'csi', volume, claim, readOnly }, uniqueCsiName(csi.driver, csi.volumeHandle), needsAttach(api.get('CSIDriver', undefined, csi.driver)));
  }
  if (local) return made({ kind: 'local', path: local.path, volume }, `kubernetes.io/local-volume/${volume.metadata.name}`, false);
  if (hostPath) return made({ kind: 'hostPath', path: hostPath.path, type: hostPath.type ?? '', volume }, undefined, false);
  throw new VolumeSpecError(`no volume plugin matched name: ${volume.metadata.name}`);
}

/** Plugins that ask for a remount at every sync (RequiresRemount). @recorded #secret-removed */
const REFRESHED: ReadonlySet<string> = new Set(['secret', 'configMap', 'projected', 'downwardAPI']);
const EMPTY_DIR: OwnSource = { kind: 'emptyDir' };
const OWN_SOURCES: readonly OwnSource[] = [{ kind: 'secret' }, { kind: 'configMap' }, { kind: 'projected' }, { kind: 'downwardAPI' }, EMPTY_DIR];

function inlineVolume(entry: Volume): PodVolume {
  const source = inlineSource(entry);
  return { name: entry.name, specName: entry.name, uniqueName: undefined, source, attachable: false, deviceMountable: false, refreshed: REFRESHED.has(source.kind), block: false, entry };
}

function inlineSource(entry: Volume): VolumeSource {
  if (entry.hostPath) return { kind: 'hostPath', path: entry.hostPath.path, type: entry.hostPath.type ?? '' };
  if (entry.csi) {
    const { driver, readOnly = false, volumeAttributes: attributes = {} } = entry.csi;
    return { kind: 'csiEphemeral', driver, readOnly, attributes };
  }
  // A volume without a source is an emptyDir (core/v1 defaults).
  return OWN_SOURCES.find(({ kind }) => entry[kind] !== undefined) ?? EMPTY_DIR;
}
