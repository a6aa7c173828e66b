/** Conditions of workloads (pkg/controller/deployment/util/deployment_util.go, v1.35). */
import type { World } from '../../kernel/world.ts';
import type { Json } from '../../model/objects.ts';

export type WorkloadStatus = Readonly<Record<string, Json | undefined>>;

export interface WorkloadCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly lastUpdateTime?: string;
}

export function conditionsOf(status: WorkloadStatus): readonly WorkloadCondition[] {
  return (status['conditions'] as unknown as readonly WorkloadCondition[] | undefined) ?? [];
}

export function conditionOf(conditions: readonly WorkloadCondition[], type: string): WorkloadCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

export function newCondition(world: World, type: string, status: WorkloadCondition['status'], reason: string, message: string): WorkloadCondition {
  const now = world.api.timestamp();
  return { lastTransitionTime: now, lastUpdateTime: now, message, reason, status, type };
}

/**
 * SetDeploymentCondition: nothing happens where status and reason stay; else the condition moves to the end, and keeps
 * its transition time where only the reason changed.
 * @recorded #rolling-update
 */
export function withCondition(conditions: readonly WorkloadCondition[], next: WorkloadCondition): readonly WorkloadCondition[] {
  const current = conditionOf(conditions, next.type);
  if (current?.status === next.status && current.reason === next.reason) return conditions;
  const kept = current?.status === next.status ? { ...next, lastTransitionTime: current.lastTransitionTime } : next;
  return [...conditions.filter((condition) => condition.type !== next.type), kept];
}

/** ReplicaFailure of a ReplicaSet whose pods cannot be made (replica_set_utils.go). @modelled pkg/controller/replicaset/replica_set_utils.go, v1.35 */
export function failureCondition(world: World, status: WorkloadStatus, message: string): Json {
  const current = conditionOf(conditionsOf(status), 'ReplicaFailure');
  return { lastTransitionTime: current?.lastTransitionTime ?? world.api.timestamp(), message, reason: 'FailedCreate', status: 'True', type: 'ReplicaFailure' };
}
