/** What a reader can do to a run, as plain values. */
import type { StepRecord, Trace } from '../../machines/trace/format.ts';

/**
 * Without `at` an action changes how the scenario begins; with `at`
 * (milliseconds of the run) it is done at that moment, and the run goes another way from there. Where several of the
 * person's steps begin in one millisecond, the thousandths of `at` say how many of them were done before it.
 */
export type Action =
  | { readonly do: 'secret' | 'configMap'; readonly name: string; readonly there: boolean }
  | { readonly do: 'zone'; readonly pod: string; readonly zone: string | null }
  | { readonly do: 'mode'; readonly claim: string; readonly mode: string }
  | { readonly do: 'class'; readonly claim: string; readonly class: string }
  | { readonly do: 'fail'; readonly claim: string; readonly method: FailMethod; readonly on: boolean }
  | { readonly do: 'create'; readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly at: number }
  | { readonly do: 'createClass'; readonly name: string; readonly at: number }
  | { readonly do: 'createClaim'; readonly name: string; readonly class: string; readonly at: number }
  | { readonly do: 'addKey'; readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly key: string; readonly at: number }
  | { readonly do: 'createVolume' | 'restoreVolume' | 'clearNode'; readonly claim: string; readonly at: number }
  | { readonly do: 'clearClaimRef'; readonly target: string; readonly at: number }
  | { readonly do: 'remake'; readonly claim: string; readonly class: string; readonly at: number }
  | { readonly do: 'remakePod'; readonly pod: string; readonly how: PodChange; readonly at: number }
  | { readonly do: 'untaint'; readonly node: string; readonly taint: string; readonly at: number }
  | { readonly do: 'uncordon'; readonly node: string; readonly at: number }
  | { readonly do: 'strategy'; readonly deployment: string; readonly at: number }
  | { readonly do: 'second'; readonly pod: string; readonly at: number }
  | { readonly do: 'recreate'; readonly pod: string; readonly claim: string; readonly class: string; readonly at: number }
  | { readonly do: 'delete'; readonly target: string; readonly at: number }
  | { readonly do: 'taint'; readonly node: string; readonly on: boolean; readonly at: number }
  | { readonly do: 'outOfService'; readonly node: string; readonly at: number }
  | { readonly do: 'pause'; readonly node: string; readonly on: boolean; readonly at: number }
  | { readonly do: 'exec'; readonly pod: string; readonly what: 'writeRead' | 'mountinfo'; readonly path: string; readonly at: number }
  | { readonly do: 'wait'; readonly seconds: number; readonly at: number };

export const FAIL_METHODS = ['CreateVolume', 'ControllerPublishVolume', 'NodeStageVolume', 'NodePublishVolume'] as const;
export type FailMethod = (typeof FAIL_METHODS)[number];

/** What a pod made again has otherwise than before. */
const POD_CHANGES = ['anyNode', 'smaller', 'asDevice', 'asMount', 'writable', 'fsGroup'] as const;
export type PodChange = (typeof POD_CHANGES)[number];

type Check = (value: unknown) => boolean;
const name: Check = (value) => typeof value === 'string' && /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(value);
const text: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 256;
const flag: Check = (value) => typeof value === 'boolean';
const moment: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 86_400_000;
const oneOf = (...list: readonly string[]): Check => (value) => typeof value === 'string' && list.includes(value);

/** The fields of each action besides `do`. */
const FIELDS: Readonly<Record<Action['do'], Readonly<Record<string, Check>>>> = {
  secret: { name, there: flag },
  configMap: { name, there: flag },
  zone: { pod: name, zone: (value) => value === null || name(value) },
  mode: { claim: name, mode: oneOf('ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod') },
  class: { claim: name, class: name },
  fail: { claim: name, method: oneOf(...FAIL_METHODS), on: flag },
  create: { kind: oneOf('Secret', 'ConfigMap'), name, at: moment },
  createClass: { name, at: moment },
  createClaim: { name, class: name, at: moment },
  addKey: { kind: oneOf('Secret', 'ConfigMap'), name, key: (value) => typeof value === 'string' && /^[-._a-zA-Z0-9]{1,253}$/.test(value), at: moment },
  createVolume: { claim: name, at: moment },
  restoreVolume: { claim: name, at: moment },
  clearNode: { claim: name, at: moment },
  clearClaimRef: { target: (value) => typeof value === 'string' && /^(pv|pv-of)\/[a-z0-9.-]+$/.test(value), at: moment },
  remake: { claim: name, class: name, at: moment },
  remakePod: { pod: name, how: oneOf(...POD_CHANGES), at: moment },
  untaint: { node: name, taint: (value) => text(value) && /^[^\s=:]+(=[^\s=:]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$/.test(String(value)), at: moment },
  uncordon: { node: name, at: moment },
  strategy: { deployment: name, at: moment },
  second: { pod: name, at: moment },
  recreate: { pod: name, claim: name, class: name, at: moment },
  delete: { target: (value) => typeof value === 'string' && /^(pod|pvc|pv|secret|configmap)\/[a-z0-9.-]+$/.test(value), at: moment },
  taint: { node: name, on: flag, at: moment },
  outOfService: { node: name, at: moment },
  pause: { node: name, on: flag, at: moment },
  exec: { pod: name, what: oneOf('writeRead', 'mountinfo'), path: text, at: moment },
  wait: { seconds: (value) => typeof value === 'number' && value > 0 && value <= 3600, at: moment },
};

/** Is this value, read from an address or a file, an action and nothing more? */
export function isAction(value: unknown): value is Action {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entry = value as Readonly<Record<string, unknown>>;
  const kind = entry['do'];
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) return false;
  const fields = FIELDS[kind as Action['do']];
  return Object.keys(entry).length === Object.keys(fields).length + 1 && Object.entries(fields).every(([key, check]) => check(entry[key]));
}

/** The moment after a record of a run, as actions write it. */
export function momentAfter(trace: Trace, index: number): number {
  const ms = Math.round((trace.records[index]?.t ?? 0) * 1000);
  const same = trace.records.flatMap((record, i) => (record.type === 'step' && Math.round(record.t * 1000) === ms ? [i] : []));
  const done = same.filter((i) => i <= index).length;
  return done === same.length ? ms : Number((ms + done / 1000).toFixed(3));
}

/** The person's steps that were begun by a moment. */
export function begunBy(trace: Trace, at: number): StepRecord[] {
  const all = trace.records.filter((record): record is StepRecord => record.type === 'step' && Math.round(record.t * 1000) <= Math.floor(at));
  const before = Math.round((at - Math.floor(at)) * 1000);
  if (before === 0) return all;
  let counted = 0;
  return all.filter((record) => Math.round(record.t * 1000) < Math.floor(at) || ++counted <= before);
}

/** When an action is done, in milliseconds of the run; undefined for one that changes the beginning. */
export function momentOf(action: Action): number | undefined {
  return 'at' in action ? action.at : undefined;
}
