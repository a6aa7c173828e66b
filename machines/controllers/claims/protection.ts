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
  const queue = new WorkQueue(world.clock, function* (key) {
    const claim = world.api.byKey('PersistentVolumeClaim', key);
    if (!claim) return;
    if (claim.metadata.deletionTimestamp === undefined) {
      if ((yield* write<'PersistentVolumeClaim'>(world, claim, (old) => withFinalizer(old, CLAIM_PROTECTION))) === undefined) queue.addRateLimited(key);
    } else if (podsOf(world.api, key).some(keepsClaim)) {
      lanes.get(key).try('KEEP');
    } else if (guardsClaim(claim)) {
      if ((yield* releaseClaim(world, claim)) === undefined) queue.addRateLimited(key);
      else lanes.get(key).try('RELEASE');
    }
  });
  world.api.watch('PersistentVolumeClaim', ({ verb, object }) => {
    const key = objectKey(object);
    if (verb === 'DELETED') lanes.drop(key);
    else if (isClaimDue(object)) queue.add(key);
  });
  world.api.watch('Pod', ({ verb, object }) => {
    // A pod frees its claim when its object is gone; one without node never held it (enqueueOwnOrPodUpdate).
    if (verb !== 'DELETED' && object.spec.nodeName !== undefined && object.status.phase !== 'Succeeded' && object.status.phase !== 'Failed') return;
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
  const key = objectKey(claim);
  if (podsOf(world.api, key).some(keepsClaim)) return claim;
  return yield* write<'PersistentVolumeClaim'>(world, claim, (old) => withoutFinalizer(old, CLAIM_PROTECTION));
}

/**
 * A pod object with a node holds its claims, finished or not; one that waits for a node does not (podUsesPVC). The claim
 * of an ephemeral volume is free as soon as its pod is deleted with grace period 0.
 * @recorded #finished-pod, #delete-claim-in-use
 */
function keepsClaim(pod: Pod): boolean {
  return (pod.spec.nodeName ?? '') !== '';
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
