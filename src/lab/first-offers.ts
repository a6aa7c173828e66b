/**
 * What a run offers to do to it, read from the run itself: from its pods, claims, classes and nodes. No scenario is known by
 * name.
 */
import type { PersistentVolumeClaim, Pod, StorageClass } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { MessageKey } from '../i18n/en.ts';
import { podVolumes } from '../trace-view/pod-volumes.ts';
import { STATIONS } from '../trace-view/station-names.ts';
import { podsAt, type Line } from '../trace-view/stations.ts';
import { find, ofKind, worldAt, type World } from '../trace-view/world.ts';
import { FAIL_METHODS, momentAfter, type Action, type FailMethod } from './actions.ts';
import { FAULTY_DRIVER, READER_TAINT } from './known-names.ts';
import type { Offer } from './offer.ts';

/** What is offered at a moment whether or not the run is stuck: faults first, then what takes the reader's own acts back, then acts. */
export function firstOffersAt(trace: Trace, index: number, line: Line): Offer[] {
  const at = momentAfter(trace, index);
  const whole = worldAt(trace, trace.records.length - 1);
  const now = worldAt(trace, index);
  return [...faults(trace, whole, at), ...takenBack(now, at), ...wakeUps(trace, at), ...acts(trace, now, line, at)];
}

/** Is anything refused, or a claim without its volume? Only then has a run anything to repair. */
export function mayBeStuck(line: Line): boolean {
  return STATIONS.some((name) => line.stations[name].mark === 'blocked') || line.stations.volume.mark !== 'proven';
}

// --- faults: how the scenario begins ---

function faults(trace: Trace, world: World, at: number): Offer[] {
  const pod = firstPod(trace);
  const claims = ofKind(world, 'PersistentVolumeClaim').filter(({ object }) => object.metadata.namespace === trace.scenario.namespace && (object.metadata.ownerReferences ?? []).length === 0);
  const claim = claims[0]?.object ?? firstClaim(trace);
  return [
    ...(pod === undefined ? [] : [...contentFaults(trace, pod, at), ...zoneFault(trace, pod)]),
    ...(claim === undefined ? [] : [...classFault(trace, claim), ...modeFault(claim), ...methodFaults(trace, world, claim)]),
  ];
}

/** The first pod a person made; a controller's pods follow their template instead. */
function firstPod(trace: Trace): Pod | undefined {
  for (const record of trace.records) {
    if (record.type !== 'watch' || record.verb !== 'ADDED' || record.object.kind !== 'Pod') continue;
    if (record.object.metadata.namespace === trace.scenario.namespace && (record.object.metadata.ownerReferences ?? []).length === 0) return record.object;
  }
  return undefined;
}

function firstClaim(trace: Trace): PersistentVolumeClaim | undefined {
  for (const record of trace.records) {
    if (record.type === 'watch' && record.verb === 'ADDED' && record.object.kind === 'PersistentVolumeClaim' && record.object.metadata.namespace === trace.scenario.namespace) return record.object;
  }
  return undefined;
}

/** A Secret or ConfigMap that the pod mounts: there before the pod, or left out. */
function contentFaults(trace: Trace, pod: Pod, at: number): Offer[] {
  return (pod.spec.volumes ?? []).flatMap((volume): Offer[] => {
    if (volume.secret !== undefined && volume.secret.optional !== true) {
      const there = stoodBefore(trace, 'Secret', volume.secret.secretName, pod);
      const since = there ? undefined : cameAt(trace, 'Secret', volume.secret.secretName, at);
      return [fault({ do: 'secret', name: volume.secret.secretName, there: !there }, !there, since === undefined ? 'leaveOutSecret' : 'leftOutUntil', since === undefined ? {} : { kind: 'Secret', t: since.toFixed(3) })];
    }
    if (volume.configMap !== undefined && volume.configMap.optional !== true) {
      const there = stoodBefore(trace, 'ConfigMap', volume.configMap.name, pod);
      const since = there ? undefined : cameAt(trace, 'ConfigMap', volume.configMap.name, at);
      return [fault({ do: 'configMap', name: volume.configMap.name, there: !there }, !there, since === undefined ? 'leaveOutConfigMap' : 'leftOutUntil', since === undefined ? {} : { kind: 'ConfigMap', t: since.toFixed(3) })];
    }
    return [];
  });
}

