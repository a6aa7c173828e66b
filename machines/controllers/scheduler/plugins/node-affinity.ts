/** framework/plugins/nodeaffinity, v1.35. */
import { podSelectsNode, selectable } from '../../../model/node-selector.ts';
import type { NodeSelectorTerm, PodSpec } from '../../../model/objects.ts';
import type { FilterPlugin, PreFilterResult } from '../plugin.ts';
import { unresolvable } from '../status.ts';

/** nodeSelector and required node affinity; terms that all name their node narrow the search at once. @recorded #zone-mismatch-immediate, #wait-pod-untolerated-taint */
export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  preFilter: (cycle) => preFilter(cycle.pod.pod.spec),
  filter: (cycle, { node }) => {
    const { spec } = cycle.pod.pod;
    if (node && podSelectsNode(spec, selectable(node))) return undefined;
    return unresolvable('NodeAffinity', "node(s) didn't match Pod's node affinity/selector", spec.nodeSelector ? 'Pod .spec.nodeSelector' : 'Pod .spec.affinity.nodeAffinity');
  },
};

function preFilter(spec: PodSpec): PreFilterResult {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required && !spec.nodeSelector) return 'skip';
  const terms = required?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    const named = namesOfTerm(term);
    // The terms are alternatives: one without a name leaves all nodes in play.
    if (!named) return undefined;
    for (const name of named) names.add(name);
  }
  return names.size === 0 ? unresolvable('NodeAffinity', 'pod affinity terms conflict', 'Pod .spec.affinity.nodeAffinity') : names;
}

/** The node names that every name requirement of the term allows; undefined when it has none. */
function namesOfTerm(term: NodeSelectorTerm): Set<string> | undefined {
  let names: Set<string> | undefined;
  for (const { key, operator, values = [] } of term.matchFields ?? []) {
    if (key !== 'metadata.name' || operator !== 'In') continue;
    names = names ? new Set(values.filter((value) => names?.has(value))) : new Set(values);
  }
  return names;
}
