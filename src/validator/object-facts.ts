/** Facts of object writes: what one write changed against the object's previous one, in every field that is not ignored. */
import type { AnyObject, Json } from '../../machines/model/objects.ts';
import type { Trace, WatchRecord } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import { ignoredField, ignoredValue } from './ignored.ts';
import type { Dropped } from './ignored.ts';
import { asChoice } from './names.ts';
import type { Names, View } from './names.ts';

/** Leaf values of an object by path; a list that has a key is addressed by it, so that a new element moves no other. */
type Leaves = Map<string, string>;

const keyedLists: Readonly<Record<string, (element: Record<string, Json>) => string>> = {
  conditions: element => String(element['type']),
  containerStatuses: element => String(element['name']),
  initContainerStatuses: element => String(element['name']),
  containers: element => String(element['name']),
  initContainers: element => String(element['name']),
  volumes: element => String(element['name']),
  volumeMounts: element => String(element['mountPath']),
  volumeDevices: element => String(element['devicePath']),
  taints: element => `${String(element['key'])}:${String(element['effect'])}`,
  ownerReferences: element => `${String(element['kind'])}/${String(element['name'])}`,
};

/** All facts of the writes of non-event objects. */
export function objectFacts(trace: Trace, names: Names, dropped: Dropped): Fact[] {
  const previous = new Map<string, Known>();
  const nodeLists = new Map<string, NodeLists>();
  for (const object of trace.stage) {
    previous.set(identity(object), { leaves: leavesOf(object, names, { pods: [] }, undefined), version: '', text: '' });
    if (object.kind === 'Node') nodeLists.set(object.metadata.name, listsOf(object));
  }
  return trace.records.flatMap((record, index) => {
    if (record.type !== 'watch' || record.object.kind === 'Event') return [];
    const facts = writeFacts(record, index, names, dropped, previous);
    return record.object.kind === 'Node' ? [...facts, ...nodeListFacts(record.object, index, record.t, names, nodeLists)] : facts;
  });
}

function writeFacts(record: WatchRecord, index: number, names: Names, dropped: Dropped, previous: Map<string, Known>): Fact[] {
  const { object } = record;
  const view = names.viewOf({ kind: object.kind, ...object.metadata }, index);
  const leaves = leavesOf(object, names, view, dropped);
  const before = previous.get(identity(object));
  previous.set(identity(object), { leaves, version: object.metadata.resourceVersion, text: textOf(object) });
  if (record.verb === 'DELETED') dropFinalizers(leaves, before?.leaves);
  const changes = changesBetween(before?.leaves ?? new Map(), leaves);
  const verb = verbOf(record, before);
  const subject = names.idOf({ kind: object.kind, ...object.metadata }, index);
  const fact = (text: string, often = false): Fact => ({ kind: 'object', subject, text, lane: subject, often, index, t: record.t });
  if (verb === 'changed' && changes.length === 0) return before?.text === textOf(object) ? [fact('written although nothing changed')] : [];
  const onlyFinalizers = verb === 'deleted' || changes.every(isFinalizer);
  const apart = verb === 'created' ? [] : changes.filter(change => (isFinalizer(change) ? onlyFinalizers : isSummary(change, object.kind)));
  const together = changes.filter(change => !apart.includes(change));
  return [
    ...apart.map(change => (isFinalizer(change) ? fact(`changed ${change}`) : { ...fact(`changed ${change}`, true), lane: `${subject} ${pathOf(change)}` })),
    ...(verb === 'changed' && together.length === 0 ? [] : [fact([verb, ...together].join(' '))]),
  ];
}

/**
 * A write is one fact with all it changed, but for two kinds of changes that are facts of their own: finalizers, which
 * independent controllers take away in an order that no rule fixes, and the status of the controllers above pods, which
 * sums up what happened since the last look and so depends on when they looked.
 */
function isFinalizer(change: string): boolean {
  return /^-?metadata\.finalizers/.test(change);
}

function isSummary(change: string, kind: string): boolean {
  return /^-?status\./.test(change) && (kind === 'Deployment' || kind === 'ReplicaSet' || kind === 'StatefulSet');
}

/** `status.replicas` of `status.replicas=2` and of `-status.replicas`. */
function pathOf(change: string): string {
  return change.replace(/^-/, '').replace(/=.*/s, '');
}

interface Known {
  readonly leaves: Leaves;
  readonly version: string;
  /** The object as it was written, but for its version. */
  readonly text: string;
}

/** An API server makes no write of what would leave the object as it is. */
function textOf(object: AnyObject): string {
  return JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: '' } });
}

/** A write that no API server makes (created twice, or written twice under one resourceVersion) is named as what it is. */
function verbOf(record: WatchRecord, before: Known | undefined): string {
  if (record.verb === 'ADDED') return before === undefined ? 'created' : 'created again';
  if (record.verb === 'DELETED') return 'deleted';
  return before?.version === record.object.metadata.resourceVersion ? 'written twice' : 'changed';
}

/** The last finalizer goes with the object itself: no write of its own shows it, and which is last is a race of their controllers. One that was not there before still shows. */
function dropFinalizers(leaves: Leaves, before: Leaves | undefined): void {
  for (const path of [...leaves.keys()]) if (path.startsWith('metadata.finalizers[') && before?.has(path) === true) leaves.delete(path);
}

function identity(object: AnyObject): string {
  return object.kind === 'Node' || object.metadata.uid === '' ? `${object.kind}/${object.metadata.name}` : object.metadata.uid;
}

