/** node.status.volumesAttached (attachdetach/statusupdater, v1.35; ref 5). */
import type { World } from '../../kernel/world.ts';
import type { Attachment } from './actual-state.ts';

/**
 * Writes which volumes are attached to a node and may be mounted there. What is only perhaps attached is not listed.
 * @recorded #immediate-happy, #node-move, #detach-fails
 */
export function reportAttached(world: World, node: string, attachments: readonly Attachment[]): void {
  const names = attachments.filter((a) => a.confirmed && a.reported).map((a) => a.uniqueName).toSorted();
  world.api.updateIfPresent('Node', undefined, node, (object) => {
    const before = object.status.volumesAttached ?? [];
    if (before.length === names.length && sameNames(before.map((entry) => entry.name), names)) return object;
    const { volumesAttached: _before, ...status } = object.status;
    return { ...object, status: names.length === 0 ? status : { ...status, volumesAttached: names.map((name) => ({ devicePath: '', name })) } };
  });
}

/** Two lists of one length, the second without doubles. */
function sameNames(before: readonly string[], names: readonly string[]): boolean {
  if (names.every((name, i) => before[i] === name)) return true;
  const known = new Set(before);
  return names.every((name) => known.has(name));
}
