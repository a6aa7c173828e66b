/** The zone that `--like` wishes for a claim's volume: a choice that the driver is free in. */
import { objectKey } from '../../kernel/api-server.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolumeClaim } from '../../model/objects.ts';
import { numbered } from '../../trace/pod-keys.ts';

/** The claims of one name, in the order in which volumes were asked for them. */
const asked = new WeakMap<World, Map<string, string[]>>();

/** The wish for this claim: the n-th claim of a name, by uid, has the key `ns/claim#n`. */
export function wishedZoneOf(world: World, claim: PersistentVolumeClaim): string | undefined {
  // Without a recorded run nobody wishes anything.
  if (Object.keys(world.choices.zoneOfVolume).length === 0) return undefined;
  let byName = asked.get(world);
  if (!byName) asked.set(world, (byName = new Map()));
  const key = objectKey(claim);
  const uids = byName.get(key) ?? [];
  if (!uids.includes(claim.metadata.uid)) byName.set(key, [...uids, claim.metadata.uid]);
  const ordinal = (byName.get(key) ?? []).indexOf(claim.metadata.uid) + 1;
  return world.choices.zoneOfVolume[numbered(key, ordinal)];
}
