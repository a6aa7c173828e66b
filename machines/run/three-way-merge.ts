/**
 * The strategic three-way merge of kubectl apply (apimachinery pkg/util/strategicpatch, v1.35): maps merge field by
 * field, a list of the kinds named below merges by its key, every other list is replaced.
 */
import { deepEqual } from '../model/values.ts';

/** patchMergeKey tags of the served kinds (k8s.io/api core/v1, apps/v1, v1.35), by the list's field name. */
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  env: ['name'],
  ports: ['containerPort'],
  conditions: ['type'],
  ownerReferences: ['uid'],
  imagePullSecrets: ['name'],
};
/** Lists of plain values that are merged as sets. */
const SETS = new Set(['finalizers']);
/** Maps, and lists of maps, in which a change keeps only what the manifest names (patchStrategy retainKeys): one source of a volume, one strategy. */
const RETAIN_KEYS = new Set(['strategy', 'volumes']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The stored value changed from what the last manifest said to what this one says. Returns `current` itself where
 * nothing changes.
 */
export function threeWayMerge(before: unknown, wanted: unknown, current: unknown, field = '', retained: ReadonlySet<string> = RETAIN_KEYS): unknown {
  if (isFields(wanted) && isFields(current)) {
    const merged = mergeFields(isFields(before) ? before : {}, wanted, current, retained);
    return merged !== current && retained.has(field) ? onlyKeysOf(wanted, merged) : merged;
  }
  const keys = MERGE_KEYS[field];
  if (Array.isArray(wanted) && Array.isArray(current)) {
    if (keys) return mergeByKey(field, keys, Array.isArray(before) ? before : [], wanted, current, retained);
    if (SETS.has(field)) return mergeSet(Array.isArray(before) ? before : [], wanted, current);
  }
  return deepEqual(wanted, current) ? current : wanted;
}

const NOTHING_RETAINED: ReadonlySet<string> = new Set();

/**
 * A strategic merge patch without directives: what it names is merged, what it sets to null is removed. Returns `current`
 * itself where nothing changes.
 * @modelled apimachinery pkg/util/strategicpatch/patch.go, v1.35
 */
export function strategicMerge(patch: unknown, current: unknown): unknown {
  // As if the last manifest had said all that the patch names: what is null in it is what is left out now.
  return threeWayMerge(patch, withoutNulls(patch), current, '', NOTHING_RETAINED);
}

function withoutNulls(patch: unknown): unknown {
  if (Array.isArray(patch)) return patch.map(withoutNulls);
  return isFields(patch) ? Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null).map(([key, value]) => [key, withoutNulls(value)])) : patch;
}

function mergeFields(before: Fields, wanted: Fields, current: Fields, retained: ReadonlySet<string>): Fields {
  const removed = new Set(Object.keys(before).filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(current, key)));
  const merged = new Map<string, unknown>(Object.entries(current).filter(([key]) => !removed.has(key)));
  let changed = removed.size > 0;
  for (const [key, value] of Object.entries(wanted)) {
    const next = threeWayMerge(before[key], value, current[key], key, retained);
    if (next === current[key]) continue;
    merged.set(key, next);
    changed = true;
  }
  return changed ? Object.fromEntries(merged) : current;
}

function onlyKeysOf(wanted: Fields, merged: Fields): Fields {
  return Object.fromEntries(Object.entries(merged).filter(([key]) => Object.hasOwn(wanted, key)));
}

function mergeByKey(field: string, keys: readonly string[], before: readonly unknown[], wanted: readonly unknown[], current: readonly unknown[], retained: ReadonlySet<string>): readonly unknown[] {
  const id = (item: unknown): string => keys.map((key) => String((item as Fields | null)?.[key])).join('|');
  const find = (list: readonly unknown[], item: unknown): unknown => list.find((other) => id(other) === id(item));
  const kept = current.filter((item) => find(wanted, item) === undefined && find(before, item) === undefined);
  const merged = wanted.map((item) => {
    const stored = find(current, item);
    return stored === undefined ? item : threeWayMerge(find(before, item), item, stored, retained.has(field) ? field : '', retained);
  });
  const result = inOrder(kept, merged, (item) => current.findIndex((other) => id(other) === id(item)));
  return result.length === current.length && result.every((item, i) => item === current[i]) ? current : result;
}

function mergeSet(before: readonly unknown[], wanted: readonly unknown[], current: readonly unknown[]): readonly unknown[] {
  const kept = current.filter((item) => !wanted.includes(item) && !before.includes(item));
  const result = inOrder(kept, wanted, (item) => current.indexOf(item));
  return deepEqual(result, current) ? current : result;
}

/**
 * The manifest's elements in its order, and between them those that only the server has: each before the first element
 * that stood behind it.
 * @modelled apimachinery pkg/util/strategicpatch/patch.go (normalizeElementOrder), v1.35
 */
function inOrder(kept: readonly unknown[], merged: readonly unknown[], placeOf: (item: unknown) => number): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of merged) {
    const place = placeOf(item);
    while (next < kept.length && place >= 0 && placeOf(kept[next]) < place) result.push(kept[next++]);
    result.push(item);
  }
  return [...result, ...kept.slice(next)];
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
