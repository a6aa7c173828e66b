/** The pod lifecycle event generator: once a second all containers are looked at (pkg/kubelet/pleg/generic.go, v1.35). */
import { Ticker } from '../../kernel/ticker.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { NodeClock } from './node-clock.ts';

export class Relist {
  private readonly clock: NodeClock;
  private readonly ticker: Ticker;
  private readonly waiting = new Set<() => void>();

  constructor(world: World, clock: NodeClock) {
    this.clock = clock;
    const after = (ms: number, run: () => void): void => void clock.after(ms, run);
    this.ticker = new Ticker(world.clock, timings.relist, world.random.between(0, timings.relist), () => this.run(), after);
  }

  /** Something about a pod's containers changed: `seen` is called at the next look. */
  notice(seen: () => void): void {
    this.waiting.add(seen);
    this.ticker.wake();
  }

  /**
   * Calls `run` as soon as a look newer than `timeMs` has happened: at once, or at the next look. So two syncs of one pod
   * are never less than a look apart. A pod that was never synced (`-Infinity`) waits for nothing.
   * @recorded #node-move, #block-device
   */
  newerThan(timeMs: number, run: () => void): void {
    const at = timeMs === -Infinity ? timeMs : this.ticker.at(timeMs + 1) + timings.relistTakes;
    if (at <= this.clock.now) run();
    else this.clock.after(at - this.clock.now, run);
  }

  private run(): void {
    const seen = [...this.waiting];
    this.waiting.clear();
    for (const call of seen) call();
  }
}
