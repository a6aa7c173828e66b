/**
 * node.status.volumesAttached as the kubelet has heard of it. A node has many volumes and its list grows one by one, so the
 * names are kept, and of a new list only what differs from the one before is looked at.
 */
import type { AttachedVolume } from '../../model/objects.ts';

export class AttachedList {
  private list: readonly AttachedVolume[];
  private readonly names: Set<string>;

  constructor(list: readonly AttachedVolume[] = NONE) {
    this.list = list;
    this.names = new Set(list.map(({ name }) => name));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** It is the list that was heard last. */
  isLatest(list: readonly AttachedVolume[] = NONE): boolean {
    return list === this.list;
  }

  /** Takes a new list; returns the names that have gone and those that have come, in the order of the lists. */
  hear(list: readonly AttachedVolume[] = NONE): { readonly gone: readonly string[]; readonly come: readonly string[] } {
    const before = this.list;
    if (list === before) return SAME;
    this.list = list;
    let start = 0;
    while (start < list.length && list[start] === before[start]) start++;
    let end = list.length;
    let endBefore = before.length;
    while (end > start && endBefore > start && list[end - 1] === before[endBefore - 1]) {
      end--;
      endBefore--;
    }
    const was = namesOf(before, start, endBefore);
    const is = namesOf(list, start, end);
    const gone = is.length === 0 ? was : was.filter((name) => !is.includes(name));
    const come = was.length === 0 ? is : is.filter((name) => !was.includes(name));
    for (const name of gone) this.names.delete(name);
    for (const name of come) this.names.add(name);
    return { gone, come };
  }
}

const NONE: readonly never[] = [];
const SAME = { gone: NONE, come: NONE };

function namesOf(list: readonly AttachedVolume[], start: number, end: number): readonly string[] {
  return start === end ? NONE : list.slice(start, end).map(({ name }) => name);
}
