/** Desired state of world: which volumes the pods of which nodes want attached (attachdetach/cache, v1.35; ref 5). */
import type { PersistentVolume, Pod } from '../../model/objects.ts';
import { SmallMap } from '../../model/small-map.ts';
import type { AttachLane } from './chart.ts';
import type { AttachableVolume } from './pod-volumes.ts';

export interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** One volume that pods of one node want. */
export interface Desire {
  readonly uniqueName: string;
  readonly node: string;
  readonly volume: PersistentVolume;
  readonly pods: SmallMap<PodName>;
  /** The Multi-Attach error is told once per desire. */
  multiAttachTold: boolean;
  /** Kept by the reconciler. */
  lane: AttachLane | undefined;
}

export class DesiredState {
  private readonly desires = new Map<string, SmallMap<Desire>>();
  private readonly volumesOfPod = new Map<string, SmallMap<true>>();
  /** Nodes on which a desire has ended: only there an attachment may stand that nobody wants. */
  private readonly left = new Set<string>();

  /** A pod of a node wants a volume. True when nobody there wanted it before. */
  add(node: string, { uniqueName, volume }: AttachableVolume, pod: Pod): boolean {
    const { uid, name, namespace = 'default' } = pod.metadata;
    let nodes = this.desires.get(uniqueName);
    if (!nodes) this.desires.set(uniqueName, (nodes = new SmallMap()));
    const known = nodes.get(node);
    if (known?.pods.has(uid)) return false;
    const desire = known ?? { uniqueName, node, volume, pods: new SmallMap<PodName>(), multiAttachTold: false, lane: undefined };
    if (!known) nodes.set(node, desire);
    desire.pods.set(uid, { uid, name, namespace });
    let volumes = this.volumesOfPod.get(uid);
    if (!volumes) this.volumesOfPod.set(uid, (volumes = new SmallMap()));
    volumes.set(uniqueName, true);
    return !known;
  }

  /** A pod wants nothing any more. Returns the volumes that it wanted. */
  removePod(node: string, uid: string): readonly string[] {
    const volumes = this.volumesOfPod.get(uid)?.keys() ?? [];
    this.volumesOfPod.delete(uid);
    for (const uniqueName of volumes) this.removeFromDesire(uniqueName, node, uid);
    return volumes;
  }

  private removeFromDesire(uniqueName: string, node: string, uid: string): void {
    const nodes = this.desires.get(uniqueName);
    const desire = nodes?.get(node);
    if (!nodes || !desire) return;
    desire.pods.delete(uid);
    if (desire.pods.size === 0) {
      nodes.delete(node);
      this.left.add(node);
    }
    if (nodes.size === 0) this.desires.delete(uniqueName);
  }

  /** The other nodes that want the volume have their turn first; the order is free in Kubernetes (a Go map). */
  moveToEnd(desire: Desire): void {
    const nodes = this.desires.get(desire.uniqueName);
    if (nodes?.get(desire.node) !== desire) return;
    nodes.delete(desire.node);
    nodes.set(desire.node, desire);
  }

  /** False while every volume that was ever wanted on the node still is. */
  hasLeft(node: string): boolean {
    return this.left.has(node);
  }
  get(uniqueName: string, node: string): Desire | undefined {
    return this.desires.get(uniqueName)?.get(node);
  }
  /** Everybody who wants a volume, by node. */
  of(uniqueName: string): readonly Desire[] {
    return this.desires.get(uniqueName)?.values() ?? [];
  }
}
