/** What a scheduler plugin says of a pod or of a node (staging kube-scheduler/framework/interface.go Status, v1.35). */

/**
 * `Unschedulable`: removing other pods may help, so preemption looks at the node.
 * `UnschedulableAndUnresolvable`: nothing that the scheduler could remove helps.
 * `Error`: the plugin could not decide; the attempt ends as a SchedulerError.
 */
export type StatusCode = 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';

/** The plugins in the order of the default profile (apis/config/v1/default_plugins.go, v1.35; ref 3.1). */
export type PluginName =
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'DefaultPreemption';

/** A plugin's no. */
export interface Rejection {
  readonly plugin: PluginName;
  readonly code: StatusCode;
  readonly reasons: readonly string[];
  /** The field that refused, as a person finds it: `Node worker .spec.taints`. Only for explaining, not part of any message. */
  readonly field?: string | undefined;
}

export function unschedulable(plugin: PluginName, reason: string, field?: string): Rejection {
  return { plugin, code: 'Unschedulable', reasons: [reason], field };
}
export function unresolvable(plugin: PluginName, reason: string, field?: string): Rejection {
  return { plugin, code: 'UnschedulableAndUnresolvable', reasons: [reason], field };
}
export function failed(plugin: PluginName, error: string): Rejection {
  return { plugin, code: 'Error', reasons: [error] };
}
