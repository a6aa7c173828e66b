/**
 * The node lifecycle controller (pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.35): watches the
 * heartbeats, declares a silent node Unknown after the grace period, taints it, marks its pods not ready.
 */
import { chart, type Lane, type Lanes } from '../../kernel/machine.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { LEASE_NAMESPACE } from './heartbeat.ts';
import { readyStatus, withUnknownConditions } from './node-conditions.ts';
import { podsOnNode } from './pods-on-node.ts';
import { NOT_READY, UNREACHABLE, withTaintChanges, type TaintId } from './taints.ts';
import { zoneStates, type ZoneState } from './zones.ts';

export const nodeLifecycleChart = chart({
  id: 'node-lifecycle',
  initial: 'ready',
  states: {
    ready: { on: { SILENT: 'unknown' } },
    unknown: { on: { TAINT: 'unreachable', RETURN: 'returning' } },
    unreachable: { on: { RETURN: 'returning' } },
    returning: { on: { UNTAINT: 'ready', SILENT: 'unknown' } },
  },
});
type LifecycleLane = Lane<(typeof nodeLifecycleChart)['initial'], Parameters<(typeof nodeLifecycleChart)['can']>[1]>;

/** Conditions that become NoSchedule taints (nodeConditionToTaintKeyStatusMap). */
const CONDITION_TAINTS: readonly { readonly type: string; readonly status: string; readonly key: string }[] = [
  { type: 'Ready', status: 'False', key: NOT_READY },
  { type: 'Ready', status: 'Unknown', key: UNREACHABLE },
  { type: 'MemoryPressure', status: 'True', key: 'node.kubernetes.io/memory-pressure' },
  { type: 'DiskPressure', status: 'True', key: 'node.kubernetes.io/disk-pressure' },
  { type: 'NetworkUnavailable', status: 'True', key: 'node.kubernetes.io/network-unavailable' },
  { type: 'PIDPressure', status: 'True', key: 'node.kubernetes.io/pid-pressure' },
];
const UNSCHEDULABLE_TAINT = 'node.kubernetes.io/unschedulable';

export function startNodeLifecycle(world: World): void {
  const controller = new NodeLifecycle(world);
  world.api.watch('Node', ({ verb, object }) => {
    if (verb === 'DELETED') controller.forget(object.metadata.name);
    else controller.taintByCondition(object.metadata.name);
  });
  const monitor = (): void => {
    controller.monitor();
    world.clock.after(timings.nodeMonitor, monitor);
  };
  world.clock.after(world.random.between(0, timings.nodeMonitor), monitor);
}

/** When the controller last saw a sign of life, by its own clock. */
interface Health {
  renewTime: string | undefined;
  heartbeat: string | undefined;
  seen: number;
}

