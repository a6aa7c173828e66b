/** Why a pod fits or does not fit each node, as a pure function over objects: for pages that explain, not for the scheduler. */
import type { AnyObject, Kind, KindMap, Pod } from '../../model/objects.ts';
import { objectKey } from '../../kernel/api-server.ts';
import type { ClusterView, StorageView } from './cluster-view.ts';
import { Cycle } from './cycle.ts';
import { runFilters, runPreFilters } from './filters.ts';
import { fitErrorMessage, postFilterText } from './message.ts';
import { NodeInfo } from './node-info.ts';
import { countedVolume } from './plugins/node-volume-limits.ts';
import { isAssigned, isTerminal, podInfoOf } from './pod-info.ts';
import type { Rejection } from './status.ts';
import { VolumeLedger } from './volume-ledger.ts';

export interface NodeVerdict {
  readonly node: string;
  /** Undefined when the pod fits the node. */
  readonly rejection: Rejection | undefined;
}
export interface Explanation {
  /** A refusal for all nodes at once; then no node was looked at. */
  readonly preFilter: Rejection | undefined;
  readonly nodes: readonly NodeVerdict[];
  /** The message without what preemption would say; undefined when a node fits. */
  readonly message: string | undefined;
}

/**
 * Runs the filters for a pod over the given objects (nodes, pods, claims, volumes, classes, CSINodes, attachments).
 * Preemption and nominated pods are left out.
 */
export function explainFilters(pod: Pod, objects: Iterable<AnyObject>): Explanation {
  const view = viewOf(objects, pod.metadata.uid);
  const cycle = new Cycle(podInfoOf(pod), view);
  const { rejection, nodeNames } = runPreFilters(cycle);
  const numAllNodes = view.nodes().length;
  if (rejection) return { preFilter: rejection, nodes: [], message: fitErrorMessage({ numAllNodes, preFilter: rejection, nodes: new Map() }, postFilterText({ numAllNodes, preFilter: rejection, nodes: new Map() }, '')) };
  const nodes = view
    .nodes()
    .filter((info) => nodeNames?.has(info.name) ?? true)
    .map((info) => ({ node: info.name, rejection: runFilters(cycle, info) }));
  const rejected = new Map(nodes.flatMap(({ node, rejection: no }) => (no ? [[node, no] as const] : [])));
  const fits = nodes.some((verdict) => verdict.rejection === undefined);
  return { preFilter: undefined, nodes, message: fits ? undefined : fitErrorMessage({ numAllNodes, nodes: rejected }, '') };
}

/** A view computed from scratch; the pod with the uid `ignoredPod` is not counted. */
export function viewOf(objects: Iterable<AnyObject>, ignoredPod = ''): ClusterView {
  const byKind = new Map<Kind, Map<string, AnyObject>>();
  for (const object of objects) {
    const kind = byKind.get(object.kind) ?? new Map<string, AnyObject>();
    byKind.set(object.kind, kind.set(objectKey(object), object));
  }
  const get = <K extends Kind>(kind: K, key: string): KindMap[K] | undefined => byKind.get(kind)?.get(key) as KindMap[K] | undefined;
  const all = <K extends Kind>(kind: K): KindMap[K][] => [...(byKind.get(kind)?.values() ?? [])] as KindMap[K][];
  const storage: StorageView = {
    claim: (key) => get('PersistentVolumeClaim', key),
    volume: (name) => get('PersistentVolume', name),
    storageClass: (name) => get('StorageClass', name),
    csiNode: (name) => get('CSINode', name),
    csiDriver: (name) => get('CSIDriver', name),
    freeVolumes: (className) => all('PersistentVolume').filter((volume) => !volume.spec.claimRef && (volume.spec.storageClassName ?? '') === className),
    volumesNaming: (claim) => all('PersistentVolume').filter(({ spec }) => spec.claimRef && `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` === claim),
  };
  const nodes = new Map(all('Node').map((node) => [node.metadata.name, nodeInfoOf(node, storage)]));
  const pods = all('Pod').filter((pod) => isAssigned(pod) && !isTerminal(pod) && pod.metadata.uid !== ignoredPod);
  for (const pod of pods) nodes.get(pod.spec.nodeName ?? '')?.addPod(podInfoOf(pod));
  for (const { metadata, spec } of all('VolumeAttachment')) {
    const csi = storage.volume(spec.source.persistentVolumeName)?.spec.csi;
    if (csi) nodes.get(spec.nodeName)?.volumes.attach(metadata.name, { driver: spec.attacher, id: `${spec.attacher}/${csi.volumeHandle}` });
  }
  const list = [...nodes.values()];
  return {
    storage,
    nodes: () => list,
    node: (name) => nodes.get(name),
    claimUsers: (claim) => pods.filter((pod) => podInfoOf(pod).namedClaims.includes(claim)).length,
    nodesWithAntiAffinity: () => list,
  };
}

function nodeInfoOf(node: KindMap['Node'], storage: StorageView): NodeInfo {
  const info = new NodeInfo(node.metadata.name, undefined, new VolumeLedger((claim) => countedVolume(storage, claim)));
  info.setNode(node);
  return info;
}
