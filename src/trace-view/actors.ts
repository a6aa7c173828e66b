/**
 * Who did what a record shows. An event names its author, a CSI call its driver; a plain write does not, so it is read
 * from what the write changed: each of these fields has one owner in Kubernetes.
 */
import type { AnyObject } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { fromOf } from './events.ts';
import { titleOf } from './names.ts';
import { worldAt } from './world.ts';

export type Actor =
  | 'person'
  | 'API server'
  | 'persistentvolume-controller'
  | 'provisioner'
  | 'scheduler'
  | 'attachdetach-controller'
  | 'attacher'
  | 'resizer'
  | 'kubelet'
  | 'driver'
  | 'other controller';

export interface Message {
  readonly index: number;
  readonly t: number;
  readonly from: Actor;
  readonly to: Actor;
  /** `create PVC disk`, `NodeStageVolume`, `Event FailedMount` */
  readonly what: string;
  readonly ok: boolean;
}

/** Who spoke to whom, one message a record, up to and with record `index`. Waits are silent. */
export function messages(trace: Trace, index: number): Message[] {
  const found: Message[] = [];
  for (let i = 0; i <= index && i < trace.records.length; i++) {
    const message = messageOf(trace, i);
    if (message !== undefined) found.push(message);
  }
  return found;
}

/** The message of one record; undefined for records in which nobody speaks (waits, log lines, states). */
export function messageOf(trace: Trace, index: number): Message | undefined {
  const record = trace.records[index];
  if (record === undefined) return undefined;
  const common = { index, t: record.t };
  switch (record.type) {
    case 'step':
      if (record.verb === 'wait' || record.verb === 'settle') return undefined;
      if (record.verb === 'exec') return { ...common, from: 'person', to: 'kubelet', what: `exec ${String(record['pod'])}`, ok: record['code'] === 0 };
      if (record.verb === 'node') return { ...common, from: 'person', to: 'kubelet', what: `${String(record['action'])} ${String(record['node'] ?? record['name'])}`, ok: true };
      return { ...common, from: 'person', to: 'API server', what: record.verb === 'run' ? String(record['command']) : record.verb, ok: true };
    case 'output':
      return { ...common, from: 'API server', to: 'person', what: record.text.trim(), ok: false };
    case 'csi':
      return { ...common, from: callerOf(record.method), to: 'driver', what: record.method, ok: record.code === 'OK' };
    case 'watch': {
      const before = record.verb === 'ADDED' ? undefined : worldBefore(trace, index, record.object);
      return { ...common, from: writerOf(record.verb, before, record.object), to: 'API server', what: writeName(record.verb, record.object), ok: true };
    }
    case 'log':
    case 'state':
      return undefined;
  }
}

