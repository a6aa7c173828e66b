/** framework/plugins/volumezone, v1.35: zone and region *labels* of volumes, beside their node affinity. */
import type { PersistentVolume } from '../../../model/objects.ts';
import type { Cycle, ZoneDemand } from '../cycle.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import { unresolvable, type Rejection } from '../status.ts';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
const ZONE_KEYS = [BETA_ZONE, BETA_REGION, ZONE, REGION];
const CURRENT_KEY: Readonly<Record<string, string>> = { [BETA_ZONE]: ZONE, [BETA_REGION]: REGION };

/** A node with zone labels must have those that the pod's bound volumes carry. @modelled ref 3.3 */
export const volumeZone: FilterPlugin = { name: 'VolumeZone', preFilter, filter: (cycle, node) => filter(cycle, node.node?.metadata.labels ?? {}) };

function filter(cycle: Cycle, labels: Readonly<Record<string, string>>): Rejection | undefined {
  if (!ZONE_KEYS.some((key) => labels[key] !== undefined)) return undefined;
  const unmet = cycle.zoneDemands.find(({ key, values }) => !values.includes(labels[key] ?? labels[CURRENT_KEY[key] ?? key] ?? ''));
  return unmet && unresolvable('VolumeZone', 'node(s) had no available volume zone', `PersistentVolume ${unmet.volume} .metadata.labels[${unmet.key}]`);
}

function preFilter(cycle: Cycle): PreFilterResult {
  const { storage } = cycle.view;
  const demands: ZoneDemand[] = [];
  for (const key of cycle.pod.namedClaims) {
    const claim = storage.claim(key);
    if (!claim) return unresolvable('VolumeZone', `persistentvolumeclaim "${key.slice(key.indexOf('/') + 1)}" not found`);
    if (claim.spec.volumeName === undefined || claim.spec.volumeName === '') {
      const refusal = unboundRefusal(cycle, claim.spec.storageClassName ?? '');
      if (refusal) return refusal;
      continue;
    }
    const volume = storage.volume(claim.spec.volumeName);
    if (!volume) return unresolvable('VolumeZone', `persistentvolume "${claim.spec.volumeName}" not found`, `PersistentVolumeClaim ${claim.metadata.name} .spec.volumeName`);
    demands.push(...zoneDemands(volume));
  }
  cycle.zoneDemands = demands;
  return demands.length === 0 ? 'skip' : undefined;
}

/** An unbound claim passes only when its class waits for the consumer. VolumeBinding refuses the others first. */
function unboundRefusal(cycle: Cycle, className: string): Rejection | undefined {
  if (className === '') return unresolvable('VolumeZone', 'PersistentVolumeClaim had no pv name and storageClass name');
  const storageClass = cycle.view.storage.storageClass(className);
  if (!storageClass) return unresolvable('VolumeZone', `storageclass.storage.k8s.io "${className}" not found`);
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? undefined : unresolvable('VolumeZone', 'PersistentVolume had no name');
}

/** A label may name several zones, joined by `__` (volumehelpers.LabelZonesToSet). */
export function zoneDemands(volume: PersistentVolume): ZoneDemand[] {
  return ZONE_KEYS.flatMap((key) => {
    const label = volume.metadata.labels?.[key];
    return label === undefined ? [] : [{ volume: volume.metadata.name, key, values: label.split('__') }];
  });
}
