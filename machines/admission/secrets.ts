/**
 * Secrets. The store keeps the plain text of each value, so that a container of the simulated cluster can read it; the
 * trace shows `(redacted)` as the recordings do (traces' README).
 */
import { FieldErrors, undecodable } from './field-errors.ts';
import { deepEqual } from '../model/values.ts';
import type { ConfigMap, Secret, StringMap } from '../model/objects.ts';

/**
 * A new secret: type Opaque, `stringData` over `data` (pkg/apis/core/v1/conversion.go, v1.35).
 * @recorded #missing-secret, #secret-removed
 */
export function completeSecret(secret: Secret): Secret {
  return withPlainData(secret, {}, { ...secret, type: secret.type ?? 'Opaque' });
}

/** A written secret: only the values that changed came over the wire, in base64. The same object when nothing changed. */
export function updatedSecret(old: Secret, next: Secret): Secret {
  const plain = withPlainData(next, old.data ?? {}, next);
  if (deepEqual(plain, old)) return old;
  const errors = new FieldErrors();
  errors.immutable('type', old.type, plain.type);
  checkImmutable(errors, old, plain);
  errors.throwFor(plain);
  return plain;
}

/** A written ConfigMap. */
export function validateConfigMapUpdate(old: ConfigMap, next: ConfigMap): void {
  const errors = new FieldErrors();
  checkImmutable(errors, old, next);
  errors.throwFor(next);
}

/** One that is marked immutable stays as it is, and so does the mark. @modelled pkg/apis/core/validation/validation.go ValidateSecretUpdate, ValidateConfigMapUpdate, v1.35 */
function checkImmutable(errors: FieldErrors, old: Secret | ConfigMap, next: Secret | ConfigMap): void {
  if (old.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (next.immutable !== true) errors.forbidden('immutable', detail);
  if (!deepEqual(old.data ?? {}, next.data ?? {})) errors.forbidden('data', detail);
}

function withPlainData(source: Secret, known: StringMap, target: Secret): Secret {
  const { stringData, ...rest } = target as Secret & { readonly stringData?: StringMap };
  const data: Record<string, string> = {};
  for (const [key, value] of Object.entries(source.data ?? {})) data[key] = known[key] === value ? value : decodeBase64(source, value);
  Object.assign(data, stringData);
  return Object.keys(data).length === 0 && source.data === undefined ? rest : { ...rest, data };
}

/** Throws ApiError BadRequest, as the API server's decoder does, for a value that is no base64. */
function decodeBase64(secret: Secret, value: string): string {
  const clean = String(value).replaceAll(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(clean)) {
    const at = /[^A-Za-z0-9+/]/.exec(clean)?.index ?? clean.length - (clean.length % 4);
    throw undecodable(secret, `illegal base64 data at input byte ${at}`);
  }
  return new TextDecoder().decode(Uint8Array.from(atob(clean), (c) => c.codePointAt(0) ?? 0));
}
