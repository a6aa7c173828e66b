/**
 * Facts of states that no object shows: in a recording read off its log lines through the witness table, in a simulated
 * run from its `state` records. Only witnessed states are compared.
 */
import type { AnyObject } from '../../machines/model/objects.ts';
import type { StateRecord, Trace } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import { parseLogLine } from './log-line.ts';
import { canonicalKey, isKnown, keyFromEngine, sourceOf } from './machine-key.ts';
import type { InstanceKey } from './machine-key.ts';
import type { Dropped } from './ignored.ts';
import type { Names } from './names.ts';
import { matches, silentEntries, witnesses } from './witness.ts';
import type { Sighting, Surroundings, Telling, Witness } from './witness.ts';

/** A state that a record shows, with the canonical key of its instance. */
export interface Seen {
  readonly machine: string;
  readonly key: string;
  readonly state: string;
  readonly how: Telling;
  /** Whether a recording's log can speak of the instance at all. */
  readonly known: boolean;
  /** The log may pass over it in silence. */
  readonly optional?: boolean;
  readonly index: number;
  readonly t: number;
}

/** How a witnessed state is told, by `machine.state`: the strongest telling of all its lines. */
export const tellings: ReadonlyMap<string, Telling> = tellingOfStates();

/** States that the machine is in before its first transition and that a line shows nonetheless. */
const initialShown: ReadonlySet<string> = new Set([
  'claim-binding.unbound',
  'volume.pending',
  'scheduling.queued',
  'kubelet-volume.wanted',
  'pod-worker.waitingForVolumes',
]);

export function stateFacts(trace: Trace, names: Names, dropped: Dropped): Fact[] {
  return [...statesInLog(trace, names, dropped), ...statesInRun(trace, names)].flatMap(seen => {
    if (seen.known) return factOf(seen);
    dropped.add('otherObject');
    return [];
  });
}

function factOf(seen: Seen): Fact[] {
  if (seen.how === 'details') return [];
  const subject = `${seen.machine} ${seen.key}`;
  return [{ kind: 'state', source: componentOf.get(seen.machine), subject, text: seen.state, lane: subject, often: seen.how === 'shows', optional: seen.optional, index: seen.index, t: seen.t }];
}

/** From when on a trace can show a component's states: the time of its first log line; a simulated run shows all from the start. */
export function shownFrom(trace: Trace): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  if (trace.records.some(record => record.type === 'state')) for (const component of componentOf.values()) first.set(component, 0);
  for (const record of trace.records) if (record.type === 'log') first.set(record.component, Math.min(record.t, first.get(record.component) ?? Infinity));
  return first;
}

/** The component whose log witnesses a machine's states. */
const componentOf: ReadonlyMap<string, string> = new Map(
  witnesses.flatMap(witness => Object.keys(witness.telling).map(state => [state.slice(0, state.indexOf('.')), witness.component] as const)),
);

/** All states that the log lines of a recording show, in order. */
export function statesInLog(trace: Trace, names: Names, dropped?: Dropped): Seen[] {
  const around = surroundingsOf(trace);
  return trace.records.flatMap((record, index) => {
    if (record.type !== 'log') return [];
    const line = parseLogLine(record);
    const witness = witnessesBySource.get(`${record.component} ${record.source}`)?.find(candidate => matches(candidate, line));
    if (witness === undefined) dropped?.add('quietLine');
    return (witness?.read(line, around(index)) ?? []).map(sighting => {
      const livesAt = lastStates.has(`${sighting.machine}.${sighting.state}`) ? index : settledIndex(trace, index);
      return seenOf(sighting, index, record.t, names, livesAt);
    });
  });
}

/** States at the end of a life: their lines belong to the life that ends, even when the next begins at once. */
export const lastStates: ReadonlySet<string> = new Set(['pod-worker.unmounting', 'pod-worker.gone', 'kubelet-volume.unpublishing', 'kubelet-volume.unpublished', 'protection-claim.released']);

/** Lines are placed by the clock and writes by the store: a line may stand up to this much before the write it is about. */
const clockSlack = 0.06;

/** The last record that may have happened before the line at `index`. */
export function settledIndex(trace: Trace, index: number): number {
  const until = (trace.records[index]?.t ?? 0) + clockSlack;
  let last = index;
  for (let next = index + 1; (trace.records[next]?.t ?? Infinity) <= until; next += 1) last = next;
  return last;
}

