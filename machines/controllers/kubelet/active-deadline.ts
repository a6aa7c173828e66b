/** How long a pod may be active on its node (pkg/kubelet/active_deadline.go, v1.35). */
import type { Pod, Timestamp } from '../../model/objects.ts';
import type { Verdict } from './pod-status.ts';

export const DEADLINE_EXCEEDED: Verdict = { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' };

/** Milliseconds since the epoch; undefined for a pod without a deadline. It counts from the pod's start on the node, not from its creation. */
export function deadlineOf({ spec, status }: Pod, startTime: Timestamp): number | undefined {
  return spec.activeDeadlineSeconds === undefined ? undefined : Date.parse(status.startTime ?? startTime) + spec.activeDeadlineSeconds * 1000;
}
