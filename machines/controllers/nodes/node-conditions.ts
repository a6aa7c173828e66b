/** Conditions of a node: what its kubelet posts, and what the node controller makes of its silence. */
import type { World } from '../../kernel/world.ts';
import type { Condition, Node } from '../../model/objects.ts';

interface Posted {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  /** The event that the kubelet writes when it posts this after something else. */
  readonly event: string;
}

/** What a healthy kubelet says of its node (pkg/kubelet/nodestatus/setters.go, v1.35). @recorded #node-down */
const HEALTHY: Readonly<Record<string, Posted>> = {
  MemoryPressure: { status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available', event: 'NodeHasSufficientMemory' },
  DiskPressure: { status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure', event: 'NodeHasNoDiskPressure' },
  PIDPressure: { status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available', event: 'NodeHasSufficientPID' },
  Ready: { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status', event: 'NodeReady' },
};

export function readyStatus(node: Node): Condition['status'] {
  return node.status.conditions?.find((condition) => condition.type === 'Ready')?.status ?? 'Unknown';
}

/**
 * The node as its kubelet reports it, and the events that say what changed; the same node where nothing changes.
 * @recorded #node-down
 */
export function withPostedConditions(world: World, node: Node): { readonly node: Node; readonly events: readonly string[] } {
  const events: string[] = [];
  const now = world.api.timestamp();
  const conditions = (node.status.conditions ?? []).map((condition) => {
    const posted = HEALTHY[condition.type];
    if (!posted || condition.status === posted.status) return condition;
    events.push(posted.event);
    const { event: _event, ...fields } = posted;
    return { ...condition, ...fields, lastHeartbeatTime: now, lastTransitionTime: now };
  });
  if (events.length === 0) return { node, events };
  // One report carries one heartbeat time.
  return { node: { ...node, status: { ...node.status, conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: now })) } }, events };
}

/**
 * Silence for longer than the grace period: every condition that the kubelet posts becomes Unknown
 * (pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth, v1.35).
 * @recorded #node-down
 */
export function withUnknownConditions(world: World, node: Node): Node {
  const now = world.api.timestamp();
  const conditions = (node.status.conditions ?? []).map((condition): Condition => {
    if (!(condition.type in HEALTHY) || condition.status === 'Unknown') return condition;
    return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.', lastTransitionTime: now };
  });
  return conditions.every((condition, i) => condition === node.status.conditions?.[i]) ? node : { ...node, status: { ...node.status, conditions } };
}
