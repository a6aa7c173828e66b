/**
 * The controller in every external provisioner (sig-storage-lib-external-provisioner v13, controller/controller.go):
 * which claims it makes volumes for, when it tries again, which volumes it deletes (ref 4).
 */
import { ApiError } from '../../kernel/api-error.ts';
import { objectKey, withAnnotations, withFinalizer, withoutFinalizer } from '../../kernel/api-server.ts';
import { referenceTo, type EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import { annotation, BETA_STORAGE_PROVISIONER, classNameOf, hasAnnotation, PROVISIONED_BY, PROVISIONER_FINALIZER, SELECTED_NODE, STORAGE_PROVISIONER } from './annotations.ts';
import { write, type Step } from './binder.ts';
import { classOf } from './classes.ts';
import { isFailure, type ProvisionedVolume, type Provisioner, type ProvisioningFailure } from './provisioner.ts';
import { provisioningChart, volumeDeletionChart, type DeletionLanes, type ProvisioningLane, type ProvisioningLanes } from './provisioning-charts.ts';

/** Whether a claim or volume has to come back after the back-off. */
type Outcome = 'done' | 'retry';

function volumeNameOf(claim: PersistentVolumeClaim): string {
  return `pvc-${claim.metadata.uid}`;
}

export class ProvisionController {
  private readonly world: World;
  private readonly provisioner: Provisioner;
  private readonly recorder: EventRecorder;
  private readonly claims: ProvisioningLanes;
  private readonly deletions: DeletionLanes;
  private readonly claimQueue: WorkQueue;
  private readonly volumeQueue: WorkQueue;
  /** Where a UID is found; claims of other provisioners are not in it. */
  private readonly keyOfUid = new Map<string, string>();
  /** Claims whose volume may be in the making, as they were: they are kept when the claim is gone. */
  private readonly inProgress = new Map<string, PersistentVolumeClaim>();
  private readonly laneOfUid = new Map<string, ProvisioningLane>();
  /** Claims whose request the driver calls wrong: until when, and for which class object. */
  private readonly slow = new Map<string, { readonly until: number; readonly classUid: string }>();

  constructor(world: World, provisioner: Provisioner) {
    this.world = world;
    this.provisioner = provisioner;
    this.recorder = world.recorder(provisioner.identity);
    this.claims = world.lanes(provisioningChart);
    this.deletions = world.lanes(volumeDeletionChart);
    const host = world.pausedNodes.process(() => provisioner.node);
    this.claimQueue = new WorkQueue(world.clock, (uid) => this.syncClaim(uid), provisioner.retry, host);
    this.volumeQueue = new WorkQueue(world.clock, (name) => this.syncVolume(name), provisioner.retry, host);
  }

  /** Begins to watch. @recorded #immediate-happy */
  start(): void {
    this.world.api.watch('PersistentVolumeClaim', ({ verb, object, key }) => {
      if (!this.isOurs(object)) return;
      if (verb === 'DELETED') this.claimGone(object);
      else {
        this.keyOfUid.set(object.metadata.uid, key);
        this.claimQueue.add(object.metadata.uid);
      }
    });
    this.world.api.watch('PersistentVolume', ({ verb, object }) => {
      if (!this.isProvisionerFor(object)) return;
      if (verb === 'DELETED') this.volumeGone(object.metadata.name);
      else this.volumeQueue.add(object.metadata.name);
    });
    this.resyncForever();
  }

  /** Every 15 minutes from its start the informers hand everything out again: an attempt outside the back-off. @recorded #provision-denied */
  private resyncForever(): void {
    const tick = (): void => {
      for (const uid of this.claimQueue.failing()) this.claimQueue.add(uid);
      for (const name of this.volumeQueue.failing()) this.volumeQueue.add(name);
      this.world.clock.after(timings.provisionerResync, tick);
    };
    this.world.clock.after(this.world.random.between(0, timings.provisionerResync), tick);
  }

  private claimGone(claim: PersistentVolumeClaim): void {
    const { uid } = claim.metadata;
    this.keyOfUid.delete(uid);
    this.claims.drop(objectKey(claim));
    if (!this.inProgress.has(uid)) this.forget(uid);
  }

  private forget(uid: string): void {
    this.claimQueue.forget(uid);
    this.inProgress.delete(uid);
    if (this.keyOfUid.has(uid)) return;
    this.laneOfUid.delete(uid);
    this.slow.delete(uid);
  }

  private volumeGone(name: string): void {
    this.volumeQueue.forget(name);
    this.deletions.drop(name);
  }

  private isOurs(claim: PersistentVolumeClaim): boolean {
    return (annotation(claim, STORAGE_PROVISIONER) ?? annotation(claim, BETA_STORAGE_PROVISIONER)) === this.provisioner.name;
  }

  private lane(claim: PersistentVolumeClaim): ProvisioningLane {
    const { uid } = claim.metadata;
    let lane = this.laneOfUid.get(uid);
    if (!lane) this.laneOfUid.set(uid, (lane = this.claims.get(objectKey(claim))));
    return lane;
  }

  /** The claim as it is, or, when it is gone and its volume may be in the making, as it was. @modelled ref 4.3 */
  private syncClaim(uid: string): Step<void> | undefined {
    const key = this.keyOfUid.get(uid);
    const claim = (key === undefined ? undefined : this.world.api.byKey('PersistentVolumeClaim', key)) ?? this.inProgress.get(uid);
    if (!claim) return undefined;
    const storageClass = this.classToProvision(claim);
    if (storageClass !== 'done' && storageClass !== 'retry') return this.provisionClaim(claim, storageClass);
    this.end(uid, storageClass);
    return undefined;
  }

  private end(uid: string, outcome: Outcome): void {
    if (outcome === 'done') this.forget(uid);
    else this.retry(this.claimQueue, uid);
  }

  /** After too many failures in a row the key rests until its object changes; it is not forgotten. @modelled ref 4 */
  private retry(queue: WorkQueue, key: string): void {
    const limit = this.provisioner.retry.failures;
    if (limit === 0 || queue.failuresOf(key) < limit) queue.addRateLimited(key);
    else this.inProgress.delete(key);
  }

  /** The class by which the claim gets a volume now, or how its sync ends without one. */
  private classToProvision(claim: PersistentVolumeClaim): StorageClass | Outcome {
    const storageClass = classOf(this.world.api, claim);
    if (storageClass && this.isRecentlyInfeasible(claim, storageClass)) return 'retry';
    if ((claim.spec.volumeName ?? '') !== '') return 'done';
    // A class that is gone is an error without event: the claim comes back.
    if (!storageClass) return 'retry';
    const waitsForNode = storageClass.volumeBindingMode === 'WaitForFirstConsumer' && (annotation(claim, SELECTED_NODE) ?? '') === '';
    if (waitsForNode) {
      this.lane(claim).try('STOP');
      return 'done';
    }
    return this.isNeeded(claim, storageClass) ? storageClass : 'done';
  }

  private isNeeded(claim: PersistentVolumeClaim, storageClass: StorageClass): boolean {
    if (this.world.api.byKey('PersistentVolume', volumeNameOf(claim))) return false;
    if (claim.spec.volumeMode === 'Block' && !this.provisioner.supportsBlock) {
      this.recorder.event(claim, 'Warning', 'ProvisioningFailed', `${this.provisioner.name} does not support block volume provisioning`);
      return false;
    }
    return storageClass.provisioner === this.provisioner.name;
  }

  /** delayProvisioningIfRecentlyInfeasible: silent retries for five minutes, unless the class object was replaced. @modelled ref 4.2 */
  private isRecentlyInfeasible(claim: PersistentVolumeClaim, storageClass: StorageClass): boolean {
    const entry = this.slow.get(claim.metadata.uid);
    if (!entry) return false;
    if (entry.classUid === storageClass.metadata.uid && entry.until > this.world.clock.now) return true;
    this.slow.delete(claim.metadata.uid);
    return false;
  }

  /** provisionClaimOperation. @recorded #immediate-happy, #provision-quota */
  private *provisionClaim(claim: PersistentVolumeClaim, storageClass: StorageClass): Step<void> {
    const { uid } = claim.metadata;
    const volumeName = volumeNameOf(claim);
    this.recorder.event(claim, 'Normal', 'Provisioning', `External provisioner is provisioning volume for claim "${objectKey(claim)}"`);
    const lane = this.lane(claim);
    const options = { claim, storageClass, volumeName, selectedNode: annotation(claim, SELECTED_NODE) };
    const result = yield* this.provisioner.provision(options, () => lane.try('START'));
    if (result === 'ignored') {
      this.forget(uid);
    } else if (isFailure(result)) {
      this.end(uid, yield* this.fail(claim, storageClass, lane, result));
    } else {
      yield timings.request;
      this.saveVolume(claim, volumeName, result);
      lane.try('SUCCEED');
      this.forget(uid);
    }
  }

  /** The volume object: provisioned-by, the claim it was made for, the class, the finalizer. @recorded #immediate-happy, #default-class-local-path */
  private saveVolume(claim: PersistentVolumeClaim, name: string, made: ProvisionedVolume): void {
    try {
      this.world.api.create<'PersistentVolume'>({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: {
          name,
          annotations: { ...made.annotations, [PROVISIONED_BY]: this.provisioner.name },
          ...(this.provisioner.addsFinalizer ? { finalizers: [PROVISIONER_FINALIZER] } : {}),
        },
        spec: { ...made.spec, claimRef: referenceTo(claim), storageClassName: classNameOf(claim) },
        status: { phase: 'Pending' },
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
    // The success is told to a claim that still exists (sendSuccessEvent).
    if (this.keyOfUid.has(claim.metadata.uid)) this.recorder.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  /** What follows a failed attempt, by the state it leaves the volume in (ref 4.3). @recorded #provision-denied, #bind-reverts, #provision-times-out */
  private *fail(claim: PersistentVolumeClaim, storageClass: StorageClass, lane: ProvisioningLane, failure: ProvisioningFailure): Step<Outcome> {
    const { uid } = claim.metadata;
    const text = this.provisioner.failureText(failure.error, storageClass);
    if (failure.infeasible) {
      this.slow.set(uid, { until: this.world.clock.now + timings.infeasibleDelay, classUid: storageClass.metadata.uid });
      this.recorder.event(claim, 'Warning', 'ProvisioningFailed', `Volume provisioning failed with infeasible error. Retries will be delayed. ${text}`);
      this.inProgress.delete(uid);
      lane.try('REFUSE');
      return 'retry';
    }
    this.recorder.event(claim, 'Warning', 'ProvisioningFailed', text);
    if (failure.state === 'reschedule' && hasAnnotation(claim, SELECTED_NODE)) {
      this.inProgress.delete(uid);
      return yield* this.reschedule(claim, lane);
    }
    if (failure.state === 'inBackground') this.inProgress.set(uid, claim);
    else if (failure.state !== 'noChange') this.inProgress.delete(uid);
    lane.try(this.inProgress.has(uid) ? 'LOSE_SIGHT' : 'FAIL');
    return 'retry';
  }

  /** Gives the claim back to the scheduler by taking the selected node away (rescheduleProvisioning). @recorded #bind-reverts */
  private *reschedule(claim: PersistentVolumeClaim, lane: ProvisioningLane): Step<Outcome> {
    const done = yield* write<'PersistentVolumeClaim'>(this.world, claim, (old) => withAnnotations(old, { [SELECTED_NODE]: undefined }));
    lane.try(done ? 'RESCHEDULE' : 'FAIL');
    return done ? 'done' : 'retry';
  }

  private syncVolume(name: string): Step<void> | undefined {
    const volume = this.world.api.byKey('PersistentVolume', name);
    if (!volume) return undefined;
    if (this.keepFinalizer(volume) !== volume || this.shouldDelete(volume)) return this.changeVolume(volume);
    this.volumeQueue.forget(name);
    return undefined;
  }

  /** Sets its finalizer right, then deletes a volume that nobody needs. */
  private *changeVolume(volume: PersistentVolume): Step<void> {
    const { name } = volume.metadata;
    let kept: PersistentVolume | undefined = volume;
    if (this.keepFinalizer(volume) !== volume) {
      yield timings.finalizerPatch;
      kept = this.world.api.updateIfPresent('PersistentVolume', undefined, name, (old) => this.keepFinalizer(old, volume));
    }
    if (!kept) return;
    if (!this.shouldDelete(kept) || (yield* this.deleteVolume(kept)) === 'done') this.volumeQueue.forget(name);
    else this.retry(this.volumeQueue, name);
  }

  /** Volumes it made, and CSI volumes of its driver that a person made (isProvisionerForVolume). @recorded #claim-recreate */
  private isProvisionerFor(volume: PersistentVolume): boolean {
    const maker = annotation(volume, PROVISIONED_BY);
    return maker === undefined ? volume.spec.csi?.driver === this.provisioner.name : maker === this.provisioner.name;
  }

  /** The volume with or without its finalizer, as the controller wants it that has `seen` the volume so. The finalizer stands on Bound volumes with Delete and on none with Retain (handleProtectionFinalizer). @recorded #retain-released, #retain-reuse */
  private keepFinalizer(volume: PersistentVolume, seen: PersistentVolume = volume): PersistentVolume {
    if (!this.provisioner.addsFinalizer) return volume;
    const { persistentVolumeReclaimPolicy: policy } = seen.spec;
    if (policy === 'Retain' || policy === 'Recycle') return withoutFinalizer(volume, PROVISIONER_FINALIZER);
    const wanted = policy === 'Delete' && seen.metadata.deletionTimestamp === undefined && seen.status.phase === 'Bound';
    return wanted ? withFinalizer(volume, PROVISIONER_FINALIZER) : volume;
  }

  /** @recorded #claim-recreate, #retain-released */
  private shouldDelete(volume: PersistentVolume): boolean {
    const deleting = volume.metadata.deletionTimestamp !== undefined;
    const alreadyDeleted = deleting && (!this.provisioner.addsFinalizer || !(volume.metadata.finalizers ?? []).includes(PROVISIONER_FINALIZER));
    return !alreadyDeleted && volume.status.phase === 'Released' && volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  }

  /** deleteVolumeOperation: the storage, then the object, then the finalizer. A failure leaves the phase Released. @recorded #claim-recreate, #delete-claim-in-use */
  private *deleteVolume(volume: PersistentVolume): Step<Outcome> {
    const { name, uid } = volume.metadata;
    const lane = this.deletions.get(name);
    const error = yield* this.provisioner.delete(volume, () => lane.try('START'));
    if (error !== undefined) {
      lane.try('FAIL');
      this.recorder.event(volume, 'Warning', 'VolumeFailedDelete', error);
      return 'retry';
    }
    yield timings.request;
    if (this.world.api.byKey('PersistentVolume', name)?.metadata.uid === uid) this.world.api.delete('PersistentVolume', undefined, name);
    lane.try('SUCCEED');
    yield timings.finalizerPatch;
    this.world.api.updateIfPresent('PersistentVolume', undefined, name, (old) => (old.metadata.uid === uid ? withoutFinalizer(old, PROVISIONER_FINALIZER) : old));
    return 'done';
  }
}
