/** kubectl taint node. */
import { ApiError } from '../kernel/api-error.ts';
import type { Node, Taint } from '../model/objects.ts';

/** `key=value:Effect`, `key:Effect`; with `-` behind it kubectl would remove it, which is the action `untaint` here. */
export function parseTaint(text: string): Taint {
  const match = /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text);
  if (!match) throw new ApiError('BadRequest', `invalid taint spec: ${text}: expected <key>=<value>:<effect> with effect NoSchedule, PreferNoSchedule or NoExecute`);
  const [, key = '', value, effect] = match;
  return { effect: effect as Taint['effect'], key, ...(value === undefined || value === '' ? {} : { value }) };
}

/**
 * The node with the taint set (in front of those it has, as kubectl does) or removed; the same node when nothing changes.
 * @recorded #node-down, #wait-pod-untolerated-taint
 */
export function changeTaint(node: Node, action: string, text: string): Node {
  const taint = parseTaint(text);
  const before = node.spec.taints ?? [];
  const others = before.filter((t) => t.key !== taint.key || t.effect !== taint.effect);
  if (action === 'untaint') return others.length === before.length ? node : withTaints(node, others);
  if (before.some((t) => t.key === taint.key && t.effect === taint.effect && t.value === taint.value)) return node;
  return withTaints(node, [taint, ...others]);
}

/** The node with these taints; an empty list is left out. */
export function withTaints(node: Node, taints: readonly Taint[]): Node {
  const { taints: _before, ...spec } = node.spec;
  return { ...node, spec: taints.length === 0 ? spec : { ...spec, taints } };
}
