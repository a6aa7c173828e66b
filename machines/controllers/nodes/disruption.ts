/** The condition that says why a pod is taken away (KEP-3329). */
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';

/** The pod with condition DisruptionTarget; the same pod where it stands already with this reason. @recorded #node-down */
export function withDisruption(world: World, pod: Pod, reason: string, message: string): Pod {
  const known = pod.status.conditions?.find((condition) => condition.type === 'DisruptionTarget');
  if (known?.status === 'True' && known.reason === reason && known.message === message) return pod;
  const condition = { lastProbeTime: null, lastTransitionTime: world.api.timestamp(), message, ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }), reason, status: 'True' as const, type: 'DisruptionTarget' };
  const others = pod.status.conditions ?? [];
  return { ...pod, status: { ...pod.status, conditions: known ? others.map((c) => (c === known ? condition : c)) : [...others, condition] } };
}
