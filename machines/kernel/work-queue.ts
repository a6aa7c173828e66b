/**
 * A controller's work queue (client-go util/workqueue, v1.35): one key is worked on by one worker at a time; a key that
 * is added while it is worked on is worked on again afterwards; a failed key comes back after a growing back-off.
 * Work that takes time is a generator that yields the milliseconds to let pass.
 */
import type { Clock, Timer } from './clock.ts';
import type { Host } from './paused-nodes.ts';

/** One piece of work: yields how many milliseconds pass before it goes on. */
export type Work = Generator<number, void, void>;

/** What is left to do for a key when time has passed; undefined when nothing is. */
export type Rest = Generator<number, unknown, void> | undefined;

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
  private readonly sync: (key: string) => Rest;
  private readonly backOff: BackOff;
  private readonly host: Host | undefined;
  /** Keys whose work lets time pass. */
  private readonly running = new Set<string>();
  /** Keys whose work goes on at this very moment: most work ends at the moment at which it began. */
  private readonly atWork: string[] = [];
  private readonly dirty = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly waiting = new Map<string, Timer>();

  /** `sync` does the work for one key, or begins it and returns what is left to do. Work is held back while `host` stands still. */
  constructor(clock: Clock, sync: (key: string) => Rest, backOff: BackOff = { startMs: 5, maxMs: 1_000_000 }, host?: Host) {
    this.clock = clock;
    this.sync = sync;
    this.backOff = backOff;
    this.host = host;
  }

  /** Adds a key: worked on now, or once more when the work in hand is done. */
  add(key: string): void {
    if (this.atWork.includes(key) || this.running.has(key)) this.dirty.add(key);
    else if (this.host?.standsStill()) {
      this.running.add(key);
      this.host.whenRunning(() => {
        this.running.delete(key);
        this.begin(key);
      });
    } else this.begin(key);
  }

  private begin(key: string): void {
    this.atWork.push(key);
    const work = this.sync(key);
    const step = work?.next();
    this.atWork.pop();
    if (work && step && !step.done) {
      this.running.add(key);
      this.goOn(key, work, step.value);
    } else this.again(key);
  }

  private goOn(key: string, work: NonNullable<Rest>, ms: number): void {
    this.clock.after(ms, () => {
      this.atWork.push(key);
      const { done, value } = work.next();
      this.atWork.pop();
      if (!done) {
        this.goOn(key, work, value);
        return;
      }
      this.running.delete(key);
      this.again(key);
    });
  }

  /** What was added while the key was worked on. */
  private again(key: string): void {
    if (this.dirty.size > 0 && this.dirty.delete(key)) this.add(key);
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
