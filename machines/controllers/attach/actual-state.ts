/** Actual state of world: what the controller believes to be attached where (attachdetach/cache, v1.35; ref 5). */
import type { PersistentVolume } from '../../model/objects.ts';

export interface Attachment {
  readonly uniqueName: string;
  readonly node: string;
  readonly volume: PersistentVolume;
  /** Attached for certain; false: an attach or detach failed, so it may or may not be. */
  confirmed: boolean;
  /** The kubelet lists the volume in node.status.volumesInUse. Assumed until the node says otherwise. */
  mountedByNode: boolean;
  /** When it was first seen that nobody wants it any more (milliseconds). */
  detachRequestedAt: number | undefined;
  /** To be listed in node.status.volumesAttached. */
  reported: boolean;
}

export class ActualState {
  private readonly byVolume = new Map<string, Map<string, Attachment>>();
  private readonly byNode = new Map<string, Map<string, Attachment>>();

  /** The entry of a volume on a node, made when absent (uncertain, not reported). */
  entry(uniqueName: string, node: string, volume: PersistentVolume): Attachment {
    const known = this.get(uniqueName, node);
    if (known) return known;
    const made: Attachment = { uniqueName, node, volume, confirmed: false, mountedByNode: true, detachRequestedAt: undefined, reported: false };
    put(this.byVolume, uniqueName, node, made);
    put(this.byNode, node, uniqueName, made);
    return made;
  }

  /** Others of the same volume have their turn first; the order is free in Kubernetes (a Go map). */
  moveToEnd(attachment: Attachment): void {
    this.remove(attachment);
    put(this.byVolume, attachment.uniqueName, attachment.node, attachment);
    put(this.byNode, attachment.node, attachment.uniqueName, attachment);
  }

  remove({ uniqueName, node }: Attachment): void {
    take(this.byVolume, uniqueName, node);
    take(this.byNode, node, uniqueName);
  }

  get(uniqueName: string, node: string): Attachment | undefined {
    return this.byVolume.get(uniqueName)?.get(node);
  }
  /** Where a volume is or may be attached. */
  of(uniqueName: string): readonly Attachment[] {
    return [...(this.byVolume.get(uniqueName)?.values() ?? [])];
  }
  onNode(node: string): readonly Attachment[] {
    return [...(this.byNode.get(node)?.values() ?? [])];
  }
}

function put(map: Map<string, Map<string, Attachment>>, outer: string, inner: string, attachment: Attachment): void {
  const entries = map.get(outer) ?? new Map<string, Attachment>();
  map.set(outer, entries.set(inner, attachment));
}
function take(map: Map<string, Map<string, Attachment>>, outer: string, inner: string): void {
  const entries = map.get(outer);
  entries?.delete(inner);
  if (entries?.size === 0) map.delete(outer);
}
