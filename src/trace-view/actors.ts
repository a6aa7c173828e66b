/**
 * Who did what a record shows. An event names its author, a CSI call its driver; a plain write does not, so it is read
 * from what the write changed: each of these fields has one owner in Kubernetes. A person is the author only of what a
 * step of the scenario asked for, and a kubelet of nothing while its node is paused.
 */
import type { AnyObject, Node, Pod } from '../../machines/model/objects.ts';
import type { StepRecord, Trace } from '../../machines/trace/format.ts';
import { fromOf } from './events.ts';
import { titleOf } from './names.ts';
import { find, ofKind, worldAt, type World } from './world.ts';

/** A controller by its own name; each node's kubelet apart. `driver`: the CSI driver, whichever it is. */
export type Actor = 'person' | 'API server' | 'driver' | 'other controller' | 'provisioner' | 'scheduler' | 'attacher' | 'resizer' | `kubelet ${string}` | 'kubelet' | Controller;
const CONTROLLERS = [
  'persistentvolume-controller',
  'attachdetach-controller',
  'statefulset-controller',
  'deployment-controller',
  'replicaset-controller',
  'ephemeral-volume-controller',
  'pvc-protection-controller',
  'pv-protection-controller',
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'pod-garbage-collector',
  'garbage-collector',
  'persistentvolume-expander-controller',
  'kube-proxy',
] as const;
type Controller = (typeof CONTROLLERS)[number];

const ORDER: readonly Actor[] = ['person', 'API server', 'provisioner', 'scheduler', 'attacher', 'resizer', ...CONTROLLERS, 'other controller'];

/** Actors in the order of a picture: the person first, kubelets and the driver last. */
export function inActorOrder(actors: Iterable<Actor>): Actor[] {
  const rank = (actor: Actor): number => (actor === 'driver' ? 1000 : actor.startsWith('kubelet') ? 900 : ORDER.indexOf(actor));
  return [...new Set(actors)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

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
      return stepMessage(trace, index, record);
    case 'output':
      return { ...common, from: 'API server', to: 'person', what: record.text.trim(), ok: false };
    case 'csi':
      return { ...common, from: callerOf(record.method, record.node), to: 'driver', what: record.method, ok: record.code === 'OK' };
    case 'watch':
      return { ...common, from: writerAt(trace, index, record.verb, record.object), to: 'API server', what: writeName(record.verb, record.object), ok: true };
    case 'log':
    case 'state':
      return undefined;
  }
}

function stepMessage(trace: Trace, index: number, record: StepRecord): Message | undefined {
  if (record.verb === 'wait' || record.verb === 'settle') return undefined;
  const common = { index, t: record.t, from: 'person' as const };
  if (record.verb === 'exec') {
    const pod = find(worldAt(trace, index), 'Pod', trace.scenario.namespace, String(record['pod']))?.object;
    return { ...common, to: kubeletOf(pod?.spec.nodeName), what: `exec ${String(record['pod'])}`, ok: record['code'] === 0 };
  }
  if (record.verb === 'node') {
    const node = String(record['node'] ?? record['name']);
    const action = String(record['action']);
    return { ...common, to: action === 'taint' || action === 'untaint' ? 'API server' : kubeletOf(node), what: `${action} ${node}`, ok: true };
  }
  return { ...common, to: 'API server', what: record.verb === 'run' ? String(record['command']) : record.verb, ok: true };
}

function kubeletOf(node: string | undefined): Actor {
  return node === undefined || node === '' ? 'kubelet' : `kubelet ${node}`;
}

function callerOf(method: string, node: string): Actor {
  if (method === 'CreateVolume' || method === 'DeleteVolume') return 'provisioner';
  if (method.startsWith('ControllerExpand')) return 'resizer';
  if (method.startsWith('Controller')) return 'attacher';
  return kubeletOf(node);
}

function writeName(verb: string, object: AnyObject): string {
  if (object.kind === 'Event') return `Event ${object.reason}`;
  const doing = verb === 'ADDED' ? 'create' : verb === 'DELETED' ? 'remove' : 'update';
  return `${doing} ${titleOf(object)}`;
}

/** A write with what it is read from: the trace before it, and the object before and after. */
interface Write<O extends AnyObject = AnyObject> {
  readonly trace: Trace;
  readonly index: number;
  readonly verb: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly world: World;
  readonly before: AnyObject | undefined;
  readonly after: O;
}

function writerAt(trace: Trace, index: number, verb: Write['verb'], after: AnyObject): Actor {
  const world = worldAt(trace, index - 1);
  const before = verb === 'ADDED' ? undefined : world.objects.get(`${after.kind}/${after.metadata.namespace ?? ''}/${after.metadata.name}`)?.object;
  return writerOf({ trace, index, verb, world, before, after });
}

