/**
 * What the rules of the PV controller share: the world, the event recorder, the lanes, and how it writes claims and
 * volumes (kube-controller-manager, pkg/controller/volume/persistentvolume/pv_controller.go, v1.35). A write is
 * conditional on the version that was read: whoever wrote in between has caused a watch event, and that syncs again.
 */
import { ApiError } from '../../kernel/api-error.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { PendingOperations } from '../../kernel/pending-operations.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { claimBindingChart, volumeChart, type ClaimLanes, type VolumeLanes } from './binding-charts.ts';
import type { Kind, KindMap, PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';

/** What a rule of the PV controller works with. */
export interface Binder {
  readonly world: World;
  readonly recorder: EventRecorder;
  readonly claims: ClaimLanes;
  readonly volumes: VolumeLanes;
  /** The operations that ask provisioners, by claim UID: running, or held back by their last failure. */
  readonly provisioning: PendingOperations;
  /** What the periodic resync has to look at: keys of claims and names of volumes whose next sync may write something though nothing wakes it. */
  readonly restless: { readonly claims: Set<string>; readonly volumes: Set<string> };
  /** Has the claim synced now, or after the sync in hand. */
  readonly enqueueClaim: (key: string) => void;
}

export function createBinder(world: World, enqueueClaim: (key: string) => void): Binder {
  return {
    world,
    recorder: world.recorder('persistentvolume-controller'),
    claims: world.lanes(claimBindingChart),
    volumes: world.lanes(volumeChart),
    provisioning: new PendingOperations(world.clock),
    restless: { claims: new Set(), volumes: new Set() },
    enqueueClaim,
  };
}

/** A step of work that takes time and has a result. */
export type Step<T> = Generator<number, T, void>;

/**
 * One write of an object as it was read. Returns what is stored afterwards, or undefined when the write failed: the
 * object changed or went meanwhile, or the API server refused; `onRefusal` gets its words. The same object back from
 * `change` writes nothing.
 */
export function* write<K extends Kind>(world: World, object: KindMap[K], change: (object: KindMap[K]) => KindMap[K], onRefusal: (message: string) => void = () => undefined): Step<KindMap[K] | undefined> {
  if (change(object) === object) return object;
  yield timings.request;
  const { namespace, name, resourceVersion } = object.metadata;
  try {
    return world.api.update(object.kind as K, namespace, name, change, resourceVersion);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    onRefusal(error.message);
    return undefined;
  }
}

/** For `write`: a change that hangs on the object alone is worked out once, for the look before the request and for the request. */
export function once<T>(object: T, change: (object: T) => T): (object: T) => T {
  let made: T | undefined;
  return (old) => (old === object ? (made ??= change(old)) : change(old));
}

const PHASE_EVENTS = { Available: 'MAKE_AVAILABLE', Bound: 'BIND', Released: 'RELEASE', Failed: 'FAIL' } as const;

/** Writes a volume's phase and message; undefined when the write failed (updateVolumePhase). @recorded #static-volume, #retain-released */
export function* setVolumePhase(binder: Binder, volume: PersistentVolume, phase: keyof typeof PHASE_EVENTS, message?: string): Step<PersistentVolume | undefined> {
  if (volume.status.phase === phase) return volume;
  const change = (old: PersistentVolume): PersistentVolume => {
    const { message: _old, ...status } = old.status;
    return { ...old, status: { ...status, phase, ...(message === undefined ? {} : { message }) } };
  };
  const done = yield* write<'PersistentVolume'>(binder.world, volume, once(volume, change));
  if (done) binder.volumes.get(done.metadata.name).try(PHASE_EVENTS[phase]);
  return done;
}

/**
 * Writes a claim's phase; with a volume its access modes and, at the change to Bound, its capacity; without one both are
 * cleared (updateClaimStatus). Undefined when the write failed. @recorded #immediate-happy, #claim-lost
 */
export function* setClaimPhase(binder: Binder, claim: PersistentVolumeClaim, phase: 'Pending' | 'Bound' | 'Lost', volume?: PersistentVolume): Step<PersistentVolumeClaim | undefined> {
  const change = (old: PersistentVolumeClaim): PersistentVolumeClaim => {
    const status = volume ? boundStatus(old, volume) : unboundStatus(old, phase);
    const next = { ...status, phase };
    return deepEqual(next, old.status) ? old : { ...old, status: next };
  };
  return yield* write<'PersistentVolumeClaim'>(binder.world, claim, once(claim, change));
}

function boundStatus(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim['status'] {
  const becomesBound = claim.status.phase !== 'Bound';
  return {
    ...claim.status,
    accessModes: volume.spec.accessModes,
    ...(becomesBound ? { capacity: { ...claim.status.capacity, storage: volume.spec.capacity.storage } } : {}),
  };
}

function unboundStatus(claim: PersistentVolumeClaim, phase: 'Pending' | 'Bound' | 'Lost'): PersistentVolumeClaim['status'] {
  const { accessModes: _modes, capacity: _capacity, ...rest } = claim.status;
  return { ...rest, phase };
}
