/** Actual state of world: what the controller believes to be attached where (attachdetach/cache, v1.35; ref 5). */
import type { AttachedVolume, PersistentVolume } from '../../model/objects.ts';
import { SmallMap } from '../../model/small-map.ts';

export interface Attachment {
  readonly uniqueName: string;
  readonly node: string;
  readonly volume: PersistentVolume;
  /** Attached for certain; false: an attach or detach failed, so it may or may not be. Set by `mark`. */
  readonly confirmed: boolean;
  /** The kubelet lists the volume in node.status.volumesInUse. Assumed until the node says otherwise. */
  mountedByNode: boolean;
  /** When it was first seen that nobody wants it any more (milliseconds). */
  detachRequestedAt: number | undefined;
  /** To be listed in node.status.volumesAttached. Set by `mark`. */
  readonly reported: boolean;
}
/** Only this module changes these two, since a node's list follows from them. */
type Marks = { -readonly [K in 'confirmed' | 'reported']?: boolean };

/** What the controller knows of one node. */
interface NodeEntry {
  readonly attachments: Map<string, Attachment>;
  /** What node.status.volumesAttached should say, sorted by name: a new list at each change, so that it can be stored as it is. */
  listed: readonly AttachedVolume[];
  /** Attachments that came after the node was last asked what it has in use. */
  unasked: Attachment[];
}

export class ActualState {
  private readonly byVolume = new Map<string, SmallMap<Attachment>>();
  private readonly byNode = new Map<string, NodeEntry>();

  /** The entry of a volume on a node, made when absent (uncertain, not reported). */
  entry(uniqueName: string, node: string, volume: PersistentVolume): Attachment {
    const known = this.get(uniqueName, node);
    if (known) return known;
    const made: Attachment = { uniqueName, node, volume, confirmed: false, mountedByNode: true, detachRequestedAt: undefined, reported: false };
    this.put(made);
    this.ask(made);
    return made;
  }

  /** Says what is known of an attachment; the node's list follows. */
  mark(attachment: Attachment, marks: Marks): void {
    const before = isListed(attachment);
    Object.assign(attachment, marks);
    const known = this.get(attachment.uniqueName, attachment.node) === attachment;
    if (known && isListed(attachment) !== before) this.list(attachment, !before);
  }

  /** Others of the same volume have their turn first; the order is free in Kubernetes (a Go map). */
  moveToEnd(attachment: Attachment): void {
    this.remove(attachment);
    this.put(attachment);
  }

  remove(attachment: Attachment): void {
    const { uniqueName, node } = attachment;
    if (this.get(uniqueName, node) !== attachment) return;
    const nodes = this.byVolume.get(uniqueName);
    nodes?.delete(node);
    if (nodes?.size === 0) this.byVolume.delete(uniqueName);
    this.byNode.get(node)?.attachments.delete(uniqueName);
    if (isListed(attachment)) this.list(attachment, false);
  }

  get(uniqueName: string, node: string): Attachment | undefined {
    return this.byVolume.get(uniqueName)?.get(node);
  }
  /** Where a volume is or may be attached. */
  of(uniqueName: string): readonly Attachment[] {
    return this.byVolume.get(uniqueName)?.values() ?? [];
  }
  onNode(node: string): Iterable<Attachment> {
    return this.byNode.get(node)?.attachments.values() ?? [];
  }
  /** What node.status.volumesAttached should list: what is only perhaps attached is not listed. */
  listedOn(node: string): readonly AttachedVolume[] {
    return this.byNode.get(node)?.listed ?? [];
  }
  /** Has the next change of the node look the attachment up in what the node has in use. */
  ask(attachment: Attachment): void {
    this.onNodeEntry(attachment.node).unasked.push(attachment);
  }
  /** Hands out the attachments that came since the last call, once. */
  takeUnasked(node: string): readonly Attachment[] {
    const entry = this.byNode.get(node);
    if (!entry || entry.unasked.length === 0) return [];
    const taken = entry.unasked.filter((attachment) => entry.attachments.get(attachment.uniqueName) === attachment);
    entry.unasked = [];
    return taken;
  }

  private put(attachment: Attachment): void {
    const { uniqueName, node } = attachment;
    let nodes = this.byVolume.get(uniqueName);
    if (!nodes) this.byVolume.set(uniqueName, (nodes = new SmallMap()));
    nodes.set(node, attachment);
    this.onNodeEntry(node).attachments.set(uniqueName, attachment);
    if (isListed(attachment)) this.list(attachment, true);
  }

  private onNodeEntry(node: string): NodeEntry {
    let entry = this.byNode.get(node);
    if (!entry) this.byNode.set(node, (entry = { attachments: new Map(), listed: [], unasked: [] }));
    return entry;
  }

  private list({ uniqueName, node }: Attachment, listed: boolean): void {
    const entry = this.onNodeEntry(node);
    const at = placeOf(entry.listed, uniqueName);
    entry.listed = listed ? entry.listed.toSpliced(at, 0, { devicePath: '', name: uniqueName }) : entry.listed.toSpliced(at, 1);
  }
}

function isListed({ confirmed, reported }: Attachment): boolean {
  return confirmed && reported;
}

/** Where a name stands, or would stand, in a sorted list. */
function placeOf(sorted: readonly AttachedVolume[], name: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as AttachedVolume).name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
