/** What happened in the cluster, as far as it may wake a pod (framework/events.go, v1.35). */
import type { Node, Pod, StringMap } from '../../model/objects.ts';
import { amountsOf, podRequests } from './resources.ts';

export type EventResource = 'Node' | 'AssignedPod' | 'UnscheduledPod' | 'PersistentVolumeClaim' | 'PersistentVolume' | 'StorageClass' | 'CSINode' | 'CSIDriver' | 'VolumeAttachment';
export type EventAction =
  | 'Add'
  | 'Update'
  | 'Delete'
  | 'UpdateNodeAllocatable'
  | 'UpdateNodeLabel'
  | 'UpdateNodeTaint'
  | 'UpdateNodeCondition'
  | 'UpdateNodeAnnotation'
  | 'UpdatePodLabel'
  | 'UpdatePodScaleDown'
  | 'UpdatePodToleration';

export interface ClusterEvent {
  readonly resource: EventResource;
  readonly action: EventAction;
  readonly old?: unknown;
  readonly next?: unknown;
}

/** The properties of a node whose change may wake pods; a heartbeat changes none of them. @recorded #wait-pod-untolerated-taint */
export function nodeUpdates(old: Node, next: Node): EventAction[] {
  const actions: EventAction[] = [];
  if (old.spec.unschedulable === true && next.spec.unschedulable !== true) actions.push('UpdateNodeTaint');
  if (old.status.allocatable !== next.status.allocatable && !sameMap(old.status.allocatable, next.status.allocatable)) actions.push('UpdateNodeAllocatable');
  if (!sameMap(old.metadata.labels, next.metadata.labels)) actions.push('UpdateNodeLabel');
  if (old.spec.taints !== next.spec.taints && JSON.stringify(old.spec.taints ?? []) !== JSON.stringify(next.spec.taints ?? [])) actions.push('UpdateNodeTaint');
  if (conditionStates(old) !== conditionStates(next)) actions.push('UpdateNodeCondition');
  if (!sameMap(old.metadata.annotations, next.metadata.annotations)) actions.push('UpdateNodeAnnotation');
  return actions;
}

function conditionStates({ status }: Node): string {
  return (status.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`).join();
}

/** The properties of a pod whose change may wake pods, itself among them. */
export function podUpdates(old: Pod, next: Pod): EventAction[] {
  const actions: EventAction[] = [];
  if (!sameMap(old.metadata.labels, next.metadata.labels)) actions.push('UpdatePodLabel');
  if (old.spec !== next.spec && scaledDown(old, next)) actions.push('UpdatePodScaleDown');
  if ((old.spec.tolerations ?? []).length !== (next.spec.tolerations ?? []).length) actions.push('UpdatePodToleration');
  return actions.length > 0 ? actions : ['Update'];
}

function scaledDown(old: Pod, next: Pod): boolean {
  const now = podRequests(next.spec);
  return [...podRequests(old.spec)].some(([resource, amount]) => amount > (now.get(resource) ?? 0));
}

function sameMap(a: StringMap | undefined, b: StringMap | undefined): boolean {
  if (a === b) return true;
  const left = Object.entries(a ?? {});
  return left.length === Object.keys(b ?? {}).length && left.every(([key, value]) => b?.[key] === value);
}

/** Whether a node's allocatable grew in anything that the pod asks for, or in pods. */
export function allocatableGrew(old: Node, next: Node, requests: ReadonlyMap<string, number>): boolean {
  const before = amountsOf(old.status.allocatable);
  const after = amountsOf(next.status.allocatable);
  return ['pods', ...requests.keys()].some((resource) => (after.get(resource) ?? 0) > (before.get(resource) ?? 0));
}
