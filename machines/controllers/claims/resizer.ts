/** external-resizer v2.1.0 beside a CSI driver that can grow volumes (ref 10; pkg/controller/expand_and_recover.go, resize_status.go). */
import { grpcError, type CsiDriver, type GrpcCode } from '../../drivers/driver.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import { WorkQueue } from '../../kernel/work-queue.ts';
import type { World } from '../../kernel/world.ts';
import type { Condition, PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { binaryQuantity, bytesOf } from '../../model/quantity.ts';
import { write, type Step } from './binder.ts';
import { capacityBytes } from './expand-controller.ts';
import { requestedBytes } from './matching.ts';

type ClaimStatus = PersistentVolumeClaim['status'];

/** Starts the resizer sidecar of every driver that can grow volumes. @recorded #expand-online */
export function startResizers(world: World): void {
  for (const driver of world.drivers.values()) if (driver.expands) new Resizer(world, driver).start();
}

class Resizer {
  private readonly world: World;
  private readonly driver: CsiDriver;
  private readonly recorder: EventRecorder;
  private readonly queue: WorkQueue;
  /** Claims whose last attempt ended in a final error: they may take a new size. */
  private readonly finalErrors = new Set<string>();
  /** Claims whose request the driver calls impossible: since when they are not tried. */
  private readonly slow = new Map<string, number>();

  constructor(world: World, driver: CsiDriver) {
    this.world = world;
    this.driver = driver;
    this.recorder = world.recorder(`external-resizer ${driver.name}`);
    this.queue = new WorkQueue(world.clock, (key) => this.sync(key), { startMs: timings.sidecarRetryStart, maxMs: timings.sidecarRetryMax }, world.pausedNodes.process(() => driver.controllerNode));
  }

  start(): void {
    this.world.api.watch('PersistentVolumeClaim', ({ verb, object, old, key }) => {
      if (verb === 'DELETED') this.forget(key);
      else if (verb === 'MODIFIED' && old && isNews(object, old)) this.queue.add(key);
    });
  }

  private forget(key: string): void {
    this.queue.forget(key);
    this.finalErrors.delete(key);
    this.slow.delete(key);
  }

  private *sync(key: string): Step<void> {
    const claim = this.world.api.byKey('PersistentVolumeClaim', key);
    const volume = claim && this.world.api.byKey('PersistentVolume', claim.spec.volumeName ?? '');
    if (!claim || !volume || !this.needsResize(claim, volume)) {
      this.queue.forget(key);
      return;
    }
    const size = sizeToReach(claim, volume, this.finalErrors.has(key));
    const rest = size === undefined ? 0 : this.restingTime(key, claim, size);
    if (size === undefined) this.queue.forget(key);
    else if (rest > 0) this.queue.addAfter(key, rest);
    else if (yield* this.resize(key, claim, volume, size)) this.queue.forget(key);
    else this.queue.addRateLimited(key);
  }

  private needsResize(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
    return claim.status.phase === 'Bound' && requestedBytes(claim) > capacityBytes(claim) && volume.spec.csi?.driver === this.driver.name && volume.spec.claimRef?.uid === claim.metadata.uid;
  }

  /** An impossible size is tried once more, then left alone for five minutes; another size is tried at once. @modelled ref 10 */
  private restingTime(key: string, claim: PersistentVolumeClaim, size: string): number {
    const since = this.slow.get(key);
    if (claim.status.allocatedResourceStatuses?.storage === 'ControllerResizeInfeasible' && since === undefined) this.slow.set(key, this.world.clock.now);
    const sameSize = bytesOf(claim.status.allocatedResources?.storage ?? '0') === bytesOf(size);
    return since === undefined || !sameSize ? 0 : Math.max(0, since + timings.infeasibleDelay - this.world.clock.now);
  }

  /** Marks the claim, asks the driver, writes the volume's new size, hands on to the kubelet. @recorded #expand-online */
  private *resize(key: string, claim: PersistentVolumeClaim, volume: PersistentVolume, size: string): Step<boolean> {
    const sameSize = claim.status.allocatedResources !== undefined && bytesOf(claim.status.allocatedResources.storage) === bytesOf(size);
    const marked = sameSize ? claim : yield* this.setStatus(claim, (status) => inProgress(status, size, this.now));
    if (!marked) return false;
    this.recorder.event(marked, 'Normal', 'Resizing', `External resizer is resizing volume ${volume.metadata.name}`);
    yield timings.csiCall;
    const answer = this.driver.controllerExpand({ volumeId: volume.spec.csi?.volumeHandle ?? '', requiredBytes: bytesOf(size) });
    if (answer.code !== 'OK') return yield* this.fail(key, marked, volume, answer);
    this.finalErrors.delete(key);
    this.slow.delete(key);
    const reached = binaryQuantity(answer.response.capacityBytes);
    const grown = yield* write<'PersistentVolume'>(this.world, volume, (old) => ({ ...old, spec: { ...old.spec, capacity: { ...old.spec.capacity, storage: reached } } }));
    if (!grown) return false;
    return answer.response.nodeExpansionRequired ? yield* this.handToNode(marked) : yield* this.finish(marked, reached);
  }

  /** @recorded #expand-online */
  private *handToNode(claim: PersistentVolumeClaim): Step<boolean> {
    const pending = yield* this.setStatus(claim, (status) => ({
      ...status,
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
      conditions: withCondition(status.conditions, {
        type: 'FileSystemResizePending',
        status: 'True',
        lastProbeTime: null,
        lastTransitionTime: this.now,
        message: 'Waiting for user to (re-)start a pod to finish file system resize of volume on node.',
      }),
    }));
    if (pending) this.recorder.event(claim, 'Normal', 'FileSystemResizeRequired', 'Require file system resize of volume on node');
    return pending !== undefined;
  }

  /** No node has to do anything. @modelled ref 10 */
  private *finish(claim: PersistentVolumeClaim, size: string): Step<boolean> {
    const done = yield* this.setStatus(claim, ({ conditions, allocatedResourceStatuses: _gone, ...status }) => {
      const others = (conditions ?? []).filter(({ type }) => !RESIZE_CONDITIONS.has(type));
      return { ...status, capacity: { ...status.capacity, storage: size }, ...(others.length > 0 ? { conditions: others } : {}) };
    });
    if (done) this.recorder.event(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
    return done !== undefined;
  }

  /** A final error stands in a condition; an impossible request in the resource status too. @modelled ref 10 */
  private *fail(key: string, claim: PersistentVolumeClaim, volume: PersistentVolume, answer: { readonly code: Exclude<GrpcCode, 'OK'>; readonly error: string }): Step<false> {
    const infeasible = isInfeasible(answer.code);
    if (!infeasible) this.slow.delete(key);
    if (isFinal(answer.code)) {
      this.finalErrors.add(key);
      yield* this.setStatus(claim, (status) => ({
        ...status,
        ...(infeasible ? { allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' } } : {}),
        conditions: withCondition(status.conditions, {
          type: 'ControllerResizeError',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: this.now,
          message: `failed to expand pvc with ${grpcError(answer)}`,
        }),
      }));
    } else {
      this.finalErrors.delete(key);
    }
    this.recorder.event(claim, 'Warning', 'VolumeResizeFailed', `resize volume "${volume.metadata.name}" by resizer "${this.driver.name}" failed: ${grpcError(answer)}`);
    return false;
  }

  private *setStatus(claim: PersistentVolumeClaim, change: (status: ClaimStatus) => ClaimStatus): Step<PersistentVolumeClaim | undefined> {
    return yield* write<'PersistentVolumeClaim'>(this.world, claim, (old) => ({ ...old, status: change(old.status) }));
  }

  private get now(): string {
    return this.world.api.timestamp();
  }
}

/** A larger request, and a size reached, wake the resizer; a lowered request waits for the next attempt (updatePVC). @recorded #expand-online */
function isNews(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  return requestedBytes(claim) > requestedBytes(old) || capacityBytes(claim) > capacityBytes(old);
}

const RESIZE_CONDITIONS: ReadonlySet<string> = new Set(['FileSystemResizePending', 'Resizing', 'ControllerResizeError', 'NodeResizeError']);

/** The claim's conditions with one set; other resize conditions stay beside it (MergeResizeConditionsOfPVC). */
function withCondition(conditions: readonly Condition[] | undefined, condition: Condition): readonly Condition[] {
  return [...(conditions ?? []).filter(({ type }) => type !== condition.type), condition];
}

/** @recorded #expand-online */
function inProgress(status: ClaimStatus, size: string, now: string): ClaimStatus {
  const others = (status.conditions ?? []).filter(({ type }) => !RESIZE_CONDITIONS.has(type));
  return {
    ...status,
    allocatedResources: { storage: size },
    allocatedResourceStatuses: { storage: 'ControllerResizeInProgress' },
    conditions: [...others, { type: 'Resizing', status: 'True', lastProbeTime: null, lastTransitionTime: now }],
  };
}

/**
 * The size to bring the volume to now; undefined when the node has to act first. A size that was begun is finished before
 * a new one is taken up, unless its attempt has failed for good (expandAndRecover). @modelled ref 10
 */
function sizeToReach(claim: PersistentVolumeClaim, volume: PersistentVolume, failedForGood: boolean): string | undefined {
  const requested = claim.spec.resources?.requests?.storage ?? '0';
  const allocated = claim.status.allocatedResources?.storage;
  const status = claim.status.allocatedResourceStatuses?.storage;
  const volumeSize = bytesOf(volume.spec.capacity.storage);
  if (volumeSize < bytesOf(requested)) {
    switch (status) {
      case 'NodeResizePending':
      case 'NodeResizeInProgress':
        return volumeSize >= bytesOf(allocated ?? requested) ? undefined : (allocated ?? requested);
      case 'NodeResizeInfeasible':
        return allocated ?? requested;
      case 'ControllerResizeInProgress':
        return failedForGood ? requested : (allocated ?? requested);
      default:
        return requested;
    }
  }
  return status === 'NodeResizePending' || status === 'NodeResizeInProgress' ? undefined : (allocated ?? requested);
}

/** Codes after which the driver is surely not at it any more (util.IsFinalError). @modelled ref 10 */
function isFinal(code: GrpcCode): boolean {
  return code !== 'Canceled' && code !== 'DeadlineExceeded' && code !== 'Unavailable' && code !== 'Aborted';
}

/** Codes that say that the size cannot be reached (util.IsResizeInfeasibleError). @modelled ref 10 */
function isInfeasible(code: GrpcCode): boolean {
  return code === 'InvalidArgument' || code === 'OutOfRange' || code === 'NotFound';
}
