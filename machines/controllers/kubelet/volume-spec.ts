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
  | { readonly kind: 'secret' | 'configMap' | 'projected' | 'downwardAPI' | 'emptyDir'; readonly entry: Volume };

export interface PodVolume {
  /** The name in pod.spec.volumes. */
  readonly name: string;
  /** The name in event texts: the PersistentVolume's, or `name` for a volume of the pod itself (ref 7.2). */
  readonly specName: string;
  /** Key of the volume on the node. Pods share a device; everything else is one pod's own. */
  readonly uniqueName: string;
  readonly source: VolumeSource;
  /** The attach-detach controller must attach it first. */
  readonly attachable: boolean;
  /** Has a step for the whole node (stage) before the step for the pod (publish). */
  readonly deviceMountable: boolean;
  /** Its content is set up again at every pod sync, so that updates reach the pod. */
  readonly refreshed: boolean;
  readonly block: boolean;
}

/** Why a volume cannot enter the desired state, in the kubelet's words (desired_state_of_world_populator.go, v1.35; ref 7.1). */
export class VolumeSpecError extends Error {}

const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';

/** How the pod's containers use its volumes. */
export interface VolumeUse {
  readonly mounted: readonly string[];
  readonly asDevice: readonly string[];
  /** All of them, sorted, each once. */
  readonly names: readonly string[];
}

/** The volumes that some container mounts or has as a device; the kubelet does not look at others (ref 7.1). @modelled ref 7.1 */
export function volumeUse(pod: Pod): VolumeUse {
  const mounted: string[] = [];
  const asDevice: string[] = [];
  for (const containers of [pod.spec.containers, pod.spec.initContainers ?? []]) {
    for (const { volumeMounts = [], volumeDevices = [] } of containers) {
      for (const { name } of volumeMounts) mounted.push(name);
      for (const { name } of volumeDevices) asDevice.push(name);
    }
  }
  return { mounted, asDevice, names: [...new Set([...mounted, ...asDevice])].toSorted() };
}

/**
 * The volume of a pod, resolved through its claim. Throws VolumeSpecError.
 * @recorded #block-as-filesystem
 */
export function podVolume(api: ApiServer, pod: Pod, entry: Volume, use: VolumeUse): PodVolume {
  const claimName = entry.ephemeral ? `${pod.metadata.name}-${entry.name}` : entry.persistentVolumeClaim?.claimName;
  if (claimName === undefined) return inlineVolume(pod, entry);
  const namespace = pod.metadata.namespace ?? 'default';
  const volume = volumeOfClaim(api, pod, namespace, claimName, entry.ephemeral !== undefined);
  const made = persistentVolume(api, pod, entry, volume, `${namespace}/${claimName}`);
  checkMode(entry.name, volume.spec.volumeMode ?? 'Filesystem', use);
  return made;
}

/** @recorded #block-as-filesystem */
function checkMode(name: string, mode: VolumeMode, use: VolumeUse): void {
  if (use.mounted.includes(name) && mode !== 'Filesystem') throw new VolumeSpecError(`volume ${name} has volumeMode ${mode}, but is specified in volumeMounts`);
  if (use.asDevice.includes(name) && mode !== 'Block') throw new VolumeSpecError(`volume ${name} has volumeMode ${mode}, but is specified in volumeDevices`);
}