function writerOf(write: Write): Actor {
  const { verb, after } = write;
  switch (after.kind) {
    case 'Event':
      return actorNamed(fromOf(after));
    case 'PersistentVolumeClaim':
      return claimWriter(write as Write<typeof after>);
    case 'PersistentVolume':
      return volumeWriter(write as Write<typeof after>);
    case 'Pod':
      return podWriter(write as Write<typeof after>);
    case 'VolumeAttachment':
      return verb === 'ADDED' || deleted(write) ? 'attachdetach-controller' : 'attacher';
    case 'Node':
      return nodeWriter(write as Write<typeof after>);
    case 'StatefulSet':
    case 'Deployment':
    case 'ReplicaSet':
      return workloadWriter(write as Write<typeof after>);
    default:
      return byPerson(write) ? 'person' : verb === 'DELETED' && ownerGone(write) ? 'garbage-collector' : 'other controller';
  }
}

/** An event's component, by the one name its controller has here. */
function actorNamed({ component, instance }: { readonly component: string; readonly instance: string | undefined }): Actor {
  if (component === 'default-scheduler') return 'scheduler';
  if (component === 'kubelet') return kubeletOf(instance);
  if (component === 'node-controller') return 'node-lifecycle-controller';
  if (component === 'volume_expand') return 'persistentvolume-expander-controller';
  const own = CONTROLLERS.find((name) => name === component);
  if (own !== undefined) return own;
  if (component.startsWith('external-resizer')) return 'resizer';
  if (component.includes('.') || component.includes('/')) return 'provisioner';
  return 'other controller';
}

function claimWriter(write: Write<AnyObject & { kind: 'PersistentVolumeClaim' }>): Actor {
  const { verb, before, after, world } = write;
  if (verb === 'ADDED') {
    if (owners(after).includes('Pod')) return 'ephemeral-volume-controller';
    if (byPerson(write)) return 'person';
    return fromTemplate(world, after.metadata.name) ? 'statefulset-controller' : 'other controller';
  }
  if (verb === 'DELETED' || finalizersShrank(before, after)) return 'pvc-protection-controller';
  if (deleted(write)) return deleter(write);
  if (annotationCame(before, after, 'volume.kubernetes.io/selected-node')) return 'scheduler';
  if (changed(before, after, (o) => o.metadata.ownerReferences)) return 'statefulset-controller';
  if (changed(before, after, (o) => o.spec.resources) && byPerson(write)) return 'person';
  if (changed(before, after, (o) => o.status.allocatedResourceStatuses) || changed(before, after, (o) => o.status.conditions)) return 'resizer';
  return 'persistentvolume-controller';
}

/** Is a claim of this name one that a StatefulSet's template makes? */
function fromTemplate(world: World, claim: string): boolean {
  return ofKind(world, 'StatefulSet').some(({ object }) => (object.spec.volumeClaimTemplates ?? []).some((template) => claim.startsWith(`${template.metadata.name}-${object.metadata.name}-`)));
}

const FINALIZER_OWNERS: readonly (readonly [string, Actor])[] = [
  ['external-attacher/', 'attacher'],
  ['external-provisioner', 'provisioner'],
  ['kubernetes.io/pv-protection', 'pv-protection-controller'],
];

function finalizerOwner(names: readonly string[]): Actor | undefined {
  return FINALIZER_OWNERS.find(([begins]) => names.some((name) => name.startsWith(begins)))?.[1];
}

function volumeWriter(write: Write<AnyObject & { kind: 'PersistentVolume' }>): Actor {
  const { verb, before, after } = write;
  if (verb === 'ADDED') return byPerson(write) ? 'person' : 'provisioner';
  const had = before?.metadata.finalizers ?? [];
  const has = after.metadata.finalizers ?? [];
  if (deleted(write)) return byPerson(write) ? 'person' : 'provisioner';
  // The object goes with its last finalizer; who took that off removed it.
  if (verb === 'DELETED') return finalizerOwner(had) ?? 'API server';
  const moved = [...had.filter((name) => !has.includes(name)), ...has.filter((name) => !had.includes(name))];
  if (moved.length > 0) return finalizerOwner(moved) ?? 'persistentvolume-controller';
  if (changed(before, after, (o) => o.spec.capacity)) return 'resizer';
  const spec = changed(before, after, (o) => o.spec.persistentVolumeReclaimPolicy) || (changed(before, after, (o) => o.spec.claimRef) && after.spec.claimRef === undefined);
  return spec && byPerson(write) ? 'person' : 'persistentvolume-controller';
}

