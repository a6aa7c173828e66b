/** What is refused of a claim (ValidatePersistentVolumeClaim and …Update, pkg/apis/core/validation/validation.go, v1.35; ref 1). */
import type { World } from '../kernel/world.ts';
import { bytesOf } from '../model/quantity.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { checkAccessModes, checkVolumeMode } from './access-modes.ts';
import { forbidden, FieldErrors } from './field-errors.ts';
import { goDiff } from './go-diff.ts';
import { checkMeta, checkSubdomain } from './names.ts';
import { checkPositive } from './quantities.ts';
import { checkLabelSelector } from './selectors.ts';

/** Throws ApiError for a new claim that is not valid. @modelled ref 1 */
export function validateClaim(claim: PersistentVolumeClaim): void {
  const errors = new FieldErrors();
  checkMeta(errors, claim);
  checkClaimSpec(errors, claim.spec, 'spec');
  errors.throwFor(claim);
}

/** ValidatePersistentVolumeClaimSpec: also of a claim template in an ephemeral volume. */
export function checkClaimSpec(errors: FieldErrors, spec: PersistentVolumeClaimSpec, path: string): void {
  if ((spec.accessModes ?? []).length === 0) errors.required(`${path}.accessModes`, 'at least 1 access mode is required');
  if (spec.selector) checkLabelSelector(errors, `${path}.selector`, spec.selector);
  checkAccessModes(errors, `${path}.accessModes`, spec.accessModes ?? []);
  const storage = spec.resources?.requests?.storage;
  if (storage === undefined) errors.required(`${path}.resources[storage]`);
  else checkPositive(errors, `${path}.resources[storage]`, storage);
  if (spec.storageClassName !== undefined && spec.storageClassName !== '') checkSubdomain(errors, `${path}.storageClassName`, spec.storageClassName);
  checkVolumeMode(errors, `${path}.volumeMode`, spec.volumeMode);
  checkDataSource(errors, `${path}.dataSource`, spec.dataSource);
  checkDataSource(errors, `${path}.dataSourceRef`, spec.dataSourceRef);
  if (spec.dataSource !== undefined && spec.dataSourceRef !== undefined && !deepEqual(spec.dataSource, spec.dataSourceRef)) errors.invalid(path, `${path}.dataSource`, 'must match dataSourceRef');
}

/** @modelled pkg/apis/core/validation/validation.go (validateDataSource), v1.35 */
function checkDataSource(errors: FieldErrors, at: string, given: PersistentVolumeClaimSpec['dataSource']): void {
  if (given === undefined) return;
  const { name = '', kind = '', apiGroup = '' } = given as { readonly name?: string; readonly kind?: string; readonly apiGroup?: string };
  if (name === '') errors.required(`${at}.name`);
  if (kind === '') errors.required(`${at}.kind`);
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') errors.invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
}

/**
 * A claim's spec stays as it was made: only a volume name or a class may be filled in once, and a bound claim's request
 * may grow, or shrink back to what its status has.
 * The validation comes before the admission plugin PersistentVolumeClaimResize (apiserver registry/generic/registry/store.go
 * Update), so a claim that is not bound gets the answer of the validation.
 * @modelled ref 1
 */
export function validateClaimUpdate(world: World, old: PersistentVolumeClaim, next: PersistentVolumeClaim): void {
  if (old.spec === next.spec || deepEqual(old.spec, next.spec)) return;
  const errors = new FieldErrors();
  checkClaimSpec(errors, next.spec, 'spec');
  errors.throwFor(next);
  const before = comparable(old, next);
  const after = comparable(next, next);
  const wanted = bound(next) ? { ...after, resources: before.resources } : after;
  if (!deepEqual(goSpec(before), goSpec(wanted))) {
    errors.forbidden('spec', `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${goDiff(goSpec(before), goSpec(wanted))}`);
  }
  if (shrinksBelowStatus(old, next)) errors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
  errors.immutable('volumeMode', old.spec.volumeMode, next.spec.volumeMode);
  errors.throwFor(next);
  admitResize(world, old, next);
}

function bound(claim: PersistentVolumeClaim): boolean {
  return claim.status.phase === 'Bound';
}

/** The spec without what may be filled in once: an empty volume name, a missing class. */
function comparable(claim: PersistentVolumeClaim, next: PersistentVolumeClaim): PersistentVolumeClaimSpec {
  const { spec } = claim;
  return {
    ...spec,
    ...(spec.volumeName === undefined && next.spec.volumeName !== undefined ? { volumeName: next.spec.volumeName } : {}),
    ...(spec.storageClassName === undefined && next.spec.storageClassName !== undefined ? { storageClassName: next.spec.storageClassName } : {}),
  };
}

function requested(claim: PersistentVolumeClaim): number {
  return bytesOf(claim.spec.resources?.requests?.storage ?? '0');
}

function shrinksBelowStatus(old: PersistentVolumeClaim, next: PersistentVolumeClaim): boolean {
  return requested(next) < requested(old) && requested(next) <= bytesOf(old.status.capacity?.storage ?? '0');
}

/**
 * PersistentVolumeClaimResize: only claims whose class allows it grow
 * (plugin/pkg/admission/storage/persistentvolume/resize/admission.go, v1.35).
 * @modelled ref 1
 */
function admitResize(world: World, old: PersistentVolumeClaim, next: PersistentVolumeClaim): void {
  if (requested(next) <= requested(old)) return;
  if (old.status.phase !== 'Bound') throw forbidden(next, 'Only bound persistent volume claims can be expanded');
  const className = next.spec.storageClassName ?? '';
  const storageClass = className === '' ? undefined : world.api.get('StorageClass', undefined, className);
  if (!storageClass?.allowVolumeExpansion) throw forbidden(next, 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize');
}

/** The spec as Go prints it (core.PersistentVolumeClaimSpec, its fields in order). */
function goSpec(spec: PersistentVolumeClaimSpec): Readonly<Record<string, unknown>> {
  const { requests, limits } = (spec.resources ?? {}) as { requests?: unknown; limits?: unknown };
  return {
    AccessModes: spec.accessModes ?? null,
    Selector: spec.selector ?? null,
    Resources: { Limits: limits ?? null, Requests: requests ?? null },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: goSource(spec.dataSource, false),
    DataSourceRef: goSource(spec.dataSourceRef, true),
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  };
}

function goSource(given: PersistentVolumeClaimSpec['dataSource'], withNamespace: boolean): unknown {
  if (given === undefined) return null;
  const { apiGroup, kind = '', name = '' } = given as { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
  return { APIGroup: apiGroup ?? null, Kind: kind, Name: name, ...(withNamespace ? { Namespace: null } : {}) };
}
