/**
 * What the API server's JSON decoder makes of a manifest or a patch (encoding/json by way of sigs.k8s.io/json,
 * apimachinery serializer/json, v1.35): values of a wrong type are refused before anything else looks at the object.
 */
import { bytesOf } from '../model/quantity.ts';
import { fieldsOf, goName, innerType, isField } from './go-types.ts';

/** Why a value cannot be decoded, in the decoder's words. */
export class DecodeError extends Error {}

/** Where a value stands: a field of the innermost Go struct, and the path of fields down to that struct. */
interface Place {
  readonly struct: string;
  readonly parent: string;
  readonly name: string;
}

function pathOf({ parent, name }: Place): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/**
 * The object as Go holds it after decoding: a null leaves its field at its zero value, an element that is null is an empty
 * one. Throws DecodeError for the first value of a wrong type. Fields that no rule of ours reads are kept unseen.
 * @modelled apimachinery pkg/runtime/serializer/json, v1.35
 */
export function decode<T extends object>(struct: string, object: T, path = ''): T {
  return areDecoded(fieldsOf(struct), object) ? object : (decodeStruct(struct, object, path) as T);
}

/** True for a value of the type that decoding would leave as it is: most manifests, found out without copying them. */
function isDecoded(type: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (type === 'b') return typeof value === 'boolean';
  if (type === 'q') return isQuantity(value);
  if (type === 'i32' || type === 'i64') return Number.isInteger(value) && Math.abs(value as number) < INT32_LIMIT;
  if (type === 'is') return false;
  if (type.startsWith('[]')) return Array.isArray(value) && value.every((item) => isDecoded(innerType(type), item));
  const fields = fieldsOf(type);
  const isMap = type.startsWith('{}');
  if (!fields && !isMap) return typeof value === 'string';
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return isMap ? Object.values(value).every((item) => isDecoded(innerType(type), item)) : areDecoded(fields, value);
}

function isQuantity(value: unknown): boolean {
  try {
    decodeQuantity(value);
    return true;
  } catch {
    return false;
  }
}

/** A field that no rule reads, or of a kind that is none, is kept unseen, unless it is null. */
function areDecoded(fields: ReadonlyMap<string, string> | undefined, value: object): boolean {
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    const type = fields?.get(name);
    if (type === undefined ? inner === null || inner === undefined : !isDecoded(type, inner)) return false;
  }
  return true;
}

function decodeStruct(struct: string, value: object, path: string): object {
  const fields = fieldsOf(struct);
  return mapFields(value, (name, inner) => {
    if (inner === null || inner === undefined) return undefined;
    const type = fields?.get(name);
    return type === undefined ? inner : decodeValue(type, inner, { struct, parent: path, name });
  });
}

/** The object with its fields changed; those that become undefined are left out. The same object where nothing changes. */
export function mapFields(value: object, change: (name: string, inner: unknown) => unknown): object {
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  let entries: [string, unknown][] | undefined;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const next = change(name, fields[name]);
    if (next === fields[name] && next !== undefined && !entries) continue;
    entries ??= names.slice(0, i).map((before) => [before, fields[before]]);
    if (next !== undefined) entries.push([name, next]);
  }
  return entries ? Object.fromEntries(entries) : value;
}

export function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const next = items.map(change);
  return next.every((item, i) => item === items[i]) ? items : next;
}

function decodeValue(type: string, value: unknown, place: Place): unknown {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) throw wrongType(type, value, place);
    const inner = innerType(type);
    return mapItems(value, (item) => (item === null || item === undefined ? zeroOf(inner) : decodeValue(inner, item, place)));
  }
  if (type === 'q') return decodeQuantity(value);
  if (type === 'is') return decodeIntOrString(value);
  if (type === 'b') return expected(typeof value === 'boolean', type, value, place);
  if (type === 'i32' || type === 'i64') return decodeInteger(type, value, place);
  if (type.startsWith('{}') || fieldsOf(type)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(type, value, place);
    return type.startsWith('{}') ? decodeMap(innerType(type), value, place) : decodeStruct(type, value, pathOf(place));
  }
  return expected(typeof value === 'string', type, value, place);
}

function decodeMap(type: string, value: object, place: Place): object {
  return mapFields(value, (_key, inner) => (inner === null || inner === undefined ? zeroOf(type) : decodeValue(type, inner, place)));
}

function zeroOf(type: string): unknown {
  if (type === 'q') return '0';
  if (type === 'i32' || type === 'i64') return 0;
  return fieldsOf(type) ? {} : '';
}

