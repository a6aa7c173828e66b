/** Writes pod statuses, the newest only (pkg/kubelet/status, v1.35). */
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod, PodStatus } from '../../model/objects.ts';
import { deepEqual } from '../../model/values.ts';
import type { NodeClock } from './node-clock.ts';
import { OWN_CONDITIONS } from './pod-status.ts';

/** Makes the status from the stored pod. */
export type StatusOf = (pod: Pod) => PodStatus;

export class StatusManager {
  private readonly world: World;
  private readonly clock: NodeClock;
  private readonly newest = new Map<string, StatusOf>();
  /** By uid: how the last status was made, and what of it is stored. */
  private readonly written = new Map<string, { readonly statusOf: StatusOf; readonly stored: PodStatus }>();

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
        const same = deepEqual(status, pod.status);
        this.written.set(uid, { statusOf: latest, stored: same ? pod.status : status });
        return same ? pod : { ...pod, status };
      });
    });
  }

  /**
   * The object changed: a status that another component wrote (the node controller's Ready False) is made again by the
   * next batch, at most 10 s later (syncBatch, needsReconcile).
   * @modelled pkg/kubelet/status/status_manager.go, v1.35
   */
  reconcile(pod: Pod): void {
    const { uid } = pod.metadata;
    const known = this.written.get(uid);
    if (!known || known.stored === pod.status || this.newest.has(uid) || sameForKubelet(known.stored, pod.status)) return;
    this.clock.after(timings.statusBatch, () => {
      const latest = this.written.get(uid);
      if (latest && !this.newest.has(uid)) this.set(pod, latest.statusOf);
    });
  }

  forget(uid: string): void {
    this.written.delete(uid);
  }
}

/** Conditions of others, such as DisruptionTarget, are none of the kubelet's business (isPodStatusByKubeletEqual). */
function sameForKubelet(a: PodStatus, b: PodStatus): boolean {
  return deepEqual(own(a), own(b));
}
function own(status: PodStatus): PodStatus {
  return { ...status, conditions: (status.conditions ?? []).filter(({ type }) => OWN_CONDITIONS.has(type)).toSorted((x, y) => (x.type < y.type ? -1 : 1)) };
}
