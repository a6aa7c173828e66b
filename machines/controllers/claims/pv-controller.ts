/**
 * The PV controller of the controller manager (ref 2): it watches claims and volumes, and goes over all that is not at
 * rest every 15 s, which is its only retry.
 */
import { timings } from '../../kernel/timings.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolumeClaim } from '../../model/objects.ts';
import { createBinder, type Binder } from './binder.ts';
import { claimKeyOf, indexVolumes, volumesOfClaimKey } from './matching.ts';
import { indexPodsByClaim } from './pods-of-claim.ts';
import { syncClaim } from './sync-claim.ts';
import { syncVolume } from './sync-volume.ts';

/** Starts the controller. @recorded #immediate-happy */
export function startPersistentVolumeController(world: World): void {
  indexVolumes(world.api);
  indexPodsByClaim(world.api);
  const claimQueue: WorkQueue = new WorkQueue(world.clock, (key) => {
    const claim = world.api.byKey('PersistentVolumeClaim', key);
    return claim && syncClaim(binder, claim);
  });
  const volumeQueue = new WorkQueue(world.clock, (key) => {
    const volume = world.api.byKey('PersistentVolume', key);
    return volume && syncVolume(binder, volume);
  });
  const binder = createBinder(world, (key) => claimQueue.add(key));
  watchClaims(binder, claimQueue, volumeQueue);
  watchVolumes(binder, claimQueue, volumeQueue);
  resyncForever(binder, claimQueue, volumeQueue);
}

/** A claim that is gone has its volume synced, which makes it Released. @recorded #retain-released */
function watchClaims(binder: Binder, claimQueue: WorkQueue, volumeQueue: WorkQueue): void {
  binder.world.api.watch('PersistentVolumeClaim', ({ verb, object, old, key }) => {
    if (verb === 'DELETED') {
      binder.claims.drop(key);
      binder.restless.claims.delete(key);
      if (object.spec.volumeName !== undefined) volumeQueue.add(object.spec.volumeName);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) binder.claims.get(key).try('DELETE');
    if (!isAtRest(object)) binder.restless.claims.add(key);
    if (object.spec.volumeName !== old?.spec.volumeName) noteRivals(binder, key, object.spec.volumeName);
    claimQueue.add(key);
  });
}

/** Other volumes that name the claim hear only from the resync that it took one of them. */
function noteRivals(binder: Binder, claimKey: string, taken: string | undefined): void {
  for (const volume of volumesOfClaimKey(binder.world.api, claimKey)) {
    if (volume.metadata.name !== taken) binder.restless.volumes.add(volume.metadata.name);
  }
}

/** A volume that is gone has its claim synced, which makes it Lost. @recorded #claim-lost */
function watchVolumes(binder: Binder, claimQueue: WorkQueue, volumeQueue: WorkQueue): void {
  binder.world.api.watch('PersistentVolume', ({ verb, object, old }) => {
    const key = object.metadata.name;
    if (verb === 'DELETED') {
      binder.volumes.drop(key);
      binder.restless.volumes.delete(key);
      if (object.spec.claimRef) claimQueue.add(claimKeyOf(object.spec.claimRef));
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) binder.volumes.get(key).try('DELETE');
    if (object.status.phase === 'Pending') binder.restless.volumes.add(key);
    // A claim hears only from the resync that its volume has left it.
    if (old?.spec.claimRef && old.spec.claimRef !== object.spec.claimRef) binder.restless.claims.add(claimKeyOf(old.spec.claimRef));
    volumeQueue.add(key);
  });
}

/** Lost claims and claims that are not bound have to look again at every resync. */
function isAtRest(claim: PersistentVolumeClaim | undefined): boolean {
  return claim === undefined || claim.status.phase === 'Bound';
}

/**
 * PVClaimBinderSyncPeriod: a period that began with the controller, not with the claim. Objects at rest are left out:
 * their sync would write nothing. @recorded #class-not-found, #static-no-match, #provisioner-absent
 */
function resyncForever(binder: Binder, claimQueue: WorkQueue, volumeQueue: WorkQueue): void {
  const { api, clock, random } = binder.world;
  const { claims, volumes } = binder.restless;
  const tick = (): void => {
    for (const key of [...claims]) {
      if (isAtRest(api.byKey('PersistentVolumeClaim', key))) claims.delete(key);
      claimQueue.add(key);
    }
    for (const key of [...volumes]) {
      if (api.byKey('PersistentVolume', key)?.status.phase !== 'Pending') volumes.delete(key);
      volumeQueue.add(key);
    }
    clock.after(timings.claimResync, tick);
  };
  clock.after(random.between(0, timings.claimResync), tick);
}
