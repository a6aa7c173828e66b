/**
 * A loop that looks every `periodMs` milliseconds, without looking: whoever has something for it to do calls `wake`, and
 * the loop runs once, at its next instant. The phase is fixed when the loop starts.
 */
import type { Clock } from './clock.ts';

export class Ticker {
  private readonly schedule: (ms: number, run: () => void) => void;
  private readonly clock: Clock;
  private readonly periodMs: number;
  private readonly phaseMs: number;
  private readonly run: () => void;
  /** The instants for which timers are set: one, or few. */
  private readonly due: number[] = [];

  /** `schedule` sets the timers: the clock's `after`, or that of a node that may be paused. */
  constructor(clock: Clock, periodMs: number, phaseMs: number, run: () => void, schedule: (ms: number, run: () => void) => void = (ms, f) => void clock.after(ms, f)) {
    this.clock = clock;
    this.periodMs = periodMs;
    this.phaseMs = phaseMs;
    this.run = run;
    this.schedule = schedule;
  }

  /** The order of the list means nothing. */
  private over(at: number): void {
    const last = this.due.pop() as number;
    if (last !== at) this.due[this.due.indexOf(at)] = last;
  }

  /** The loop's first instant at or after `timeMs`. */
  at(timeMs: number): number {
    return Math.round(this.phaseMs + Math.ceil((timeMs - this.phaseMs) / this.periodMs - 1e-9) * this.periodMs);
  }

  /** Makes the loop run at its first instant after now, or at or after `timeMs`. */
  wake(timeMs: number = this.clock.now + 1): void {
    const at = this.at(Math.max(timeMs, this.clock.now + 1));
    if (this.due.includes(at)) return;
    this.due.push(at);
    this.schedule(at - this.clock.now, () => {
      this.over(at);
      this.run();
    });
  }
}
