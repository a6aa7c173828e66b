/** The volumes of a pod, each with what is known of it at a moment: claim, PersistentVolume, attachment. */
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume, VolumeAttachment } from '../../machines/model/objects.ts';
import { claimOf, handleOf } from './bytes.ts';
import { find, ofKind, type Held, type World } from './world.ts';

export type VolumeKind = 'claim' | 'secret' | 'configMap' | 'projected' | 'emptyDir' | 'hostPath' | 'csi' | 'other';

export interface PodVolume {
  readonly name: string;
  readonly kind: VolumeKind;
  readonly claimName: string | undefined;
  readonly claim: Held<PersistentVolumeClaim> | undefined;
  readonly pv: Held<PersistentVolume> | undefined;
  /** All names under which a record may speak of it. */
  readonly names: readonly string[];
  readonly attach: AttachNeed;
  readonly attachment: Held<VolumeAttachment> | undefined;
  /** Has it a stage of its own? A CSI volume has; a Secret, a directory of the node and the like have not. */
  readonly staged: boolean;
}
/** `unknown` until a PersistentVolume says which driver it is. */
export type AttachNeed = 'needed' | 'none' | 'unknown';

export function podVolumes(world: World, pod: Pod): PodVolume[] {
  return (pod.spec.volumes ?? []).map((volume) => podVolume(world, pod, volume));
}

function podVolume(world: World, pod: Pod, volume: Volume): PodVolume {
  const kind = kindOf(volume);
  const claimName = claimOf(pod, volume.name);
  const claim = claimName === undefined ? undefined : find(world, 'PersistentVolumeClaim', pod.metadata.namespace, claimName);
  const pv = claim?.object.spec.volumeName === undefined ? undefined : find(world, 'PersistentVolume', undefined, claim.object.spec.volumeName);
  const attach = attachNeed(world, kind, pv?.object);
  const attachment =
    pv === undefined || pod.spec.nodeName === undefined
      ? undefined
      : ofKind(world, 'VolumeAttachment').find(
          ({ object }) => object.spec.source.persistentVolumeName === pv.object.metadata.name && object.spec.nodeName === pod.spec.nodeName,
        );
  return {
    name: volume.name,
    kind,
    claimName,
    claim,
    pv,
    names: [volume.name, pv?.object.metadata.name, pv === undefined ? undefined : handleOf(pv.object)].filter((name): name is string => name !== undefined && name !== ''),
    attach,
    attachment,
    staged: kind === 'claim' && (pv === undefined || pv.object.spec.csi !== undefined),
  };
}

function kindOf(volume: Volume): VolumeKind {
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return 'claim';
  if (volume.secret !== undefined) return 'secret';
  if (volume.configMap !== undefined) return 'configMap';
  if (volume.projected !== undefined) return 'projected';
  if (volume.emptyDir !== undefined) return 'emptyDir';
  if (volume.hostPath !== undefined) return 'hostPath';
  if (volume.csi !== undefined) return 'csi';
  return 'other';
}

function attachNeed(world: World, kind: VolumeKind, pv: PersistentVolume | undefined): AttachNeed {
  if (kind !== 'claim') return 'none';
  if (pv === undefined) return 'unknown';
  const driver = pv.spec.csi?.driver;
  if (driver === undefined) return 'none';
  return find(world, 'CSIDriver', undefined, driver)?.object.spec.attachRequired === false ? 'none' : 'needed';
}
