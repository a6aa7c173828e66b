/**
 * A controller's work queue (client-go util/workqueue, v1.35): one key is worked on by one worker at a time; a key that
 * is added while it is worked on is worked on again afterwards; a failed key comes back after a growing back-off.
 * Work that takes time is a generator that yields the milliseconds to let pass.
 */
import type { Clock, Timer } from './clock.ts';

/** One piece of work: yields how many milliseconds pass before it goes on. */
export type Work = Generator<number, void, void>;

/** Runs `work` to its end, letting virtual time pass where it yields. `done` is called after its last step. */
export function runWork(clock: Clock, work: Work, done: () => void = () => undefined): void {
  const next = work.next();
  if (next.done) done();
  else clock.after(next.value, () => runWork(clock, work, done));
}

/** Per-key back-off: `startMs` · 2^n, at most `maxMs` (workqueue.ItemExponentialFailureRateLimiter). */
export interface BackOff {
  readonly startMs: number;
  readonly maxMs: number;
}

export class WorkQueue {
  private readonly clock: Clock;
  private readonly sync: (key: string) => Work;
  private readonly backOff: BackOff;
  private readonly whenRunning: ((run: () => void) => void) | undefined;
  /** Keys whose work lets time pass. */
  private readonly running = new Set<string>();
  /** Keys whose work goes on at this very moment: most work ends at the moment at which it began. */
  private readonly atWork: string[] = [];
  private readonly dirty = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly waiting = new Map<string, Timer>();

  /** `sync` does the work for one key. `whenRunning` holds work back while the queue's process stands still. */
  constructor(clock: Clock, sync: (key: string) => Work, backOff: BackOff = { startMs: 5, maxMs: 1_000_000 }, whenRunning?: (run: () => void) => void) {
    this.clock = clock;
    this.sync = sync;
    this.backOff = backOff;
    this.whenRunning = whenRunning;
  }

  /** Adds a key: worked on now, or once more when the work in hand is done. */
  add(key: string): void {
    if (this.atWork.includes(key) || this.running.has(key)) this.dirty.add(key);
    else if (this.whenRunning === undefined) this.begin(key);
    else {
      this.running.add(key);
      this.whenRunning(() => this.begin(key));
    }
  }

  private begin(key: string): void {
    this.step(key, this.sync(key));
  }

  private step(key: string, work: Work): void {
    this.atWork.push(key);
    const { done, value } = work.next();
    this.atWork.pop();
    if (done) {
      if (this.running.size > 0) this.running.delete(key);
      if (this.dirty.size > 0 && this.dirty.delete(key)) this.add(key);
      return;
    }
    this.running.add(key);
    this.clock.after(value, () => this.step(key, work));
  }

  /** Adds a key later. Of two such times the earlier one counts, as in client-go's delaying queue. */
  addAfter(key: string, ms: number): void {
    const known = this.waiting.get(key);
    if (known?.run && known.at <= this.clock.now + ms) return;
    this.clock.cancel(known);
    const timer = this.clock.after(ms, () => {
      this.waiting.delete(key);
      this.add(key);
    });
    this.waiting.set(key, timer);
  }

  /** Adds a key after its back-off; each call without `forget` between doubles the next one. Returns the milliseconds. */
  addRateLimited(key: string): number {
    const failed = this.failures.get(key) ?? 0;
    this.failures.set(key, failed + 1);
    const delay = Math.min(this.backOff.maxMs, this.backOff.startMs * 2 ** failed);
    this.addAfter(key, delay);
    return delay;
  }

  /** Forgets the failures of a key. A time already set by `addAfter` stays set. */
  forget(key: string): void {
    this.failures.delete(key);
  }

  /** How often in a row the key came back by `addRateLimited`. */
  failuresOf(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  /** Keys whose last work failed: those that a back-off holds. */
  failing(): string[] {
    return [...this.failures.keys()];
  }
}