class NodeLifecycle {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly lanes: Lanes<(typeof nodeLifecycleChart)['initial'], Parameters<(typeof nodeLifecycleChart)['can']>[1]>;
  private readonly health = new Map<string, Health>();
  private states: ReadonlyMap<string, ZoneState> = new Map();
  private allDisrupted = false;
  /** When each zone's rate limiter lets the next NoExecute taint through. */
  private readonly nextEviction = new Map<string, number>();

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('node-controller');
    this.lanes = world.lanes(nodeLifecycleChart);
  }

  forget(node: string): void {
    this.health.delete(node);
  }

  /** monitorNodeHealth: one look at every node. */
  monitor(): void {
    for (const node of this.world.api.list('Node')) this.look(node);
    this.judgeZones();
  }

  private look(node: Node): void {
    const health = this.probe(node);
    if (readyStatus(node) !== 'Unknown' && this.world.clock.now > health.seen + timings.nodeGrace) {
      this.declareUnknown(node);
      return;
    }
    if (readyStatus(node) === 'True') this.markReachable(node);
    else this.taintNoExecute(node.metadata.name);
  }

  /** A sign of life is a newer lease or a newer heartbeat in the Ready condition. */
  private probe(node: Node): Health {
    const { name } = node.metadata;
    const renewTime = this.world.api.get('Lease', LEASE_NAMESPACE, name)?.spec.renewTime;
    const heartbeat = node.status.conditions?.find((condition) => condition.type === 'Ready')?.lastHeartbeatTime;
    let health = this.health.get(name);
    if (!health) this.health.set(name, (health = { renewTime, heartbeat, seen: this.world.clock.now }));
    if (health.renewTime !== renewTime || health.heartbeat !== heartbeat) Object.assign(health, { renewTime, heartbeat, seen: this.world.clock.now });
    return health;
  }

  /** tryUpdateNodeHealth, then the event, MarkPodsNotReady and the NoExecute taint. @recorded #node-down */
  private declareUnknown(node: Node): void {
    const { name } = node.metadata;
    const wasReady = readyStatus(node) === 'True';
    this.world.api.update('Node', undefined, name, (current) => withUnknownConditions(this.world, current));
    this.lane(name).try('SILENT');
    if (wasReady) {
      this.recorder.event({ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid }, 'Normal', 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      this.markPodsNotReady(name);
    }
    this.taintNoExecute(name);
  }

  /** @recorded #node-down */
  private markPodsNotReady(node: string): void {
    for (const [i, pod] of podsOnNode(this.world.api, node).entries()) {
      this.world.clock.after(timings.podNotReady + i * timings.request, () => {
        const { namespace, name } = pod.metadata;
        const before = this.world.api.get('Pod', namespace, name);
        const after = this.world.api.updateIfPresent('Pod', namespace, name, (current) => withReadyFalse(this.world, current));
        if (after && after !== before) this.recorder.event(after, 'Warning', 'NodeNotReady', 'Node is not ready');
      });
    }
  }

  /**
   * doNoExecuteTaintingPass: a rate limiter per zone lets one node through at once and then one each 10 s; none while
   * the zone is partly disrupted or every zone is down.
   */
  private taintNoExecute(name: string): void {
    if (this.allDisrupted) return;
    const node = this.world.api.get('Node', undefined, name);
    const status = node && readyStatus(node);
    if (!node || status === 'True') return;
    const taint = { key: status === 'Unknown' ? UNREACHABLE : NOT_READY, effect: 'NoExecute' } as const;
    if (node.spec.taints?.some((t) => t.key === taint.key && t.effect === 'NoExecute')) return;
    const zone = zoneOf(node);
    const state = this.states.get(zone)?.disruption;
    const now = this.world.clock.now;
    const free = this.nextEviction.get(zone) ?? 0;
    if (state === 'partial' || free > now) return;
    this.nextEviction.set(zone, now + timings.evictionInterval);
    const opposite = taint.key === UNREACHABLE ? NOT_READY : UNREACHABLE;
    this.world.clock.after(timings.noExecuteTaint, () => {
      const written = this.world.api.updateIfPresent('Node', undefined, name, (current) => (readyStatus(current) === 'True' ? current : withTaintChanges(this.world, current, [taint], [{ key: opposite, effect: 'NoExecute' }])));
      if (written && written.spec.taints?.some((t) => t.key === taint.key && t.effect === 'NoExecute')) this.lane(name).try('TAINT');
    });
  }

  /** markNodeAsReachable: at the monitor's next look after the node is Ready again. @recorded #node-down */
  private markReachable(node: Node): void {
    const { name } = node.metadata;
    const lane = this.lane(name);
    if (lane.is('ready') && !node.spec.taints) return;
    if (lane.is('unknown', 'unreachable')) lane.send('RETURN');
    this.world.api.update('Node', undefined, name, (current) =>
      withTaintChanges(this.world, current, [], [
        { key: UNREACHABLE, effect: 'NoExecute' },
        { key: NOT_READY, effect: 'NoExecute' },
      ]),
    );
    if (lane.is('returning')) lane.send('UNTAINT');
  }

  /** handleDisruption: with every zone down it is the control plane that is cut off, so all evictions stop. @modelled pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.35 */
  private judgeZones(): void {
    this.states = zoneStates(this.world.api, zoneOf);
    const wasDisrupted = this.allDisrupted;
    this.allDisrupted = this.states.size > 0 && [...this.states.values()].every((state) => state.disruption === 'full');
    if (this.allDisrupted && !wasDisrupted) for (const node of this.world.api.list('Node')) this.takeEvictionTaints(node);
    if (!this.allDisrupted && wasDisrupted) for (const health of this.health.values()) health.seen = this.world.clock.now;
  }

  private takeEvictionTaints(node: Node): void {
    this.world.api.update('Node', undefined, node.metadata.name, (current) =>
      withTaintChanges(this.world, current, [], [
        { key: UNREACHABLE, effect: 'NoExecute' },
        { key: NOT_READY, effect: 'NoExecute' },
      ]),
    );
  }

  /** doNoScheduleTaintingPass: follows the conditions of every node write at once. @recorded #node-down */
  taintByCondition(name: string): void {
    const node = this.world.api.get('Node', undefined, name);
    if (!node || conditionTaintChanges(this.world, node) === node) return;
    this.world.clock.after(timings.noScheduleTaint, () => {
      this.world.api.updateIfPresent('Node', undefined, name, (current) => conditionTaintChanges(this.world, current));
    });
  }

  private lane(node: string): LifecycleLane {
    return this.lanes.get(node);
  }
}

function isHealthy({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return !CONDITION_TAINTS.some((row) => row.type === type && row.status === status);
}

function conditionTaintChanges(world: World, node: Node): Node {
  if (node.spec.taints === undefined && !node.spec.unschedulable && node.status.conditions?.every(isHealthy)) return node;
  const ids = (keys: readonly string[]): TaintId[] => keys.map((key) => ({ key, effect: 'NoSchedule' }));
  const holds = ({ type, status }: { type: string; status: string }): boolean => node.status.conditions?.some((condition) => condition.type === type && condition.status === status) ?? false;
  const wanted = [...CONDITION_TAINTS.filter(holds).map((row) => row.key), ...(node.spec.unschedulable ? [UNSCHEDULABLE_TAINT] : [])];
  const unwanted = [...CONDITION_TAINTS.map((row) => row.key), UNSCHEDULABLE_TAINT].filter((key) => !wanted.includes(key));
  return withTaintChanges(world, node, ids(wanted), ids(unwanted));
}

/** The pod's Ready condition turned False, reason and message untouched; the same pod where it is not True. */
function withReadyFalse(world: World, pod: Pod): Pod {
  const ready = pod.status.conditions?.find((condition) => condition.type === 'Ready');
  if (!ready || ready.status === 'False') return pod;
  const conditions = pod.status.conditions?.map((condition) => (condition === ready ? { ...condition, status: 'False' as const, lastTransitionTime: world.api.timestamp() } : condition));
  return { ...pod, status: { ...pod.status, conditions } };
}

/** GetZoneKey: region and zone labels. */
function zoneOf(node: Node): string {
  const { labels } = node.metadata;
  return `${labels?.['topology.kubernetes.io/region'] ?? ''}:${labels?.['topology.kubernetes.io/zone'] ?? ''}`;
}
