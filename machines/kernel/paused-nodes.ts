/** What a process runs on, as far as it may stand still. */
export interface Host {
  standsStill(): boolean;
  /** Runs `run` now or, while it stands still, when it goes on, in the order of the calls. */
  whenRunning(run: () => void): void;
}

/** The nodes whose processes stand still (a paused kind node), and who waits for one of them to run again. */
export class PausedNodes extends Set<string> {
  private readonly waiting = new Map<string, (() => void)[]>();

  /** Runs `run` now or, while the node is paused, when it is unpaused, in the order of the calls. */
  whenRunning(node: string, run: () => void): void {
    if (!this.has(node)) {
      run();
      return;
    }
    const queue = this.waiting.get(node) ?? [];
    queue.push(run);
    this.waiting.set(node, queue);
  }

  /** A process that may move, or that no node of the cluster carries: `node` tells where it is now. */
  process(node: () => string | undefined): Host {
    const pausedNode = (): string | undefined => {
      const where = this.size === 0 ? undefined : node();
      return where !== undefined && this.has(where) ? where : undefined;
    };
    return {
      standsStill: () => pausedNode() !== undefined,
      whenRunning: (run) => this.whenRunning(pausedNode() ?? '', run),
    };
  }

  /** Unpauses the node. */
  override delete(node: string): boolean {
    const wasPaused = super.delete(node);
    const queue = this.waiting.get(node) ?? [];
    this.waiting.delete(node);
    for (const run of queue) run();
    return wasPaused;
  }
}
