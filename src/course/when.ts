/**
 * What an option of a prediction claims, as a sentence that a trace can be asked:
 *
 *     event FailedMount on pod/first [from kubelet] [saying '…'] [x3]
 *     pod/first spec.nodeName [= ab-worker]          the object has the field (with that value)
 *     pod/first · pod/first gone                     the object exists · existed and is gone
 *     csi NodeStageVolume [Internal] [x4]            the driver answered so, at least that often
 *     step 6 prints 'persistent'
 *     3 FailedMount events · 2 va objects            exactly that many event objects, or objects of a kind
 *
 * joined by `and`, each perhaps after `no`; `A before B` compares when each first came true. `pv-of/CLAIM` and
 * `va-of/CLAIM` are a claim's volume and that volume's attachment, as in scenarios.
 */
import type { AnyObject } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { eventsAt, isEventWrite } from '../trace-view/events.ts';
import { linesOf } from './recording.ts';

export interface Answer {
  readonly holds: boolean;
  /** The record at which the deciding fact first held; undefined where none did. */
  readonly index: number | undefined;
}

/** Is the sentence true of a trace, looking no further than record `limit`? Throws on a sentence it cannot read. */
export function ask(trace: Trace, sentence: string, limit: number): Answer {
  const answers = sentence.split(' and ').map((clause) => askClause(trace, clause.trim(), limit));
  const index = answers.map((answer) => answer.index).filter((i) => i !== undefined);
  return { holds: answers.every((answer) => answer.holds), index: index.length === 0 ? undefined : Math.max(...index) };
}

/** The record up to which a question looks: the end, a step of the scenario (`step 6`), or the first moment a fact holds. */
export function limitOf(trace: Trace, at: string | undefined): number {
  if (at === undefined) return trace.records.length - 1;
  const step = /^step (\d+)$/.exec(at);
  const index =
    step === null
      ? first(trace, at, trace.records.length - 1)
      : trace.records.findIndex((record) => record.type === 'step' && record.step === Number(step[1]));
  if (index === undefined || index === -1) throw new Error(`"${at}" never comes in ${trace.scenario.id}`);
  return index;
}

function askClause(trace: Trace, clause: string, limit: number): Answer {
  const order = clause.split(' before ');
  if (order.length === 2) {
    const [earlier, later] = order.map((fact) => first(trace, fact, limit));
    return { holds: earlier !== undefined && (later === undefined || earlier < later), index: earlier };
  }
  const negated = clause.startsWith('no ');
  const fact = negated ? clause.slice(3) : clause;
  const holds = holdsAt(trace, fact, limit);
  return { holds: holds !== negated, index: negated ? undefined : first(trace, fact, limit) };
}

/** The first record, up to a limit, after which the fact holds. */
function first(trace: Trace, fact: string, limit: number): number | undefined {
  for (let i = 0; i <= limit; i++) if (changes(trace, i) && holdsAt(trace, fact, i)) return i;
  return undefined;
}

function changes(trace: Trace, index: number): boolean {
  const type = trace.records[index]?.type;
  return type === 'watch' || type === 'csi' || type === 'step';
}

function holdsAt(trace: Trace, fact: string, limit: number): boolean {
  return eventFact(trace, fact, limit) ?? csiFact(trace, fact, limit) ?? printFact(trace, fact, limit) ?? countFact(trace, fact, limit) ?? objectFact(trace, fact, limit);
}

function eventFact(trace: Trace, fact: string, limit: number): boolean | undefined {
  const found = /^event (\w+) on ([\w-]+)\/([\w.-]+)(?: from ([\w.-]+))?(?: saying '([^']+)')?(?: x(\d+))?$/.exec(fact);
  if (found === null) return undefined;
  const [, reason = '', kind = '', name = '', from, text, times = '1'] = found;
  return trace.records.slice(0, limit + 1).some(
    (record) =>
      isEventWrite(record) &&
      record.object.reason === reason &&
      record.object.involvedObject.kind === kindOf(kind) &&
      nameIs(trace, record.object.involvedObject.name, kind, name, limit) &&
      (from === undefined || record.object.reportingComponent === from) &&
      (text === undefined || (record.object.message ?? '').includes(text)) &&
      (record.object.series?.count ?? record.object.count ?? 1) >= Number(times),
  );
}

function csiFact(trace: Trace, fact: string, limit: number): boolean | undefined {
  const found = /^csi (\w+)(?: ([A-Z]\w*))?(?: x(\d+))?$/.exec(fact);
  if (found === null) return undefined;
  const calls = trace.records.slice(0, limit + 1).filter((record) => record.type === 'csi' && record.method === found[1] && (found[2] === undefined || record.code === found[2]));
  return calls.length >= Number(found[3] ?? '1');
}

