/** The time of one node: timers that wait while the node is paused, and run when it returns. */
import type { World } from '../../kernel/world.ts';

export interface NodeTimer {
  cancel(): void;
}

export class NodeClock {
  readonly node: string;
  private readonly world: World;

  constructor(world: World, node: string) {
    this.world = world;
    this.node = node;
  }

  get now(): number {
    return this.world.clock.now;
  }

  /** Runs `run` after `ms` milliseconds, later when the node stands still then. @recorded #node-down */
  after(ms: number, run: () => void): NodeTimer {
    let live = true;
    this.world.clock.after(ms, () => {
      if (live) this.world.pausedNodes.whenRunning(this.node, () => {
        if (live) run();
      });
    });
    return { cancel: () => void (live = false) };
  }
}