function changesBetween(before: Leaves, after: Leaves): string[] {
  const changes: string[] = [];
  for (const [path, value] of after) if (before.get(path) !== value) changes.push(`${path}=${value}`);
  for (const path of before.keys()) if (!after.has(path)) changes.push(`-${path}`);
  return changes.sort();
}

function leavesOf(object: AnyObject, names: Names, view: View, dropped: Dropped | undefined): Leaves {
  const leaves: Leaves = new Map();
  const visit = (value: unknown, path: string, plainPath: string): void => {
    if (value === undefined || value === null) return;
    const entry = ignoredField(plainPath, object.kind);
    if (entry !== undefined) return dropped?.add(entry);
    if (object.kind === 'Node' && (plainPath === 'status.volumesAttached' || plainPath === 'status.volumesInUse')) return;
    if (Array.isArray(value)) return visitList(value as Json[], path, plainPath);
    if (typeof value === 'object') {
      for (const [key, child] of Object.entries(value)) visit(child, path === '' ? key : `${path}.${key}`, plainPath === '' ? key : `${plainPath}.${key}`);
      return;
    }
    const valueEntry = ignoredValue(plainPath);
    if (valueEntry !== undefined) dropped?.add(valueEntry);
    leaves.set(names.text(path, view), valueEntry === undefined ? leafText(value, names, view, plainPath) : `<${valueEntry}>`);
  };
  const visitList = (list: Json[], path: string, plainPath: string): void => {
    if (plainPath === 'metadata.finalizers') {
      for (const finalizer of list) leaves.set(`${path}[${String(finalizer)}]`, 'present');
      return;
    }
    const keyOfElement = keyedLists[path.slice(path.lastIndexOf('.') + 1)];
    if (keyOfElement !== undefined) {
      for (const element of list) visit(element, `${path}[${keyOfElement(element as Record<string, Json>)}]`, plainPath);
      return;
    }
    if (list.every(element => typeof element !== 'object')) {
      leaves.set(path, `[${list.map(element => leafText(element, names, view, plainPath)).join(', ')}]`);
      return;
    }
    list.forEach((element, position) => visit(element, `${path}[${position}]`, plainPath));
  };
  visit(object, '', '');
  return leaves;
}

/** Fields that say which node one attempt chose. An attempt may fail and the next one choose another that fits as well. */
const choicesOfAttempt: ReadonlySet<string> = new Set(['status.nominatedNodeName', 'metadata.annotations.volume.kubernetes.io/selected-node']);

/** What the person wrote about nodes stays as written; only what the cluster chose is called by its role. */
function leafText(value: unknown, names: Names, view: View, path: string): string {
  if (typeof value !== 'string') return String(value);
  if (path.startsWith('spec.nodeSelector') || path.startsWith('spec.affinity')) return value;
  if (choicesOfAttempt.has(path)) return asChoice(names.text(value, view));
  if (path === 'metadata.generateName') return `${names.text(value.replace(/-$/, ''), view)}-`;
  return names.text(value, view);
}

interface NodeLists {
  /** Device path by name. */
  readonly volumesAttached: ReadonlyMap<string, string>;
  readonly volumesInUse: ReadonlySet<string>;
}

function listsOf(node: AnyObject & { kind: 'Node' }): NodeLists {
  return {
    volumesAttached: new Map((node.status.volumesAttached ?? []).map(volume => [volume.name, volume.devicePath])),
    volumesInUse: new Set(node.status.volumesInUse ?? []),
  };
}

/** A node's volume lists, one fact per volume that came or went: each seen from that volume. */
function nodeListFacts(node: AnyObject & { kind: 'Node' }, index: number, t: number, names: Names, known: Map<string, NodeLists>): Fact[] {
  const before = known.get(node.metadata.name) ?? { volumesAttached: new Map<string, string>(), volumesInUse: new Set<string>() };
  const after = listsOf(node);
  known.set(node.metadata.name, after);
  const changes = new Map<string, string[]>();
  for (const list of ['volumesAttached', 'volumesInUse'] as const) {
    for (const name of after[list].keys()) if (!before[list].has(name)) changes.set(name, [...(changes.get(name) ?? []), `+status.${list}${devicePathOf(after, list, name)}`]);
    for (const name of after[list].keys()) if (before[list].has(name) && devicePathOf(before, list, name) !== devicePathOf(after, list, name)) changes.set(name, [`status.${list}${devicePathOf(after, list, name)}`]);
    for (const name of before[list].keys()) if (!after[list].has(name)) changes.set(name, [...(changes.get(name) ?? []), `-status.${list}`]);
  }
  return [...changes].map(([name, changed]) => {
    const volume = names.volumeOfHandle(name.slice(name.indexOf('^') + 1));
    const view = volume === undefined ? { pods: [] } : names.viewOfVolume(volume);
    const subject = `node/${names.text(node.metadata.name, view)} ${names.text(name, view)}`;
    const text = changed.join(' ');
    // The two lists have two writers that do not wait for each other.
    return { kind: 'object', subject, text, lane: `${subject} ${text.slice(1)}`, index, t };
  });
}

/** Nothing where it is the empty one that CSI volumes have. */
function devicePathOf(lists: NodeLists, list: keyof NodeLists, name: string): string {
  const path = list === 'volumesAttached' ? lists.volumesAttached.get(name) : '';
  return path === '' ? '' : ` with device path ${JSON.stringify(path)}`;
}
