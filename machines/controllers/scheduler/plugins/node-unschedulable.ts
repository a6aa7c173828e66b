/** framework/plugins/nodeunschedulable, v1.35. */
import { anyToleratesTaint } from '../../../model/tolerations.ts';
import type { FilterPlugin } from '../plugin.ts';
import { unresolvable } from '../status.ts';

export const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** A cordoned node takes no pod that does not tolerate `node.kubernetes.io/unschedulable`. @modelled ref 3.3 */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  filter: (cycle, { node }) => {
    if (node?.spec.unschedulable !== true || anyToleratesTaint(cycle.pod.pod.spec.tolerations, UNSCHEDULABLE_TAINT)) return undefined;
    return unresolvable('NodeUnschedulable', 'node(s) were unschedulable', `Node ${node.metadata.name} .spec.unschedulable`);
  },
};
