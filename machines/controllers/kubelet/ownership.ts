/** fsGroup: who may write into a volume (pkg/volume/volume_linux.go, csi_mounter.go supportsFSGroup, v1.35; ref 7.2, 14.13). */
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import { applyFsGroup as changeGroup, fsGroupMismatch } from '../../process/filesystem.ts';
import type { VolumeContent } from './volume-content.ts';
import type { PodVolume } from './volume-spec.ts';

/**
 * Gives the volume's files to the pod's fsGroup. Not a read-only volume, not a hostPath, and a CSI volume only as far as its
 * driver's fsGroupPolicy goes. No event, however it ends.
 * @recorded #fsgroup
 */
export function applyFsGroup(world: World, volume: PodVolume, pod: Pod, content: VolumeContent): void {
  const group = pod.spec.securityContext?.fsGroup;
  if (group === undefined || !takesFsGroup(world, volume)) return;
  if (pod.spec.securityContext?.fsGroupChangePolicy === 'OnRootMismatch' && !fsGroupMismatch(content.tree, group)) return;
  changeGroup(content.tree, group);
}

function takesFsGroup(world: World, { source }: PodVolume): boolean {
  if (source.kind === 'hostPath') return false;
  if (source.kind === 'csiEphemeral') return !source.readOnly && policyOf(world, source.driver) !== 'None';
  if (source.kind !== 'csi') return true;
  const { csi, accessModes } = source.volume.spec;
  if (!csi || source.readOnly) return false;
  const policy = policyOf(world, csi.driver);
  if (policy !== 'ReadWriteOnceWithFSType') return policy === 'File';
  return csi.fsType !== undefined && (accessModes.includes('ReadWriteOnce') || accessModes.includes('ReadWriteOncePod'));
}

function policyOf(world: World, driver: string): 'File' | 'None' | 'ReadWriteOnceWithFSType' {
  return world.api.get('CSIDriver', undefined, driver)?.spec.fsGroupPolicy ?? 'ReadWriteOnceWithFSType';
}
