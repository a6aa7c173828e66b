/**
 * Go's `sort.Sort`: pattern-defeating quicksort, which keeps the order of equal elements only up to twelve of them.
 * kubectl sorts events with it by whole seconds, so with thirteen events the order of equal ones is the algorithm's.
 * Source: Go 1.25, sort/zsortinterface.go.
 */
export type Less<T> = (left: T, right: T) => boolean;

const INSERTION_LIMIT = 12;
const NINTHER_FROM = 50;
const MAX_SWAPS = 12;

type Hint = 'unknown' | 'increasing' | 'decreasing';

/** A sorted copy of `items`, in the order Go's `sort.Sort` leaves them. */
export function goSort<T>(items: readonly T[], less: Less<T>): T[] {
  const sorted = [...items];
  new PatternDefeatingSort(sorted, less).sort(0, sorted.length, bitLength(sorted.length));
  return sorted;
}

function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

class PatternDefeatingSort<T> {
  readonly #data: T[];
  readonly #lessThan: Less<T>;

  constructor(data: T[], less: Less<T>) {
    this.#data = data;
    this.#lessThan = less;
  }

  sort(start: number, stop: number, badChoices: number): void {
    let from = start;
    let to = stop;
    let limit = badChoices;
    let balanced = true;
    let partitioned = true;
    for (;;) {
      const length = to - from;
      if (length <= INSERTION_LIMIT) return this.#insertionSort(from, to);
      if (limit === 0) return this.#heapSort(from, to);
      if (!balanced) {
        this.#breakPatterns(from, to);
        limit -= 1;
      }
      let [pivot, hint] = this.#choosePivot(from, to);
      if (hint === 'decreasing') {
        this.#reverse(from, to);
        pivot = to - 1 - (pivot - from);
        hint = 'increasing';
      }
      if (balanced && partitioned && hint === 'increasing' && this.#finishNearlySorted(from, to)) return;
      if (from > 0 && !this.#less(from - 1, pivot)) {
        from = this.#partitionEqual(from, to, pivot);
        continue;
      }
      const [middle, alreadyPartitioned] = this.#partition(from, to, pivot);
      partitioned = alreadyPartitioned;
      const threshold = Math.trunc(length / 8);
      if (middle - from < to - middle) {
        balanced = middle - from >= threshold;
        this.sort(from, middle, limit);
        from = middle + 1;
      } else {
        balanced = to - middle >= threshold;
        this.sort(middle + 1, to, limit);
        to = middle;
      }
    }
  }

  #less(left: number, right: number): boolean {
    return this.#lessThan(this.#data[left] as T, this.#data[right] as T);
  }

  #swap(left: number, right: number): void {
    const kept = this.#data[left] as T;
    this.#data[left] = this.#data[right] as T;
    this.#data[right] = kept;
  }

  #insertionSort(from: number, to: number): void {
    for (let index = from + 1; index < to; index += 1) {
      for (let place = index; place > from && this.#less(place, place - 1); place -= 1) this.#swap(place, place - 1);
    }
  }

  #heapSort(from: number, to: number): void {
    const length = to - from;
    for (let root = Math.trunc((length - 1) / 2); root >= 0; root -= 1) this.#siftDown(root, length, from);
    for (let last = length - 1; last >= 0; last -= 1) {
      this.#swap(from, from + last);
      this.#siftDown(0, last, from);
    }
  }

  #siftDown(start: number, length: number, first: number): void {
    let root = start;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= length) return;
      if (child + 1 < length && this.#less(first + child, first + child + 1)) child += 1;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  #partition(from: number, to: number, pivot: number): [number, boolean] {
    this.#swap(from, pivot);
    let left = from + 1;
    let right = to - 1;
    const advance = (): void => {
      while (left <= right && this.#less(left, from)) left += 1;
      while (left <= right && !this.#less(right, from)) right -= 1;
    };
    advance();
    const alreadyPartitioned = left > right;
    while (left <= right) {
      this.#swap(left, right);
      left += 1;
      right -= 1;
      advance();
    }
    this.#swap(right, from);
    return [right, alreadyPartitioned];
  }

  #partitionEqual(from: number, to: number, pivot: number): number {
    this.#swap(from, pivot);
    let left = from + 1;
    let right = to - 1;
    for (;;) {
      while (left <= right && !this.#less(from, left)) left += 1;
      while (left <= right && this.#less(from, right)) right -= 1;
      if (left > right) return left;
      this.#swap(left, right);
      left += 1;
      right -= 1;
    }
  }

  #finishNearlySorted(from: number, to: number): boolean {
    let index = from + 1;
    for (let step = 0; step < 5; step += 1) {
      while (index < to && !this.#less(index, index - 1)) index += 1;
      if (index === to) return true;
      if (to - from < 50) return false;
      this.#swap(index, index - 1);
      if (index - from >= 2) {
        for (let place = index - 1; place >= 1 && this.#less(place, place - 1); place -= 1) this.#swap(place, place - 1);
      }
      if (to - index >= 2) {
        for (let place = index + 1; place < to && this.#less(place, place - 1); place += 1) this.#swap(place, place - 1);
      }
    }
    return false;
  }

  #breakPatterns(from: number, to: number): void {
    const length = to - from;
    if (length < 8) return;
    // Go seeds a 64-bit xorshift with the length.
    let random = BigInt(length);
    const mask = (1 << bitLength(length)) - 1;
    const middle = from + Math.trunc(length / 4) * 2;
    for (let index = middle - 1; index <= middle + 1; index += 1) {
      random = BigInt.asUintN(64, random ^ (random << 13n));
      random ^= random >> 7n;
      random = BigInt.asUintN(64, random ^ (random << 17n));
      let other = Number(random & BigInt(mask));
      if (other >= length) other -= length;
      this.#swap(index, from + other);
    }
  }

  #choosePivot(from: number, to: number): [number, Hint] {
    const length = to - from;
    const quarter = Math.trunc(length / 4);
    const counter = { swaps: 0 };
    let first = from + quarter;
    let second = from + quarter * 2;
    let third = from + quarter * 3;
    if (length >= 8) {
      if (length >= NINTHER_FROM) {
        first = this.#median(first - 1, first, first + 1, counter);
        second = this.#median(second - 1, second, second + 1, counter);
        third = this.#median(third - 1, third, third + 1, counter);
      }
      second = this.#median(first, second, third, counter);
    }
    if (counter.swaps === 0) return [second, 'increasing'];
    return [second, counter.swaps === MAX_SWAPS ? 'decreasing' : 'unknown'];
  }

  #median(first: number, second: number, third: number, counter: { swaps: number }): number {
    let [low, middle] = this.#ordered(first, second, counter);
    [middle] = this.#ordered(middle, third, counter);
    [low, middle] = this.#ordered(low, middle, counter);
    return middle;
  }

  #ordered(left: number, right: number, counter: { swaps: number }): [number, number] {
    if (!this.#less(right, left)) return [left, right];
    counter.swaps += 1;
    return [right, left];
  }

  #reverse(from: number, to: number): void {
    for (let left = from, right = to - 1; left < right; left += 1, right -= 1) this.#swap(left, right);
  }
}
