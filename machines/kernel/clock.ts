/**
 * Virtual time. Everything that happens in the simulated cluster happens in an entry of this queue, ordered by
 * (time, sequence): two entries of the same millisecond run in the order in which they were scheduled.
 * Times are whole milliseconds since the first step of the scenario.
 */

export interface Timer {
  readonly at: number;
  readonly seq: number;
  run: (() => void) | undefined;
}

export class Clock {
  /** Milliseconds since the first step. */
  now = 0;
  private seq = 0;
  private readonly heap: Timer[] = [];

  /** Schedules `run` after `delayMs` (rounded to whole ms, at least 0). Returns the timer, for `cancel`. */
  after(delayMs: number, run: () => void): Timer {
    return this.at(this.now + Math.max(0, Math.round(delayMs)), run);
  }

  /** Schedules `run` at an absolute time; a time in the past means now. */
  at(timeMs: number, run: () => void): Timer {
    const timer: Timer = { at: Math.max(this.now, Math.round(timeMs)), seq: this.seq++, run };
    this.push(timer);
    return timer;
  }

  /** A cancelled timer stays in the queue as an empty entry until its time comes. */
  cancel(timer: Timer | undefined): void {
    if (timer) timer.run = undefined;
  }

  /** Time of the next live entry, or undefined when nothing is scheduled. */
  nextAt(): number | undefined {
    for (let head = this.heap[0]; head; head = this.heap[0]) {
      if (head.run) return head.at;
      this.pop();
    }
    return undefined;
  }

  /** Runs the next entry. False when the queue is empty. */
  step(): boolean {
    const timer = this.pop();
    if (!timer) return false;
    if (!timer.run) return true;
    this.now = timer.at;
    timer.run();
    return true;
  }

  /** Runs every entry up to and including `timeMs`, then stands at `timeMs`. */
  runUntil(timeMs: number): void {
    for (let next = this.nextAt(); next !== undefined && next <= timeMs; next = this.nextAt()) this.step();
    if (timeMs > this.now) this.now = timeMs;
  }

  private push(timer: Timer): void {
    const heap = this.heap;
    let i = heap.length;
    heap.push(timer);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Timer;
      if (!before(timer, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = timer;
  }

  private pop(): Timer | undefined {
    const heap = this.heap;
    const head = heap[0];
    const last = heap.pop();
    if (!head || !last || heap.length === 0) return head;
    const size = heap.length;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1] as Timer, heap[child] as Timer)) child++;
      if (!before(heap[child] as Timer, last)) break;
      heap[i] = heap[child] as Timer;
      i = child;
    }
    heap[i] = last;
    return head;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}
