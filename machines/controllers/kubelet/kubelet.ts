/** The kubelet of one node: its pods' workers, its volume manager and its node status (pkg/kubelet/kubelet.go, v1.35; ref 7). */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { addAll, podRequests } from '../scheduler/resources.ts';
import { refusalOf } from './admission.ts';
import { containerChart, podWorkerChart } from './charts.ts';
import type { KubeletEnvironment } from './environment.ts';
import { NodeClock } from './node-clock.ts';
import { NodeStatusLoop } from './node-status.ts';
import { rejectedStatus } from './pod-status.ts';
import { deletePod, PodWorker } from './pod-worker.ts';
import { Relist } from './relist.ts';
import { StatusManager } from './status-manager.ts';
import { VolumeManager } from './volume-manager.ts';

/** A node's pod range begins with the gateway. */
const FIRST_POD_HOST = 2;

export class Kubelet {
  private readonly env: KubeletEnvironment;
  private readonly status: NodeStatusLoop;
  private readonly world: World;
  private readonly node: string;
  private readonly workers = new Map<string, PodWorker>();
  private readonly refused = new Set<string>();
  /** What the pods that have not ended ask for. */
  private readonly requested = new Map<string, number>();
  private pods = 0;

  constructor(world: World, node: string) {
    this.world = world;
    this.node = node;
    const clock = new NodeClock(world, node);
    const recorder = world.recorder('kubelet', node);
    const status = new NodeStatusLoop(world, clock, recorder, () => this.env.volumes);
    this.status = status;
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
      stopped: (pod) => addAll(this.requested, podRequests(pod.spec), -1),
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
      else if (this.refused.has(pod.metadata.uid)) this.letRefusedGo(pod);
      else if (!isOver(pod)) this.admit(pod);
    });
  }

  private admit(pod: Pod): void {
    if (this.refuse(pod)) return;
    addAll(this.requested, podRequests(pod.spec), 1);
    const worker = new PodWorker(this.env, pod);
    this.workers.set(pod.metadata.uid, worker);
    worker.begin();
  }

  /** @modelled pkg/kubelet/kubelet.go rejectPod, v1.35 */
  private refuse(pod: Pod): boolean {
    const node = this.world.api.get('Node', undefined, this.node);
    const refusal = node && pod.metadata.deletionTimestamp === undefined ? refusalOf(pod, node, this.requested) : undefined;
    if (!refusal) return false;
    this.refused.add(pod.metadata.uid);
    this.env.recorder.event(pod, 'Warning', refusal.reason, refusal.message);
    const told = { reason: refusal.reason, message: `Pod was rejected: ${refusal.message}` };
    this.env.statuses.set(pod, (stored) => rejectedStatus(stored, told));
    return true;
  }

  /** A refused pod that somebody deletes before it was seen to have failed has nothing to stop or unmount. */
  private letRefusedGo(pod: Pod): void {
    const { namespace, name, uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp === undefined) return;
    this.env.clock.after(timings.relist + timings.podDeletion, () => deletePod(this.world, namespace, name, uid));
  }

  podDeleted(pod: Pod): void {
    this.refused.delete(pod.metadata.uid);
    this.whenRunning(() => this.workers.get(pod.metadata.uid)?.removed());
  }

  nodeChanged(node: Node): void {
    this.whenRunning(() => {
      this.env.volumes.nodeChanged(node);
      this.status.nodeChanged(node);
    });
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
    const host = FIRST_POD_HOST + (this.pods % 250);
    this.pods += 1;
    return `${range.slice(0, range.lastIndexOf('.'))}.${host}`;
  }
}

/** A pod that had come to its end before the kubelet heard of it. */
function isOver(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}
