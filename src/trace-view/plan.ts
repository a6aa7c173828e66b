/**
 * Why no node fits a pod: for each node, the first of the scheduler's filters that refuses it and the field that made it
 * refuse. The event only counts nodes; which node it was is computed here from the objects in the trace, and shown only if
 * the counts agree with the event's.
 */
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolumeClaim, Pod, StorageClass, Taint, Toleration } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { shortName } from './names.ts';
import { podVolumes, type PodVolume } from './pod-volumes.ts';
import { find, ofKind, worldAt, type World } from './world.ts';

/** The filters in the order in which the scheduler asks them (default profile, v1.35); those that can concern volumes. */
export const FILTERS = ['NodeUnschedulable', 'TaintToleration', 'NodeAffinity', 'NodeResourcesFit', 'VolumeRestrictions', 'NodeVolumeLimits', 'VolumeBinding'] as const;
export type Filter = (typeof FILTERS)[number];

export interface Verdict {
  readonly node: string;
  readonly zone: string | undefined;
  /** The first filter that refuses, in the order of {@link FILTERS}. */
  readonly refusedBy: Filter | undefined;
  /** The scheduler's words for it. */
  readonly says: string;
  /** The object and field that made it refuse. */
  readonly field: string;
}

export interface Plan {
  readonly pod: string;
  readonly message: string;
  /** Nodes by zone, then by name. */
  readonly nodes: readonly Verdict[];
  /** The filters worth a row: those that refuse somewhere, and those before them that let somebody pass. */
  readonly rows: readonly Filter[];
  /** What the nodes inside a row have in common. */
  readonly passes: Readonly<Partial<Record<Filter, string>>>;
  /** Do the verdicts add up to the event's counts? If not, the trace does not say which nodes it means. */
  readonly agrees: boolean;
  /** The reasons of the event with their counts. */
  readonly reasons: readonly { readonly count: number; readonly says: string }[];
}

/** The plan for a pod that an event at record `index` calls unschedulable; undefined where no node was asked. */
export function planAt(trace: Trace, index: number, podName: string): Plan | undefined {
  const record = trace.records[index];
  if (record?.type !== 'watch' || record.object.kind !== 'Event') return undefined;
  const message = record.object.message;
  const reasons = reasonsIn(message);
  if (reasons.length === 0) return undefined;
  const world = worldAt(trace, index);
  const pod = find(world, 'Pod', trace.scenario.namespace, podName)?.object;
  if (pod === undefined) return undefined;
  const volumes = podVolumes(world, pod);
  const nodes = ofKind(world, 'Node')
    .map(({ object }) => verdictOf(world, pod, volumes, object))
    .sort((a, b) => inZones(a).localeCompare(inZones(b)));
  const last = Math.max(...nodes.map((node) => FILTERS.indexOf(node.refusedBy ?? 'VolumeBinding')));
  const rows = FILTERS.filter((filter, i) => i <= last && (nodes.some((node) => node.refusedBy === filter) || concerns(pod, volumes, filter)));
  return { pod: podName, message, nodes, rows, passes: passesOf(pod, volumes), agrees: agree(nodes, reasons), reasons };
}

/** Sorts by zone, nodes of no zone last, then by name. */
function inZones(verdict: Verdict): string {
  return `${verdict.zone === undefined ? 1 : 0} ${verdict.zone ?? ''} ${verdict.node}`;
}

/** `0/4 nodes are available: 1 node(s) had …, 3 Insufficient cpu. …` → the counted reasons. */
function reasonsIn(message: string): { count: number; says: string }[] {
  const list = /^\d+\/\d+ nodes are available: (.+)$/s.exec(message)?.[1]?.split(/\. (?=no new claims|preemption:|$)|\.$/)[0] ?? '';
  return list
    .split(/, (?=\d+ )/)
    .map((part) => /^(\d+) (.+)$/s.exec(part))
    .filter((found) => found !== null)
    .map((found) => ({ count: Number(found[1]), says: found[2] ?? '' }));
}

function agree(nodes: readonly Verdict[], reasons: readonly { readonly count: number; readonly says: string }[]): boolean {
  return reasons.every(({ count, says }) => nodes.filter((node) => node.says === says).length === count);
}

function verdictOf(world: World, pod: Pod, volumes: readonly PodVolume[], node: Node): Verdict {
  const base = { node: node.metadata.name, zone: node.metadata.labels?.['topology.kubernetes.io/zone'] };
  for (const filter of FILTERS) {
    const refusal = ASK[filter](world, pod, volumes, node);
    if (refusal !== undefined) return { ...base, refusedBy: filter, ...refusal };
  }
  return { ...base, refusedBy: undefined, says: '', field: '' };
}

