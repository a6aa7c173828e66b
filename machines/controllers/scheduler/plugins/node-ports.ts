/** framework/plugins/nodeports, v1.35. */
import type { FilterPlugin } from '../plugin.ts';
import { unschedulable } from '../status.ts';

/** A host port belongs to one pod of the node. @modelled ref 3.1 */
export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  preFilter: (cycle) => (cycle.pod.hostPorts.length === 0 ? 'skip' : undefined),
  filter: (cycle, node) =>
    node.portTaken(cycle.pod.hostPorts) ? unschedulable('NodePorts', "node(s) didn't have free ports for the requested pod ports", 'Pod .spec.containers[].ports[].hostPort') : undefined,
};