function worldBefore(trace: Trace, index: number, object: AnyObject): AnyObject | undefined {
  const key = `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
  return worldAt(trace, index - 1).objects.get(key)?.object;
}

function callerOf(method: string): Actor {
  if (method === 'CreateVolume' || method === 'DeleteVolume') return 'provisioner';
  if (method.startsWith('Controller')) return 'attacher';
  return 'kubelet';
}

function writeName(verb: string, object: AnyObject): string {
  if (object.kind === 'Event') return `Event ${object.reason}`;
  const doing = verb === 'ADDED' ? 'create' : verb === 'DELETED' ? 'remove' : 'update';
  return `${doing} ${titleOf(object)}`;
}

/** Whose write this is, by what it changed. */
export function writerOf(verb: string, before: AnyObject | undefined, after: AnyObject): Actor {
  switch (after.kind) {
    case 'Event':
      return actorNamed(fromOf(after).component);
    case 'PersistentVolumeClaim':
      return claimWriter(verb, before, after);
    case 'PersistentVolume':
      return volumeWriter(verb, before, after);
    case 'Pod':
      return podWriter(verb, before, after);
    case 'VolumeAttachment':
      if (verb === 'ADDED' || (before?.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined)) return 'attachdetach-controller';
      return 'attacher';
    case 'Node':
      if (changed(before, after, (o) => o.status.volumesAttached)) return 'attachdetach-controller';
      if (changed(before, after, (o) => o.spec.taints)) return 'other controller';
      return 'kubelet';
    case 'StatefulSet':
    case 'Deployment':
    case 'ReplicaSet':
      return verb === 'ADDED' && (after.metadata.ownerReferences ?? []).length === 0 ? 'person' : 'other controller';
    default:
      return verb === 'ADDED' ? 'person' : 'other controller';
  }
}

/** An event's component, among those that have a place of their own in the picture. */
function actorNamed(component: string): Actor {
  if (component === 'default-scheduler') return 'scheduler';
  if (component === 'kubelet' || component === 'attachdetach-controller' || component === 'persistentvolume-controller') return component;
  if (component.startsWith('external-resizer')) return 'resizer';
  if (component.includes('.') || component.includes('/')) return 'provisioner';
  return 'other controller';
}

function claimWriter(verb: string, before: AnyObject | undefined, after: AnyObject & { kind: 'PersistentVolumeClaim' }): Actor {
  if (verb === 'ADDED') return (after.metadata.ownerReferences ?? []).length > 0 ? 'other controller' : 'person';
  if (verb === 'DELETED' || finalizersShrank(before, after)) return 'other controller';
  if (deleted(before, after)) return 'person';
  if (annotationCame(before, after, 'volume.kubernetes.io/selected-node')) return 'scheduler';
  if (changed(before, after, (o) => o.spec.resources)) return 'person';
  if (changed(before, after, (o) => o.status.allocatedResourceStatuses) || changed(before, after, (o) => o.status.conditions)) return 'resizer';
  return 'persistentvolume-controller';
}

function volumeWriter(verb: string, before: AnyObject | undefined, after: AnyObject & { kind: 'PersistentVolume' }): Actor {
  if (verb === 'ADDED') return after.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === undefined ? 'person' : 'provisioner';
  const had = new Set(before?.metadata.finalizers ?? []);
  const has = new Set(after.metadata.finalizers ?? []);
  const moved = [...had].filter((name) => !has.has(name)).concat([...has].filter((name) => !had.has(name)));
  if (moved.some((name) => name.startsWith('external-attacher/'))) return 'attacher';
  if (moved.some((name) => name.startsWith('external-provisioner'))) return 'provisioner';
  if (moved.length > 0) return 'other controller';
  if (deleted(before, after)) return 'provisioner';
  if (verb === 'DELETED') return 'API server';
  if (changed(before, after, (o) => o.spec.capacity)) return 'resizer';
  return 'persistentvolume-controller';
}

function podWriter(verb: string, before: AnyObject | undefined, after: AnyObject & { kind: 'Pod' }): Actor {
  if (verb === 'ADDED') return (after.metadata.ownerReferences ?? []).length > 0 ? 'other controller' : 'person';
  if (verb === 'DELETED') return 'kubelet';
  if (deleted(before, after)) return 'person';
  if (changed(before, after, (o) => o.spec.nodeName) || changed(before, after, (o) => o.status.nominatedNodeName)) return 'scheduler';
  const scheduled = (o: AnyObject & { kind: 'Pod' }): unknown => o.status.conditions?.find((c) => c.type === 'PodScheduled')?.status;
  if (changed(before, after, scheduled)) return 'scheduler';
  return 'kubelet';
}

function changed<O extends AnyObject>(before: AnyObject | undefined, after: O, field: (object: O) => unknown): boolean {
  return before !== undefined && JSON.stringify(field(before as O)) !== JSON.stringify(field(after));
}
function deleted(before: AnyObject | undefined, after: AnyObject): boolean {
  return before?.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
}
function finalizersShrank(before: AnyObject | undefined, after: AnyObject): boolean {
  return (before?.metadata.finalizers ?? []).length > (after.metadata.finalizers ?? []).length;
}
function annotationCame(before: AnyObject | undefined, after: AnyObject, name: string): boolean {
  return before?.metadata.annotations?.[name] === undefined && after.metadata.annotations?.[name] !== undefined;
}