interface Refused {
  readonly says: string;
  readonly field: string;
}
type Ask = (world: World, pod: Pod, volumes: readonly PodVolume[], node: Node) => Refused | undefined;

const ASK: Readonly<Record<Filter, Ask>> = {
  NodeUnschedulable: (_world, pod, _volumes, node) => {
    if (node.spec.unschedulable !== true || (pod.spec.tolerations ?? []).some((t) => tolerates(t, CORDON))) return undefined;
    return { says: 'node(s) were unschedulable', field: 'Node spec.unschedulable: true' };
  },
  TaintToleration: (_world, pod, _volumes, node) => {
    const taint = untolerated(pod, node)[0];
    return taint === undefined ? undefined : { says: 'node(s) had untolerated taint(s)', field: `Node spec.taints: ${taintText(taint)}` };
  },
  NodeAffinity: (_world, pod, _volumes, node) => {
    const says = "node(s) didn't match Pod's node affinity/selector";
    for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {})) {
      if (node.metadata.labels?.[key] !== value) return { says, field: `Pod spec.nodeSelector: ${key}=${value}` };
    }
    const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
    return terms === undefined || terms.some((term) => termFits(term, node)) ? undefined : { says, field: 'Pod spec.affinity.nodeAffinity' };
  },
  NodeResourcesFit: (world, pod, _volumes, node) => {
    const others = ofKind(world, 'Pod').filter(({ object }) => object.spec.nodeName === node.metadata.name && !isOver(object));
    for (const resource of ['cpu', 'memory']) {
      const free = quantity(node.status.allocatable?.[resource]) - others.reduce((sum, { object }) => sum + requested(object, resource), 0);
      if (requested(pod, resource) > free) return { says: `Insufficient ${resource}`, field: `Node status.allocatable.${resource}: ${node.status.allocatable?.[resource] ?? '0'}` };
    }
    return undefined;
  },
  VolumeRestrictions: (world, pod, volumes) => {
    const claim = volumes.find((volume) => volume.claim?.object.spec.accessModes?.includes('ReadWriteOncePod') === true && usedByAnother(world, pod, volume.claim.object));
    return claim === undefined
      ? undefined
      : {
          says: 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
          field: `PVC ${claim.claimName ?? ''} spec.accessModes: ReadWriteOncePod`,
        };
  },
  NodeVolumeLimits: (world, _pod, volumes, node) => {
    for (const driver of find(world, 'CSINode', undefined, node.metadata.name)?.object.spec.drivers ?? []) {
      const limit = driver.allocatable?.count;
      if (limit === undefined) continue;
      const used = new Set(
        ofKind(world, 'Pod')
          .filter(({ object }) => object.spec.nodeName === node.metadata.name && !isOver(object))
          .flatMap(({ object }) => handlesOf(podVolumes(world, object), driver.name)),
      );
      const more = handlesOf(volumes, driver.name).filter((handle) => !used.has(handle)).length;
      const coming = volumes.filter((volume) => volume.pv === undefined && classOf(world, volume)?.provisioner === driver.name).length;
      if (more + coming > 0 && used.size + more + coming > limit) return { says: 'node(s) exceed max volume count', field: `CSINode spec.drivers[${driver.name}].allocatable.count: ${limit}` };
    }
    return undefined;
  },
  VolumeBinding: (world, _pod, volumes, node) => {
    for (const volume of volumes) {
      const chosen = volume.claim?.object.metadata.annotations?.['volume.kubernetes.io/selected-node'];
      if (volume.pv === undefined && chosen !== undefined && chosen !== node.metadata.name) {
        return { says: "node(s) didn't find available persistent volumes to bind", field: `PVC ${volume.claimName ?? ''} volume.kubernetes.io/selected-node: ${chosen}` };
      }
      const affinity = volume.pv?.object.spec.nodeAffinity?.required?.nodeSelectorTerms;
      if (volume.claim?.object.spec.volumeName !== undefined && affinity !== undefined && !affinity.some((term) => termFits(term, node))) {
        return { says: "node(s) didn't match PersistentVolume's node affinity", field: `PV ${shortName(volume.pv?.object.metadata.name ?? '')} spec.nodeAffinity: ${termText(affinity[0])}` };
      }
      const made = classOf(world, volume);
      if (volume.pv !== undefined || made?.allowedTopologies === undefined) continue;
      const fits = made.allowedTopologies.some((topology) => (topology.matchLabelExpressions ?? []).every((rule) => rule.values.includes(node.metadata.labels?.[rule.key] ?? '')));
      if (!fits) return { says: "node(s) didn't find available persistent volumes to bind", field: `StorageClass ${made.metadata.name} allowedTopologies` };
    }
    return undefined;
  },
};