function printFact(trace: Trace, fact: string, limit: number): boolean | undefined {
  const found = /^step (\d+) prints '([^']+)'$/.exec(fact);
  if (found === null) return undefined;
  return trace.records.slice(0, limit + 1).some((record) => record.type === 'step' && record.step === Number(found[1]) && linesOf(record).join('\n').includes(found[2] ?? ''));
}

function countFact(trace: Trace, fact: string, limit: number): boolean | undefined {
  const events = /^(\d+) (\w+) events?$/.exec(fact);
  if (events !== null) return eventsAt(trace, limit).filter(({ event }) => event.reason === events[2]).length === Number(events[1]);
  const objects = /^(\d+) (\w+) objects?$/.exec(fact);
  if (objects !== null) return standing(trace, limit).filter((object) => object.kind === kindOf(objects[2] ?? '')).length === Number(objects[1]);
  return undefined;
}

function objectFact(trace: Trace, fact: string, limit: number): boolean {
  const found = /^([\w-]+)\/([\w.-]+)(?: (gone|[\w.[\]'/-]+))?(?: = (.+))?$/.exec(fact);
  if (found === null) throw new Error(`"${fact}" is no fact that a trace can be asked`);
  const [, kind = '', name = '', path, value] = found;
  const is = (object: AnyObject): boolean => object.kind === kindOf(kind) && nameIs(trace, object.metadata.name, kind, name, limit);
  const objects = standing(trace, limit).filter(is);
  if (path === 'gone') return objects.length === 0 && trace.records.slice(0, limit + 1).some((record) => record.type === 'watch' && is(record.object));
  if (path === undefined) return objects.length > 0;
  return objects.some((object) => {
    const held = fieldOf(object, path);
    return value === undefined ? held !== undefined : String(held) === value;
  });
}

const KINDS: Readonly<Record<string, string>> = {
  pvc: 'PersistentVolumeClaim', pv: 'PersistentVolume', 'pv-of': 'PersistentVolume', va: 'VolumeAttachment', 'va-of': 'VolumeAttachment',
  pod: 'Pod', node: 'Node', secret: 'Secret', configmap: 'ConfigMap', statefulset: 'StatefulSet', deployment: 'Deployment', class: 'StorageClass',
};

export function kindOf(short: string): string {
  const kind = KINDS[short];
  if (kind === undefined) throw new Error(`"${short}" is no kind of object; known: ${Object.keys(KINDS).join(', ')}`);
  return kind;
}

/** Is an object's name the one meant? `pv-of` and `va-of` are looked up through the claim. */
export function nameIs(trace: Trace, name: string | undefined, kind: string, wanted: string, limit: number): boolean {
  if (kind !== 'pv-of' && kind !== 'va-of') return name === wanted;
  const volumes = writes(trace, limit)
    .filter((object) => object.kind === 'PersistentVolumeClaim' && object.metadata.name === wanted)
    .map((object) => fieldOf(object, 'spec.volumeName'));
  if (kind === 'pv-of') return volumes.includes(name);
  return writes(trace, limit).some((object) => object.kind === 'VolumeAttachment' && object.metadata.name === name && volumes.includes(fieldOf(object, 'spec.source.persistentVolumeName')));
}

function writes(trace: Trace, limit: number): AnyObject[] {
  return trace.records.slice(0, limit + 1).flatMap((record) => (record.type === 'watch' ? [record.object] : []));
}

/** What a trace's writes left standing; the stage before the run is not counted. */
function standing(trace: Trace, limit: number): AnyObject[] {
  const objects = new Map<string, AnyObject>();
  for (const record of trace.records.slice(0, limit + 1)) {
    if (record.type !== 'watch') continue;
    const key = `${record.object.kind}/${record.object.metadata.namespace ?? ''}/${record.object.metadata.name}`;
    if (record.verb === 'DELETED') objects.delete(key);
    else objects.set(key, record.object);
  }
  return [...objects.values()];
}

/** `status.containerStatuses[0].restartCount`, `metadata.annotations['volume.kubernetes.io/selected-node']`. */
function fieldOf(object: unknown, path: string): unknown {
  return [...path.matchAll(/\['([^']+)'\]|\[(\d+)\]|([^.[\]]+)/g)].reduce<unknown>((held, part) => {
    if (typeof held !== 'object' || held === null) return undefined;
    return (held as Record<string, unknown>)[part[1] ?? part[2] ?? part[3] ?? ''];
  }, object);
}