const witnessesBySource: ReadonlyMap<string, readonly Witness[]> = Map.groupBy(witnesses, witness => `${witness.component} ${witness.source}`);

function seenOf(sighting: Sighting, index: number, t: number, names: Names, livesAt: number): Seen {
  const key = canonicalKey(sighting.key, livesAt, names);
  return { machine: sighting.machine, state: sighting.state, how: sighting.how, key, known: isKnown(sighting.key, names), index, t };
}

/** All witnessed states that a simulated run goes through, in order. */
export function statesInRun(trace: Trace, names: Names): Seen[] {
  const known = new Set<string>();
  return trace.records.flatMap((record, index) => {
    if (record.type !== 'state') return [];
    const key = canonicalKey(engineKey(record), index, names);
    const instance = `${record.machine} ${key}`;
    const initial = known.has(instance) || !initialShown.has(`${record.machine}.${record.from}`) ? [] : [record.from];
    known.add(instance);
    return [...initial, record.to].flatMap(state => {
      const how = tellings.get(`${record.machine}.${state}`);
      const silent = silentEntry(record, state, index, names);
      if (how === undefined || silent?.sometimes === false) return [];
      return [{ machine: record.machine, key, state, how, known: isKnown(engineKey(record), names), optional: silent !== undefined, index, t: record.t }];
    });
  });
}

function silentEntry(record: StateRecord, state: string, index: number, names: Names): { readonly sometimes: boolean } | undefined {
  const found = silentEntries.find(entry => {
    if (entry.machine !== record.machine || entry.state !== state) return false;
    if (entry.from !== undefined && entry.from !== record.from) return false;
    if (entry.event !== undefined && entry.event !== record.event) return false;
    if (entry.withoutClaims === true && hasClaims(engineKey(record), index, names)) return false;
    const source = entry.sources === undefined ? undefined : sourceOf(engineKey(record), index, names);
    return entry.sources === undefined || (source !== undefined && entry.sources.includes(source));
  });
  return found === undefined ? undefined : { sometimes: found.sometimes === true };
}

/** The volume binder speaks only of pods with claims. */
function hasClaims(key: InstanceKey, index: number, names: Names): boolean {
  if (key.about !== 'pod') return false;
  const [namespace = '', name = ''] = (key.name ?? '').split('/');
  const uid = names.uidAt('Pod', namespace, name, index);
  return uid !== undefined && names.claimsOfPod(uid, index).length > 0;
}

/** The one state whose witness does not name the node is keyed by the volume alone. */
export function engineKey(record: StateRecord): InstanceKey {
  const key = keyFromEngine(record.machine, record.key);
  return record.machine === 'attach' && record.to === 'multiAttach' && key.about === 'device' ? { ...key, node: undefined } : key;
}

function tellingOfStates(): Map<string, Telling> {
  const found = new Map<string, Telling>();
  const rank: Readonly<Record<Telling, number>> = { details: 0, shows: 1, enters: 2 };
  for (const witness of witnesses) {
    for (const [state, telling] of Object.entries(witness.telling)) {
      const known = found.get(state);
      if (known === undefined || rank[telling] > rank[known]) found.set(state, telling);
    }
  }
  return found;
}

/** Claims that wait for the first consumer, from the objects of the trace itself. One that names its volume waits for that volume. */
function surroundingsOf(trace: Trace): (index: number) => Surroundings {
  const waiting = new Set<string>();
  const histories = new Map<string, { readonly from: number; readonly className: string | undefined }[]>();
  const see = (object: AnyObject, from: number): void => {
    if (object.kind === 'StorageClass' && object.volumeBindingMode === 'WaitForFirstConsumer') waiting.add(object.metadata.name);
    if (object.kind !== 'PersistentVolumeClaim') return;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const history = histories.get(key) ?? [];
    histories.set(key, history);
    history.push({ from, className: (object.spec.volumeName ?? '') === '' ? object.spec.storageClassName : undefined });
  };
  for (const object of trace.stage) see(object, -1);
  trace.records.forEach((record, index) => {
    if (record.type === 'watch') see(record.object, index);
  });
  return index => ({
    waitsForConsumer: claim => {
      const history = histories.get(claim);
      const then = history?.findLast(({ from }) => from <= index) ?? history?.[0];
      return waiting.has(then?.className ?? '');
    },
  });
}