/** Every filter that refuses a node, not the first alone: what would still be in the way if that one went. */
export function refusalsOf(world: World, pod: Pod, node: Node): Filter[] {
  const volumes = podVolumes(world, pod);
  return FILTERS.filter((filter) => ASK[filter](world, pod, volumes, node) !== undefined);
}

/** The taints of a node that keep the pod from it. */
export function untolerated(pod: Pod, node: Node): Taint[] {
  return (node.spec.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule' && !(pod.spec.tolerations ?? []).some((t) => tolerates(t, taint)));
}

/** The taint that a cordoned node has beside its `spec.unschedulable`. */
const CORDON: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Is there anything in the pod that this filter looks at? A row that nobody can fail says nothing. */
function concerns(pod: Pod, volumes: readonly PodVolume[], filter: Filter): boolean {
  if (filter === 'NodeAffinity') return pod.spec.nodeSelector !== undefined || pod.spec.affinity?.nodeAffinity !== undefined;
  if (filter === 'VolumeBinding') return volumes.some((volume) => volume.pv?.object.spec.nodeAffinity !== undefined);
  return filter === 'TaintToleration';
}

function passesOf(pod: Pod, volumes: readonly PodVolume[]): Partial<Record<Filter, string>> {
  const selector = Object.entries(pod.spec.nodeSelector ?? {})[0];
  const pv = volumes.find((volume) => volume.pv?.object.spec.nodeAffinity !== undefined)?.pv?.object;
  return {
    ...(selector === undefined ? {} : { NodeAffinity: selector[1] }),
    ...(pv === undefined ? {} : { VolumeBinding: valuesOf(pv.spec.nodeAffinity?.required?.nodeSelectorTerms[0]) }),
  };
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.key === undefined || toleration.key === '') return toleration.operator === 'Exists';
  if (toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}

export function taintText(taint: Taint): string {
  return `${taint.key}${taint.value === undefined ? '' : `=${taint.value}`}:${taint.effect}`;
}

/** May the pod go to this node, as far as its own selector and node affinity say? */
export function mayGoTo(pod: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value) && (terms === undefined || terms.some((term) => termFits(term, node)));
}

/** Does a node fit one term of a node selector? */
export function termFits(term: NodeSelectorTerm, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  return (
    (term.matchExpressions ?? []).every((rule) => ruleFits(rule, labels[rule.key])) &&
    (term.matchFields ?? []).every((rule) => ruleFits(rule, node.metadata.name))
  );
}

function ruleFits(rule: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (rule.operator) {
    case 'In':
      return value !== undefined && (rule.values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(rule.values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(rule.values?.[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(rule.values?.[0]);
  }
}

function termText(term: NodeSelectorTerm | undefined): string {
  const rule = term?.matchExpressions?.[0];
  return rule === undefined ? '' : `${rule.key} ${rule.operator} [${(rule.values ?? []).join(', ')}]`;
}

function valuesOf(term: NodeSelectorTerm | undefined): string {
  return (term?.matchExpressions ?? []).flatMap((rule) => rule.values ?? []).join(', ');
}

function isOver(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}

function usedByAnother(world: World, pod: Pod, claim: PersistentVolumeClaim): boolean {
  return ofKind(world, 'Pod').some(
    ({ object }) =>
      object.metadata.uid !== pod.metadata.uid &&
      object.metadata.namespace === pod.metadata.namespace &&
      object.spec.nodeName !== undefined &&
      !isOver(object) &&
      podVolumes(world, object).some((volume) => volume.claimName === claim.metadata.name),
  );
}

function handlesOf(volumes: readonly PodVolume[], driver: string): string[] {
  return volumes.flatMap((volume) => (volume.pv?.object.spec.csi?.driver === driver ? [volume.pv.object.spec.csi.volumeHandle] : []));
}

function classOf(world: World, volume: PodVolume): StorageClass | undefined {
  const name = volume.claim?.object.spec.storageClassName;
  return name === undefined || name === '' ? undefined : find(world, 'StorageClass', undefined, name)?.object;
}

function requested(pod: Pod, resource: string): number {
  return pod.spec.containers.reduce((sum, container) => sum + quantity(container.resources?.requests?.[resource]), 0);
}

const UNITS: Readonly<Record<string, number>> = { m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** A Kubernetes quantity as a number: `500m`, `64Mi`. */
export function quantity(text: string | undefined): number {
  const found = /^([\d.]+)([a-zA-Z]*)$/.exec(text ?? '0');
  return found === null ? 0 : Number(found[1]) * (UNITS[found[2] ?? ''] ?? 1);
}
