/** Binding a claim to a volume: four writes in a fixed order, each skipped where it is done already (ref 2.4). */
import { objectKey, withAnnotations } from '../../kernel/api-server.ts';
import { referenceTo } from '../../kernel/event-recorder.ts';
import type { Rest } from '../../kernel/work-queue.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, hasAnnotation } from './annotations.ts';
import { once, setClaimPhase, setVolumePhase, write, type Binder, type Step } from './binder.ts';
import type { ClaimLane } from './binding-charts.ts';
import { isVolumeBoundToClaim } from './matching.ts';
import { deepEqual } from '../../model/values.ts';

/**
 * bind(): PV.spec.claimRef, PV phase Bound, PVC.spec.volumeName with bind-completed, PVC status. It stops at the first
 * write that fails; the next sync finishes the binding. @recorded #immediate-happy, #static-volume, #retain-reuse
 */
export function bind(binder: Binder, volume: PersistentVolume, claim: PersistentVolumeClaim): Rest {
  const lane = binder.claims.get(objectKey(claim));
  if (!isFullyBound(volume, claim)) lane.try('BIND');
  // Most syncs find nothing to do.
  else if (deepEqual(claim.status.accessModes, volume.spec.accessModes)) {
    lane.try('BOUND');
    return undefined;
  }
  return bindSteps(binder, volume, claim, lane);
}

function* bindSteps(binder: Binder, volume: PersistentVolume, claim: PersistentVolumeClaim, lane: ClaimLane): Step<void> {
  const claimed = yield* write<'PersistentVolume'>(binder.world, volume, once(volume, (old) => bindVolumeToClaim(old, claim)));
  const bound = claimed && (yield* setVolumePhase(binder, claimed, 'Bound'));
  const named = bound && (yield* write<'PersistentVolumeClaim'>(binder.world, claim, once(claim, (old) => bindClaimToVolume(old, bound))));
  const done = named && (yield* setClaimPhase(binder, named, 'Bound', bound));
  lane.try(done ? 'BOUND' : 'CONFLICT');
  if (!done) binder.restless.claims.add(objectKey(claim));
}

function isFullyBound(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return bindVolumeToClaim(volume, claim) === volume && volume.status.phase === 'Bound' && bindClaimToVolume(claim, volume) === claim && claim.status.phase === 'Bound';
}

/** The volume with a complete claimRef; marked bound-by-controller unless it was reserved for the claim (GetBindVolumeToClaim). @recorded #static-volume */
export function bindVolumeToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const reserved = isVolumeBoundToClaim(volume, claim);
  const complete = reserved && volume.spec.claimRef?.uid === claim.metadata.uid;
  const referenced = complete ? volume : { ...volume, spec: { ...volume.spec, claimRef: referenceTo(claim) } };
  return reserved || hasAnnotation(volume, BOUND_BY_CONTROLLER) ? referenced : withAnnotations(referenced, { [BOUND_BY_CONTROLLER]: 'yes' });
}

/** The claim with its volume's name and bind-completed; bound-by-controller unless the claim named the volume itself. @recorded #immediate-happy, #retain-reuse */
function bindClaimToVolume(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const chosenByController = claim.spec.volumeName !== volume.metadata.name;
  const named = chosenByController ? { ...claim, spec: { ...claim.spec, volumeName: volume.metadata.name } } : claim;
  const mark = chosenByController && !hasAnnotation(claim, BOUND_BY_CONTROLLER) ? { [BOUND_BY_CONTROLLER]: 'yes' } : {};
  return withAnnotations(named, hasAnnotation(claim, BIND_COMPLETED) ? mark : { ...mark, [BIND_COMPLETED]: 'yes' });
}

/**
 * Rolls a binding back: a claimRef that the controller wrote goes, one that a person wrote loses its UID; then the volume
 * is Available again (unbindVolume). @modelled ref 2.6
 */
export function* unbindVolume(binder: Binder, volume: PersistentVolume): Step<void> {
  const unbound = yield* write<'PersistentVolume'>(binder.world, volume, withoutBinding);
  if (unbound) yield* setVolumePhase(binder, unbound, 'Available');
}

function withoutBinding(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec;
  if (hasAnnotation(volume, BOUND_BY_CONTROLLER)) return withAnnotations({ ...volume, spec }, { [BOUND_BY_CONTROLLER]: undefined });
  const { uid: _uid, ...rest } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: rest } };
}
