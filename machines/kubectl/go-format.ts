/** Values as Go prints them with `%v`, for custom columns and describe. */

/** A JSON value as `fmt.Sprint` prints its decoded form: `map[a:b c:d]` with sorted keys, `[x y]`, `<nil>`. */
export function goSprint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goSprint).join(' ')}]`;
  if (typeof value === 'object') {
    return `map[${sortedEntries(value).map(([key, item]) => `${key}:${goSprint(item)}`).join(' ')}]`;
  }
  return String(value);
}

/** A string as Go's `%q` writes it. */
export function goQuote(text: string): string {
  return JSON.stringify(text);
}

/**
 * JSON as Go's encoder writes it: keys sorted, `<`, `>` and `&` escaped. `indent` is one step of indentation; empty
 * means everything on one line.
 */
export function goJson(value: unknown, indent = ''): string {
  return writeJson(value, indent, '');
}

function writeJson(value: unknown, indent: string, margin: string): string {
  if (Array.isArray(value)) return wrap('[', value.map((item) => writeJson(item, indent, margin + indent)), ']', indent, margin);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return escapeHtml(JSON.stringify(value));
  if (typeof value !== 'object') return JSON.stringify(value);
  const colon = indent === '' ? ':' : ': ';
  const members = sortedEntries(value).map(
    ([key, item]) => `${escapeHtml(JSON.stringify(key))}${colon}${writeJson(item, indent, margin + indent)}`,
  );
  return wrap('{', members, '}', indent, margin);
}

function wrap(open: string, parts: readonly string[], close: string, indent: string, margin: string): string {
  if (parts.length === 0) return open + close;
  if (indent === '') return open + parts.join(',') + close;
  const inner = margin + indent;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}

function escapeHtml(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** The members of an object that are set, in the order of their keys, as Go prints and encodes maps. */
export function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}
