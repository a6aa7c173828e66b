/** What is refused of a storage class (pkg/apis/storage/validation/validation.go, v1.35). */
import type { StorageClass } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { FieldErrors } from './field-errors.ts';
import { checkLabels, checkMeta } from './names.ts';

/** Throws ApiError for a new class that is not valid. @modelled pkg/apis/storage/validation/validation.go, v1.35 */
export function validateClass(storageClass: StorageClass): void {
  const errors = new FieldErrors();
  checkMeta(errors, storageClass);
  if ((storageClass.provisioner ?? '') === '') errors.required('provisioner');
  for (const [key, value] of Object.entries(storageClass.parameters ?? {})) if (key === '') errors.invalid('parameters', value, 'field can not be empty.');
  if (!['Delete', 'Retain'].includes(storageClass.reclaimPolicy ?? '')) errors.notSupported('reclaimPolicy', storageClass.reclaimPolicy, ['Delete', 'Retain']);
  if (!['Immediate', 'WaitForFirstConsumer'].includes(storageClass.volumeBindingMode ?? '')) errors.notSupported('volumeBindingMode', storageClass.volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']);
  checkTopologies(errors, storageClass.allowedTopologies ?? []);
  errors.throwFor(storageClass);
}

/** @modelled pkg/apis/core/validation/validation.go (ValidateTopologySelectorTerm), v1.35 */
function checkTopologies(errors: FieldErrors, terms: NonNullable<StorageClass['allowedTopologies']>): void {
  for (const [i, term] of terms.entries()) {
    for (const [j, { key, values }] of ((term as Partial<typeof term>).matchLabelExpressions ?? []).entries()) {
      const at = `allowedTopologies[${i}].matchLabelExpressions[${j}]`;
      if (((values as typeof values | undefined) ?? []).length === 0) errors.required(`${at}.values`);
      checkLabels(errors, `${at}.key`, { [(key as string | undefined) ?? '']: '' });
    }
  }
}

/** Provisioner, parameters, reclaim policy and binding mode of a class never change. @modelled pkg/apis/storage/validation/validation.go, v1.35 */
export function validateClassUpdate(old: StorageClass, next: StorageClass): void {
  const errors = new FieldErrors();
  if (!deepEqual(old.parameters ?? {}, next.parameters ?? {})) errors.forbidden('parameters', 'updates to parameters are forbidden.');
  if (old.provisioner !== next.provisioner) errors.forbidden('provisioner', 'updates to provisioner are forbidden.');
  if (old.reclaimPolicy !== next.reclaimPolicy) errors.forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.');
  errors.immutable('volumeBindingMode', old.volumeBindingMode, next.volumeBindingMode);
  errors.throwFor(next);
}
