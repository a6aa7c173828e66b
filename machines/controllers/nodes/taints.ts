/** Taints that controllers put on nodes and take off again (pkg/util/taints, pkg/controller/util/node, v1.35). */
import type { World } from '../../kernel/world.ts';
import type { Node, Taint } from '../../model/objects.ts';

export const NOT_READY = 'node.kubernetes.io/not-ready';
export const UNREACHABLE = 'node.kubernetes.io/unreachable';
export const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

export type TaintId = Pick<Taint, 'key' | 'effect'>;

function hasTaint(node: Node, { key, effect }: TaintId): boolean {
  return node.spec.taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false;
}

export function noExecuteTaints(node: Node): readonly Taint[] {
  return node.spec.taints?.filter((taint) => taint.effect === 'NoExecute') ?? [];
}

/** SwapNodeControllerTaint: adds at the end with the time, removes; the same node where nothing changes. */
export function withTaintChanges(world: World, node: Node, add: readonly TaintId[], remove: readonly TaintId[]): Node {
  const before = node.spec.taints ?? [];
  const kept = before.filter((taint) => !remove.some((id) => id.key === taint.key && id.effect === taint.effect));
  const added = add.filter((id) => !hasTaint(node, id)).map(({ key, effect }): Taint => ({ effect, key, timeAdded: world.api.timestamp() }));
  if (added.length === 0 && kept.length === before.length) return node;
  const taints = [...kept, ...added];
  const { taints: _before, ...spec } = node.spec;
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } };
}
