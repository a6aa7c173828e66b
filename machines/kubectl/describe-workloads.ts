/** `kubectl describe` of what stands above pods. Source: k8s.io/kubectl/pkg/describe/describe.go, v0.35. */
import type { Deployment, PodTemplate, ReplicaSet, StatefulSet } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { rfc1123 } from './age.ts';
import { writeContainers, writeTolerations } from './describe-pod.ts';
import { writeVolumes } from './describe-volumes.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { writeAnnotations, writeLabels } from './describe-writer.ts';
import { formatLabelSelector } from './selector.ts';
import { quantityText } from './storage-text.ts';
import type { ClusterView } from './view.ts';
import { listInOrder } from './view.ts';

type Workload = Deployment | ReplicaSet | StatefulSet;

/** @modelled k8s.io/kubectl/pkg/describe/describe.go describeStatefulSet, v0.35 */
export function describeStatefulSet(writer: DescribeWriter, set: StatefulSet, view: ClusterView): void {
  writeIdentity(writer, set);
  writer.line(0, `Selector:\t${formatLabelSelector(set.spec.selector)}`);
  writeLabels(writer, 'Labels', set.metadata.labels);
  writeAnnotations(writer, set.metadata.annotations);
  writer.line(0, `Replicas:\t${set.spec.replicas ?? 1} desired | ${count(set, 'replicas')} total`);
  writer.line(0, `Update Strategy:\t${set.spec.updateStrategy?.type ?? ''}`);
  const { partition } = set.spec.updateStrategy?.rollingUpdate ?? {};
  if (partition !== undefined) writer.line(1, `Partition:\t${partition}`);
  writePodCounts(writer, set, view);
  writeTemplate(writer, set.spec.template);
  writeClaimTemplates(writer, set);
}

/** @modelled k8s.io/kubectl/pkg/describe/describe.go describeReplicaSet, v0.35 */
export function describeReplicaSet(writer: DescribeWriter, set: ReplicaSet, view: ClusterView): void {
  writer.line(0, `Name:\t${set.metadata.name}`);
  writer.line(0, `Namespace:\t${set.metadata.namespace ?? ''}`);
  writer.line(0, `Selector:\t${formatLabelSelector(set.spec.selector)}`);
  writeLabels(writer, 'Labels', set.metadata.labels);
  writeAnnotations(writer, set.metadata.annotations);
  const controller = set.metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller) writer.line(0, `Controlled By:\t${controller.kind}/${controller.name}`);
  writer.line(0, `Replicas:\t${count(set, 'replicas')} current / ${set.spec.replicas ?? 1} desired`);
  writePodCounts(writer, set, view);
  writeTemplate(writer, set.spec.template);
  writeConditions(writer, set);
}

/** @modelled k8s.io/kubectl/pkg/describe/describe.go describeDeployment, v0.35 */
export function describeDeployment(writer: DescribeWriter, deployment: Deployment, view: ClusterView): void {
  const { strategy } = deployment.spec;
  writeIdentity(writer, deployment);
  writeLabels(writer, 'Labels', deployment.metadata.labels);
  writeAnnotations(writer, deployment.metadata.annotations);
  writer.line(0, `Selector:\t${formatLabelSelector(deployment.spec.selector)}`);
  const counts = [['updatedReplicas', 'updated'], ['replicas', 'total'], ['availableReplicas', 'available'], ['unavailableReplicas', 'unavailable']] as const;
  writer.line(0, `Replicas:\t${[`${deployment.spec.replicas ?? 1} desired`, ...counts.map(([field, word]) => `${count(deployment, field)} ${word}`)].join(' | ')}`);
  writer.line(0, `StrategyType:\t${strategy?.type ?? ''}`);
  writer.line(0, `MinReadySeconds:\t${deployment.spec.minReadySeconds ?? 0}`);
  const update = strategy?.rollingUpdate;
  if (update) writer.line(0, `RollingUpdateStrategy:\t${update.maxUnavailable ?? ''} max unavailable, ${update.maxSurge ?? ''} max surge`);
  writeTemplate(writer, deployment.spec.template);
  writeConditions(writer, deployment);
  writeReplicaSets(writer, deployment, view);
}

function writeIdentity(writer: DescribeWriter, { metadata }: Workload): void {
  writer.line(0, `Name:\t${metadata.name}`);
  writer.line(0, `Namespace:\t${metadata.namespace ?? ''}`);
  writer.line(0, `CreationTimestamp:\t${rfc1123(metadata.creationTimestamp)}`);
}