/** Who sets a condition of this kind on a pod, by its reason. Reference: 10.3, disruption conditions. */
const DISRUPTORS: Readonly<Record<string, Actor>> = {
  PreemptionByScheduler: 'scheduler',
  DeletionByTaintManager: 'taint-eviction-controller',
  DeletionByPodGC: 'pod-garbage-collector',
  EvictionByEvictionAPI: 'API server',
};

function podWriter(write: Write<Pod>): Actor {
  const { verb, before, after, trace, index } = write;
  if (verb === 'ADDED') {
    const owner = owners(after)[0];
    if (owner === 'StatefulSet') return 'statefulset-controller';
    if (owner === 'ReplicaSet') return 'replicaset-controller';
    return byPerson(write) ? 'person' : 'other controller';
  }
  const silent = after.spec.nodeName !== undefined && pausedNodes(trace, index).has(after.spec.nodeName);
  if (deleted(write)) return DISRUPTORS[disruption(after) ?? ''] ?? deleter(write);
  if (disruption(before as Pod | undefined) === undefined) {
    const by = DISRUPTORS[disruption(after) ?? ''];
    if (by !== undefined) return by;
  }
  if (changed(before, after, (o) => o.spec.nodeName) || changed(before, after, (o) => o.status.nominatedNodeName)) return 'scheduler';
  if (changed(before, after, (o) => o.status.conditions?.find((c) => c.type === 'PodScheduled')?.status)) return 'scheduler';
  // A pod without a node has no kubelet to end it: the request that deletes it removes it.
  if (after.spec.nodeName === undefined) return verb === 'DELETED' ? deleter(write) : 'scheduler';
  if (!silent) return kubeletOf(after.spec.nodeName);
  if (changed(before, after, (o) => o.status.conditions?.find((c) => c.type === 'Ready')?.status)) return 'node-lifecycle-controller';
  if (after.status.phase === 'Failed') return 'pod-garbage-collector';
  return byPerson(write) ? 'person' : 'other controller';
}

function disruption(pod: Pod | undefined): string | undefined {
  return pod?.status.conditions?.find((condition) => condition.type === 'DisruptionTarget' && condition.status === 'True')?.reason;
}

/** Who asked for an object's deletion: a person, the controller it belongs to, or the collector once its owner is gone. */
function deleter(write: Write): Actor {
  if (byPerson(write)) return 'person';
  if (ownerGone(write)) return 'garbage-collector';
  const owner = owners(write.after)[0];
  if (owner === 'StatefulSet') return 'statefulset-controller';
  if (owner === 'ReplicaSet') return 'replicaset-controller';
  if (owner === 'Deployment') return 'deployment-controller';
  return owner === undefined ? 'other controller' : 'garbage-collector';
}

function nodeWriter({ trace, index, before, after }: Write<Node>): Actor {
  if (changed(before, after, (o) => o.spec.taints)) {
    const keys = (o: AnyObject | undefined): string[] => (o?.kind === 'Node' ? (o.spec.taints ?? []).map((taint) => taint.key) : []);
    const moved = [...keys(before).filter((key) => !keys(after).includes(key)), ...keys(after).filter((key) => !keys(before).includes(key))];
    const asked = personSteps(trace, index).some((step) => step.verb === 'node' && String(step['node'] ?? step['name']) === after.metadata.name && moved.some((key) => String(step['taint']).startsWith(key)));
    return asked ? 'person' : 'node-lifecycle-controller';
  }
  if (changed(before, after, (o) => o.status.volumesAttached)) return 'attachdetach-controller';
  const unknown = (o: Node): boolean => o.status.conditions?.some((condition) => condition.reason === 'NodeStatusUnknown') ?? false;
  if (pausedNodes(trace, index).has(after.metadata.name) || (changed(before, after, (o) => o.status.conditions) && unknown(after))) return 'node-lifecycle-controller';
  return kubeletOf(after.metadata.name);
}

function workloadWriter(write: Write<AnyObject & { kind: 'StatefulSet' | 'Deployment' | 'ReplicaSet' }>): Actor {
  const { verb, before, after } = write;
  const statusBy = ({ StatefulSet: 'statefulset-controller', Deployment: 'deployment-controller', ReplicaSet: 'replicaset-controller' } as const)[after.kind];
  const madeBy = owners(after).includes('Deployment') ? 'deployment-controller' : undefined;
  if (verb === 'ADDED') return madeBy ?? (byPerson(write) ? 'person' : 'other controller');
  if (verb === 'DELETED' || deleted(write)) return deleter(write);
  if (!changed(before, after, (o) => o.spec)) return changed(before, after, (o) => o.metadata.annotations) ? (madeBy ?? statusBy) : statusBy;
  return madeBy ?? (byPerson(write) ? 'person' : statusBy);
}

