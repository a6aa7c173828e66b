/** The kubelet's node status, as far as volumes are concerned (kubelet_node_status.go, nodestatus/setters.go, v1.35; ref 7). */
import { Ticker } from '../../kernel/ticker.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Node } from '../../model/objects.ts';
import type { NodeClock } from './node-clock.ts';

/** What the node status says and needs to know of the volumes. */
export interface VolumesOfNode {
  inUse(): readonly string[];
  reportedInUse(names: readonly string[]): void;
  awaitsReport(): boolean;
}

/**
 * Every 10 s (each node up to 4 % more) the node status is made; it is written when it says something new. Between a pod's
 * arrival and its disk's mount lies the time to the next one.
 * @recorded #immediate-happy, #pod-recreate
 */
export class NodeStatusLoop {
  private readonly world: World;
  private readonly clock: NodeClock;
  private readonly volumes: () => VolumesOfNode;
  private readonly ticker: Ticker;

  constructor(world: World, clock: NodeClock, volumes: () => VolumesOfNode) {
    this.world = world;
    this.clock = clock;
    this.volumes = volumes;
    const period = timings.nodeStatus * (1 + world.random.next() * 0.04);
    this.ticker = new Ticker(world.clock, period, world.random.between(0, period), () => this.run(), (ms, run) => void clock.after(ms, run));
  }

  /** The volumes in use changed, or one waits to be listed. */
  wake(): void {
    this.ticker.wake();
  }

  private run(): void {
    const names = this.volumes().inUse();
    this.clock.after(timings.request, () => {
      this.world.api.updateIfPresent('Node', undefined, this.clock.node, (node) => withVolumesInUse(node, names, this.world.api.timestamp()));
      this.volumes().reportedInUse(names);
      if (this.volumes().awaitsReport()) this.wake();
    });
  }
}

/** The node with its volumes in use; a write also renews the heartbeats of its conditions. */
function withVolumesInUse(node: Node, names: readonly string[], now: string): Node {
  const before = node.status.volumesInUse ?? [];
  if (before.length === names.length && before.every((name, i) => name === names[i])) return node;
  const { volumesInUse: _before, ...status } = node.status;
  const conditions = status.conditions?.map((c) => (c.lastHeartbeatTime === undefined ? c : { ...c, lastHeartbeatTime: now }));
  return { ...node, status: { ...status, ...(conditions ? { conditions } : {}), ...(names.length > 0 ? { volumesInUse: names } : {}) } };
}
