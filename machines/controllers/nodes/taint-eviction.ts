/**
 * Taint eviction (pkg/controller/tainteviction/taint_eviction.go, v1.35): a pod that does not tolerate a NoExecute taint
 * of its node, or not for longer, is deleted.
 */
import { objectKey } from '../../kernel/api-server.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { chart, type Lanes } from '../../kernel/machine.ts';
import type { Timer } from '../../kernel/clock.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import { toleratesTaint } from '../../model/tolerations.ts';
import { deepEqual } from '../../model/values.ts';
import type { Pod, Taint, Toleration } from '../../model/objects.ts';
import { withDisruption } from './disruption.ts';
import { indexPodsByNode, podsOnNode } from './pods-on-node.ts';
import { noExecuteTaints } from './taints.ts';

export const taintEvictionChart = chart({
  id: 'taint-eviction',
  initial: 'tolerated',
  states: {
    tolerated: { on: { SCHEDULE: 'scheduled' } },
    scheduled: { on: { CANCEL: 'tolerated', EVICT: 'evicted' } },
    evicted: { on: { SCHEDULE: 'scheduled', CANCEL: 'tolerated' } },
  },
});

export function startTaintEviction(world: World): void {
  indexPodsByNode(world.api);
  const controller = new TaintEviction(world);
  world.api.watch('Node', ({ verb, object, old }) => {
    const taints = verb === 'DELETED' ? [] : noExecuteTaints(object);
    if (!deepEqual(taints, old ? noExecuteTaints(old) : [])) controller.nodeChanged(object.metadata.name, taints);
  });
  world.api.watch('Pod', ({ verb, object, old }) => {
    if (verb === 'DELETED') controller.cancel(objectKey(object), object);
    else if (object.spec.nodeName !== undefined && (object.spec.nodeName !== old?.spec.nodeName || object.spec.tolerations !== old.spec.tolerations)) controller.podChanged(object);
  });
}

/** A pod's eviction: a timer that runs, or one that has fired and keeps the pod from being evicted again. */
interface Eviction {
  readonly createdAt: number;
  readonly timer: Timer | undefined;
}

class TaintEviction {
  private readonly world: World;
  private readonly recorder: EventRecorder;
  private readonly lanes: Lanes<(typeof taintEvictionChart)['initial'], Parameters<(typeof taintEvictionChart)['can']>[1]>;
  private readonly evictions = new Map<string, Eviction>();
  private readonly tainted = new Set<string>();

  constructor(world: World) {
    this.world = world;
    this.recorder = world.recorder('taint-eviction-controller');
    this.lanes = world.lanes(taintEvictionChart);
    for (const node of world.api.list('Node')) if (noExecuteTaints(node).length > 0) this.tainted.add(node.metadata.name);
  }

  /** handleNodeUpdate */
  nodeChanged(name: string, taints: readonly Taint[]): void {
    if (taints.length > 0) this.tainted.add(name);
    else this.tainted.delete(name);
    for (const pod of podsOnNode(this.world.api, name)) {
      if (taints.length === 0) this.cancel(objectKey(pod), pod);
      else this.judge(pod, taints);
    }
  }

  /** handlePodUpdate */
  podChanged(pod: Pod): void {
    const node = pod.spec.nodeName;
    if (node === undefined || !this.tainted.has(node)) return;
    const stored = this.world.api.get('Node', undefined, node);
    if (stored) this.judge(pod, noExecuteTaints(stored));
  }

  /**
   * processPodOnNode: a taint without toleration evicts at once, also a pod that was evicted before; tolerations with
   * a time evict after the shortest of them, counted from the first taint that led to it.
   * @recorded #node-down
   */
  private judge(pod: Pod, taints: readonly Taint[]): void {
    const key = objectKey(pod);
    const used = matchingTolerations(taints, pod.spec.tolerations ?? []);
    if (!used) {
      this.cancel(key, pod);
      this.schedule(pod, this.world.clock.now, 0);
      return;
    }
    const seconds = minTolerationSeconds(used);
    if (seconds === undefined) {
      this.cancel(key, pod);
      return;
    }
    const known = this.evictions.get(key);
    if (known?.timer) {
      if (known.createdAt + seconds * 1000 < this.world.clock.now + seconds * 1000) return;
      this.cancel(key, pod);
    }
    this.schedule(pod, this.world.clock.now, seconds * 1000);
  }

  private schedule(pod: Pod, createdAt: number, ms: number): void {
    const key = objectKey(pod);
    if (this.evictions.has(key)) return;
    const lane = this.lanes.get(key);
    lane.try('SCHEDULE');
    const timer = this.world.clock.after(ms, () => {
      this.evictions.set(key, { createdAt, timer: undefined });
      this.evict(pod);
    });
    this.evictions.set(key, { createdAt, timer });
  }

  /** Takes back a scheduled eviction, with an event; forgets one that has fired. */
  cancel(key: string, pod: Pod): void {
    const known = this.evictions.get(key);
    if (!known) return;
    this.evictions.delete(key);
    this.lanes.get(key).try('CANCEL');
    if (!known.timer) return;
    this.world.clock.cancel(known.timer);
    this.event(pod, `Cancelling deletion of Pod ${key}`);
  }

  /** deletePodHandler: the event, the condition, the delete. @recorded #node-down */
  private evict(pod: Pod): void {
    const { namespace, name, uid } = pod.metadata;
    this.lanes.get(objectKey(pod)).try('EVICT');
    this.event(pod, `Marking for deletion Pod ${objectKey(pod)}`);
    const found = (): boolean => this.world.api.get('Pod', namespace, name)?.metadata.uid === uid;
    this.world.clock.after(timings.request, () => {
      if (!found()) return;
      this.world.api.update('Pod', namespace, name, (current) => withDisruption(this.world, current, 'DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint'));
      this.world.clock.after(timings.request, () => {
        if (found()) this.world.api.delete('Pod', namespace, name, { uid });
      });
    });
  }

  /** Written on a reference without uid, so that later pods of the name count on. @recorded #node-down */
  private event(pod: Pod, message: string): void {
    const { namespace, name } = pod.metadata;
    this.recorder.event({ apiVersion: 'v1', kind: 'Pod', name, namespace }, 'Normal', 'TaintManagerEviction', message);
  }
}

/** The first toleration of each taint, or undefined when one taint has none (GetMatchingTolerations). */
function matchingTolerations(taints: readonly Taint[], tolerations: readonly Toleration[]): readonly Toleration[] | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const toleration = tolerations.find((candidate) => toleratesTaint(candidate, taint));
    if (!toleration) return undefined;
    used.push(toleration);
  }
  return used;
}

/** The shortest tolerated time in seconds; undefined for ever (getMinTolerationTime). */
function minTolerationSeconds(used: readonly Toleration[]): number | undefined {
  const seconds = used.flatMap((toleration) => (toleration.tolerationSeconds === undefined ? [] : [Math.max(0, toleration.tolerationSeconds)]));
  return seconds.length === 0 ? undefined : Math.min(...seconds);
}
