/** A binary heap whose items can be found and taken out by key (backend/heap/heap.go, v1.35). */
export class KeyedHeap<T> {
  private readonly items: T[] = [];
  private readonly index = new Map<string, number>();
  private readonly keyOf: (item: T) => string;
  private readonly less: (a: T, b: T) => boolean;

  constructor(keyOf: (item: T) => string, less: (a: T, b: T) => boolean) {
    this.keyOf = keyOf;
    this.less = less;
  }

  get size(): number {
    return this.items.length;
  }
  has(key: string): boolean {
    return this.index.has(key);
  }
  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    this.items.push(item);
    this.index.set(this.keyOf(item), this.items.length - 1);
    this.up(this.items.length - 1);
  }

  pop(): T | undefined {
    const head = this.items[0];
    if (head !== undefined) this.remove(this.keyOf(head));
    return head;
  }

  remove(key: string): boolean {
    const at = this.index.get(key);
    if (at === undefined) return false;
    this.index.delete(key);
    const last = this.items.pop() as T;
    if (at === this.items.length) return true;
    this.put(at, last);
    this.down(at);
    this.up(at);
    return true;
  }

  private put(at: number, item: T): void {
    this.items[at] = item;
    this.index.set(this.keyOf(item), at);
  }

  private up(from: number): void {
    let at = from;
    const item = this.items[at] as T;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.items[parent] as T;
      if (!this.less(item, above)) break;
      this.put(at, above);
      at = parent;
    }
    this.put(at, item);
  }

  private down(from: number): void {
    let at = from;
    const item = this.items[at] as T;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.items.length) break;
      if (child + 1 < this.items.length && this.less(this.items[child + 1] as T, this.items[child] as T)) child++;
      if (!this.less(this.items[child] as T, item)) break;
      this.put(at, this.items[child] as T);
      at = child;
    }
    this.put(at, item);
  }
}
