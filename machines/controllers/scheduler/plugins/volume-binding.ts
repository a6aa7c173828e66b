/** PreFilter and Filter of framework/plugins/volumebinding (volume_binding.go, binder.go), v1.35 (ref 3.3, 3.4). */
import { topologyAllowed, volumeReachable } from '../../../model/node-selector.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../../model/objects.ts';
import type { StorageView } from '../cluster-view.ts';
import type { Cycle, PodClaims, PodVolumes } from '../cycle.ts';
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import { claimNameOf } from '../pod-info.ts';
import { failed, unresolvable, type Rejection } from '../status.ts';
import { requestedBytes } from '../../claims/matching.ts';
import { candidateVolumes, findVolumeForNode } from '../volume-match.ts';

export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const NO_CANDIDATES: PodClaims['candidates'] = new Map();
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

export const volumeBinding: FilterPlugin = { name: 'VolumeBinding', preFilter, filter };

/** The scheduler's "fully bound": volume name and bind-completed, not the phase (isPVCFullyBound). @recorded #pod-before-claim-binds */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return (claim.spec.volumeName ?? '') !== '' && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

/** All claims must be there and usable, and those that do not wait for the consumer must be bound. @recorded #claim-not-found, #claim-lost, #ephemeral-volume */
function preFilter(cycle: Cycle): PreFilterResult {
  const { pod } = cycle.pod;
  const { storage } = cycle.view;
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let immediate: PersistentVolumeClaim | undefined;
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name === undefined) continue;
    const claim = storage.claim(`${pod.metadata.namespace ?? ''}/${name}`);
    const refusal = claimRefusal(pod, volume, name, claim);
    if (refusal !== undefined) return unresolvable('VolumeBinding', refusal, `PersistentVolumeClaim ${name}`);
    if (!claim) continue;
    if (isFullyBound(claim)) bound.push(claim);
    else if (waitsForConsumer(storage, claim)) delayed.push(claim);
    else immediate ??= claim;
  }
  if (immediate) return unresolvable('VolumeBinding', 'pod has unbound immediate PersistentVolumeClaims', `PersistentVolumeClaim ${immediate.metadata.name} .spec.volumeName`);
  cycle.claims = { bound, delayed, candidates: delayed.length === 0 ? NO_CANDIDATES : new Map(delayed.map((claim) => [claim.metadata.uid, candidateVolumes(storage, claim)])) };
  return bound.length + delayed.length === 0 ? 'skip' : undefined;
}

/** Why the claim cannot be used at all, in the scheduler's words (podHasPVCs). @recorded #claim-lost, #ephemeral-volume */
function claimRefusal(pod: Pod, volume: Volume, name: string, claim: PersistentVolumeClaim | undefined): string | undefined {
  if (!claim) return volume.ephemeral ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"` : `persistentvolumeclaim "${name}" not found`;
  if (claim.status.phase === 'Lost') return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  return volume.ephemeral && !isOwnedBy(claim, pod) ? notOwnerText(pod, claim) : undefined;
}

/** Whether the pod is the claim's controller (component-helpers storage/ephemeral VolumeIsForPod). */
export function isOwnedBy(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return claim.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === pod.metadata.uid) ?? false;
}

export function notOwnerText(pod: Pod, claim: PersistentVolumeClaim): string {
  const { namespace = '', name } = claim.metadata;
  return `PVC ${namespace}/${name} was not created for pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name} (pod is not owner)`;
}

