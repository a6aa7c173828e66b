/** The time of one node: timers that wait while the node is paused, and run when it returns. */
import { Timer } from '../../kernel/clock.ts';
import type { PausedNodes } from '../../kernel/paused-nodes.ts';
import type { World } from '../../kernel/world.ts';

/** A timer of a node. It can still be cancelled while it waits for the node to return. */
export class NodeTimer extends Timer {
  private readonly paused: PausedNodes;
  private readonly node: string;

  constructor(at: number, run: () => void, paused: PausedNodes, node: string) {
    super(at, run);
    this.paused = paused;
    this.node = node;
  }

  override fire(): void {
    if (this.paused.has(this.node)) this.paused.whenRunning(this.node, () => super.fire());
    else super.fire();
  }
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
    const { clock, pausedNodes } = this.world;
    return clock.schedule(new NodeTimer(clock.now + Math.max(0, Math.round(ms)), run, pausedNodes, this.node));
  }
}
