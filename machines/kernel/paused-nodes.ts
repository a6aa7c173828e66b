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

  /** The same for a process that may move, or that no node of the cluster carries: `node` tells where it is now. */
  whenProcessRuns(node: () => string | undefined, run: () => void): void {
    const where = this.size === 0 ? undefined : node();
    if (where === undefined) run();
    else this.whenRunning(where, run);
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
