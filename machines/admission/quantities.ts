/** Quantities as the validation sees them (apimachinery pkg/api/resource, v1.35). */
import { bytesOf } from '../model/quantity.ts';
import type { FieldErrors } from './field-errors.ts';

/** ValidatePositiveQuantityValue */
export function checkPositive(errors: FieldErrors, field: string, quantity: string): void {
  if (bytesOf(quantity) <= 0) errors.invalid(field, quantity, 'must be greater than zero');
}
