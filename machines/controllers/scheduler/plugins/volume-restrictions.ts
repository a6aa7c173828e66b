/** framework/plugins/volumerestrictions, v1.35 (ref 3.3, 3.5). In-tree disks, which it also guards, are not modelled. */
import type { Cycle } from '../cycle.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import { unresolvable, unschedulable } from '../status.ts';

/**
 * A ReadWriteOncePod claim that any scheduled pod uses keeps every node closed; that pod may be preempted. Generic
 * ephemeral volumes are not looked at.
 * @recorded #rwop-second-pod, #rwop-preemption
 */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  preFilter,
  filter: (cycle) =>
    cycle.rwopConflicts > 0
      ? unschedulable(
          'VolumeRestrictions',
          'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
          `PersistentVolumeClaim ${[...cycle.rwopClaims].join(', ')} .spec.accessModes`,
        )
      : undefined,
  updateWithPod: (cycle, pod, _node, by) => {
    for (const claim of pod.namedClaims) if (cycle.rwopClaims.has(claim)) cycle.rwopConflicts += by;
  },
};

function preFilter(cycle: Cycle): PreFilterResult {
  const claims: string[] = [];
  for (const key of cycle.pod.namedClaims) {
    const claim = cycle.view.storage.claim(key);
    if (!claim) return claimNotFound(key);
    if (claim.spec.accessModes?.includes('ReadWriteOncePod')) claims.push(key);
  }
  if (claims.length === 0) return 'skip';
  cycle.rwopClaims = new Set(claims);
  cycle.rwopConflicts = [...cycle.rwopClaims].filter((claim) => cycle.view.claimUsers(claim) > 0).length;
  return cycle.rwopConflicts === 0 ? 'skip' : undefined;
}

/** A pod names a claim that does not exist: no node will do. @recorded #claim-not-found */
function claimNotFound(key: string): PreFilterResult {
  const name = key.slice(key.indexOf('/') + 1);
  return unresolvable('VolumeRestrictions', `persistentvolumeclaim "${name}" not found`, 'Pod .spec.volumes[].persistentVolumeClaim.claimName');
}
