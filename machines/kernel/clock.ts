/**
 * Virtual time. Everything that happens in the simulated cluster happens in an entry of this queue, ordered by
 * (time, sequence): two entries of the same millisecond run in the order in which they were scheduled.
 * Times are whole milliseconds since the first step.
 */

export class Timer {
  readonly at: number;
  /** Undefined once it has run or was cancelled. */
  run: (() => void) | undefined;

  constructor(at: number, run: () => void) {
    this.at = at;
    this.run = run;
  }

  /** Its time has come. */
  fire(): void {
    const { run } = this;
    this.run = undefined;
    run?.();
  }

  /** It stays in the queue as an empty entry until its time comes. */
  cancel(): void {
    this.run = undefined;
  }
}

/** The entries of one millisecond, in their order; those before `next` have run. */
interface Moment {
  readonly at: number;
  readonly timers: Timer[];
  next: number;
}

export class Clock {
  /** Milliseconds since the first step. */
  now = 0;
  /** Entries that have run; the benchmark reads it. */
  fired = 0;
  private readonly moments = new Map<number, Moment>();
  /** The moments, the earliest first (a binary heap). Much happens at the same millisecond, so there are few of them. */
  private readonly heap: Moment[] = [];

  /** Schedules `run` after `delayMs` (rounded to whole ms, at least 0). Returns the timer, for `cancel`. */
  after(delayMs: number, run: () => void): Timer {
    return this.at(this.now + Math.max(0, Math.round(delayMs)), run);
  }

  /** Schedules `run` at an absolute time; a time in the past means now. */
  at(timeMs: number, run: () => void): Timer {
    return this.schedule(new Timer(Math.max(this.now, Math.round(timeMs)), run));
  }

  /** Puts a timer into the queue. Its time is a whole millisecond, not before now. */
  schedule<T extends Timer>(timer: T): T {
    const { at } = timer;
    const moment = this.moments.get(at);
    if (moment) moment.timers.push(timer);
    else this.push({ at, timers: [timer], next: 0 });
    return timer;
  }

  cancel(timer: Timer | undefined): void {
    timer?.cancel();
  }

  /** Time of the next live entry, or undefined when nothing is scheduled. */
  nextAt(): number | undefined {
    return this.nextMoment()?.at;
  }

  /** Runs the next entry. False when the queue is empty. */
  step(): boolean {
    const moment = this.nextMoment();
    if (!moment) return false;
    this.runNext(moment);
    return true;
  }

  /** Runs every entry up to and including `timeMs`, then stands at `timeMs`. */
  runUntil(timeMs: number): void {
    for (let moment = this.nextMoment(); moment && moment.at <= timeMs; moment = this.nextMoment()) this.runNext(moment);
    if (timeMs > this.now) this.now = timeMs;
  }

  private runNext(moment: Moment): void {
    const timer = moment.timers[moment.next++];
    if (timer?.run === undefined) return;
    this.now = moment.at;
    this.fired++;
    timer.fire();
  }

  /** The earliest moment that has a live entry, its `next` standing on it. */
  private nextMoment(): Moment | undefined {
    for (let moment = this.heap[0]; moment; moment = this.heap[0]) {
      const { timers } = moment;
      while (moment.next < timers.length && !timers[moment.next]?.run) moment.next++;
      if (moment.next < timers.length) return moment;
      this.moments.delete(moment.at);
      this.pop();
    }
    return undefined;
  }

  private push(moment: Moment): void {
    this.moments.set(moment.at, moment);
    const heap = this.heap;
    let i = heap.length;
    heap.push(moment);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Moment;
      if (above.at < moment.at) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = moment;
  }

  private pop(): void {
    const heap = this.heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    const size = heap.length;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && (heap[child + 1] as Moment).at < (heap[child] as Moment).at) child++;
      if ((heap[child] as Moment).at > last.at) break;
      heap[i] = heap[child] as Moment;
      i = child;
    }
    heap[i] = last;
  }
}