// --- what a person asked for ---

function personSteps(trace: Trace, index: number): StepRecord[] {
  return trace.records.slice(0, index).filter((record): record is StepRecord => record.type === 'step');
}

const KIND_OF_TARGET: Readonly<Record<string, string>> = {
  pod: 'Pod', po: 'Pod', pvc: 'PersistentVolumeClaim', persistentvolumeclaim: 'PersistentVolumeClaim', pv: 'PersistentVolume', persistentvolume: 'PersistentVolume',
  statefulset: 'StatefulSet', sts: 'StatefulSet', deployment: 'Deployment', deploy: 'Deployment', replicaset: 'ReplicaSet', rs: 'ReplicaSet',
  secret: 'Secret', configmap: 'ConfigMap', cm: 'ConfigMap', storageclass: 'StorageClass', sc: 'StorageClass', volumeattachment: 'VolumeAttachment', node: 'Node',
};

/** Did a step before this write ask for it: a delete, patch or apply that names this very object? */
function byPerson({ trace, index, verb, before, after }: Write): boolean {
  const { kind } = after;
  const { name } = after.metadata;
  const asksDelete = verb === 'DELETED' || (before !== undefined && before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined);
  // Another object of the same name may have been deleted before.
  const made = asksDelete ? trace.records.findIndex((record) => record.type === 'watch' && record.verb === 'ADDED' && record.object.metadata.uid === after.metadata.uid) : -1;
  return trace.records.slice(made + 1, index).some((step) => {
    if (step.type !== 'step') return false;
    const named = (text: unknown): boolean => {
      const [target = '', of = ''] = String(text).split('/');
      return KIND_OF_TARGET[target.toLowerCase()] === kind && of === name;
    };
    if (step.verb === 'run') return new RegExp(`^kubectl ${asksDelete ? 'delete' : '(?:apply|create|patch|edit|scale|label|annotate)'}\\b`).test(String(step['command'])) && String(step['command']).includes(name);
    if (asksDelete) return step.verb === 'delete' && named(step['target']);
    if (step.verb === 'patch') return named(step['target']);
    return step.verb === 'apply' && manifestHolds(String(step['manifest'] ?? ''), kind, name);
  });
}

/** Does a manifest, in block or flow style, hold this object? */
function manifestHolds(manifest: string, kind: string, name: string): boolean {
  return manifest.split(/^---/m).some((doc) => {
    if (!new RegExp(`["']?kind["']?: *["']?${kind}\\b`).test(doc)) return false;
    return /(?:^ {2}|[{,] *)["']?name["']?: *["']?([^"',\s}]+)/m.exec(doc)?.[1] === name;
  });
}

/** Nodes paused before this record and not woken since. */
function pausedNodes(trace: Trace, index: number): ReadonlySet<string> {
  const paused = new Set<string>();
  for (const step of personSteps(trace, index)) {
    if (step.verb !== 'node') continue;
    const node = String(step['node'] ?? step['name']);
    if (step['action'] === 'pause') paused.add(node);
    if (step['action'] === 'unpause') paused.delete(node);
  }
  return paused;
}

// --- what changed ---

function owners(object: AnyObject): string[] {
  return (object.metadata.ownerReferences ?? []).map((owner) => owner.kind);
}
function ownerGone({ world, after }: Write): boolean {
  const refs = after.metadata.ownerReferences ?? [];
  return refs.length > 0 && refs.every((owner) => ![...world.objects.values()].some(({ object }) => object.metadata.uid === owner.uid && object.metadata.deletionTimestamp === undefined));
}
function changed<O extends AnyObject>(before: AnyObject | undefined, after: O, field: (object: O) => unknown): boolean {
  return before !== undefined && JSON.stringify(field(before as O)) !== JSON.stringify(field(after));
}
function deleted({ before, after }: Write): boolean {
  return before !== undefined && before.metadata.deletionTimestamp === undefined && after.metadata.deletionTimestamp !== undefined;
}
function finalizersShrank(before: AnyObject | undefined, after: AnyObject): boolean {
  return (before?.metadata.finalizers ?? []).length > (after.metadata.finalizers ?? []).length;
}
function annotationCame(before: AnyObject | undefined, after: AnyObject, name: string): boolean {
  return before?.metadata.annotations?.[name] === undefined && after.metadata.annotations?.[name] !== undefined;
}