/** The claim must be bound, the volume must be bound to it (getPVCExtractPV, getPVSpec). @modelled ref 7.1 */
function volumeOfClaim(api: ApiServer, pod: Pod, namespace: string, claimName: string, ephemeral: boolean): PersistentVolume {
  const prefix = `error processing PVC ${namespace}/${claimName}: `;
  const claim = api.get('PersistentVolumeClaim', namespace, claimName);
  if (!claim) throw new VolumeSpecError(`${prefix}failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`);
  const name = boundName(claim, pod, ephemeral, prefix);
  const volume = api.get('PersistentVolume', undefined, name);
  if (!volume) throw new VolumeSpecError(`${prefix}failed to fetch PV ${name} from API server: persistentvolumes "${name}" not found`);
  const uid = volume.spec.claimRef?.uid;
  if (!volume.spec.claimRef) throw new VolumeSpecError(`${prefix}found PV object ${name} but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  if (uid !== claim.metadata.uid) {
    throw new VolumeSpecError(`${prefix}found PV object ${name} but its pv.Spec.ClaimRef.UID ${uid ?? ''} does not point to claim.UID ${claim.metadata.uid}`);
  }
  return volume;
}

function boundName(claim: PersistentVolumeClaim, pod: Pod, ephemeral: boolean, prefix: string): string {
  const { name, namespace = 'default', uid, deletionTimestamp, finalizers, ownerReferences } = claim.metadata;
  if (ephemeral && !ownerReferences?.some((owner) => owner.uid === pod.metadata.uid && owner.controller === true)) {
    throw new VolumeSpecError(`${prefix}PVC ${namespace}/${name} was not created for pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name} (pod is not owner)`);
  }
  if (deletionTimestamp !== undefined && !finalizers?.includes(CLAIM_PROTECTION)) throw new VolumeSpecError(`${prefix}PVC is being deleted`);
  if (claim.status.phase !== 'Bound') throw new VolumeSpecError(`${prefix}PVC is not bound`);
  if (claim.spec.volumeName === undefined || uid === '') throw new VolumeSpecError(`${prefix}PVC has empty pvc.Spec.VolumeName`);
  return claim.spec.volumeName;
}

function persistentVolume(api: ApiServer, pod: Pod, entry: Volume, volume: PersistentVolume, claim: string): PodVolume {
  const { csi, hostPath, local } = volume.spec;
  const common = { name: entry.name, specName: volume.metadata.name, refreshed: false, block: volume.spec.volumeMode === 'Block' };
  if (csi) {
    const readOnly = (entry.persistentVolumeClaim?.readOnly ?? false) || (csi.readOnly ?? false);
    return {
      ...common,
      uniqueName: uniqueCsiName(csi.driver, csi.volumeHandle),
      source: { kind: 'csi', volume, claim, readOnly },
      attachable: needsAttach(api.get('CSIDriver', undefined, csi.driver)),
      deviceMountable: true,
    };
  }
  if (local) {
    return { ...common, uniqueName: `kubernetes.io/local-volume/${volume.metadata.name}`, source: { kind: 'local', path: local.path, volume }, attachable: false, deviceMountable: true };
  }
  if (hostPath) {
    const source = { kind: 'hostPath', path: hostPath.path, type: hostPath.type ?? '', volume } as const;
    return { ...common, uniqueName: ownName('host-path', pod, volume.metadata.name), source, attachable: false, deviceMountable: false };
  }
  throw new VolumeSpecError(`no volume plugin matched name: ${volume.metadata.name}`);
}

function ownName(plugin: string, pod: Pod, name: string): string {
  return `kubernetes.io/${plugin}/${pod.metadata.uid}-${name}`;
}

const INLINE_PLUGINS = { secret: 'secret', configMap: 'configmap', projected: 'projected', downwardAPI: 'downward-api', emptyDir: 'empty-dir' } as const;
/** Plugins that ask for a remount at every sync (RequiresRemount). @recorded #secret-removed */
const REFRESHED: ReadonlySet<string> = new Set(['secret', 'configMap', 'projected', 'downwardAPI']);

function inlineVolume(pod: Pod, entry: Volume): PodVolume {
  const common = { name: entry.name, specName: entry.name, attachable: false, deviceMountable: false, block: false };
  if (entry.hostPath) {
    return { ...common, refreshed: false, uniqueName: ownName('host-path', pod, entry.name), source: { kind: 'hostPath', path: entry.hostPath.path, type: entry.hostPath.type ?? '' } };
  }
  if (entry.csi) {
    const { driver, readOnly = false, volumeAttributes: attributes = {} } = entry.csi;
    return { ...common, refreshed: false, uniqueName: ownName('csi', pod, entry.name), source: { kind: 'csiEphemeral', driver, readOnly, attributes } };
  }
  for (const kind of ['secret', 'configMap', 'projected', 'downwardAPI', 'emptyDir'] as const) {
    if (entry[kind] === undefined) continue;
    return { ...common, refreshed: REFRESHED.has(kind), uniqueName: ownName(INLINE_PLUGINS[kind], pod, entry.name), source: { kind, entry } };
  }
  // A volume without a source is an emptyDir (core/v1 defaults).
  return { ...common, refreshed: false, uniqueName: ownName('empty-dir', pod, entry.name), source: { kind: 'emptyDir', entry } };
}
