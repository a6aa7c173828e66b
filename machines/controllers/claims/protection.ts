/**
 * The protection controllers (ref 8; kube-controller-manager pkg/controller/volume/pvcprotection, pvprotection, v1.35):
 * a claim that a pod uses, and a volume that is bound, outlive their deletion. Neither sends events.
 */
import { keyOf, objectKey, withFinalizer, withoutFinalizer } from '../../kernel/api-server.ts';
import { chart } from '../../kernel/machine.ts';
import { timings } from '../../kernel/timings.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../model/objects.ts';
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from './annotations.ts';
import { write, type Step } from './binder.ts';
import { claimNamesOf, indexPodsByClaim, podsOf } from './pods-of-claim.ts';

/** One lane per claim, key `namespace/name`. */
export const claimProtectionChart = chart({
  id: 'protection-claim',
  initial: 'guarded',
  states: { guarded: { on: { KEEP: 'kept', RELEASE: 'released' } }, kept: { on: { RELEASE: 'released' } }, released: {} },
});
/** One lane per volume, key the volume's name. */
export const volumeProtectionChart = chart({
  id: 'protection-volume',
  initial: 'guarded',
  states: { guarded: { on: { KEEP: 'kept', RELEASE: 'released' } }, kept: { on: { RELEASE: 'released' } }, released: {} },
});

/** Starts the claim protection controller. @recorded #delete-claim-in-use, #finished-pod */
export function startClaimProtection(world: World): void {
  indexPodsByClaim(world.api);
  const lanes = world.lanes(claimProtectionChart);
  const queue = new WorkQueue(world.clock, (key) => {
    const claim = world.api.byKey('PersistentVolumeClaim', key);
    // A pod's claims are looked at with the pod: mostly nothing is due.
    return claim && isClaimDue(claim) ? sync(key, claim) : undefined;
  });
  function* sync(key: string, claim: PersistentVolumeClaim): Step<void> {
    if (claim.metadata.deletionTimestamp === undefined) {
      if ((yield* write<'PersistentVolumeClaim'>(world, claim, (old) => withFinalizer(old, CLAIM_PROTECTION))) === undefined) queue.addRateLimited(key);
    } else if (isUsed(world, claim)) {
      lanes.get(key).try('KEEP');
    } else if ((yield* releaseClaim(world, claim)) === undefined) {
      queue.addRateLimited(key);
    } else lanes.get(key).try('RELEASE');
  }
  world.api.watch('PersistentVolumeClaim', ({ verb, object, key }) => {
    if (verb === 'DELETED') lanes.drop(key);
    else if (isClaimDue(object)) queue.add(key);
  });
  world.api.watch('Pod', ({ verb, object }) => {
    // Only a pod that is gone, ended or without node can free a claim (enqueuePVCs).
    if (verb !== 'DELETED' && object.spec.nodeName !== undefined && !isTerminated(object)) return;
    for (const name of claimNamesOf(object)) queue.add(keyOf(object.metadata.namespace, name));
  });
}

function guardsClaim(claim: PersistentVolumeClaim): boolean {
  return (claim.metadata.finalizers ?? []).includes(CLAIM_PROTECTION);
}

/** A claim needs work when its deletion waits for this finalizer, or when the finalizer is missing (needToAddFinalizer, isDeletionCandidate). */
function isClaimDue(claim: PersistentVolumeClaim): boolean {
  return guardsClaim(claim) === (claim.metadata.deletionTimestamp !== undefined);
}

/** Looks the pods up once more in the API, then takes the finalizer away. */
function* releaseClaim(world: World, claim: PersistentVolumeClaim): Step<PersistentVolumeClaim | undefined> {
  yield timings.request;
  if (isUsed(world, claim)) return claim;
  return yield* write<'PersistentVolumeClaim'>(world, claim, (old) => withoutFinalizer(old, CLAIM_PROTECTION));
}

function isUsed(world: World, claim: PersistentVolumeClaim): boolean {
  return podsOf(world.api, objectKey(claim)).some((pod) => usesClaim(pod, claim));
}

/**
 * A pod object with a node holds its claims, finished or not; one that waits for a node does not (podUsesPVC).
 * @recorded #finished-pod, #delete-claim-in-use
 */
function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if ((pod.spec.nodeName ?? '') === '') return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim) return volume.persistentVolumeClaim.claimName === claim.metadata.name;
    return volume.ephemeral !== undefined && `${pod.metadata.name}-${volume.name}` === claim.metadata.name && holdsEphemeral(pod, claim);
  });
}

/** The pod's own ephemeral claim is free as soon as the pod is deleted with grace period 0; a claim of another owner never was held. @modelled ref 8 */
function holdsEphemeral(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const shutDown = pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0;
  return !shutDown && (claim.metadata.ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === pod.metadata.uid);
}

/** Finished, or being deleted with no container running any more (IsPodTerminated). */
function isTerminated(pod: Pod): boolean {
  const { phase, containerStatuses } = pod.status;
  if (phase === 'Succeeded' || phase === 'Failed') return true;
  return pod.metadata.deletionTimestamp !== undefined && (containerStatuses ?? []).every(({ state }) => state.running === undefined);
}

/** Starts the volume protection controller. @recorded #claim-lost, #delete-claim-in-use */
export function startVolumeProtection(world: World): void {
  const lanes = world.lanes(volumeProtectionChart);
  const queue = new WorkQueue(world.clock, function* (name) {
    const volume = world.api.byKey('PersistentVolume', name);
    if (!volume) return;
    const guarded = (volume.metadata.finalizers ?? []).includes(VOLUME_PROTECTION);
    if (volume.metadata.deletionTimestamp === undefined) {
      if ((yield* write<'PersistentVolume'>(world, volume, (old) => withFinalizer(old, VOLUME_PROTECTION))) === undefined) queue.addRateLimited(name);
    } else if (guarded && volume.status.phase === 'Bound') {
      lanes.get(name).try('KEEP');
    } else if (guarded) {
      if ((yield* write<'PersistentVolume'>(world, volume, (old) => withoutFinalizer(old, VOLUME_PROTECTION))) === undefined) queue.addRateLimited(name);
      else lanes.get(name).try('RELEASE');
    }
  });
  world.api.watch('PersistentVolume', ({ verb, object }) => {
    if (verb === 'DELETED') lanes.drop(object.metadata.name);
    else if (isVolumeDue(object)) queue.add(object.metadata.name);
  });
}

function isVolumeDue(volume: PersistentVolume): boolean {
  const guarded = (volume.metadata.finalizers ?? []).includes(VOLUME_PROTECTION);
  return guarded === (volume.metadata.deletionTimestamp !== undefined);
}
