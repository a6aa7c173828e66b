/** Starts kube-scheduler: its informers (eventhandlers.go, v1.35) and the loop. */
import type { Change } from '../../kernel/api-server.ts';
import type { World } from '../../kernel/world.ts';
import type { Kind, Pod } from '../../model/objects.ts';
import { nodeUpdates, podUpdates, type EventAction, type EventResource } from './cluster-event.ts';
import { isAssigned, isTerminal, podInfoOf } from './pod-info.ts';
import { DEFAULT_SCHEDULER, Scheduler } from './scheduler.ts';

const CONTROL_PLANE_LABEL = 'node-role.kubernetes.io/control-plane';

export { explainFilters, viewOf, type Explanation, type NodeVerdict } from './explain.ts';
export { preemptionChart, schedulingChart } from './chart.ts';

export function startScheduler(world: World): void {
  runScheduler(world);
}

/** Starts it and hands it out, for those who want to look inside. */
export function runScheduler(world: World): Scheduler {
  const scheduler = new Scheduler(world, world.seriesRecorder(DEFAULT_SCHEDULER, `${DEFAULT_SCHEDULER}-${controlPlane(world)}`));
  world.api.watch('ReplicaSet', ({ object }) => scheduler.podKeys?.learn(object));
  world.api.watch('Pod', (change) => onPod(world, scheduler, change));
  world.api.watch('Node', (change) => onNode(scheduler, change));
  world.api.watch('VolumeAttachment', ({ verb, object, old }) => {
    if (verb === 'ADDED') scheduler.cache.addAttachment(object);
    if (verb !== 'DELETED') return;
    scheduler.cache.removeAttachment(object);
    scheduler.queue.moveAll({ resource: 'VolumeAttachment', action: 'Delete', old: old ?? object });
  });
  world.api.watch('PersistentVolumeClaim', (change) => {
    const { object, old } = change;
    if (old?.spec.volumeName !== object.spec.volumeName || change.verb !== 'MODIFIED') scheduler.cache.refreshClaim(change.key);
    announce(scheduler, 'PersistentVolumeClaim', change);
  });
  world.api.watch('PersistentVolume', (change) => {
    const { claimRef } = change.object.spec;
    if (claimRef && change.verb !== 'MODIFIED') scheduler.cache.refreshClaim(`${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
    announce(scheduler, 'PersistentVolume', change);
  });
  for (const kind of ['StorageClass', 'CSINode', 'CSIDriver'] as const) world.api.watch(kind, (change) => announce(scheduler, kind, change as Change));
  for (const pod of world.api.list('Pod')) {
    scheduler.podKeys?.added(pod);
    if (!isTerminal(pod)) podAdded(scheduler, pod);
  }
  return scheduler;
}

/** Where the scheduler runs: its event source carries the name. */
function controlPlane(world: World): string {
  const nodes = [...world.api.list('Node')];
  return (nodes.find(({ metadata }) => metadata.labels?.[CONTROL_PLANE_LABEL] !== undefined) ?? nodes[0])?.metadata.name ?? '';
}

const ACTIONS = { ADDED: 'Add', MODIFIED: 'Update', DELETED: 'Delete' } as const satisfies Record<string, EventAction>;

function announce(scheduler: Scheduler, resource: EventResource & Kind, { verb, object, old }: Change): void {
  scheduler.queue.moveAll({ resource, action: ACTIONS[verb], old: verb === 'ADDED' ? undefined : (old ?? object), next: verb === 'DELETED' ? undefined : object });
}

/** @recorded #wait-pod-untolerated-taint */
function onNode(scheduler: Scheduler, { verb, object, old }: Change<'Node'>): void {
  if (verb === 'DELETED') {
    scheduler.queue.moveAll({ resource: 'Node', action: 'Delete', old: object });
    scheduler.cache.removeNode(object.metadata.name);
    return;
  }
  scheduler.cache.setNode(object);
  const actions: readonly EventAction[] = old ? nodeUpdates(old, object) : ['Add'];
  for (const action of actions) scheduler.queue.moveAll({ resource: 'Node', action, old, next: object });
}

/**
 * The pod informer leaves out terminal pods: to the scheduler a pod is deleted when its phase turns Succeeded or Failed.
 * @recorded #rwop-second-pod, #rwop-preemption
 */
function onPod(world: World, scheduler: Scheduler, { verb, object, old }: Change<'Pod'>): void {
  if (verb === 'ADDED') scheduler.podKeys?.added(object);
  const before = old && !isTerminal(old) ? old : undefined;
  const after = verb === 'DELETED' || isTerminal(object) ? undefined : object;
  if (before && after) podChanged(world, scheduler, before, after);
  else if (after) podAdded(scheduler, after);
  else if (before) podGone(scheduler, before);
}

function isOurs({ spec }: Pod): boolean {
  return (spec.schedulerName ?? DEFAULT_SCHEDULER) === DEFAULT_SCHEDULER;
}

function podAdded(scheduler: Scheduler, pod: Pod): void {
  if (isAssigned(pod)) placePod(scheduler, pod);
  else if (isOurs(pod)) scheduler.queue.add(pod);
}

/** A pod is on its node: counted there, and perhaps what another one waits for. */
function placePod(scheduler: Scheduler, pod: Pod): void {
  scheduler.cache.place(podInfoOf(pod), pod.spec.nodeName ?? '', false);
  scheduler.queue.moveAll({ resource: 'AssignedPod', action: 'Add', next: pod });
}

function podChanged(world: World, scheduler: Scheduler, before: Pod, after: Pod): void {
  const { cache, queue } = scheduler;
  if (isAssigned(before)) {
    cache.renew(after, after.spec.nodeName ?? '');
    for (const action of podUpdates(before, after)) queue.moveAll({ resource: 'AssignedPod', action, old: before, next: after });
  } else if (isAssigned(after)) {
    placePod(scheduler, after);
    queue.delete(after.metadata.uid);
  } else if (isOurs(before)) unscheduledPodChanged(world, scheduler, before, after);
}

function unscheduledPodChanged(world: World, { cache, queue }: Scheduler, before: Pod, after: Pod): void {
  if (cache.isAssumed(after.metadata.uid)) {
    // The binding cycle goes on and fails; what the pod had reserved is free at once (handleAssumedPodDeletion).
    if (after.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined) forget(cache, queue, after);
    return;
  }
  if (world.api.get('Pod', after.metadata.namespace, after.metadata.name)?.metadata.uid !== after.metadata.uid) return;
  queue.update(before, after);
  const nominated = before.status.nominatedNodeName ?? '';
  if (nominated === '' || nominated === after.status.nominatedNodeName) return;
  const priority = before.spec.priority ?? 0;
  queue.moveAll({ resource: 'AssignedPod', action: 'Delete', old: before }, (pod) => pod.priority <= priority);
}

function forget(cache: Scheduler['cache'], queue: Scheduler['queue'], pod: Pod): void {
  cache.remove(pod.metadata.uid);
  queue.moveAll({ resource: 'AssignedPod', action: 'Delete', old: pod });
}

function podGone({ cache, queue }: Scheduler, pod: Pod): void {
  const { uid } = pod.metadata;
  if (isAssigned(pod)) {
    cache.remove(uid);
    queue.moveAll({ resource: 'AssignedPod', action: 'Delete', old: pod });
    return;
  }
  queue.delete(uid);
  if (cache.isAssumed(uid)) forget(cache, queue, pod);
  else if ((pod.status.nominatedNodeName ?? '') !== '') queue.moveAll({ resource: 'AssignedPod', action: 'Delete', old: pod }, (other) => other.priority <= (pod.spec.priority ?? 0));
}
