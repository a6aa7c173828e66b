/** Comparing and merging plain JSON values. */

/** True when both values are the same JSON. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.keys(a);
  return left.length === Object.keys(b).length && left.every((key) => key in b && deepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

/** RFC 7386 merge patch. Returns the same value where nothing changes, so that an empty patch writes nothing. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return deepEqual(target, patch) ? target : patch;
  const before = target !== null && typeof target === 'object' && !Array.isArray(target) ? (target as Record<string, unknown>) : {};
  const changes = Object.entries(patch).filter(([key, value]) => (value === null ? key in before : mergePatch(before[key], value) !== before[key]));
  if (changes.length === 0) return before === target ? target : before;
  const after = new Map(Object.entries(before));
  for (const [key, value] of changes) {
    if (value === null) after.delete(key);
    else after.set(key, mergePatch(before[key], value));
  }
  return Object.fromEntries(after);
}
