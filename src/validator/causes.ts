/**
 * Order between different objects counts only where one record is the cause or the precondition of the other. These are
 * the rules that say where: pairs of moments of one story (a claim, its volume, the node, the pod). A pair is judged when
 * every recording has both moments and all have them in the same order.
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttachment } from '../../machines/model/objects.ts';
import type { Trace, TraceRecord, WatchRecord } from '../../machines/trace/format.ts';
import type { Names } from './names.ts';

/** The first time that something happened to something. */
export interface Moment {
  readonly index: number;
  readonly t: number;
  /** Placed by the machine's clock: against a write, an order closer than `slack` means nothing. */
  readonly byClock: boolean;
}

/** Moments by name and instance, e.g. `volume bound|volume-of(disk)`. */
export type Moments = ReadonlyMap<string, Moment>;

export interface CauseRule {
  readonly cause: string;
  readonly effect: string;
  /** Why the first must come before the second, with its source. */
  readonly why: string;
}

/** Cause and effect are moments of one volume, one volume on one node, or one pod; the instance after `|` is the same. */
export const causeRules: readonly CauseRule[] = [
  { cause: 'claim created', effect: 'volume created', why: 'A volume is made for a claim that exists (ref 4).' },
  { cause: 'CreateVolume OK', effect: 'volume created', why: 'The provisioner writes the volume after the driver made it (ref 4).' },
  { cause: 'volume bound', effect: 'claim bound', why: 'Binding writes the volume before the claim (ref 2.4).' },
  { cause: 'claim names volume', effect: 'pod on node', why: 'A pod is bound to a node only after its claims are bound (ref 3.4).' },
  { cause: 'pod on node', effect: 'attachment created', why: 'The controller attaches to the node where a pod was put (ref 5).' },
  { cause: 'ControllerPublishVolume OK', effect: 'attached', why: 'The attacher writes attached after the driver said so (ref 6).' },
  { cause: 'attached', effect: 'node lists volume', why: 'The node lists a volume as attached after the attachment says so (ref 5).' },
  { cause: 'node lists volume', effect: 'NodeStageVolume OK', why: 'The kubelet stages after it saw the volume attached in its node status (ref 7).' },
  { cause: 'NodeStageVolume OK', effect: 'NodePublishVolume OK', why: 'Publish follows stage (ref 7).' },
  { cause: 'NodePublishVolume OK for pod', effect: 'container started', why: 'No container starts before all volumes are published (ref 7).' },
  { cause: 'container started', effect: 'pod ready', why: 'A pod is ready after its container started (refinements 8).' },
  { cause: 'NodeUnpublishVolume OK for pod', effect: 'pod gone', why: 'The pod object goes after its volumes are unmounted (refinements 7).' },
  { cause: 'NodeUnpublishVolume OK', effect: 'NodeUnstageVolume OK', why: 'Unstage follows the last unpublish (ref 7).' },
  { cause: 'NodeUnstageVolume OK', effect: 'detaching', why: 'A volume in use on the node is not detached (refinements 6).' },
  { cause: 'volume not in use', effect: 'detaching', why: 'Detach waits until the kubelet reports the volume not in use (refinements 6).' },
  { cause: 'ControllerUnpublishVolume OK', effect: 'attachment gone', why: 'The attacher lets the attachment go after the driver said so (ref 6).' },
  { cause: 'pod gone', effect: 'claim gone', why: 'The protection finalizer stays while a pod uses the claim (ref 8, refinements 10).' },
  { cause: 'claim gone', effect: 'volume released', why: 'A volume is released when its claim is gone (ref 2).' },
  { cause: 'DeleteVolume OK', effect: 'volume gone', why: 'The provisioner removes the volume after the driver deleted it (ref 4).' },
  { cause: 'attachment gone', effect: 'volume gone', why: 'A volume that is attached is not deleted (ref 4).' },
];

/** Seconds within which the order of a write and a clock-placed record means nothing. */
const slack = 0.05;

/** 1: cause first; -1: effect first; 0: too close to tell, or one of them is absent. */
export function orderOf(moments: Moments, cause: string, effect: string): -1 | 0 | 1 {
  const a = moments.get(cause);
  const b = moments.get(effect);
  if (a === undefined || b === undefined) return 0;
  if (a.byClock !== b.byClock && Math.abs(a.t - b.t) < slack) return 0;
  return a.index < b.index ? 1 : -1;
}

export function momentsOf(trace: Trace, names: Names): Moments {
  const moments = new Map<string, Moment>();
  const inUse = new Map<string, readonly string[]>();
  trace.records.forEach((record, index) => {
    for (const name of momentsIn(record, index, names, inUse)) {
      if (!moments.has(name)) moments.set(name, { index, t: record.t, byClock: record.type !== 'watch' });
    }
  });
  return moments;
}

