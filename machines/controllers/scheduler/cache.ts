/**
 * The scheduler's picture of the cluster: which pods are or will be on which node, and which bindings of volumes it has
 * decided but not written yet (backend/cache, framework/plugins/volumebinding/assume_cache.go, v1.35).
 */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttachment } from '../../model/objects.ts';
import { SmallMap } from '../../model/small-map.ts';
import { indexVolumes, volumesOfClaimKey } from '../claims/matching.ts';
import type { ClusterView, StorageView } from './cluster-view.ts';
import { NodeInfo } from './node-info.ts';
import { countedVolume } from './plugins/node-volume-limits.ts';
import { podInfoOf, renewedInfo, type PodInfo } from './pod-info.ts';
import { VolumeLedger } from './volume-ledger.ts';

const FREE_VOLUMES = 'scheduler/volumes-without-claim';

interface Placed {
  info: PodInfo;
  readonly node: string;
  /** Decided by the scheduler, not yet seen bound. */
  assumed: boolean;
}

const NO_NODES: readonly NodeInfo[] = [];

export class SchedulerCache implements ClusterView {
  readonly storage: StorageView;
  private readonly api: ApiServer;
  private readonly infos = new Map<string, NodeInfo>();
  private list: NodeInfo[] | undefined;
  private readonly placed = new Map<string, Placed>();
  /** Claims that pods on nodes name → how many of those pods. */
  private readonly named = new Map<string, number>();
  /** Claims in use → nodes whose ledgers count them. */
  private readonly nodesOfClaim = new Map<string, SmallMap<number>>();
  private readonly antiAffinity = new Map<string, number>();
  private readonly assumedVolumes = new Map<string, PersistentVolume>();
  private readonly assumedVolumeOf = new Map<string, string>();
  private readonly assumedClaims = new Map<string, PersistentVolumeClaim>();

  constructor(api: ApiServer) {
    this.api = api;
    api.index(FREE_VOLUMES, 'PersistentVolume', ({ spec }) => (spec.claimRef ? [] : [spec.storageClassName ?? '']));
    indexVolumes(api);
    this.storage = {
      claim: (key) => newer(api.byKey('PersistentVolumeClaim', key), this.assumedClaims.get(key)),
      volume: (name) => newer(api.byKey('PersistentVolume', name), this.assumedVolumes.get(name)),
      storageClass: (name) => api.byKey('StorageClass', name),
      csiNode: (name) => api.byKey('CSINode', name),
      csiDriver: (name) => api.byKey('CSIDriver', name),
      freeVolumes: (className) => api.byIndex<'PersistentVolume'>(FREE_VOLUMES, className).filter((volume) => newer(volume, this.assumedVolumes.get(volume.metadata.name)) === volume),
      volumesNaming: (claim) => this.volumesNaming(claim),
    };
    for (const node of api.list('Node')) this.setNode(node);
    for (const attachment of api.list('VolumeAttachment')) this.addAttachment(attachment);
  }

  nodes(): readonly NodeInfo[] {
    this.list ??= [...this.infos.values()].filter(({ node }) => node !== undefined);
    return this.list;
  }
  node(name: string): NodeInfo | undefined {
    const info = this.infos.get(name);
    return info?.node ? info : undefined;
  }
  claimUsers(claim: string): number {
    return this.named.get(claim) ?? 0;
  }
  nodesWithAntiAffinity(): readonly NodeInfo[] {
    return this.antiAffinity.size === 0 ? NO_NODES : [...this.antiAffinity.keys()].flatMap((name) => this.node(name) ?? []);
  }

  setNode(node: Node): void {
    this.infoOf(node.metadata.name).setNode(node);
    this.list = undefined;
  }
  removeNode(name: string): void {
    this.infoOf(name).setNode(undefined);
    if (this.infos.get(name)?.pods.size === 0) this.infos.delete(name);
    this.list = undefined;
  }

