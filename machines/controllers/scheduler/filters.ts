/** Runs the plugins in the order of the default profile (framework/runtime/framework.go, v1.35; ref 3.1). */
import type { Cycle } from './cycle.ts';
import type { NodeInfo } from './node-info.ts';
import type { FilterPlugin } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { Rejection } from './status.ts';
import { interPodAffinity } from './plugins/inter-pod-affinity.ts';
import { nodeAffinity } from './plugins/node-affinity.ts';
import { nodeName } from './plugins/node-name.ts';
import { nodePorts } from './plugins/node-ports.ts';
import { nodeResourcesFit } from './plugins/node-resources-fit.ts';
import { nodeUnschedulable } from './plugins/node-unschedulable.ts';
import { nodeVolumeLimits } from './plugins/node-volume-limits.ts';
import { podTopologySpread } from './plugins/pod-topology-spread.ts';
import { taintToleration } from './plugins/taint-toleration.ts';
import { volumeBinding } from './plugins/volume-binding.ts';
import { volumeRestrictions } from './plugins/volume-restrictions.ts';
import { volumeZone } from './plugins/volume-zone.ts';

const FILTER_PLUGINS: readonly FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
];

export interface PreFiltered {
  /** A refusal for all nodes: the attempt ends here. */
  readonly rejection?: Rejection | undefined;
  /** Only these nodes can fit; undefined: all. */
  readonly nodeNames?: ReadonlySet<string> | undefined;
}

/**
 * PreFilter of all plugins; the first refusal ends it. The pod then never reached DynamicResources, which is the last one.
 * @recorded #claim-not-found, #pod-before-claim-binds
 */
export function runPreFilters(cycle: Cycle): PreFiltered {
  let nodeNames: ReadonlySet<string> | undefined;
  const checks: FilterPlugin[] = [];
  for (const plugin of FILTER_PLUGINS) {
    const result = plugin.preFilter?.(cycle);
    if (result === 'skip') continue;
    checks.push(plugin);
    if (result === undefined) continue;
    if (!('has' in result)) return { rejection: result };
    nodeNames = result;
  }
  cycle.checks = checks;
  return { nodeNames };
}

/** The first plugin that refuses the node. @recorded #zone-class-forbids, #zone-mismatch-immediate */
export function runFilters(cycle: Cycle, node: NodeInfo): Rejection | undefined {
  for (const plugin of cycle.checks) {
    const rejection = plugin.filter(cycle, node);
    if (rejection) return rejection;
  }
  return undefined;
}

/**
 * Filters a node twice when pods of at least this priority are nominated to it: once as if they ran there, once without
 * (RunFilterPluginsWithNominatedPods). @modelled ref 3.1
 */
export function runFiltersWithNominated(cycle: Cycle, node: NodeInfo, nominated: readonly PodInfo[]): Rejection | undefined {
  if (nominated.length === 0) return runFilters(cycle, node);
  const others = nominated.filter((pod) => pod.uid !== cycle.pod.uid && pod.priority >= cycle.pod.priority);
  if (others.length === 0) return runFilters(cycle, node);
  const crowded = node.clone();
  const tried = cycle.clone();
  for (const pod of others) {
    crowded.addPod(pod);
    updateWithPod(tried, pod, crowded, 1);
  }
  return runFilters(tried, crowded) ?? runFilters(cycle, node);
}

/** Tells the plugins that a pod is tried out on the node or taken away from it. */
export function updateWithPod(cycle: Cycle, pod: PodInfo, node: NodeInfo, by: 1 | -1): void {
  for (const plugin of cycle.checks) plugin.updateWithPod?.(cycle, pod, node, by);
}
