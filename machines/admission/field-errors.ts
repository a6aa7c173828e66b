/** Collects what is wrong with an object, in the API server's own words (apimachinery pkg/util/validation/field/errors.go, v1.35). */
import { ApiError, type FieldError } from '../kernel/api-error.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject } from '../model/objects.ts';

export class FieldErrors {
  readonly list: FieldError[] = [];

  required(field: string, detail = ''): void {
    this.add(field, `Required value${detail === '' ? '' : `: ${detail}`}`);
  }
  invalid(field: string, value: unknown, detail: string): void {
    this.add(field, `Invalid value: ${JSON.stringify(value)}: ${detail}`);
  }
  notSupported(field: string, value: unknown, supported: readonly string[]): void {
    this.add(field, `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.toSorted().map((v) => JSON.stringify(v)).join(', ')}`);
  }
  duplicate(field: string, value: unknown): void {
    this.add(field, `Duplicate value: ${JSON.stringify(value)}`);
  }
  notFound(field: string, value: unknown): void {
    this.add(field, `Not found: ${JSON.stringify(value)}`);
  }
  forbidden(field: string, detail: string): void {
    this.add(field, `Forbidden: ${detail}`);
  }
  /** A field that may not change (ValidateImmutableField). */
  immutable(field: string, before: unknown, after: unknown): void {
    if (JSON.stringify(before) !== JSON.stringify(after)) this.invalid(field, after ?? null, 'field is immutable');
  }

  private add(field: string, message: string): void {
    this.list.push({ field, message });
  }

  /** Throws ApiError Invalid when anything is wrong. */
  throwFor(object: AnyObject): void {
    if (this.list.length === 0) return;
    const { apiVersion } = KINDS[object.kind];
    const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0] ?? ''}` : '';
    const { name } = object.metadata;
    const texts = [...new Set(this.list.map(({ field, message }) => `${field}: ${message}`))];
    const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    throw new ApiError('Invalid', `${object.kind}${group} "${name}" is invalid: ${all ?? ''}`, this.list, { kind: object.kind, name });
  }
}

/** The refusal of an admission plugin. */
export function forbidden(object: AnyObject, why: string): ApiError {
  const { apiVersion, plural } = KINDS[object.kind];
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0] ?? ''}` : '';
  return new ApiError('Forbidden', `${plural}${group} "${object.metadata.name}" is forbidden: ${why}`);
}

/** The decoder's refusal: the manifest does not fit the kind at all. */
export function undecodable(object: AnyObject, why: string): ApiError {
  const version = object.apiVersion.split('/').at(-1) ?? '';
  return new ApiError('BadRequest', `${object.kind} in version "${version}" cannot be handled as a ${object.kind}: ${why}`);
}
