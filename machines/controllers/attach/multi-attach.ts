/** The Multi-Attach error (attachdetach/reconciler reportMultiAttachError, v1.35; ref 5). */
import type { Desire, DesiredState, PodName } from './desired-state.ts';

/**
 * What a pod is told whose volume is attached to other nodes. Whose pods there still want it is named; when none is left,
 * only the attachment stands in the way.
 * @recorded #multi-attach, #slow-goodbye, #rolling-update, #node-down, #node-move, #detach-fails
 */
export function multiAttachMessage(desired: DesiredState, desire: Desire, pod: PodName, attachedTo: readonly string[]): string {
  const holders = attachedTo.flatMap((node) => [...(desired.get(desire.uniqueName, node)?.pods.values() ?? [])]);
  return `Multi-Attach error for volume "${desire.volume.metadata.name}" ${reason(holders, pod.namespace)}`;
}

function reason(holders: readonly PodName[], namespace: string): string {
  if (holders.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
  const local = holders.filter((holder) => holder.namespace === namespace).map((holder) => holder.name);
  const foreign = holders.length - local.length;
  if (local.length === 0) return `Volume is already used by ${foreign} pod(s) in different namespaces`;
  return `Volume is already used by pod(s) ${local.join(', ')}${foreign > 0 ? ` and ${foreign} pod(s) in different namespaces` : ''}`;
}
