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

  /** Unpauses the node. */
  override delete(node: string): boolean {
    const wasPaused = super.delete(node);
    const queue = this.waiting.get(node) ?? [];
    this.waiting.delete(node);
    for (const run of queue) run();
    return wasPaused;
  }
}
