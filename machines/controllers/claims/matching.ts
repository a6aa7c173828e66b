/**
 * Which volume a claim gets (ref 2.5; component-helpers storage/volume/pv_helpers.go FindMatchingVolume and
 * pkg/controller/volume/persistentvolume/index.go findBestMatchForClaim, v1.35), as the PV controller picks it. The
 * scheduler shares the conditions and looks for a volume per node (scheduler/volume-match.ts).
 */
import type { ApiServer } from '../../kernel/api-server.ts';
import { matchesLabelSelector } from '../../model/label-selector.ts';
import type { AccessMode, ObjectReference, PersistentVolume, PersistentVolumeClaim } from '../../model/objects.ts';
import { bytesOf } from '../../model/quantity.ts';
import { classNameOf } from './annotations.ts';

interface MatchOptions {
  /** The claim's class waits for its first consumer: only a volume that is pre-bound to the claim counts, the scheduler picks the others. */
  readonly delayBinding: boolean;
}

const FREE = 'volumes-without-claim';
const CLAIMED = 'volumes-by-claim';

/** Declares the indexes that `findMatchingVolume` and `volumesOfClaimKey` read. */
export function indexVolumes(api: ApiServer): void {
  api.index(FREE, 'PersistentVolume', (volume) => (volume.spec.claimRef ? [] : [classNameOf(volume)]));
  api.index(CLAIMED, 'PersistentVolume', (volume) => (volume.spec.claimRef ? [claimKeyOf(volume.spec.claimRef)] : []), (volume) => volume.spec.claimRef);
}

/** `namespace/name` of the claim that a reference names. */
export function claimKeyOf(reference: ObjectReference): string {
  return `${reference.namespace ?? ''}/${reference.name ?? ''}`;
}

/** Volumes whose claimRef names `namespace/name`, whatever the UID. */
export function volumesOfClaimKey(api: ApiServer, key: string): PersistentVolume[] {
  return api.byIndex<'PersistentVolume'>(CLAIMED, key);
}

/**
 * True when the volume's claimRef names the claim: same namespace and name, and the same UID or none yet
 * (IsVolumeBoundToClaim). @recorded #static-volume, #retain-reuse
 */
export function isVolumeBoundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec.claimRef;
  if (!reference || (reference.namespace ?? '') !== (claim.metadata.namespace ?? '') || (reference.name ?? '') !== claim.metadata.name) return false;
  return (reference.uid ?? '') === '' || reference.uid === claim.metadata.uid;
}

/**
 * The best volume for a claim, or undefined. A volume that is pre-bound to the claim wins; otherwise among the Available
 * ones of the same class the fewest access modes come first and then the smallest capacity.
 * @recorded #static-volume, #static-no-match
 */
export function findMatchingVolume(api: ApiServer, claim: PersistentVolumeClaim, options: MatchOptions): PersistentVolume | undefined {
  const key = `${claim.metadata.namespace ?? ''}/${claim.metadata.name}`;
  const candidates = [...volumesOfClaimKey(api, key), ...api.byIndex<'PersistentVolume'>(FREE, classNameOf(claim))];
  if (candidates.length === 0) return undefined;
  const fitting = candidates.filter((volume) => offersAccessModes(volume, claim));
  for (const group of byAccessModes(fitting)) {
    const preBound = group.find((volume) => isVolumeBoundToClaim(volume, claim) && couldServe(volume, claim));
    if (preBound) return preBound;
    if (options.delayBinding) continue;
    const smallest = smallestOf(group.filter((volume) => mayBeChosen(volume, claim)));
    if (smallest) return smallest;
  }
  return undefined;
}

/** Volumes that carry every access mode the claim asks for. @recorded #static-no-match */
export function offersAccessModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes.includes(mode));
}

/** Capacity, volume mode, attributes class and deletion: what even a pre-bound volume must meet. @recorded #static-volume */
export function couldServe(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.metadata.deletionTimestamp === undefined &&
    bytesOf(volume.spec.capacity.storage) >= requestedBytes(claim) &&
    !volumeModesDiffer(volume, claim) &&
    (volume.spec.volumeAttributesClassName ?? '') === (claim.spec.volumeAttributesClassName ?? '')
  );
}

/** What a volume that nobody reserved must meet beside `couldServe`. @recorded #static-volume */
function mayBeChosen(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.spec.claimRef === undefined &&
    couldServe(volume, claim) &&
    volume.status.phase === 'Available' &&
    classNameOf(volume) === classNameOf(claim) &&
    (claim.spec.selector === undefined || matchesLabelSelector(claim.spec.selector, volume.metadata.labels))
  );
}

/** Both sides default to Filesystem (CheckVolumeModeMismatches). @modelled ref 2.5 */
export function volumeModesDiffer(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec.volumeMode ?? 'Filesystem') !== (claim.spec.volumeMode ?? 'Filesystem');
}

/** Bytes that the claim asks for; 0 when it asks for none. */
export function requestedBytes(claim: PersistentVolumeClaim): number {
  return bytesOf(claim.spec.resources?.requests?.storage ?? '0');
}

/** Groups by the set of access modes, fewest modes first (volumes.allPossibleMatchingAccessModes). */
function byAccessModes(volumes: readonly PersistentVolume[]): PersistentVolume[][] {
  const groups = new Map<string, PersistentVolume[]>();
  for (const volume of volumes) {
    const key = accessModesKey(volume.spec.accessModes);
    const group = groups.get(key);
    if (group) group.push(volume);
    else groups.set(key, [volume]);
  }
  return [...groups].toSorted(([a], [b]) => modesIn(a) - modesIn(b)).map(([, group]) => group);
}

function modesIn(key: string): number {
  return key === '' ? 0 : key.split(',').length;
}

function accessModesKey(modes: readonly AccessMode[]): string {
  if (modes.length === 1 && modes[0] !== undefined) return modes[0];
  return [...new Set(modes)].toSorted().join(',');
}

function smallestOf(volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    if (!best || bytesOf(volume.spec.capacity.storage) < bytesOf(best.spec.capacity.storage)) best = volume;
  }
  return best;
}

/**
 * Why a volume that the claim names cannot serve it, in the API's words; undefined when it can (checkVolumeSatisfyClaim).
 * The selector is not looked at. @modelled ref 2.1 U8
 */
export function whyVolumeMismatches(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (bytesOf(volume.spec.capacity.storage) < requestedBytes(claim)) return 'requested PV is too small';
  if (classNameOf(volume) !== classNameOf(claim)) return 'storageClassName does not match';
  if ((volume.spec.volumeAttributesClassName ?? '') !== (claim.spec.volumeAttributesClassName ?? '')) return 'volumeAttributesClassName does not match';
  if (volumeModesDiffer(volume, claim)) return 'incompatible volumeMode';
  return offersAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}
