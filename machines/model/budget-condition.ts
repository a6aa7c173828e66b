/** The condition that says whether a budget allows a disruption. */
import type { Condition, PodDisruptionBudget, Timestamp } from './objects.ts';

type Status = PodDisruptionBudget['status'];

/**
 * The status with its condition brought up to date; the same status where it is. The time moves with the condition's status.
 * @modelled k8s.io/component-helpers apps/poddisruptionbudget/helpers.go (UpdateDisruptionAllowedCondition), v1.35
 */
export function withDisruptionCondition(status: Status, now: Timestamp, failure?: string): Status {
  const known = status.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const allowed = failure === undefined && status.disruptionsAllowed > 0 ? 'True' : 'False';
  const condition: Condition = {
    lastTransitionTime: known?.status === allowed ? known.lastTransitionTime : now,
    message: failure ?? '',
    observedGeneration: status.observedGeneration,
    reason: failure !== undefined ? 'SyncFailed' : allowed === 'True' ? 'SufficientPods' : 'InsufficientPods',
    status: allowed,
    type: 'DisruptionAllowed',
  };
  if (known?.status === condition.status && known.reason === condition.reason && known.observedGeneration === condition.observedGeneration && known.message === condition.message) return status;
  return { ...status, conditions: [...(status.conditions ?? []).filter((other) => other !== known), condition] };
}
