/**
 * What runs on a node, kept up to date pod by pod so that nothing is ever counted by scanning
 * (framework/types.go NodeInfo, v1.35).
 */
import type { Node, StringMap } from '../../model/objects.ts';
import type { HostPort, PodInfo } from './pod-info.ts';
import { addAll, amountsOf } from './resources.ts';
import { VolumeLedger } from './volume-ledger.ts';

export class NodeInfo {
  readonly name: string;
  /** Undefined while pods name a node that has no object. */
  node: Node | undefined;
  allocatable: ReadonlyMap<string, number> = new Map();
  /** It has a taint that is only to be avoided. */
  avoided = false;
  readonly pods: Map<string, PodInfo>;
  readonly requested: Map<string, number>;
  /** Requests for scoring: CPU in milli-cores, memory in bytes. */
  readonly nonZero: { cpu: number; memory: number };
  readonly volumes: VolumeLedger;
  /** Controller uid → how many of its pods are here. */
  readonly owners: Map<string, number>;
  /** The last score, and what it depends on of a pod; forgotten when what is on the node changes. */
  score = 0;
  scoredFor = '';
  private readonly ports: Map<string, HostPort>;

  constructor(name: string, from?: NodeInfo, volumes = new VolumeLedger()) {
    this.name = name;
    this.pods = new Map(from?.pods);
    this.requested = new Map(from?.requested);
    this.nonZero = { cpu: from?.nonZero.cpu ?? 0, memory: from?.nonZero.memory ?? 0 };
    this.volumes = from?.volumes.clone() ?? volumes;
    this.owners = new Map(from?.owners);
    this.ports = new Map(from?.ports);
    this.node = from?.node;
    this.avoided = from?.avoided ?? false;
    this.allocatable = from?.allocatable ?? this.allocatable;
  }

  /** A copy to try out what removing or adding pods would do. */
  clone(): NodeInfo {
    return new NodeInfo(this.name, this);
  }

  setNode(node: Node | undefined): void {
    this.scoredFor = '';
    const given = allocatableOf(node);
    if (given !== allocatableOf(this.node)) this.allocatable = amountsOf(given);
    this.avoided = node?.spec.taints?.some((taint) => taint.effect === 'PreferNoSchedule') ?? false;
    this.node = node;
  }

  addPod(info: PodInfo): void {
    if (this.pods.has(info.uid)) this.removePod(info.uid);
    this.pods.set(info.uid, info);
    this.count(info, 1);
    for (const port of info.hostPorts) this.ports.set(portKey(info.uid, port), port);
  }

  /** The pod has changed in nothing that counts here. It is the newest of the node's pods now. */
  renewPod(info: PodInfo): void {
    this.pods.delete(info.uid);
    this.pods.set(info.uid, info);
  }

  removePod(uid: string): PodInfo | undefined {
    const info = this.pods.get(uid);
    if (!info) return undefined;
    this.pods.delete(uid);
    this.count(info, -1);
    for (const port of info.hostPorts) this.ports.delete(portKey(uid, port));
    return info;
  }

  private count(info: PodInfo, times: 1 | -1): void {
    this.scoredFor = '';
    addAll(this.requested, info.requests, times);
    this.nonZero.cpu += times * info.nonZero.cpu;
    this.nonZero.memory += times * info.nonZero.memory;
    for (const claim of info.claims) this.volumes.countClaim(claim, times);
    if (info.owner !== undefined) this.owners.set(info.owner, (this.owners.get(info.owner) ?? 0) + times);
  }

  /** True when one of the ports is taken: same protocol and port, and the same address or one that means all addresses. */
  portTaken(wanted: readonly HostPort[]): boolean {
    if (wanted.length === 0 || this.ports.size === 0) return false;
    return [...this.ports.values()].some((used) => wanted.some((port) => portsConflict(used, port)));
  }
}

function allocatableOf(node: Node | undefined): StringMap | undefined {
  return node?.status.allocatable ?? node?.status.capacity;
}

function portKey(uid: string, port: HostPort): string {
  return `${uid} ${port.ip} ${port.protocol} ${port.port}`;
}

const ALL_ADDRESSES = '0.0.0.0';

export function portsConflict(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ALL_ADDRESSES || b.ip === ALL_ADDRESSES);
}
