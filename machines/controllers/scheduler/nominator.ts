/** Which pods are promised to which node, though they do not run there yet (backend/queue/nominator.go, v1.35). */
import type { Pod } from '../../model/objects.ts';
import type { PodInfo } from './pod-info.ts';

/** What an attempt decides about `status.nominatedNodeName`: a name, `''` to clear it; undefined leaves it as it is. */
export type Nomination = string | undefined;

const NOBODY: readonly PodInfo[] = [];

export class Nominator {
  private readonly nodeOf = new Map<string, string>();
  private readonly byNode = new Map<string, Map<string, PodInfo>>();

  /** Notes the pod's nomination; without a decision its status counts. */
  add(info: PodInfo, nomination: Nomination): void {
    this.remove(info.uid);
    const node = nomination ?? info.pod.status.nominatedNodeName ?? '';
    if (node === '') return;
    this.nodeOf.set(info.uid, node);
    const pods = this.byNode.get(node) ?? new Map<string, PodInfo>();
    this.byNode.set(node, pods.set(info.uid, info));
  }

  /** A pod in the queue changed. A nomination that its status does not show yet stays in force. */
  update(old: Pod, next: PodInfo): void {
    const pending = (old.status.nominatedNodeName ?? '') === '' && (next.pod.status.nominatedNodeName ?? '') === '';
    this.add(next, pending ? this.nodeOf.get(next.uid) : undefined);
  }

  remove(uid: string): void {
    const node = this.nodeOf.get(uid);
    if (node === undefined) return;
    this.nodeOf.delete(uid);
    const pods = this.byNode.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.byNode.delete(node);
  }

  on(node: string): readonly PodInfo[] {
    const pods = this.byNode.get(node);
    return pods ? [...pods.values()] : NOBODY;
  }
}
