/** The pod that `exec` and `logs` take of a Deployment, ReplicaSet or StatefulSet. Source: k8s.io/kubectl/pkg/polymorphichelpers and pkg/util/podutils, v0.35. */
import { matchesLabelSelector } from '../model/label-selector.ts';
import type { Pod } from '../model/objects.ts';
import type { Target } from './command-words.ts';
import { goSort } from './go-sort.ts';
import { KubectlError, notFound } from './outcome.ts';
import { qualifiedPlural } from './resources.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';

/** The pods of a workload, the best one first. Throws a KubectlError where there is no such workload. @modelled k8s.io/kubectl pkg/polymorphichelpers/helpers.go (GetFirstPod), v0.35 */
export function podsOfWorkload({ resource, name = '' }: Target, namespace: string, view: ClusterView): Pod[] {
  const { kind } = resource;
  const workload = kind === 'Deployment' || kind === 'ReplicaSet' || kind === 'StatefulSet' ? findObject(view, kind, name, namespace) : undefined;
  if (workload === undefined) throw notFound(qualifiedPlural(resource), name);
  const { selector } = workload.spec;
  return goSort(listInOrder(view, 'Pod', namespace).filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels)), (left, right) => compare(left, right) < 0);
}

/** What kubectl says when no pod of the workload came in time. */
export function noPodInTime(): KubectlError {
  return new KubectlError('error: timed out waiting for the condition');
}

const PHASES: readonly string[] = ['Running', 'Unknown', 'Pending'];

/** Assigned, running, ready, long ready, often restarted, old pods first. @modelled k8s.io/kubectl pkg/util/podutils/podutils.go (ByLogging), v0.35 */
function compare(left: Pod, right: Pod): number {
  const differences = [
    Number(left.spec.nodeName === undefined) - Number(right.spec.nodeName === undefined),
    PHASES.indexOf(left.status.phase) - PHASES.indexOf(right.status.phase),
    Number(readySince(left) === undefined) - Number(readySince(right) === undefined),
    (readySince(left) ?? 0) - (readySince(right) ?? 0),
    restarts(right) - restarts(left),
    Date.parse(left.metadata.creationTimestamp) - Date.parse(right.metadata.creationTimestamp),
  ];
  return differences.find((difference) => difference !== 0) ?? 0;
}

function readySince({ status }: Pod): number | undefined {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : undefined;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
