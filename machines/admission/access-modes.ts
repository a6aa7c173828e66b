/** Access modes and volume modes of claims and volumes (pkg/apis/core/validation/validation.go, v1.35). */
import type { FieldErrors } from './field-errors.ts';

const ACCESS_MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** @modelled ref 1 */
export function checkAccessModes(errors: FieldErrors, field: string, modes: readonly string[]): void {
  for (const mode of modes) if (!ACCESS_MODES.includes(mode)) errors.notSupported(field, mode, ACCESS_MODES);
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) errors.forbidden(field, 'may not use ReadWriteOncePod with other access modes');
}

export function checkVolumeMode(errors: FieldErrors, field: string, mode: string | undefined): void {
  if (mode !== undefined && !VOLUME_MODES.includes(mode)) errors.notSupported(field, mode, VOLUME_MODES);
}
