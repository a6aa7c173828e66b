/** The pod garbage collector (pkg/controller/podgc/gc_controller.go, v1.35): removes pods that no kubelet will remove. No events. */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import { isTerminal } from '../workloads/pods.ts';
import { withDisruption } from './disruption.ts';
import { readyStatus } from './node-conditions.ts';
import { indexPodsByNode, podsOnNode } from './pods-on-node.ts';
import { OUT_OF_SERVICE } from './taints.ts';

export function startPodGarbageCollector(world: World): void {
  indexPodsByNode(world.api);
  const orphans = new OrphanWatch(world);
  const look = (): void => {
    removeFromDeadNodes(world);
    orphans.look();
    world.clock.after(timings.podGc, look);
  };
  world.clock.after(world.random.between(0, timings.podGc), look);
}

/**
 * gcTerminating: a pod being deleted on a node that is not ready and marked out-of-service.
 * @recorded #node-down
 */
function removeFromDeadNodes(world: World): void {
  for (const node of world.api.list('Node')) {
    if (readyStatus(node) === 'True' || !node.spec.taints?.some((taint) => taint.key === OUT_OF_SERVICE)) continue;
    for (const pod of podsOnNode(world.api, node.metadata.name)) {
      if (pod.metadata.deletionTimestamp !== undefined) failAndDelete(world, pod, (current) => current);
    }
  }
}

/** gcOrphaned: pods of a node whose object is gone, after a quarantine. @modelled ref 12 */
class OrphanWatch {
  private readonly world: World;
  /** Missing nodes that pods still name, with the time their quarantine ends. */
  private readonly quarantine = new Map<string, number>();
  private readonly missing = new Set<string>();

  constructor(world: World) {
    this.world = world;
    world.api.watch('Node', ({ verb, object }) => {
      if (verb === 'DELETED') this.missing.add(object.metadata.name);
      else this.missing.delete(object.metadata.name);
    });
    world.api.watch('Pod', ({ verb, object }) => {
      const node = object.spec.nodeName;
      if (verb === 'ADDED' && node !== undefined && !world.api.get('Node', undefined, node)) this.missing.add(node);
    });
  }

  look(): void {
    for (const node of this.missing) {
      if (this.world.api.get('Node', undefined, node)) {
        this.quarantine.delete(node);
        this.missing.delete(node);
        continue;
      }
      const until = this.quarantine.get(node) ?? this.world.clock.now + timings.orphanQuarantine;
      this.quarantine.set(node, until);
      if (until > this.world.clock.now) continue;
      for (const pod of podsOnNode(this.world.api, node)) {
        failAndDelete(this.world, pod, (current) => withDisruption(this.world, current, 'DeletionByPodGC', 'PodGC: node no longer exists'));
      }
    }
  }
}

/** markFailedAndDeletePod: phase Failed, then a delete with grace 0. */
function failAndDelete(world: World, pod: Pod, mark: (pod: Pod) => Pod): void {
  const { namespace, name, uid } = pod.metadata;
  world.clock.after(timings.request, () => {
    const found = world.api.get('Pod', namespace, name);
    if (found?.metadata.uid !== uid) return;
    if (!isTerminal(found)) world.api.update('Pod', namespace, name, (current) => failed(mark(current)));
    world.clock.after(timings.request, () => {
      if (world.api.get('Pod', namespace, name)?.metadata.uid === uid) world.api.delete('Pod', namespace, name, { graceSeconds: 0, uid });
    });
  });
}

/** Phase Failed, of the generation that the collector saw. @recorded #node-down */
function failed(pod: Pod): Pod {
  return { ...pod, status: { ...pod.status, ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }), phase: 'Failed' } };
}
