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

type Fields = Readonly<Record<string, unknown>>;

/**
 * The stored value changed from what the last manifest said to what this one says. Returns `current` itself where
 * nothing changes.
 */
export function threeWayMerge(before: unknown, wanted: unknown, current: unknown, field = ''): unknown {
  if (isFields(wanted) && isFields(current)) return mergeFields(isFields(before) ? before : {}, wanted, current);
  const keys = MERGE_KEYS[field];
  if (Array.isArray(wanted) && Array.isArray(current)) {
    if (keys) return mergeByKey(keys, Array.isArray(before) ? before : [], wanted, current);
    if (SETS.has(field)) return mergeSet(Array.isArray(before) ? before : [], wanted, current);
  }
  return deepEqual(wanted, current) ? current : wanted;
}

function mergeFields(before: Fields, wanted: Fields, current: Fields): Fields {
  const removed = new Set(Object.keys(before).filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(current, key)));
  const merged = new Map<string, unknown>(Object.entries(current).filter(([key]) => !removed.has(key)));
  let changed = removed.size > 0;
  for (const [key, value] of Object.entries(wanted)) {
    const next = threeWayMerge(before[key], value, current[key], key);
    if (next === current[key]) continue;
    merged.set(key, next);
    changed = true;
  }
  return changed ? Object.fromEntries(merged) : current;
}

function mergeByKey(keys: readonly string[], before: readonly unknown[], wanted: readonly unknown[], current: readonly unknown[]): readonly unknown[] {
  const id = (item: unknown): string => keys.map((key) => String((item as Fields | null)?.[key])).join('|');
  const find = (list: readonly unknown[], item: unknown): unknown => list.find((other) => id(other) === id(item));
  const kept = current.filter((item) => find(wanted, item) !== undefined || find(before, item) === undefined);
  const merged = kept.map((item) => {
    const next = find(wanted, item);
    return next === undefined ? item : threeWayMerge(find(before, item), next, item);
  });
  const added = wanted.filter((item) => find(current, item) === undefined);
  const result = [...merged, ...added];
  return result.length === current.length && result.every((item, i) => item === current[i]) ? current : result;
}

function mergeSet(before: readonly unknown[], wanted: readonly unknown[], current: readonly unknown[]): readonly unknown[] {
  const result = [...current.filter((item) => wanted.includes(item) || !before.includes(item)), ...wanted.filter((item) => !current.includes(item))];
  return deepEqual(result, current) ? current : result;
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
