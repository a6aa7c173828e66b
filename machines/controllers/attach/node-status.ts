/** node.status.volumesAttached (attachdetach/statusupdater, v1.35; ref 5). */
import type { World } from '../../kernel/world.ts';
import type { AttachedVolume } from '../../model/objects.ts';

/**
 * Writes which volumes are attached to a node and may be mounted there (sorted by name).
 * @recorded #immediate-happy, #node-move, #detach-fails
 */
export function reportAttached(world: World, node: string, listed: readonly AttachedVolume[]): void {
  world.api.updateIfPresent('Node', undefined, node, (object) => {
    const before = object.status.volumesAttached ?? [];
    if (before.length === listed.length && sameNames(before, listed)) return object;
    const { volumesAttached: _before, ...status } = object.status;
    return { ...object, status: listed.length === 0 ? status : { ...status, volumesAttached: listed } };
  });
}

/** Two lists of one length, the second without doubles. */
function sameNames(before: readonly AttachedVolume[], listed: readonly AttachedVolume[]): boolean {
  if (listed.every(({ name }, i) => before[i]?.name === name)) return true;
  const known = new Set(before.map(({ name }) => name));
  return listed.every(({ name }) => known.has(name));
}
