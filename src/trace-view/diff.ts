/** An object as YAML lines, each marked by what the write in view did to it. */
import type { AnyObject } from '../../machines/model/objects.ts';

export type LineMark = '' | '+' | '~' | '−';

export interface DiffLine {
  readonly mark: LineMark;
  readonly text: string;
}

/** A tree of values, as JSON gives it; objects of the API are such trees. */
type Value = null | boolean | number | string | undefined | readonly Value[] | { readonly [key: string]: Value };

/**
 * The lines of `after`, marked against `before`. Without `before` the object is new: every line is `+`. Lists of named
 * things (conditions, volumes, containers) are compared by name, others by place.
 */
export function diffLines(before: AnyObject | undefined, after: AnyObject): DiffLine[] {
  return objectLines(before === undefined ? undefined : asTree(before), asTree(after), 0, []);
}

/** An object as it stands, no line marked. */
export function plainLines(object: AnyObject): DiffLine[] {
  return diffLines(object, object);
}

function asTree(object: AnyObject): { readonly [key: string]: Value } {
  return object as unknown as { readonly [key: string]: Value };
}

const QUIET = new Set([
  'metadata.uid', 'metadata.resourceVersion', 'metadata.creationTimestamp', 'metadata.generation',
  'involvedObject.uid', 'involvedObject.namespace', 'involvedObject.resourceVersion', 'involvedObject.apiVersion', 'firstTimestamp', 'lastTimestamp',
  'eventTime', 'source', 'action', 'status.lastPhaseTransitionTime', 'status.addresses', 'status.allocatable', 'status.capacity.cpu',
  'status.nodeInfo', 'status.hostIP', 'status.hostIPs', 'status.podIPs', 'status.qosClass', 'spec.podCIDR', 'spec.podCIDRs', 'spec.providerID',
  'spec.tolerations', 'spec.serviceAccount', 'spec.serviceAccountName', 'spec.dnsPolicy', 'spec.enableServiceLinks', 'spec.schedulerName',
  'spec.securityContext', 'spec.preemptionPolicy', 'spec.priority', 'status.observedGeneration',
]);
const QUIET_KEYS = new Set(['lastProbeTime', 'lastTransitionTime', 'lastHeartbeatTime', 'observedGeneration', 'terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy', 'imageID', 'containerID', 'recursiveReadOnly']);

function isQuiet(path: readonly string[]): boolean {
  return QUIET.has(path.join('.')) || QUIET_KEYS.has(path.at(-1) ?? '');
}

function objectLines(before: Value, after: { readonly [key: string]: Value }, depth: number, path: readonly string[]): DiffLine[] {
  const old = isMap(before) ? before : undefined;
  const keys = [...inReadingOrder(Object.keys(after)), ...Object.keys(old ?? {}).filter((key) => !(key in after))];
  return keys.flatMap((key) => {
    const here = [...path, key];
    if (!(key in after)) return entryLines(key, old?.[key], depth, '−', here);
    if (old === undefined || !(key in old)) return entryLines(key, after[key], depth, '+', here);
    return changedLines(key, old[key], after[key], depth, here);
  });
}

const FIRST_KEYS = ['apiVersion', 'kind', 'metadata', 'type', 'reason', 'message', 'name', 'namespace', 'spec', 'status'];

function inReadingOrder(keys: readonly string[]): string[] {
  const rank = (key: string): number => (FIRST_KEYS.includes(key) ? FIRST_KEYS.indexOf(key) : FIRST_KEYS.length);
  return keys.toSorted((a, b) => rank(a) - rank(b));
}

function changedLines(key: string, old: Value, now: Value, depth: number, path: readonly string[]): DiffLine[] {
  if (same(old, now)) return entryLines(key, now, depth, '', path);
  if (isMap(now) && isMap(old)) return [line('', `${pad(depth)}${key}:`), ...objectLines(old, now, depth + 1, path)];
  if (Array.isArray(now) && Array.isArray(old)) return [line('', `${pad(depth)}${key}:`), ...listLines(old, now, depth, path)];
  if (isLeaf(old) && isLeaf(now)) return [line('~', `${pad(depth)}${key}: ${scalar(old)} → ${scalar(now)}`)];
  return [...entryLines(key, old, depth, '−', path), ...entryLines(key, now, depth, '+', path)];
}

function listLines(old: readonly Value[], now: readonly Value[], depth: number, path: readonly string[]): DiffLine[] {
  const matched = new Set<Value>();
  const lines = now.flatMap((item, i) => {
    const twin = twinOf(item, i, old);
    if (twin !== undefined) matched.add(twin);
    return itemLines(twin, item, depth, twin === undefined ? '+' : '', path);
  });
  return [...lines, ...old.filter((item) => !matched.has(item)).flatMap((item) => itemLines(undefined, item, depth, '−', path))];
}

/** The entry of the old list that is the same thing: same name or type, else same value, else (for bare values) none. */
function twinOf(item: Value, place: number, old: readonly Value[]): Value {
  if (!isMap(item)) return old.includes(item) ? item : undefined;
  const id = item['name'] ?? item['type'] ?? item['uid'];
  if (id !== undefined) return old.find((other) => isMap(other) && (other['name'] ?? other['type'] ?? other['uid']) === id);
  return old[place];
}

function itemLines(old: Value, item: Value, depth: number, mark: LineMark, path: readonly string[]): DiffLine[] {
  if (!isMap(item)) return [line(mark, `${pad(depth)}- ${scalar(item)}`)];
  const lines = mark === '' ? objectLines(old, item, depth + 1, path) : valueLines(item, depth + 1, mark, path);
  const [first, ...rest] = lines;
  return first === undefined ? [] : [{ ...first, text: `${pad(depth)}- ${first.text.trimStart()}` }, ...rest];
}