/** When an object that was left out at first came after all, seconds; undefined while it has not. */
function cameAt(trace: Trace, kind: string, name: string, at: number): number | undefined {
  return trace.records.find((record) => record.type === 'watch' && record.verb === 'ADDED' && record.object.kind === kind && record.object.metadata.name === name && record.t * 1000 <= at)?.t;
}

function stoodBefore(trace: Trace, kind: string, name: string, pod: Pod): boolean {
  for (const record of trace.records) {
    if (record.type !== 'watch' || record.verb !== 'ADDED') continue;
    if (record.object.kind === 'Pod' && record.object.metadata.uid === pod.metadata.uid) return false;
    if (record.object.kind === kind && record.object.metadata.name === name && record.object.metadata.namespace === pod.metadata.namespace) return true;
  }
  return false;
}

const ZONE = 'topology.kubernetes.io/zone';

/** The pod in a zone where its volume is not. */
function zoneFault(trace: Trace, pod: Pod): Offer[] {
  const nodes = trace.stage.filter((object) => object.kind === 'Node');
  const zones = [...new Set(nodes.map((node) => node.metadata.labels?.[ZONE]).filter((zone) => zone !== undefined))].sort();
  if (zones.length < 2 || podVolumes(worldAt(trace, trace.records.length - 1), pod).every((volume) => volume.kind !== 'claim')) return [];
  const asked = pod.spec.nodeSelector?.[ZONE];
  if (asked !== undefined) return [fault({ do: 'zone', pod: pod.metadata.name, zone: null }, true, 'otherZone', { zone: asked })];
  const went = latest(trace, pod)?.spec.nodeName;
  const zone = nodes.find((node) => node.metadata.name === went)?.metadata.labels?.[ZONE];
  const other = zones.find((candidate) => candidate !== (zone ?? zones[0]));
  return other === undefined ? [] : [fault({ do: 'zone', pod: pod.metadata.name, zone: other }, false, 'otherZone', { zone: other })];
}

function latest(trace: Trace, pod: Pod): Pod | undefined {
  const record = trace.records.findLast((entry) => entry.type === 'watch' && entry.object.kind === 'Pod' && entry.object.metadata.uid === pod.metadata.uid);
  return record?.type === 'watch' && record.object.kind === 'Pod' ? record.object : undefined;
}

/** Another class of the same driver that binds at the other time. */
function classFault(trace: Trace, claim: PersistentVolumeClaim): Offer[] {
  const own = standingClass(trace, claim.spec.storageClassName);
  if (own === undefined) return [];
  const waits = own.volumeBindingMode === 'WaitForFirstConsumer';
  const other = classesOf(trace).find((entry) => entry.provisioner === own.provisioner && (entry.volumeBindingMode === 'WaitForFirstConsumer') !== waits);
  return other === undefined ? [] : [fault({ do: 'class', claim: claim.metadata.name, class: other.metadata.name }, waits, 'waitForConsumer')];
}

function classesOf(trace: Trace): StorageClass[] {
  return trace.stage.filter((object): object is StorageClass => object.kind === 'StorageClass');
}
function standingClass(trace: Trace, name: string | undefined): StorageClass | undefined {
  return classesOf(trace).find((entry) => entry.metadata.name === name);
}

function modeFault(claim: PersistentVolumeClaim): Offer[] {
  const mode = claim.spec.accessModes?.[0];
  if (mode !== 'ReadWriteOnce' && mode !== 'ReadWriteOncePod') return [];
  const single = mode === 'ReadWriteOncePod';
  return [fault({ do: 'mode', claim: claim.metadata.name, mode: single ? 'ReadWriteOnce' : 'ReadWriteOncePod' }, single, 'readWriteOncePod')];
}

const METHOD_LABELS: Readonly<Record<FailMethod, MessageKey>> = {
  CreateVolume: 'failCreate',
  ControllerPublishVolume: 'failAttach',
  NodeStageVolume: 'failStage',
  NodePublishVolume: 'failPublish',
};