/** Every story that a claim, volume, pod or attachment takes part in gets the moment, so that a rule only compares one instance. */
function momentsIn(record: TraceRecord, index: number, names: Names, inUse: Map<string, readonly string[]>): string[] {
  if (record.type === 'csi' && record.code === 'OK') return csiMoments(record.method, record.request, record.node, names);
  if (record.type !== 'watch') return [];
  const { object } = record;
  switch (object.kind) {
    case 'PersistentVolumeClaim':
      return claimMoments({ ...record, object }, index, names);
    case 'PersistentVolume':
      return volumeMoments({ ...record, object }, names);
    case 'Pod':
      return podMoments({ ...record, object }, index, names);
    case 'VolumeAttachment':
      return attachmentMoments({ ...record, object }, names);
    case 'Node':
      return nodeMoments(object, names, inUse);
    case 'Event':
      return object.reason === 'Started' ? [`container started|${names.idOf(object.involvedObject, index)}`] : [];
    default:
      return [];
  }
}

function csiMoments(method: string, request: Readonly<Record<string, unknown>>, node: string, names: Names): string[] {
  const volume = typeof request['volume_id'] === 'string' ? names.volumeOfHandle(request['volume_id']) : typeof request['name'] === 'string' ? request['name'] : undefined;
  if (volume === undefined) return [];
  const alias = names.text(volume);
  const onNode = String(request['node_id'] ?? node);
  const pod = /\/pods\/([0-9a-f-]{36})\//.exec(String(request['target_path'] ?? ''))?.[1];
  const forPod = pod === undefined ? [] : [`${method} OK for pod|${names.idOf({ kind: 'Pod', uid: pod })}`];
  return [`${method} OK|${alias}`, `${method} OK|${pair(volume, onNode, names)}`, ...forPod];
}

function pair(volume: string, node: string, names: Names): string {
  return `${names.text(volume)} on ${names.text(node, names.viewOfVolume(volume))}`;
}

function claimMoments({ verb, object }: WatchRecord & { object: PersistentVolumeClaim }, index: number, names: Names): string[] {
  const id = names.idOf({ kind: object.kind, ...object.metadata }, index);
  const volume = `volume-of(${id.slice('pvc/'.length)})`;
  const bound = object.spec.volumeName === undefined ? [] : names.text(object.spec.volumeName);
  const users = names.podsOfClaim(`${object.metadata.namespace ?? ''}/${object.metadata.name}`);
  return [
    ...(verb === 'ADDED' ? [`claim created|${volume}`] : []),
    ...(object.status.phase === 'Bound' ? [`claim bound|${String(bound)}`] : []),
    ...(object.spec.volumeName === undefined ? [] : users.map(user => `claim names volume|${user}`)),
    ...(verb === 'DELETED' ? [`claim gone|${String(bound)}`, `claim gone|${id}`] : []),
  ];
}

function volumeMoments({ verb, object }: WatchRecord & { object: PersistentVolume }, names: Names): string[] {
  const alias = names.text(object.metadata.name);
  return [
    ...(verb === 'ADDED' ? [`volume created|${alias}`] : []),
    ...(object.status.phase === 'Bound' ? [`volume bound|${alias}`] : []),
    ...(object.status.phase === 'Released' ? [`volume released|${alias}`] : []),
    ...(verb === 'DELETED' ? [`volume gone|${alias}`] : []),
  ];
}

function podMoments({ verb, object }: WatchRecord & { object: Pod }, index: number, names: Names): string[] {
  const id = names.idOf({ kind: 'Pod', ...object.metadata });
  const node = object.spec.nodeName;
  const ready = object.status.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True') ?? false;
  const volumes = names.volumesOfPod(object.metadata.uid);
  return [
    ...(node === undefined ? [] : [`pod on node|${id}`, ...volumes.map(volume => `pod on node|${pair(volume, node, names)}`)]),
    ...(ready ? [`pod ready|${id}`] : []),
    ...(verb === 'DELETED' ? [`pod gone|${id}`, ...names.claimsOfPod(object.metadata.uid, index).map(claim => `pod gone|${claim}`)] : []),
  ];
}

function attachmentMoments({ verb, object }: WatchRecord & { object: VolumeAttachment }, names: Names): string[] {
  const volume = object.spec.source.persistentVolumeName;
  const where = pair(volume, object.spec.nodeName, names);
  return [
    ...(verb === 'ADDED' ? [`attachment created|${where}`] : []),
    ...(object.status.attached ? [`attached|${where}`] : []),
    ...(object.metadata.deletionTimestamp === undefined ? [] : [`detaching|${where}`]),
    ...(verb === 'DELETED' ? [`attachment gone|${where}`, `attachment gone|${names.text(volume)}`] : []),
  ];
}

function nodeMoments(node: Node, names: Names, inUse: Map<string, readonly string[]>): string[] {
  const where = (uniqueName: string): string[] => {
    const volume = names.volumeOfHandle(uniqueName.slice(uniqueName.indexOf('^') + 1));
    return volume === undefined ? [] : [pair(volume, node.metadata.name, names)];
  };
  const now = node.status.volumesInUse ?? [];
  const released = (inUse.get(node.metadata.name) ?? []).filter(name => !now.includes(name));
  inUse.set(node.metadata.name, now);
  return [
    ...(node.status.volumesAttached ?? []).flatMap(({ name }) => where(name)).map(place => `node lists volume|${place}`),
    ...released.flatMap(where).map(place => `volume not in use|${place}`),
  ];
}
