/** A binary heap whose items can be found and taken out by key (backend/heap/heap.go, v1.35). */
export class KeyedHeap<T> {
  private readonly entries: Entry<T>[] = [];
  private readonly byKey = new Map<string, Entry<T>>();
  private readonly keyOf: (item: T) => string;
  private readonly less: (a: T, b: T) => boolean;

  constructor(keyOf: (item: T) => string, less: (a: T, b: T) => boolean) {
    this.keyOf = keyOf;
    this.less = less;
  }

  get size(): number {
    return this.entries.length;
  }
  has(key: string): boolean {
    return this.byKey.has(key);
  }
  peek(): T | undefined {
    return this.entries[0]?.item;
  }

  push(item: T): void {
    const entry = { item, at: this.entries.length };
    this.entries.push(entry);
    this.byKey.set(this.keyOf(item), entry);
    this.up(entry);
  }

  pop(): T | undefined {
    const head = this.peek();
    if (head !== undefined) this.remove(this.keyOf(head));
    return head;
  }

  remove(key: string): boolean {
    const entry = this.byKey.get(key);
    if (entry === undefined) return false;
    this.byKey.delete(key);
    const last = this.entries.pop() as Entry<T>;
    if (last === entry) return true;
    // The last one mostly belongs far down, so the gap goes to the bottom without looking at it.
    last.at = this.sink(entry.at);
    this.up(last);
    return true;
  }

  private put(at: number, entry: Entry<T>): void {
    this.entries[at] = entry;
    entry.at = at;
  }

  private up(entry: Entry<T>): void {
    let { at } = entry;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.entries[parent] as Entry<T>;
      if (!this.less(entry.item, above.item)) break;
      this.put(at, above);
      at = parent;
    }
    this.put(at, entry);
  }

  /** Moves a gap down to the bottom; returns where it ends. */
  private sink(gap: number): number {
    let at = gap;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.entries.length) return at;
      if (child + 1 < this.entries.length && this.less(this.item(child + 1), this.item(child))) child++;
      this.put(at, this.entries[child] as Entry<T>);
      at = child;
    }
  }

  private item(at: number): T {
    return (this.entries[at] as Entry<T>).item;
  }
}

interface Entry<T> {
  readonly item: T;
  /** Its place in the heap. */
  at: number;
}
