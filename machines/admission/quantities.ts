/** Quantities as the decoder and the validation see them (apimachinery pkg/api/resource, v1.35). */
import { bytesOf } from '../model/quantity.ts';
import type { AnyObject } from '../model/objects.ts';
import { undecodable, type FieldErrors } from './field-errors.ts';

/** Throws ApiError BadRequest for a text that is no quantity. @modelled apimachinery pkg/api/resource/quantity.go, v1.35 */
export function checkQuantity(object: AnyObject, quantity: unknown): void {
  if (quantity === undefined || quantity === null) return;
  try {
    bytesOf(quantity as string);
  } catch {
    throw undecodable(object, "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
}

/** ValidatePositiveQuantityValue */
export function checkPositive(errors: FieldErrors, field: string, quantity: string): void {
  if (bytesOf(quantity) <= 0) errors.invalid(field, quantity, 'must be greater than zero');
}
