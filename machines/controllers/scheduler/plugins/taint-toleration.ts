/** framework/plugins/tainttoleration, v1.35. */
import { untoleratedTaint } from '../../../model/tolerations.ts';
import type { FilterPlugin } from '../plugin.ts';
import { unresolvable } from '../status.ts';

/** A taint with NoSchedule or NoExecute that the pod does not tolerate keeps it off the node. @recorded #wait-pod-untolerated-taint */
export const taintToleration: FilterPlugin = {
  name: 'TaintToleration',
  filter: (cycle, { node }) => {
    const taint = untoleratedTaint(node?.spec.taints, cycle.pod.pod.spec.tolerations);
    return taint && unresolvable('TaintToleration', 'node(s) had untolerated taint(s)', `Node ${node?.metadata.name} .spec.taints ${taint.key}:${taint.effect}`);
  },
};