function count({ status }: Workload, field: string): number {
  return Number(status[field] ?? 0);
}

/** Source: `getPodStatusForController`. */
function writePodCounts(writer: DescribeWriter, { metadata }: Workload, view: ClusterView): void {
  const phases = listInOrder(view, 'Pod', metadata.namespace)
    .filter((pod) => pod.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === metadata.uid))
    .map((pod) => pod.status.phase);
  const words = [['Running', 'Running'], ['Pending', 'Waiting'], ['Succeeded', 'Succeeded'], ['Failed', 'Failed']] as const;
  writer.line(0, `Pods Status:\t${words.map(([phase, word]) => `${phases.filter((other) => other === phase).length} ${word}`).join(' / ')}`);
}

/** Source: `DescribePodTemplate`. */
function writeTemplate(writer: DescribeWriter, { metadata, spec }: PodTemplate): void {
  const { serviceAccountName, priorityClassName } = spec;
  writer.line(0, 'Pod Template:');
  writeLabels(writer, '  Labels', metadata?.labels);
  if (Object.keys(metadata?.annotations ?? {}).length > 0) writeAnnotations(writer, metadata?.annotations, '  Annotations');
  if (serviceAccountName !== undefined && serviceAccountName !== '') writer.line(1, `Service Account:\t${serviceAccountName}`);
  if (spec.initContainers !== undefined && spec.initContainers.length > 0) writeContainers(writer, 'Init Containers', undefined, spec.initContainers, undefined);
  writeContainers(writer, 'Containers', undefined, spec.containers, undefined);
  writeVolumes(writer, spec.volumes, true);
  if (priorityClassName !== undefined && priorityClassName !== '') writer.line(1, `Priority Class Name:\t${priorityClassName}`);
  writeLabels(writer, '  Node-Selectors', spec.nodeSelector);
  writeTolerations(writer, spec.tolerations, '  Tolerations');
}

/** Source: `describeVolumeClaimTemplates`. */
function writeClaimTemplates(writer: DescribeWriter, set: StatefulSet): void {
  const templates = set.spec.volumeClaimTemplates ?? [];
  writer.line(0, templates.length === 0 ? 'Volume Claims:\t<none>' : 'Volume Claims:');
  for (const { metadata, spec } of templates) {
    writer.line(1, `Name:\t${metadata.name}`);
    writer.line(1, `StorageClass:\t${spec.storageClassName ?? ''}`);
    writeLabels(writer, '  Labels', metadata.labels);
    writeAnnotations(writer, metadata.annotations, '  Annotations');
    const size = spec.resources?.requests?.storage;
    writer.line(1, `Capacity:\t${size === undefined ? '<default>' : quantityText(size)}`);
    writer.line(1, `Access Modes:\t[${(spec.accessModes ?? []).join(' ')}]`);
  }
}

function writeConditions(writer: DescribeWriter, { status }: Deployment | ReplicaSet): void {
  const conditions = (status['conditions'] ?? []) as unknown as readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  if (conditions.length === 0) return;
  writer.write(0, 'Conditions:\n  Type\tStatus\tReason\n');
  writer.line(1, '----\t------\t------');
  for (const condition of conditions) writer.line(1, `${condition.type} \t${condition.status}\t${condition.reason ?? ''}`);
}

/** The set of the present template, and the earlier ones, oldest first (deploymentutil.GetAllReplicaSets). */
function writeReplicaSets(writer: DescribeWriter, deployment: Deployment, view: ClusterView): void {
  const sets = listInOrder(view, 'ReplicaSet', deployment.metadata.namespace)
    .filter((set) => set.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === deployment.metadata.uid))
    .toSorted((a, b) => Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp));
  const newest = sets.find((set) => deepEqual(withoutHash(set.spec.template), deployment.spec.template));
  const text = (list: readonly ReplicaSet[]): string => list.map((set) => `${set.metadata.name} (${count(set, 'replicas')}/${set.spec.replicas ?? 1} replicas created)`).join(', ') || '<none>';
  writer.line(0, `OldReplicaSets:\t${text(sets.filter((set) => set !== newest))}`);
  writer.line(0, `NewReplicaSet:\t${text(newest ? [newest] : [])}`);
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { 'pod-template-hash': _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
