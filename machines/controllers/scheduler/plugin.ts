/** The plugin interface, cut to what the default plugins use (staging kube-scheduler/framework/interface.go, v1.35). */
import type { Cycle } from './cycle.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { PluginName, Rejection } from './status.ts';

/** `skip`: nothing to check for this pod, so the plugin's Filter is not run. A set of names: only these nodes can fit. */
export type PreFilterResult = 'skip' | ReadonlySet<string> | Rejection | undefined;

export interface FilterPlugin {
  readonly name: PluginName;
  /** Looks at the pod once, before any node. */
  readonly preFilter?: (cycle: Cycle) => PreFilterResult;
  /** Undefined: the node fits as far as this plugin is concerned. */
  readonly filter: (cycle: Cycle, node: NodeInfo) => Rejection | undefined;
  /** Keeps the cycle's state right when a pod is tried out on the node (1) or taken away from it (-1). */
  readonly updateWithPod?: (cycle: Cycle, pod: PodInfo, node: NodeInfo, by: 1 | -1) => void;
}
