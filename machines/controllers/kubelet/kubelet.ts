/** The kubelet of one node: its pods' workers, its volume manager and its node status (pkg/kubelet/kubelet.go, v1.35; ref 7). */
import type { World } from '../../kernel/world.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { containerChart, podWorkerChart } from './charts.ts';
import type { KubeletEnvironment } from './environment.ts';
import { NodeClock } from './node-clock.ts';
import { NodeStatusLoop } from './node-status.ts';
import { PodWorker } from './pod-worker.ts';
import { Relist } from './relist.ts';
import { StatusManager } from './status-manager.ts';
import { VolumeManager } from './volume-manager.ts';

/** A node's pod range begins with the gateway. */
const FIRST_POD_HOST = 2;

export class Kubelet {
  private readonly env: KubeletEnvironment;
  private readonly world: World;
  private readonly node: string;
  private readonly workers = new Map<string, PodWorker>();
  private pods = 0;

  constructor(world: World, node: string) {
    this.world = world;
    this.node = node;
    const clock = new NodeClock(world, node);
    const recorder = world.recorder('kubelet', node);
    const status = new NodeStatusLoop(world, clock, () => this.env.volumes);
    this.env = {
      world,
      node,
      clock,
      recorder,
      volumes: new VolumeManager(world, clock, recorder, () => status.wake()),
      statuses: new StatusManager(world, clock),
      relist: new Relist(world, clock),
      workerLanes: world.lanes(podWorkerChart),
      containerLanes: world.lanes(containerChart),
      nextPodIP: () => this.nextPodIP(),
      finished: (uid) => {
        this.workers.delete(uid);
        this.env.statuses.forget(uid);
      },
    };
  }

  /** Everything that watches tell waits while the node stands still. */
  private whenRunning(run: () => void): void {
    this.world.pausedNodes.whenRunning(this.node, run);
  }

  podChanged(pod: Pod): void {
    this.whenRunning(() => {
      const known = this.workers.get(pod.metadata.uid);
      if (known) known.update(pod);
      else if (!isOver(pod)) this.admit(pod);
    });
  }

  private admit(pod: Pod): void {
    const worker = new PodWorker(this.env, pod);
    this.workers.set(pod.metadata.uid, worker);
    worker.begin();
  }

  podDeleted(pod: Pod): void {
    this.whenRunning(() => this.workers.get(pod.metadata.uid)?.removed());
  }

  nodeChanged(old: Node | undefined, node: Node): void {
    this.whenRunning(() => this.env.volumes.nodeChanged(old, node));
  }

  /** A claim, volume, Secret or ConfigMap of the pod changed. */
  volumesMayDiffer(uid: string): void {
    this.whenRunning(() => {
      this.env.volumes.retry(uid);
      this.workers.get(uid)?.changed();
    });
  }

  private nextPodIP(): string {
    const range = this.world.api.get('Node', undefined, this.node)?.spec.podCIDR ?? '10.244.0.0/24';
    const prefix = range.split('.').slice(0, 3).join('.');
    this.pods += 1;
    return `${prefix}.${FIRST_POD_HOST + ((this.pods - 1) % 250)}`;
  }
}

/** A pod that had come to its end before the kubelet heard of it. */
function isOver(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}
