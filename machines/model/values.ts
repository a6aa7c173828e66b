/** Comparing and merging plain JSON values. */

/** True when both values are the same JSON. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  return sameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
  return true;
}

function sameFields(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !deepEqual(a[key], b[key])) return false;
    more++;
  }
  for (const _key in b) more--;
  return more === 0;
}

/** The list with one more item, in no more room than it takes: what a spread makes has room for sixteen to come. */
export function appended<T>(list: readonly T[], item: T): T[] {
  return list.toSpliced(list.length, 0, item);
}

/** RFC 7386 merge patch. Returns the same value where nothing changes, so that an empty patch writes nothing. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return deepEqual(target, patch) ? target : patch;
  const isObject = target !== null && typeof target === 'object' && !Array.isArray(target);
  const before = new Map<string, unknown>(isObject ? Object.entries(target) : []);
  const after = new Map(before);
  let changed = !isObject;
  for (const [key, value] of Object.entries(patch)) {
    const next = value === null ? undefined : mergePatch(before.get(key), value);
    if (next === before.get(key)) continue;
    changed = true;
    if (next === undefined) after.delete(key);
    else after.set(key, next);
  }
  return changed ? Object.fromEntries(after) : target;
}

/** Deepest nesting that any value of a scenario or a trace has reason to have. */
const DEEPEST = 200;

/** True for a value whose parts lie deeper within each other than anything of ours, or that holds itself. */
export function nestsTooDeep(value: unknown): boolean {
  const heights = new Map<object, number>();
  const heightOf = (part: unknown, depth: number): number => {
    if (part === null || typeof part !== 'object') return 0;
    if (depth > DEEPEST) return Number.POSITIVE_INFINITY;
    const known = heights.get(part);
    if (known !== undefined) return known;
    // A value that is met again inside itself has no end.
    heights.set(part, Number.POSITIVE_INFINITY);
    let height = 1;
    for (const inner of Object.values(part)) height = Math.max(height, 1 + heightOf(inner, depth + 1));
    heights.set(part, height);
    return height;
  };
  return heightOf(value, 0) > DEEPEST;
}
