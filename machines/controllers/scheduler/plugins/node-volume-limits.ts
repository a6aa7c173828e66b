/** framework/plugins/nodevolumelimits/csi.go, v1.35 (ref 3.6). */
import type { Cycle } from '../cycle.ts';
import type { StorageView } from '../cluster-view.ts';
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin } from '../plugin.ts';
import { unschedulable, type Rejection } from '../status.ts';
import type { CountedVolume } from '../volume-ledger.ts';

/** A node takes no more volumes of a driver than its CSINode allows. @modelled ref 14.20 */
export const nodeVolumeLimits: FilterPlugin = {
  name: 'NodeVolumeLimits',
  preFilter: (cycle) => {
    cycle.volumes = countedVolumes(cycle);
    return cycle.volumes.length === 0 ? 'skip' : undefined;
  },
  filter,
};

function filter(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  const limits = cycle.view.storage.csiNode(node.name)?.spec.drivers;
  if (!limits) return undefined;
  for (const { name, allocatable } of limits) {
    if (allocatable?.count === undefined) continue;
    // A volume that is only attached there counts as new and as attached.
    const wanted = cycle.volumes.filter((volume) => volume.driver === name && !node.volumes.uses(volume)).length;
    if (wanted === 0 || node.volumes.inUse(name) + wanted <= allocatable.count) continue;
    return unschedulable('NodeVolumeLimits', 'node(s) exceed max volume count', `CSINode ${node.name} .spec.drivers[${name}].allocatable.count`);
  }
  return undefined;
}

function countedVolumes({ pod, view }: Cycle): CountedVolume[] {
  const volumes: CountedVolume[] = [];
  for (const claim of pod.claims) {
    const volume = countedVolume(view.storage, claim);
    if (volume && !volumes.some(({ id }) => id === volume.id)) volumes.push(volume);
  }
  return volumes;
}

/**
 * What a claim counts as: its CSI volume; while unbound, its class's provisioner (getCSIDriverInfo). @modelled ref 3.6
 */
export function countedVolume(storage: StorageView, claimKey: string): CountedVolume | undefined {
  const claim = storage.claim(claimKey);
  if (!claim) return undefined;
  const volume = claim.spec.volumeName === undefined ? undefined : storage.volume(claim.spec.volumeName);
  if (volume) {
    const { csi } = volume.spec;
    return csi && { driver: csi.driver, id: `${csi.driver}/${csi.volumeHandle}` };
  }
  const driver = storage.storageClass(claim.spec.storageClassName ?? '')?.provisioner;
  return driver === undefined ? undefined : { driver, id: `${driver}/unbound ${claimKey}` };
}