const INT32_LIMIT = 2 ** 31;
const INT64_LIMIT = 2 ** 63;

function decodeInteger(type: 'i32' | 'i64', value: unknown, place: Place): number {
  if (typeof value !== 'number') throw wrongType(type, value, place);
  const limit = type === 'i32' ? INT32_LIMIT : INT64_LIMIT;
  if (!Number.isInteger(value) || value >= limit || value < -limit) throw cannot(`number ${value}`, type, place);
  return value;
}

/** Quantity.UnmarshalJSON takes any JSON text for what it is. */
function decodeQuantity(value: unknown): unknown {
  try {
    if (typeof value === 'string' || typeof value === 'number') bytesOf(value);
    else throw new Error('neither text nor number');
    return value;
  } catch (cause) {
    throw new DecodeError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'", { cause });
  }
}

/** IntOrString.UnmarshalJSON decodes what is no text for itself, so that its error names no field. */
function decodeIntOrString(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') throw new DecodeError(`json: cannot unmarshal ${kindOf(value)} into Go value of type int32`);
  if (!Number.isInteger(value) || Math.abs(value) >= INT32_LIMIT) throw new DecodeError(`json: cannot unmarshal number ${value} into Go value of type int32`);
  return value;
}

function expected(right: boolean, type: string, value: unknown, place: Place): unknown {
  if (!right) throw wrongType(type, value, place);
  return value;
}

function wrongType(type: string, value: unknown, place: Place): DecodeError {
  return cannot(kindOf(value), type, place);
}

function cannot(what: string, type: string, place: Place): DecodeError {
  return new DecodeError(`json: cannot unmarshal ${what} into Go struct field ${place.struct}.${pathOf(place)} of type ${goName(type)}`);
}

/** What Go calls a JSON value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/**
 * The fields that the kind does not have, each as its path, in the order of the request's JSON: keys sorted, inner ones
 * first. kubectl has them refused (`fieldValidation=Strict`).
 * @modelled sigs.k8s.io/json internal/golang/encoding/json/kubernetes_patch.go, v1.35
 */
export function unknownFields(struct: string, value: object, path = ''): string[] {
  if (hasOnlyKnown(struct, value)) return [];
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, inner]) => {
      const at = path === '' ? name : `${path}.${name}`;
      if (!isField(struct, name)) return [at];
      const type = fieldsOf(struct)?.get(name);
      return type === undefined ? [] : unknownInside(type, inner, at);
    });
}

/** The usual case, found out without putting paths together. */
function hasOnlyKnown(struct: string, value: object): boolean {
  const fields = fieldsOf(struct);
  for (const name of Object.keys(value)) {
    const type = fields?.get(name);
    if (type === undefined ? !isField(struct, name) : !hasOnlyKnownInside(type, (value as Readonly<Record<string, unknown>>)[name])) return false;
  }
  return true;
}

function hasOnlyKnownInside(type: string, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (type.startsWith('[]')) return !Array.isArray(value) || value.every((item) => hasOnlyKnownInside(innerType(type), item));
  return Array.isArray(value) || fieldsOf(type) === undefined || hasOnlyKnown(type, value);
}

function unknownInside(type: string, value: unknown, at: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (type.startsWith('[]')) return Array.isArray(value) ? value.flatMap((item, i) => unknownInside(type.slice(2), item, `${at}[${i}]`)) : [];
  return Array.isArray(value) || fieldsOf(type) === undefined ? [] : unknownFields(type, value, at);
}

/** The object without them, as a request that is not strict leaves them out. @modelled apiserver pkg/endpoints/handlers/patch.go, v1.35 (fieldValidation=Warn) */
export function withoutUnknownFields<T extends object>(struct: string, value: T): T {
  const kept = Object.entries(value).filter(([name]) => isField(struct, name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, knownInside(fieldsOf(struct)?.get(name) ?? '', inner)])) as T;
}

function knownInside(type: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (type.startsWith('[]')) return Array.isArray(value) ? value.map((item) => knownInside(type.slice(2), item)) : value;
  return Array.isArray(value) || fieldsOf(type) === undefined ? value : withoutUnknownFields(type, value);
}

/** The strict decoder's complaint. @modelled apimachinery pkg/runtime/error.go (strictDecodingError), v1.35 */
export function strictDecodingError(unknown: readonly string[]): string {
  return `strict decoding error: ${unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ')}`;
}