function methodFaults(trace: Trace, world: World, claim: PersistentVolumeClaim): Offer[] {
  const named = claim.spec.storageClassName;
  const own = standingClass(trace, named) ?? (named === undefined ? undefined : find(world, 'StorageClass', undefined, named)?.object);
  if (own?.provisioner !== FAULTY_DRIVER) return [];
  return FAIL_METHODS.map((method) => {
    const on = own.parameters?.[`fail.${method}`] !== undefined;
    return fault({ do: 'fail', claim: claim.metadata.name, method, on: !on }, on, METHOD_LABELS[method]);
  });
}

// --- what the reader did to a node, taken back ---

function takenBack(world: World, at: number): Offer[] {
  return ofKind(world, 'Node').flatMap(({ object }): Offer[] => {
    const node = object.metadata.name;
    return object.spec.taints?.some((taint) => taint.key === READER_TAINT) === true ? [repair({ do: 'taint', node, on: false, at }, 'untaintNode', { node })] : [];
  });
}

/** Nodes paused and not woken by then. */
function wakeUps(trace: Trace, at: number): Offer[] {
  const paused = new Set<string>();
  for (const record of trace.records) {
    if (record.type !== 'step' || record.verb !== 'node' || record.t * 1000 > at) continue;
    const node = String(record['node'] ?? record['name']);
    if (record['action'] === 'pause') paused.add(node);
    if (record['action'] === 'unpause') paused.delete(node);
  }
  return [...paused].map((node) => repair({ do: 'pause', node, on: false, at }, 'unpauseNode', { node }));
}

// --- acts: what else can be done now ---

function acts(trace: Trace, world: World, line: Line, at: number): Offer[] {
  const namespace = trace.scenario.namespace;
  const pod = line.pod === undefined ? undefined : find(world, 'Pod', namespace, line.pod)?.object;
  const claim = ofKind(world, 'PersistentVolumeClaim').find(({ object }) => object.metadata.namespace === namespace)?.object;
  const offers: Offer[] = [];
  if (pod !== undefined && (pod.metadata.ownerReferences ?? []).length === 0 && podVolumes(world, pod).some((volume) => volume.kind === 'claim') && podsAt(trace, trace.records.length - 1).length < MOST_PODS) {
    offers.push(act({ do: 'second', pod: pod.metadata.name, at }, 'secondPod'));
  }
  if (pod?.status.phase === 'Running') {
    const path = claimPath(pod, world);
    if (path !== undefined) {
      offers.push(act({ do: 'exec', pod: pod.metadata.name, what: 'writeRead', path, at }, 'writeRead'));
      offers.push(act({ do: 'exec', pod: pod.metadata.name, what: 'mountinfo', path, at }, 'lookAtMount'));
    }
  }
  if (pod !== undefined && pod.metadata.deletionTimestamp === undefined) offers.push(act({ do: 'delete', target: `pod/${pod.metadata.name}`, at }, 'deletePod', { name: pod.metadata.name }));
  if (claim !== undefined && claim.metadata.deletionTimestamp === undefined) offers.push(act({ do: 'delete', target: `pvc/${claim.metadata.name}`, at }, 'deleteClaim', { name: claim.metadata.name }));
  const node = line.node;
  if (node !== undefined) {
    offers.push(act({ do: 'taint', node, on: true, at }, 'taintNode', { node }));
    offers.push(act({ do: 'pause', node, on: true, at }, 'pauseNode', { node }));
  }
  offers.push(act({ do: 'wait', seconds: 30, at: Math.round((trace.records.at(-1)?.t ?? 0) * 1000) }, 'waitOn'));
  return offers;
}
const MOST_PODS = 4;

/** Where the pod's first claim is mounted. */
function claimPath(pod: Pod, world: World): string | undefined {
  const claims = new Set(podVolumes(world, pod).filter((volume) => volume.kind === 'claim').map((volume) => volume.name));
  return pod.spec.containers.flatMap((container) => container.volumeMounts ?? []).find((mount) => claims.has(mount.name))?.mountPath;
}

function fault(action: Action, pressed: boolean, label: MessageKey, params: Readonly<Record<string, string>> = {}): Offer {
  return { kind: 'fault', action, pressed, label, params };
}
function act(action: Action, label: MessageKey, params: Readonly<Record<string, string>> = {}): Offer {
  return { kind: 'act', action, pressed: false, label, params };
}
function repair(action: Action, label: MessageKey, params: Readonly<Record<string, string>> = {}): Offer {
  return { kind: 'repair', action, pressed: false, label, params };
}
