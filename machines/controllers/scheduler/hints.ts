/**
 * Queueing hints: which event may let a pod through that a plugin refused (EventsToRegister and the QueueingHintFn of each
 * plugin, v1.35; ref 3.4). A hint that is not there means: always worth a try.
 */
import { podSelectsNode, selectable } from '../../model/node-selector.ts';
import { anyToleratesTaint, untoleratedTaint } from '../../model/tolerations.ts';
import type { CSIDriver, CSINode, Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../../model/objects.ts';
import { allocatableGrew, type ClusterEvent, type EventAction, type EventResource } from './cluster-event.ts';
import { NodeInfo, portsConflict } from './node-info.ts';
import { matchesAll } from './plugins/inter-pod-affinity.ts';
import { lackingResources } from './plugins/node-resources-fit.ts';
import { UNSCHEDULABLE_TAINT } from './plugins/node-unschedulable.ts';
import { zoneDemands } from './plugins/volume-zone.ts';
import { podInfoOf, type PodInfo } from './pod-info.ts';
import type { PluginName } from './status.ts';

type Hint = (pod: PodInfo, event: ClusterEvent) => boolean;
interface Registered {
  readonly plugin: PluginName;
  readonly resources: readonly EventResource[];
  readonly actions: readonly EventAction[];
  readonly hint?: Hint;
}

const PODS: readonly EventResource[] = ['AssignedPod', 'UnscheduledPod'];
const on = (plugin: PluginName, resources: EventResource | readonly EventResource[], actions: readonly EventAction[], hint?: Hint): Registered => ({
  plugin,
  resources: typeof resources === 'string' ? [resources] : resources,
  actions,
  ...(hint ? { hint } : {}),
});

const REGISTERED: readonly Registered[] = [
  on('NodeUnschedulable', 'Node', ['Add', 'UpdateNodeTaint'], afterUncordon),
  on('NodeUnschedulable', PODS, ['UpdatePodToleration'], (pod, { next }) => isSelf(pod, next) && anyToleratesTaint((next as Pod).spec.tolerations, UNSCHEDULABLE_TAINT)),
  on('NodeName', 'Node', ['Add']),
  on('TaintToleration', 'Node', ['Add', 'UpdateNodeTaint'], afterTaintGone),
  on('TaintToleration', PODS, ['UpdatePodToleration'], (pod, { next }) => isSelf(pod, next)),
  on('NodeAffinity', 'Node', ['Add', 'UpdateNodeLabel'], afterNodeMatches),
  on('NodePorts', PODS, ['Delete'], afterPortFreed),
  on('NodePorts', 'Node', ['Add']),
  on('NodeResourcesFit', PODS, ['Delete', 'UpdatePodScaleDown'], afterResourcesFreed),
  on('NodeResourcesFit', 'Node', ['Add', 'UpdateNodeAllocatable'], afterNodeGrew),
  on('VolumeRestrictions', PODS, ['Delete'], afterClaimUserGone),
  on('VolumeRestrictions', 'Node', ['Add']),
  on('VolumeRestrictions', 'PersistentVolumeClaim', ['Add'], (pod, { next }) => names(pod.namedClaims, next)),
  on('NodeVolumeLimits', 'CSINode', ['Add']),
  on('NodeVolumeLimits', 'CSINode', ['Update'], afterLimitRaised),
  on('NodeVolumeLimits', PODS, ['Delete'], (_pod, { old }) => wasPlaced(old as Pod) && podInfoOf(old as Pod).claims.length > 0),
  on('NodeVolumeLimits', 'PersistentVolumeClaim', ['Add'], (pod, { next }) => names(pod.claims, next)),
  on('NodeVolumeLimits', 'VolumeAttachment', ['Delete'], (pod) => pod.namedClaims.length > 0),
  on('VolumeBinding', 'StorageClass', ['Add', 'Update'], afterTopologiesChanged),
  on('VolumeBinding', 'PersistentVolumeClaim', ['Add', 'Update'], (pod, { next }) => names(pod.claims, next)),
  on('VolumeBinding', 'PersistentVolume', ['Add', 'Update']),
  on('VolumeBinding', 'Node', ['Add', 'UpdateNodeLabel']),
  on('VolumeBinding', 'CSINode', ['Add']),
  on('VolumeBinding', 'CSIDriver', ['Update'], afterCapacityCheckDropped),
  on('VolumeZone', 'StorageClass', ['Add'], (_pod, { next }) => (next as StorageClass).volumeBindingMode === 'WaitForFirstConsumer'),
  on('VolumeZone', 'Node', ['Add', 'UpdateNodeLabel']),
  on('VolumeZone', 'PersistentVolumeClaim', ['Add', 'Update'], (pod, { next }) => names(pod.namedClaims, next)),
  on('VolumeZone', 'PersistentVolume', ['Add', 'Update'], afterZoneLabels),
  on('PodTopologySpread', PODS, ['Add', 'UpdatePodLabel', 'Delete'], (pod, { old, next }) => pod.pod.metadata.namespace === ((next ?? old) as Pod).metadata.namespace),
  on('PodTopologySpread', 'Node', ['Add', 'Delete', 'UpdateNodeLabel', 'UpdateNodeTaint']),
  on('InterPodAffinity', PODS, ['Add', 'UpdatePodLabel', 'Delete'], afterNeighbourChanged),
  on('InterPodAffinity', 'Node', ['Add', 'UpdateNodeLabel']),
];

const BY_EVENT = new Map<EventResource, Map<EventAction, Registered[]>>();
for (const entry of REGISTERED) {
  for (const resource of entry.resources) {
    const actions = BY_EVENT.get(resource) ?? new Map<EventAction, Registered[]>();
    BY_EVENT.set(resource, actions);
    for (const action of entry.actions) actions.set(action, [...(actions.get(action) ?? []), entry]);
  }
}
const NOBODY: readonly Registered[] = [];

/** The plugins that care for such an event at all. */
export function interestedIn({ resource, action }: Pick<ClusterEvent, 'resource' | 'action'>): readonly Registered[] {
  return BY_EVENT.get(resource)?.get(action) ?? NOBODY;
}

/**
 * Whether the event may make the pod schedulable: one of the plugins that refused it says so. A pod that no plugin refused
 * failed by an error and is worth a retry on anything.
 * @recorded #pod-before-claim-binds, #rwop-second-pod, #chosen-node-has-no-driver
 */
export function worthRequeuing(pod: PodInfo, rejectors: ReadonlySet<PluginName>, event: ClusterEvent): boolean {
  if (rejectors.size === 0) return true;
  return interestedIn(event).some(({ plugin, hint }) => rejectors.has(plugin) && (hint?.(pod, event) ?? true));
}

function isSelf(pod: PodInfo, next: unknown): boolean {
  return (next as Pod).metadata.uid === pod.uid;
}

function names(claims: readonly string[], object: unknown): boolean {
  const { metadata } = object as PersistentVolumeClaim;
  return claims.includes(`${metadata.namespace ?? ''}/${metadata.name}`);
}

function wasPlaced(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== '' || (pod.status.nominatedNodeName ?? '') !== '';
}

function afterUncordon(_pod: PodInfo, { old, next }: ClusterEvent): boolean {
  const wasClosed = old === undefined || (old as Node).spec.unschedulable === true;
  return wasClosed && (next as Node).spec.unschedulable !== true;
}

/** @recorded #wait-pod-untolerated-taint */
function afterTaintGone({ pod }: PodInfo, { old, next }: ClusterEvent): boolean {
  const { tolerations } = pod.spec;
  const wasKept = old === undefined || untoleratedTaint((old as Node).spec.taints, tolerations) !== undefined;
  return wasKept && untoleratedTaint((next as Node).spec.taints, tolerations) === undefined;
}

function afterNodeMatches({ pod }: PodInfo, { old, next }: ClusterEvent): boolean {
  if (!podSelectsNode(pod.spec, selectable(next as Node))) return false;
  return old === undefined || !podSelectsNode(pod.spec, selectable(old as Node));
}

function afterPortFreed(pod: PodInfo, { old }: ClusterEvent): boolean {
  const gone = old as Pod;
  return wasPlaced(gone) && podInfoOf(gone).hostPorts.some((used) => pod.hostPorts.some((port) => portsConflict(used, port)));
}

function afterResourcesFreed(pod: PodInfo, { action, old, next }: ClusterEvent): boolean {
  if (action === 'Delete') return wasPlaced(old as Pod);
  return isSelf(pod, next) || ((next as Pod).spec.nodeName ?? '') !== '';
}

function afterNodeGrew(pod: PodInfo, { old, next }: ClusterEvent): boolean {
  const empty = new NodeInfo((next as Node).metadata.name);
  empty.setNode(next as Node);
  if (lackingResources(pod.requests, empty).length > 0) return false;
  return old === undefined || allocatableGrew(old as Node, next as Node, pod.requests);
}

/** A pod of the same namespace that used one of the pod's claims is gone. @recorded #rwop-second-pod, #rwop-preemption */
function afterClaimUserGone(pod: PodInfo, { old }: ClusterEvent): boolean {
  return podInfoOf(old as Pod).namedClaims.some((claim) => pod.namedClaims.includes(claim));
}

function afterLimitRaised(_pod: PodInfo, { old, next }: ClusterEvent): boolean {
  const before = new Map((old as CSINode).spec.drivers?.map((driver) => [driver.name, driver.allocatable?.count ?? 0]));
  return (next as CSINode).spec.drivers?.some((driver) => (driver.allocatable?.count ?? 0) > (before.get(driver.name) ?? 0)) ?? false;
}

function afterTopologiesChanged(_pod: PodInfo, { old, next }: ClusterEvent): boolean {
  return old === undefined || JSON.stringify((old as StorageClass).allowedTopologies ?? []) !== JSON.stringify((next as StorageClass).allowedTopologies ?? []);
}

function afterCapacityCheckDropped({ pod }: PodInfo, { old, next }: ClusterEvent): boolean {
  const inline = pod.spec.volumes?.some((volume) => volume.csi?.driver === (next as CSIDriver).metadata.name) ?? false;
  return inline && (old as CSIDriver).spec.storageCapacity === true && (next as CSIDriver).spec.storageCapacity !== true;
}

function afterZoneLabels(_pod: PodInfo, { old, next }: ClusterEvent): boolean {
  return old === undefined || JSON.stringify(zoneDemands(old as PersistentVolume)) !== JSON.stringify(zoneDemands(next as PersistentVolume));
}

/** A neighbour came that the pod asks for, or one went that it shuns. */
function afterNeighbourChanged({ pod, affinity, antiAffinity }: PodInfo, event: ClusterEvent): boolean {
  const old = event.old as Pod | undefined;
  const next = event.next as Pod | undefined;
  if (event.resource === 'UnscheduledPod') return false;
  const joins = (a: Pod | undefined): boolean => a !== undefined && matchesAll(affinity, pod, a);
  const shuns = (a: Pod | undefined): boolean => a !== undefined && matchesAll(antiAffinity, pod, a);
  return (joins(next) && !joins(old)) || (shuns(old) && !shuns(next));
}
