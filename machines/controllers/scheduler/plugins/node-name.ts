/** framework/plugins/nodename, v1.35. */
import type { FilterPlugin } from '../plugin.ts';
import { unresolvable } from '../status.ts';

/** A pod that names its node fits no other one. Pods that name a node skip the scheduler, so only explaining gets here. @modelled ref 3.1 */
export const nodeName: FilterPlugin = {
  name: 'NodeName',
  filter: (cycle, node) => {
    const wanted = cycle.pod.pod.spec.nodeName ?? '';
    return wanted === '' || wanted === node.name ? undefined : unresolvable('NodeName', "node(s) didn't match the requested node name", 'Pod .spec.nodeName');
  },
};