/** A claim whose class waits, unless it names its volume itself. A class that does not exist does not wait (IsDelayBindingMode). */
function waitsForConsumer(storage: StorageView, claim: PersistentVolumeClaim): boolean {
  return (claim.spec.volumeName ?? '') === '' && storage.storageClass(claim.spec.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Bound volumes must be reachable; for each waiting claim the node needs a volume or the means to make one (FindPodVolumes). @recorded #zone-mismatch-immediate, #zone-class-forbids, #wait-for-first-consumer */
function filter(cycle: Cycle, info: NodeInfo): Rejection | undefined {
  const { node } = info;
  if (!node) return failed('VolumeBinding', `node "${info.name}" not found`);
  const { storage } = cycle.view;
  const bound = checkBoundClaims(storage, cycle.claims.bound, node);
  const waiting = findVolumes(storage, cycle.claims, node);
  if ('error' in waiting) return failed('VolumeBinding', `running "VolumeBinding" filter plugin: ${waiting.error}`);
  const { refusal } = waiting;
  // The order of the reasons is the plugin's: affinity, no volume, no space, no PV object.
  if (bound && refusal) return REASON_ORDER.indexOf(refusal.reason) < REASON_ORDER.indexOf(bound.reason) ? refused(refusal, bound) : refused(bound, refusal);
  if (bound ?? refusal) return refused((bound ?? refusal) as Refusal);
  if (waiting.volumes !== NOTHING) cycle.podVolumes.set(info.name, waiting.volumes);
  return undefined;
}

function refused(first: Refusal, second?: Refusal): Rejection {
  return { plugin: 'VolumeBinding', code: 'UnschedulableAndUnresolvable', reasons: second ? [first.reason, second.reason] : [first.reason], field: first.field };
}

interface Refusal {
  readonly reason: string;
  readonly field: string;
}
const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const NO_PV = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
const REASON_ORDER = [NODE_CONFLICT, NO_VOLUME, NO_SPACE, NO_PV];

/** @recorded #zone-mismatch-immediate */
function checkBoundClaims(storage: StorageView, claims: readonly PersistentVolumeClaim[], node: Node): Refusal | undefined {
  for (const claim of claims) {
    const volume = storage.volume(claim.spec.volumeName ?? '');
    if (!volume) return { reason: NO_PV, field: `PersistentVolumeClaim ${claim.metadata.name} .spec.volumeName` };
    if (!volumeReachable(volume, node.metadata.labels ?? {})) return { reason: NODE_CONFLICT, field: `PersistentVolume ${volume.metadata.name} .spec.nodeAffinity` };
  }
  return undefined;
}

type Found = { readonly volumes: PodVolumes; readonly refusal?: Refusal | undefined } | { readonly error: string };

const NOTHING: PodVolumes = { staticBindings: [], provisions: [] };
const NOTHING_TO_BIND: Found = { volumes: NOTHING };

/**
 * For each waiting claim the smallest fitting volume that the node reaches, else provisioning. A claim that is already
 * promised to another node (selected-node) rules this one out.
 * @recorded #wait-for-first-consumer, #chosen-node-has-no-driver
 */
function findVolumes(storage: StorageView, { delayed: claims, candidates }: PodClaims, node: Node): Found {
  if (claims.length === 0) return NOTHING_TO_BIND;
  const elsewhere = claims.find((claim) => ![undefined, node.metadata.name].includes(claim.metadata.annotations?.[SELECTED_NODE]));
  if (elsewhere) return { volumes: NOTHING, refusal: { reason: NO_VOLUME, field: `PersistentVolumeClaim ${elsewhere.metadata.name} .metadata.annotations[${SELECTED_NODE}]` } };
  const provisions = claims.filter((claim) => claim.metadata.annotations?.[SELECTED_NODE] !== undefined);
  const open = claims.filter((claim) => claim.metadata.annotations?.[SELECTED_NODE] === undefined).toSorted((a, b) => requestedBytes(a) - requestedBytes(b));
  const staticBindings: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
  const taken = new Set<string>();
  for (const claim of open) {
    const volume = findVolumeForNode(candidates.get(claim.metadata.uid) ?? [], claim, node.metadata.labels ?? {}, taken);
    if (!volume) {
      provisions.push(claim);
      continue;
    }
    taken.add(volume.metadata.name);
    staticBindings.push({ claim, volume });
  }
  const checked = checkProvisions(storage, provisions, node);
  return checked && 'error' in checked ? checked : { volumes: { staticBindings, provisions }, refusal: checked };
}

/** Whether the class can make the volume for this node (checkVolumeProvisions, hasEnoughCapacity). @recorded #zone-class-forbids */
function checkProvisions(storage: StorageView, claims: readonly PersistentVolumeClaim[], node: Node): Refusal | { readonly error: string } | undefined {
  for (const claim of claims) {
    const className = claim.spec.storageClassName ?? '';
    const storageClass = storage.storageClass(className);
    if (!storageClass) return { error: `failed to find storage class "${className}"` };
    if (storageClass.provisioner === '' || storageClass.provisioner === NO_PROVISIONER) return { reason: NO_VOLUME, field: `StorageClass ${className} .provisioner` };
    if (!topologyAllowed(storageClass.allowedTopologies, node.metadata.labels ?? {})) return { reason: NO_VOLUME, field: `StorageClass ${className} .allowedTopologies` };
    // A driver that wants its capacity checked needs CSIStorageCapacity objects, a kind that this cluster does not serve.
    if (storage.csiDriver(storageClass.provisioner)?.spec.storageCapacity === true && requestedBytes(claim) > 0) return { reason: NO_SPACE, field: `CSIDriver ${storageClass.provisioner} .spec.storageCapacity` };
  }
  return undefined;
}
