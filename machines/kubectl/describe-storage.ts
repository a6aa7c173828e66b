/** `kubectl describe` of a claim, a volume and a class. Source: k8s.io/kubectl/pkg/describe v0.35. */
import type { Json, NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '../model/objects.ts';
import { ageSince, rfc1123 } from './age.ts';
import { writePersistentVolumeSource } from './describe-volumes.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { writeAnnotations, writeLabels, writeList } from './describe-writer.ts';
import { goSprint, sortedEntries } from './go-format.ts';
import { accessModesText, quantityText, storageClassOf } from './storage-text.ts';
import type { ClusterView } from './view.ts';
import { compareKeys, listInOrder } from './view.ts';

/** Writes all of a claim but its events. Source: `describePersistentVolumeClaim`. @recorded #delete-claim-in-use, #block-device, #claim-lost */
export function describeClaim(writer: DescribeWriter, claim: PersistentVolumeClaim, view: ClusterView): void {
  const bound = claim.spec.volumeName !== undefined && claim.spec.volumeName !== '';
  writer.line(0, `Name:\t${claim.metadata.name}`);
  writer.line(0, `Namespace:\t${claim.metadata.namespace ?? ''}`);
  writer.line(0, `StorageClass:\t${storageClassOf(claim)}`);
  writer.line(0, `Status:\t${statusText(claim, view.now)}`);
  writer.line(0, `Volume:\t${claim.spec.volumeName ?? ''}`);
  writeLabels(writer, 'Labels', claim.metadata.labels);
  writeAnnotations(writer, claim.metadata.annotations);
  writer.line(0, `Finalizers:\t${goSprint(claim.metadata.finalizers ?? [])}`);
  writer.line(0, `Capacity:\t${bound ? quantityText(claim.status.capacity?.storage) : ''}`);
  writer.line(0, `Access Modes:\t${bound ? accessModesText(claim.status.accessModes) : ''}`);
  if (claim.spec.volumeMode !== undefined) writer.line(0, `VolumeMode:\t${claim.spec.volumeMode}`);
  writeDataSource(writer, claim.spec.dataSource);
  writeList(writer, 'Used By', podsUsing(claim, view).map((pod) => pod.metadata.name));
  writeClaimConditions(writer, claim);
}

function statusText(object: PersistentVolumeClaim | PersistentVolume, now: number): string {
  const deleted = object.metadata.deletionTimestamp;
  return deleted === undefined ? object.status.phase : `Terminating (lasts ${ageSince(deleted, now)})`;
}

function writeDataSource(writer: DescribeWriter, dataSource: Json | undefined): void {
  if (dataSource === undefined || dataSource === null || typeof dataSource !== 'object' || Array.isArray(dataSource)) return;
  writer.line(0, 'DataSource:');
  if (dataSource['apiGroup'] !== undefined) writer.line(1, `APIGroup:\t${String(dataSource['apiGroup'])}`);
  writer.line(1, `Kind:\t${String(dataSource['kind'] ?? '')}`);
  writer.line(1, `Name:\t${String(dataSource['name'] ?? '')}`);
}

/** Pods of the namespace that mount the claim by name, finished ones too, and the pod that owns it. Source: `getPodsForPVC`. */
function podsUsing(claim: PersistentVolumeClaim, view: ClusterView): Pod[] {
  const owners = (claim.metadata.ownerReferences ?? []).filter((owner) => owner.kind === 'Pod').map((owner) => owner.uid);
  return listInOrder(view, 'Pod', claim.metadata.namespace)
    .filter((pod) => owners.includes(pod.metadata.uid) || mountsClaim(pod, claim.metadata.name))
    .toSorted((left, right) => compareKeys(left.metadata.name, right.metadata.name));
}

function mountsClaim(pod: Pod, name: string): boolean {
  return pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name) === true;
}

function writeClaimConditions(writer: DescribeWriter, claim: PersistentVolumeClaim): void {
  const conditions = claim.status.conditions ?? [];
  if (conditions.length === 0) return;
  writer.line(0, 'Conditions:');
  writer.line(1, 'Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage');
  writer.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const condition of conditions) {
    const times = `${rfc1123(condition.lastProbeTime)} \t${rfc1123(condition.lastTransitionTime)}`;
    writer.line(1, `${condition.type} \t${condition.status} \t${times} \t${condition.reason ?? ''} \t${condition.message ?? ''}`);
  }
}

