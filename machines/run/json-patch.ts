/** JSON patches (RFC 6902), as the API server applies them (gopkg.in/evanphx/json-patch.v4). */
import { ApiError } from '../kernel/api-error.ts';
import type { Json, JsonOperation } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';

/** What the server says of every operation that cannot be done. @modelled apiserver pkg/endpoints/handlers/patch.go (applyJSPatch), v1.35 */
function rejected(): ApiError {
  return new ApiError('Invalid', 'the server rejected our request due to an error in our request');
}

/** The document after all operations. Throws ApiError Invalid for the first that cannot be done. */
export function applyJsonPatch(document: Json, operations: readonly JsonOperation[]): Json {
  return operations.reduce(applyOperation, document);
}

function applyOperation(document: Json, { op, path, from = '', value }: JsonOperation): Json {
  const place = pointerOf(path);
  switch (op) {
    case 'add':
      return changed(document, place, value ?? null, 'add');
    case 'replace':
      valueAt(document, place);
      return changed(document, place, value ?? null, 'replace');
    case 'remove':
      return changed(document, place, null, 'remove');
    case 'test':
      if (!deepEqual(optionalAt(document, place), value ?? null)) throw rejected();
      return document;
    case 'copy':
      return changed(document, place, valueAt(document, pointerOf(from)), 'add');
    case 'move': {
      const moved = valueAt(document, pointerOf(from));
      return changed(changed(document, pointerOf(from), null, 'remove'), place, moved, 'add');
    }
    default:
      throw rejected();
  }
}

/** `/metadata/labels/a~1b` → the keys on the way. */
function pointerOf(path: string): string[] {
  if (path === '' || !path.startsWith('/')) throw rejected();
  return path.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function optionalAt(document: Json, place: readonly string[]): Json {
  try {
    return valueAt(document, place);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function valueAt(document: Json, place: readonly string[]): Json {
  return place.reduce<Json>((value, key) => {
    if (Array.isArray(value)) return value[indexIn(value, key)] ?? null;
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) throw rejected();
    return value[key] ?? null;
  }, document);
}

function indexIn(list: readonly Json[], key: string, most = list.length - 1): number {
  const index = /^-?\d+$/.test(key) ? Number(key) : Number.NaN;
  const counted = index < 0 ? index + most + 1 : index;
  if (!(counted >= 0 && counted <= most)) throw rejected();
  return counted;
}

type How = 'add' | 'replace' | 'remove';

/** The document with one value added, replaced or removed. */
function changed(document: Json, [key = '', ...rest]: readonly string[], value: Json, how: How): Json {
  if (Array.isArray(document)) return rest.length > 0 ? document.with(indexIn(document, key), changed(document[indexIn(document, key)] ?? null, rest, value, how)) : changedList(document, key, value, how);
  if (document === null || typeof document !== 'object') throw rejected();
  if (rest.length > 0) {
    if (!Object.hasOwn(document, key)) throw rejected();
    return { ...document, [key]: changed(document[key] ?? null, rest, value, how) };
  }
  if (how !== 'remove') return { ...document, [key]: value };
  if (!Object.hasOwn(document, key)) throw rejected();
  const { [key]: _gone, ...others } = document;
  return others;
}

function changedList(list: readonly Json[], key: string, value: Json, how: How): Json {
  if (how === 'add') return list.toSpliced(key === '-' ? list.length : indexIn(list, key, list.length), 0, value);
  return how === 'replace' ? list.with(indexIn(list, key), value) : list.toSpliced(indexIn(list, key), 1);
}
