/** Which attachable volumes a pod asks for (pkg/controller/volume/attachdetach/util, v1.35; ref 5). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { PersistentVolume, Pod, Volume } from '../../model/objects.ts';
import { needsAttach, uniqueCsiName } from '../../model/volume-identity.ts';

export interface AttachableVolume {
  readonly uniqueName: string;
  readonly volume: PersistentVolume;
}

/** The claim that a pod's volume names, or the one that the ephemeral-volume controller makes for it. */
function claimNameOf(pod: Pod, volume: Volume): string | undefined {
  if (volume.ephemeral) return `${pod.metadata.name}-${volume.name}`;
  return volume.persistentVolumeClaim?.claimName;
}

/**
 * The attachable volumes of a pod, and whether some claim of it cannot be resolved yet. Neither the volume's mode nor its
 * node affinity matters here, nor whether a container mounts it.
 * @recorded #block-as-filesystem
 */
export function attachableVolumesOf(api: ApiServer, pod: Pod): { readonly found: readonly AttachableVolume[]; readonly unresolved: boolean } {
  const found: AttachableVolume[] = [];
  let unresolved = false;
  for (const entry of pod.spec.volumes ?? []) {
    const claimName = claimNameOf(pod, entry);
    if (claimName === undefined) continue;
    const volume = boundVolume(api, pod, claimName, entry.ephemeral !== undefined);
    if (!volume) unresolved = true;
    else if (volume.spec.csi && needsAttach(api.get('CSIDriver', undefined, volume.spec.csi.driver))) {
      found.push({ uniqueName: uniqueCsiName(volume.spec.csi.driver, volume.spec.csi.volumeHandle), volume });
    }
  }
  return { found, unresolved };
}

/** The volume of a claim that is bound both ways; an ephemeral volume's claim must be the pod's own. */
function boundVolume(api: ApiServer, pod: Pod, claimName: string, ephemeral: boolean): PersistentVolume | undefined {
  const claim = api.get('PersistentVolumeClaim', pod.metadata.namespace, claimName);
  if (!claim || claim.status.phase !== 'Bound' || claim.spec.volumeName === undefined) return undefined;
  if (ephemeral && !claim.metadata.ownerReferences?.some((owner) => owner.uid === pod.metadata.uid)) return undefined;
  const volume = api.get('PersistentVolume', undefined, claim.spec.volumeName);
  return volume?.spec.claimRef?.uid === claim.metadata.uid ? volume : undefined;
}

/**
 * A pod no longer keeps its volumes attached when it is terminal, or when it is being deleted and none of its containers
 * runs (IsPodTerminated).
 * @recorded #finished-pod, #multi-attach, #node-down
 */
export function releasesVolumes(pod: Pod): boolean {
  if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') return true;
  return pod.metadata.deletionTimestamp !== undefined && (pod.status.containerStatuses ?? []).every(({ state }) => state.terminated !== undefined || state.waiting !== undefined);
}
