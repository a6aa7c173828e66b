/** Writes pod statuses, the newest only (pkg/kubelet/status, v1.35). */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod, PodStatus } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import type { NodeClock } from './node-clock.ts';

/** Makes the status from the stored pod. */
export type StatusOf = (pod: Pod) => PodStatus;

export class StatusManager {
  private readonly world: World;
  private readonly clock: NodeClock;
  private readonly newest = new Map<string, StatusOf>();

  constructor(world: World, clock: NodeClock) {
    this.world = world;
    this.clock = clock;
  }

  /** Remembers the pod's status; it is written a moment later, if it says something new and the pod is still there. */
  set({ metadata: { namespace, name, uid } }: Pod, statusOf: StatusOf): void {
    this.newest.set(uid, statusOf);
    this.clock.after(timings.statusWrite, () => {
      const latest = this.newest.get(uid);
      if (!latest) return;
      this.newest.delete(uid);
      this.world.api.updateIfPresent('Pod', namespace, name, (pod) => {
        if (pod.metadata.uid !== uid) return pod;
        const status = latest(pod);
        return deepEqual(status, pod.status) ? pod : { ...pod, status };
      });
    });
  }
}
