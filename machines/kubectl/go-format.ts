/** Values as Go prints them with `%v`, for custom columns and describe. */

/** A JSON value as `fmt.Sprint` prints its decoded form: `map[a:b c:d]` with sorted keys, `[x y]`, `<nil>`. */
export function goSprint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goSprint).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const sorted = entries.toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `map[${sorted.map(([key, item]) => `${key}:${goSprint(item)}`).join(' ')}]`;
  }
  return String(value);
}

/** A string as Go's `%q` writes it. */
export function goQuote(text: string): string {
  return JSON.stringify(text);
}

/** JSON as Go's encoder writes it: keys sorted, `<`, `>` and `&` escaped. `indent` in blanks, 0 for one line. */
export function goJson(value: unknown, indent = 0): string {
  return escapeHtml(JSON.stringify(sortKeys(value), undefined, indent));
}

function escapeHtml(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** The same JSON value with the keys of every object in order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const sorted = entries.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, item]) => [key, sortKeys(item)]));
}
