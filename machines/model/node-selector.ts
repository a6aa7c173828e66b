/** Node selectors (component-helpers scheduling/corev1/nodeaffinity and storage/volume/helpers.go, v1.35). */
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PersistentVolume, PodSpec, StorageClass, StringMap } from './objects.ts';

/** What a node selector looks at: a volume's affinity sees the labels only, a pod's affinity the name too. */
export interface SelectableNode {
  readonly labels: StringMap;
  readonly name?: string | undefined;
}

/** Labels and name of a node, as a pod's node affinity sees them. */
export function selectable(node: Node): SelectableNode {
  return { labels: node.metadata.labels ?? {}, name: node.metadata.name };
}

/** True when any term matches; a term without any requirement matches nothing, nor does an empty list of terms. */
export function matchesNodeSelectorTerms(terms: readonly NodeSelectorTerm[], node: SelectableNode): boolean {
  return terms.some((term) => matchesTerm(term, node));
}

function matchesTerm(term: NodeSelectorTerm, node: SelectableNode): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return expressions.every((requirement) => matchesRequirement(requirement, node.labels[requirement.key])) && fields.every((requirement) => matchesRequirement(requirement, requirement.key === 'metadata.name' ? node.name : undefined));
}

function matchesRequirement(requirement: NodeSelectorRequirement, value: string | undefined): boolean {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}

/** nodeSelector and required node affinity of a pod (GetRequiredNodeAffinity(pod).Match). */
export function podSelectsNode(spec: Pick<PodSpec, 'nodeSelector' | 'affinity'>, node: SelectableNode): boolean {
  const labelled = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => node.labels[key] === value);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return labelled && (!required || matchesNodeSelectorTerms(required.nodeSelectorTerms ?? [], node));
}

/**
 * Whether a node with these labels can reach the volume (CheckNodeAffinity). False is what the scheduler and the kubelet
 * call `no matching NodeSelectorTerms`.
 */
export function volumeReachable(volume: PersistentVolume, labels: StringMap): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return !required || matchesNodeSelectorTerms(required.nodeSelectorTerms ?? [], { labels });
}

/** A class's allowedTopologies: any term; no terms allow every node (MatchTopologySelectorTerms). */
export function topologyAllowed(allowed: StorageClass['allowedTopologies'], labels: StringMap): boolean {
  if (!allowed || allowed.length === 0) return true;
  return allowed.some(({ matchLabelExpressions = [] }) => matchLabelExpressions.length > 0 && matchLabelExpressions.every(({ key, values }) => labels[key] !== undefined && values.includes(labels[key])));
}