  /** A pod is on the node, or will be (`assumed`). A pod that the cache knows already is replaced. */
  place(info: PodInfo, node: string, assumed: boolean): void {
    const known = this.placed.get(info.uid);
    // The order of the nodes that a new pod with anti-affinity brings is the order in which such pods came.
    if (known?.node === node && known.info.claims === info.claims && info.antiAffinity.length === 0) {
      known.info = info;
      known.assumed = assumed;
      this.infoOf(node).renewPod(info);
      return;
    }
    if (known) this.remove(info.uid);
    this.placed.set(info.uid, { info, node, assumed });
    this.infoOf(node).addPod(info);
    this.countPod(info, node, 1);
  }
  /** A pod on a node has changed. */
  renew(pod: Pod, node: string): void {
    const known = this.placed.get(pod.metadata.uid);
    this.place(known ? renewedInfo(known.info, pod) : podInfoOf(pod), node, false);
  }
  /** The pod is gone from its node, or was given up. Returns what was known of it. */
  remove(uid: string): PodInfo | undefined {
    const known = this.placed.get(uid);
    if (!known) return undefined;
    this.placed.delete(uid);
    this.infos.get(known.node)?.removePod(uid);
    this.countPod(known.info, known.node, -1);
    return known.info;
  }
  isAssumed(uid: string): boolean {
    return this.placed.get(uid)?.assumed ?? false;
  }
  has(uid: string): boolean {
    return this.placed.has(uid);
  }

  /** A claim or its volume changed: what it counts as on the nodes that use it is looked up anew. */
  refreshClaim(claim: string): void {
    for (const node of this.nodesOfClaim.get(claim)?.keys() ?? []) this.infos.get(node)?.volumes.refresh(claim);
  }
  addAttachment({ metadata, spec }: VolumeAttachment): void {
    const csi = this.api.byKey('PersistentVolume', spec.source.persistentVolumeName)?.spec.csi;
    if (csi) this.infoOf(spec.nodeName).volumes.attach(metadata.name, { driver: spec.attacher, id: `${spec.attacher}/${csi.volumeHandle}` });
  }
  removeAttachment({ metadata, spec }: VolumeAttachment): void {
    this.infos.get(spec.nodeName)?.volumes.detach(metadata.name);
  }

  /** Counts a decided binding as done until the API shows something newer or it is taken back. */
  assumeVolume(volume: PersistentVolume, claim: string): void {
    this.assumedVolumes.set(volume.metadata.name, volume);
    this.assumedVolumeOf.set(claim, volume.metadata.name);
  }
  restoreVolume(name: string, claim: string): void {
    this.assumedVolumes.delete(name);
    this.assumedVolumeOf.delete(claim);
  }
  assumeClaim(claim: PersistentVolumeClaim): void {
    this.assumedClaims.set(keyOfClaim(claim), claim);
  }
  restoreClaim(key: string): void {
    this.assumedClaims.delete(key);
  }

  private volumesNaming(claim: string): PersistentVolume[] {
    const assumed = this.storage.volume(this.assumedVolumeOf.get(claim) ?? '');
    const stored = volumesOfClaimKey(this.api, claim);
    return assumed && !stored.some(({ metadata }) => metadata.name === assumed.metadata.name) ? [...stored, assumed] : stored;
  }

  private infoOf(name: string): NodeInfo {
    let info = this.infos.get(name);
    if (!info) this.infos.set(name, (info = new NodeInfo(name, undefined, new VolumeLedger((claim) => countedVolume(this.storage, claim)))));
    return info;
  }

  private countPod(info: PodInfo, node: string, by: 1 | -1): void {
    for (const claim of info.namedClaims) count(this.named, claim, by);
    for (const claim of info.claims) {
      const nodes = this.nodesOfClaim.get(claim) ?? new SmallMap<number>();
      count(nodes, node, by);
      if (nodes.size > 0) this.nodesOfClaim.set(claim, nodes);
      else this.nodesOfClaim.delete(claim);
    }
    if (info.antiAffinity.length > 0) count(this.antiAffinity, node, by);
  }
}

export function keyOfClaim({ metadata }: PersistentVolumeClaim): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function count(counts: Map<string, number> | SmallMap<number>, key: string, by: 1 | -1): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}

/** The assumed object counts as long as the store still has the version it was made from; an object that is gone is gone. */
function newer<T extends { readonly metadata: { readonly resourceVersion: string } }>(stored: T | undefined, assumed: T | undefined): T | undefined {
  if (!stored || !assumed) return stored;
  return stored.metadata.resourceVersion === assumed.metadata.resourceVersion ? assumed : stored;
}