/** One key with its value, every line with the same mark. */
function entryLines(key: string, value: Value, depth: number, mark: LineMark, path: readonly string[]): DiffLine[] {
  if (value === undefined) return [];
  if (isLeaf(value) || isEmpty(value)) return [line(mark, `${pad(depth)}${key}: ${isLeaf(value) ? scalar(value) : Array.isArray(value) ? '[]' : '{}'}`)];
  const flow = flowOf(value);
  if (flow !== undefined) return [line(mark, `${pad(depth)}${key}: ${flow}`)];
  const inner = Array.isArray(value) ? value.flatMap((item) => itemLines(undefined, item, depth, mark === '' ? '+' : mark, path).map((l) => ({ ...l, mark }))) : valueLines(value as { readonly [key: string]: Value }, depth + 1, mark, path);
  return [line(mark, `${pad(depth)}${key}:`), ...inner];
}

function valueLines(value: { readonly [key: string]: Value }, depth: number, mark: LineMark, path: readonly string[]): DiffLine[] {
  return inReadingOrder(Object.keys(value)).flatMap((key) => entryLines(key, value[key], depth, mark, [...path, key]));
}

const FLOW_WIDTH = 64;

/** Short lists and maps of bare values stand on one line, as people write them. */
function flowOf(value: Value): string | undefined {
  if (Array.isArray(value)) {
    if (!value.every(isLeaf)) return undefined;
    const flow = `[${value.map(scalar).join(', ')}]`;
    return flow.length <= FLOW_WIDTH ? flow : undefined;
  }
  if (!isMap(value) || !Object.values(value).every(isLeaf)) return undefined;
  const entries = Object.entries(value);
  if (entries.length > 3) return undefined;
  const flow = `{${entries.map(([key, entry]) => `${key}: ${scalar(entry)}`).join(', ')}}`;
  return flow.length <= FLOW_WIDTH ? flow : undefined;
}

/** A bare value in YAML; text that YAML would read as something else is quoted. */
export function scalar(value: Value): string {
  if (typeof value !== 'string') return String(value);
  if (value === '') return '""';
  if (value.includes('\n')) return JSON.stringify(value);
  if (/^(?:true|false|null|yes|no|on|off|~|[-+]?[\d.][\d._]*(?:e[-+]?\d+)?|0[xo][\da-f]+)$/i.test(value)) return `"${value}"`;
  if (/^[\s>|@`%&*!#?{}[\],'"-]|: |\s#|:$|\s$/.test(value)) return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  return value;
}

function isMap(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isLeaf(value: Value): boolean {
  return typeof value !== 'object' || value === null;
}
function isEmpty(value: Value): boolean {
  return Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}
function same(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isLeaf(a) || isLeaf(b)) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
function line(mark: LineMark, text: string): DiffLine {
  return { mark, text };
}
function pad(depth: number): string {
  return '  '.repeat(depth);
}

export interface Folded {
  readonly line: DiffLine | undefined;
  /** How many lines are folded here, where `line` is missing. */
  readonly folded: number;
}

export interface Shown {
  readonly lines: readonly Folded[];
  /** Lines of the whole object that are not among them. */
  readonly hidden: number;
}

/**
 * What is worth showing of a written object. Of a new one: all but what a reader never looks for (uids, versions, times).
 * Of a changed one: the changed lines, the keys above them, and one fold for each gap.
 */
export function shownLines(before: AnyObject | undefined, after: AnyObject): Shown {
  const whole = diffLines(before, after).length;
  const lines = objectLines(before === undefined ? undefined : loud(asTree(before), []), loud(asTree(after), []), 0, []);
  const keep = new Set<number>();
  lines.forEach((l, i) => {
    if (before !== undefined && l.mark === '') return;
    keep.add(i);
    for (const above of ancestors(lines, i)) keep.add(above);
  });
  const shown: Folded[] = [];
  let gap = 0;
  lines.forEach((l, i) => {
    if (!keep.has(i)) {
      gap += 1;
      return;
    }
    if (gap > 0) shown.push({ line: undefined, folded: gap });
    gap = 0;
    shown.push({ line: l, folded: 0 });
  });
  if (gap > 0) shown.push({ line: undefined, folded: gap });
  return { lines: shown, hidden: whole - keep.size };
}

/** A tree without its quiet branches. */
function loud(tree: { readonly [key: string]: Value }, path: readonly string[]): { readonly [key: string]: Value } {
  const kept: Record<string, Value> = {};
  for (const [key, value] of Object.entries(tree)) {
    const here = [...path, key];
    if (isQuiet(here) || isEmpty(value)) continue;
    kept[key] = Array.isArray(value) ? value.map((item) => (isMap(item) ? loud(item, here) : item)) : isMap(value) ? loud(value, here) : value;
  }
  return kept;
}

function ancestors(lines: readonly DiffLine[], from: number): number[] {
  const found: number[] = [];
  let indent = indentOf(lines[from]);
  for (let i = from - 1; i >= 0 && indent > 0; i--) {
    const here = indentOf(lines[i]);
    if (here >= indent) continue;
    found.push(i);
    indent = here;
  }
  return found;
}

function indentOf(l: DiffLine | undefined): number {
  return l === undefined ? 0 : /^(?: |- )*/.exec(l.text)?.[0].length ?? 0;
}
