/** The scheduler's writes to a pod's status and to its binding (schedule_one.go updatePod; registry/core/pod/storage BindingREST, v1.35). */
import { withTopologyLabels } from '../../admission/pod-defaults.ts';
import { ApiError } from '../../kernel/api-error.ts';
import type { World } from '../../kernel/world.ts';
import type { Condition, Pod } from '../../model/objects.ts';
import { appended, deepEqual } from '../../model/values.ts';
import type { Nomination } from './nominator.ts';

/** A change of the status, decided on a pod that may be older than the stored one: a patch, which touches only what it names. */
export interface StatusPatch {
  readonly condition?: Condition | undefined;
  readonly nomination: Nomination;
}

/**
 * The patch that makes `pod` say this; undefined when it says so already. A nomination counts only where it differs from
 * the pod that the attempt worked with.
 * @recorded #bind-reverts, #pod-before-claim-binds
 */
export function statusPatch(pod: Pod, condition: Omit<Condition, 'lastProbeTime' | 'lastTransitionTime'> | undefined, nomination: Nomination, now: string): StatusPatch | undefined {
  const known = pod.status.conditions?.find(({ type }) => type === condition?.type);
  const same = condition === undefined || (known?.status === condition.status && known.reason === condition.reason && known.message === condition.message);
  const renominated = nomination !== undefined && nomination !== (pod.status.nominatedNodeName ?? '');
  if (same && !renominated) return undefined;
  const lastTransitionTime = known && known.status === condition?.status ? known.lastTransitionTime : now;
  return {
    nomination: renominated ? nomination : undefined,
    ...(same || !condition ? {} : { condition: { lastProbeTime: null, lastTransitionTime, ...condition } }),
  };
}

/** Writes the patch. A pod that is gone, or another one of its name, is left alone. */
export function applyStatusPatch(world: World, pod: Pod, { condition, nomination }: StatusPatch): void {
  const { namespace, name, uid } = pod.metadata;
  world.api.updateIfPresent('Pod', namespace, name, (stored) => {
    if (stored.metadata.uid !== uid) return stored;
    const conditions = condition ? withCondition(stored.status.conditions ?? [], condition) : stored.status.conditions;
    const { nominatedNodeName: _old, ...status } = stored.status;
    const nominated = nomination ?? stored.status.nominatedNodeName ?? '';
    const next = { ...status, ...(conditions ? { conditions } : {}), ...(nominated === '' ? {} : { nominatedNodeName: nominated }) };
    return deepEqual(next, stored.status) ? stored : { ...stored, status: next };
  });
}

export function withCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const known = conditions.some(({ type }) => type === condition.type);
  return known ? conditions.map((old) => (old.type === condition.type ? condition : old)) : appended(conditions, condition);
}

/**
 * pods/binding: sets the node, copies its zone and region labels, sets PodScheduled=True with nothing else in it, and clears
 * the nomination. Throws ApiError when the pod is gone, another one, being deleted or already on a node.
 * @recorded #immediate-happy, #wait-for-first-consumer, #pod-before-claim-binds
 */
export function bindPod(world: World, pod: Pod, nodeName: string): void {
  const { namespace, name, uid } = pod.metadata;
  world.api.update('Pod', namespace, name, (stored) => {
    if (stored.metadata.uid !== uid) throw new ApiError('Conflict', `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.metadata.uid}`);
    if (stored.metadata.deletionTimestamp !== undefined) throw conflict(name, `pod ${name} is being deleted, cannot be assigned to a host`);
    if ((stored.spec.nodeName ?? '') !== '') throw conflict(name, `pod ${name} is already assigned to node "${stored.spec.nodeName ?? ''}"`);
    const { nominatedNodeName: _cleared, ...status } = stored.status;
    const condition: Condition = { lastProbeTime: null, lastTransitionTime: world.api.timestamp(), status: 'True', type: 'PodScheduled' };
    return withTopologyLabels(world, { ...stored, spec: { ...stored.spec, nodeName }, status: { ...status, conditions: withCondition(status.conditions ?? [], condition) } });
  });
}

function conflict(name: string, why: string): ApiError {
  return new ApiError('Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${why}`);
}
