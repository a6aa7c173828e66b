/** The kubelet's node status, as far as volumes are concerned (kubelet_node_status.go, nodestatus/setters.go, v1.35; ref 7). */
import type { EventRecorder } from '../../kernel/event-recorder.ts';
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
  private readonly recorder: EventRecorder;
  /** Whether the node was cordoned at the last look. */
  private cordoned: boolean;

  constructor(world: World, clock: NodeClock, recorder: EventRecorder, volumes: () => VolumesOfNode) {
    this.world = world;
    this.clock = clock;
    this.recorder = recorder;
    this.volumes = volumes;
    this.cordoned = isCordoned(world.api.get('Node', undefined, clock.node));
    const period = timings.nodeStatus * (1 + world.random.next() * 0.04);
    this.ticker = new Ticker(world.clock, period, world.random.between(0, period), () => this.run(), (ms, run) => void clock.after(ms, run));
  }

  /** The volumes in use changed, or one waits to be listed. */
  wake(): void {
    this.ticker.wake();
  }

  nodeChanged(node: Node): void {
    if (isCordoned(node) !== this.cordoned) this.wake();
  }

  private run(): void {
    this.noteCordon();
    const names = this.volumes().inUse();
    this.clock.after(timings.request, () => {
      this.world.api.updateIfPresent('Node', undefined, this.clock.node, (node) => withVolumesInUse(node, names, this.world.api.timestamp()));
      this.volumes().reportedInUse(names);
      if (this.volumes().awaitsReport()) this.wake();
    });
  }

  /** @modelled pkg/kubelet/kubelet_node_status.go recordNodeSchedulableEvent, v1.35 */
  private noteCordon(): void {
    const cordoned = isCordoned(this.world.api.get('Node', undefined, this.clock.node));
    if (cordoned === this.cordoned) return;
    this.cordoned = cordoned;
    const reason = cordoned ? 'NodeNotSchedulable' : 'NodeSchedulable';
    const name = this.clock.node;
    this.recorder.event({ apiVersion: 'v1', kind: 'Node', name }, 'Normal', reason, `Node ${name} status is now: ${reason}`);
  }
}

function isCordoned(node: Node | undefined): boolean {
  return node?.spec.unschedulable === true;
}

/** The node with its volumes in use; a write also renews the heartbeats of its conditions. */
function withVolumesInUse(node: Node, names: readonly string[], now: string): Node {
  const before = node.status.volumesInUse ?? [];
  if (before.length === names.length && before.every((name, i) => name === names[i])) return node;
  const { volumesInUse: _before, ...status } = node.status;
  const conditions = status.conditions?.map((c) => (c.lastHeartbeatTime === undefined ? c : { ...c, lastHeartbeatTime: now }));
  return { ...node, status: { ...status, ...(conditions ? { conditions } : {}), ...(names.length > 0 ? { volumesInUse: names } : {}) } };
}
