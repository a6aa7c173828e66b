/** One sync of a claim by the PV controller (ref 2.1, 2.2; syncClaim, syncUnboundClaim, syncBoundClaim). */
import { objectKey } from '../../kernel/api-server.ts';
import type { Rest } from '../../kernel/work-queue.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, classNameOf, hasAnnotation, SELECTED_NODE } from './annotations.ts';
import { bind } from './bind.ts';
import { setClaimPhase, write, type Binder, type Step } from './binder.ts';
import { findMatchingVolume, isVolumeBoundToClaim, whyVolumeMismatches } from './matching.ts';
import { unscheduledPodsOf } from './pods-of-claim.ts';
import { defaultClassName, isDelayBinding } from './classes.ts';
import { provisionClaim } from './request-provisioning.ts';

/** A claim whose bind-completed annotation is set is kept bound; any other looks for a volume. @recorded #immediate-happy, #claim-lost */
export function syncClaim(binder: Binder, claim: PersistentVolumeClaim): Rest {
  if (hasAnnotation(claim, BIND_COMPLETED)) return syncBoundClaim(binder, claim);
  if ((claim.spec.volumeName ?? '') === '') return findVolume(binder, claim);
  return takeRequestedVolume(binder, claim);
}

/** U1–U5: the claim takes any volume that fits. @recorded #static-volume, #static-no-match, #wait-for-first-consumer */
function findVolume(binder: Binder, claim: PersistentVolumeClaim): Rest {
  const delayBinding = isDelayBinding(binder.world.api, claim);
  const volume = findMatchingVolume(binder.world.api, claim, { delayBinding });
  if (volume) return bind(binder, volume, claim);
  const defaultClass = missingClass(binder, claim);
  if (defaultClass !== undefined) return assignClass(binder, claim, defaultClass);
  if (delayBinding && !hasAnnotation(claim, SELECTED_NODE)) {
    announceWaitForConsumer(binder, claim);
    return setClaimPhase(binder, claim, 'Pending');
  }
  if (classNameOf(claim) === '') {
    binder.recorder.event(claim, 'Normal', 'FailedBinding', 'no persistent volumes available for this claim and no storage class is set');
    return stayPending(binder, claim);
  }
  provisionClaim(binder, claim);
  return undefined;
}

/** U2: a claim that was made while no default class existed gets the one that exists now (assignDefaultStorageClass). @modelled ref 2.1 U2 */
function missingClass(binder: Binder, claim: PersistentVolumeClaim): string | undefined {
  return claim.spec.storageClassName !== undefined || classNameOf(claim) !== '' ? undefined : defaultClassName(binder.world.api);
}

function assignClass(binder: Binder, claim: PersistentVolumeClaim, storageClassName: string): Rest {
  return write<'PersistentVolumeClaim'>(binder.world, claim, (old) => ({ ...old, spec: { ...old.spec, storageClassName } }));
}

/** U3 (emitEventForUnboundDelayBindingClaim). @recorded #wait-for-first-consumer, #wait-pod-unschedulable */
function announceWaitForConsumer(binder: Binder, claim: PersistentVolumeClaim): void {
  binder.claims.get(objectKey(claim)).try('WAIT_FOR_CONSUMER');
  const pods = unscheduledPodsOf(binder.world.api, claim);
  if (pods.length === 0) {
    binder.recorder.event(claim, 'Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    return;
  }
  binder.recorder.event(claim, 'Normal', 'WaitForPodScheduled', `waiting for pod${pods.length > 1 ? 's' : ''} ${pods.join(',')} to be scheduled`);
}

function stayPending(binder: Binder, claim: PersistentVolumeClaim): Rest {
  binder.claims.get(objectKey(claim)).try('WAIT_FOR_VOLUME');
  return setClaimPhase(binder, claim, 'Pending');
}

/** U6–U10: the claim names its volume. @recorded #retain-reuse */
function takeRequestedVolume(binder: Binder, claim: PersistentVolumeClaim): Rest {
  const name = claim.spec.volumeName ?? '';
  const volume = binder.world.api.byKey('PersistentVolume', name);
  if (!volume) return stayPending(binder, claim);
  if (!volume.spec.claimRef) return takeUnclaimed(binder, claim, volume);
  if (isVolumeBoundToClaim(volume, claim)) return bind(binder, volume, claim);
  return hasAnnotation(claim, BOUND_BY_CONTROLLER) ? undefined : refuseTakenVolume(binder, claim, name);
}

/** U10. @modelled ref 2.1 U10 */
function refuseTakenVolume(binder: Binder, claim: PersistentVolumeClaim, name: string): Rest {
  binder.recorder.event(claim, 'Warning', 'FailedBinding', `volume "${name}" already bound to a different claim.`);
  return stayPending(binder, claim);
}

/** U7, U8. @recorded #retain-reuse */
function takeUnclaimed(binder: Binder, claim: PersistentVolumeClaim, volume: PersistentVolume): Rest {
  const why = whyVolumeMismatches(volume, claim);
  return why === undefined ? bind(binder, volume, claim) : refuseMismatch(binder, claim, volume, why);
}

/** U8. @modelled ref 2.1 U8 */
function refuseMismatch(binder: Binder, claim: PersistentVolumeClaim, volume: PersistentVolume, why: string): Rest {
  binder.recorder.event(claim, 'Warning', 'VolumeMismatch', `Cannot bind to requested volume "${volume.metadata.name}": ${why}`);
  return stayPending(binder, claim);
}

/** A bound claim stays bound, is bound again to a volume that left it, or is Lost (ref 2.2). @recorded #claim-lost */
function syncBoundClaim(binder: Binder, claim: PersistentVolumeClaim): Rest {
  const name = claim.spec.volumeName ?? '';
  if (name === '') return loseClaim(binder, claim, 'ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  const volume = binder.world.api.byKey('PersistentVolume', name);
  if (!volume) return loseClaim(binder, claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  if (!volume.spec.claimRef || volume.spec.claimRef.uid === claim.metadata.uid) return bind(binder, volume, claim);
  return loseToAnother(binder, claim);
}

/** The volume's claimRef names another claim by now. @modelled ref 2.2 */
function loseToAnother(binder: Binder, claim: PersistentVolumeClaim): Rest {
  return loseClaim(binder, claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The event comes with the change of phase only (updateClaimStatusWithEvent). @recorded #claim-lost */
function* loseClaim(binder: Binder, claim: PersistentVolumeClaim, reason: string, message: string): Step<void> {
  if (claim.status.phase === 'Lost') return;
  const lost = yield* setClaimPhase(binder, claim, 'Lost');
  if (!lost) return;
  binder.claims.get(objectKey(claim)).try('LOSE');
  binder.recorder.event(lost, 'Warning', reason, message);
}