/** Writes all of a volume but its events. @modelled k8s.io/kubectl/pkg/describe/describe.go, v0.35 */
export function describeVolume(writer: DescribeWriter, volume: PersistentVolume, now: number): void {
  const claim = volume.spec.claimRef;
  writer.line(0, `Name:\t${volume.metadata.name}`);
  writeLabels(writer, 'Labels', volume.metadata.labels);
  writeAnnotations(writer, volume.metadata.annotations);
  writer.line(0, `Finalizers:\t${goSprint(volume.metadata.finalizers ?? [])}`);
  writer.line(0, `StorageClass:\t${storageClassOf(volume)}`);
  writer.line(0, `Status:\t${statusText(volume, now)}`);
  writer.line(0, `Claim:\t${claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`}`);
  writer.line(0, `Reclaim Policy:\t${volume.spec.persistentVolumeReclaimPolicy ?? ''}`);
  writer.line(0, `Access Modes:\t${accessModesText(volume.spec.accessModes)}`);
  if (volume.spec.volumeMode !== undefined) writer.line(0, `VolumeMode:\t${volume.spec.volumeMode}`);
  writer.line(0, `Capacity:\t${quantityText(volume.spec.capacity.storage)}`);
  writeNodeAffinity(writer, volume.spec.nodeAffinity?.required?.nodeSelectorTerms);
  writer.line(0, `Message:\t${volume.status.message ?? ''}`);
  writer.line(0, 'Source:');
  writePersistentVolumeSource(writer, volume.spec);
}

function writeNodeAffinity(writer: DescribeWriter, terms: readonly NodeSelectorTerm[] | undefined): void {
  if (terms === undefined) {
    writer.line(0, 'Node Affinity:\t<none>');
    return;
  }
  writer.line(0, 'Node Affinity:\t');
  writer.line(1, `Required Terms:\t${terms.length === 0 ? '<none>' : ''}`);
  for (const [index, term] of terms.entries()) writeTerm(writer, `Term ${index}`, term);
}

function writeTerm(writer: DescribeWriter, title: string, term: NodeSelectorTerm): void {
  const requirements = term.matchExpressions ?? [];
  writer.write(2, `${title}:\t`);
  if (requirements.length === 0) writer.line(0, '<none>');
  for (const [index, requirement] of requirements.entries()) {
    if (index > 0) writer.write(2, '\t');
    const values = requirement.values === undefined || requirement.values.length === 0 ? '' : ` [${requirement.values.join(', ')}]`;
    writer.line(0, `${requirement.key} ${requirement.operator.toLowerCase()}${values}`);
  }
}

const DEFAULT_CLASS_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';

/** Writes all of a class but its events. @modelled k8s.io/kubectl/pkg/describe/describe.go, v0.35 */
export function describeClass(writer: DescribeWriter, storageClass: StorageClass): void {
  const isDefault = storageClass.metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true';
  writer.line(0, `Name:\t${storageClass.metadata.name}`);
  writer.line(0, `IsDefaultClass:\t${isDefault ? 'Yes' : 'No'}`);
  writer.line(0, `Annotations:\t${joined(storageClass.metadata.annotations)}`);
  writer.line(0, `Provisioner:\t${storageClass.provisioner}`);
  writer.line(0, `Parameters:\t${joined(storageClass.parameters)}`);
  writer.line(0, `AllowVolumeExpansion:\t${storageClass.allowVolumeExpansion === undefined ? '<unset>' : storageClass.allowVolumeExpansion ? 'True' : 'False'}`);
  const options = storageClass.mountOptions ?? [];
  if (options.length === 0) writer.line(0, 'MountOptions:\t<none>');
  else writeMountOptions(writer, options);
  if (storageClass.reclaimPolicy !== undefined) writer.line(0, `ReclaimPolicy:\t${storageClass.reclaimPolicy}`);
  if (storageClass.volumeBindingMode !== undefined) writer.line(0, `VolumeBindingMode:\t${storageClass.volumeBindingMode}`);
  writeAllowedTopologies(writer, storageClass);
}

function joined(map: Readonly<Record<string, string>> | undefined): string {
  const entries = sortedEntries(map ?? {});
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${String(value)}`).join(',');
}

function writeMountOptions(writer: DescribeWriter, options: readonly string[]): void {
  writer.line(0, 'MountOptions:');
  for (const option of options) writer.line(1, option);
}

function writeAllowedTopologies(writer: DescribeWriter, storageClass: StorageClass): void {
  const terms = storageClass.allowedTopologies;
  if (terms === undefined) return;
  writer.line(0, `AllowedTopologies:\t${terms.length === 0 ? '<none>' : ''}`);
  for (const [index, term] of terms.entries()) {
    writer.write(1, `Term ${index}:\t`);
    for (const [position, requirement] of (term.matchLabelExpressions ?? []).entries()) {
      if (position > 0) writer.write(1, '\t');
      writer.line(0, `${requirement.key} in [${requirement.values.join(', ')}]`);
    }
  }
}
