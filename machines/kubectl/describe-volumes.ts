/** The Volumes of a pod and the Source of a PersistentVolume. Source: `describeVolumes`, k8s.io/kubectl/pkg/describe v0.35. */
import type { CSIVolumeSource, PersistentVolumeClaimSpec, ProjectedSource, StringMap, Volume } from '../model/objects.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { writeAnnotations, writeLabels, writeVolumeAttributes } from './describe-writer.ts';

type Rows = readonly (readonly [string, unknown])[];

/** Writes the volumes of a pod, or `<none>`. @recorded #missing-secret, #configmap-key-missing, #read-only-mount */
export function writeVolumes(writer: DescribeWriter, volumes: readonly Volume[] | undefined, ofTemplate = false): void {
  const indent = ofTemplate ? '  ' : '';
  if (volumes === undefined || volumes.length === 0) {
    writer.line(0, `${indent}Volumes:\t<none>`);
    return;
  }
  writer.line(0, `${indent}Volumes:`);
  for (const volume of volumes) {
    writer.line(1, `${ofTemplate ? ' ' : ''}${volume.name}:`);
    writeVolumeSource(writer, volume);
  }
}

function writeVolumeSource(writer: DescribeWriter, volume: Volume): void {
  if (volume.hostPath !== undefined) return writeHostPath(writer, volume.hostPath);
  if (volume.emptyDir !== undefined) return writeEmptyDir(writer, volume.emptyDir);
  if (volume.secret !== undefined) {
    return writeRows(writer, 'Secret (a volume populated by a Secret)', [
      ['SecretName', volume.secret.secretName],
      ['Optional', volume.secret.optional ?? false],
    ]);
  }
  if (volume.configMap !== undefined) {
    return writeRows(writer, 'ConfigMap (a volume populated by a ConfigMap)', [
      ['Name', volume.configMap.name],
      ['Optional', volume.configMap.optional ?? false],
    ]);
  }
  if (volume.persistentVolumeClaim !== undefined) {
    return writeRows(writer, 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)', [
      ['ClaimName', volume.persistentVolumeClaim.claimName],
      ['ReadOnly', volume.persistentVolumeClaim.readOnly ?? false],
    ]);
  }
  if (volume.ephemeral !== undefined) return writeEphemeral(writer, volume.ephemeral.volumeClaimTemplate);
  if (volume.downwardAPI !== undefined) return writeDownwardApi(writer, volume.downwardAPI);
  if (volume.projected !== undefined) return writeProjected(writer, volume.projected.sources);
  if (volume.csi !== undefined) {
    const { driver, readOnly, volumeAttributes } = volume.csi;
    writeRows(writer, CSI_TYPE, [['Driver', driver], ['FSType', (volume.csi as { readonly fsType?: string }).fsType ?? ''], ['ReadOnly', readOnly ?? false]]);
    return writeVolumeAttributes(writer, volumeAttributes);
  }
  writer.line(1, '<unknown>');
}

const CSI_TYPE = 'CSI (a Container Storage Interface (CSI) volume source)';

function writeRows(writer: DescribeWriter, type: string, rows: Rows): void {
  writer.line(2, `Type:\t${type}`);
  for (const [title, value] of rows) writer.line(2, `${title}:\t${String(value)}`);
}

function writeHostPath(writer: DescribeWriter, source: { readonly path: string; readonly type?: string | undefined }): void {
  writeRows(writer, 'HostPath (bare host directory volume)', [['Path', source.path], ['HostPathType', source.type ?? '<none>']]);
}

function writeEmptyDir(writer: DescribeWriter, source: { readonly medium?: string | undefined; readonly sizeLimit?: string | undefined }): void {
  writeRows(writer, "EmptyDir (a temporary directory that shares a pod's lifetime)", [
    ['Medium', source.medium ?? ''],
    ['SizeLimit', source.sizeLimit ?? '<unset>'],
  ]);
}

function writeProjected(writer: DescribeWriter, sources: readonly ProjectedSource[]): void {
  writeRows(writer, 'Projected (a volume that contains injected data from multiple sources)', []);
  for (const source of sources) {
    for (const [title, value] of projectedRows(source)) writer.line(2, `${title}:\t${String(value)}`);
  }
}

function projectedRows(source: ProjectedSource): Rows {
  if (source.secret !== undefined) return [['SecretName', source.secret.name], ['Optional', source.secret.optional ?? false]];
  if (source.downwardAPI !== undefined) return [['DownwardAPI', true]];
  if (source.configMap !== undefined) return [['ConfigMapName', source.configMap.name], ['Optional', source.configMap.optional ?? false]];
  if (source.serviceAccountToken !== undefined) return [['TokenExpirationSeconds', source.serviceAccountToken.expirationSeconds ?? 3600]];
  return [];
}

interface DownwardItem {
  readonly path?: string;
  readonly fieldRef?: { readonly fieldPath?: string };
  readonly resourceFieldRef?: { readonly resource?: string };
}

/** @modelled k8s.io/kubectl/pkg/describe/describe.go, v0.35 */
function writeDownwardApi(writer: DescribeWriter, source: unknown): void {
  writeRows(writer, 'DownwardAPI (a volume populated by information about the pod)', []);
  writer.line(2, 'Items:');
  for (const item of (source as { readonly items?: readonly DownwardItem[] }).items ?? []) {
    const from = item.fieldRef?.fieldPath ?? item.resourceFieldRef?.resource;
    if (from !== undefined) writer.line(3, `${from} -> ${item.path ?? ''}`);
  }
}

interface ClaimTemplate {
  readonly metadata?: { readonly labels?: StringMap | undefined; readonly annotations?: StringMap | undefined } | undefined;
  readonly spec: PersistentVolumeClaimSpec;
}

/** The claim's template, without the fields that only a claim has. @modelled k8s.io/kubectl/pkg/describe/describe.go, v0.35 */
function writeEphemeral(writer: DescribeWriter, template: ClaimTemplate): void {
  writeRows(writer, 'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)', []);
  const inner = writer.nested(2);
  inner.line(0, `StorageClass:\t${template.spec.storageClassName ?? ''}`);
  inner.line(0, `Volume:\t${template.spec.volumeName ?? ''}`);
  writeLabels(inner, 'Labels', template.metadata?.labels);
  writeAnnotations(inner, template.metadata?.annotations);
  inner.line(0, 'Capacity:\t');
  inner.line(0, 'Access Modes:\t');
  if (template.spec.volumeMode !== undefined) inner.line(0, `VolumeMode:\t${template.spec.volumeMode}`);
}

interface PersistentVolumeSource {
  readonly hostPath?: { readonly path: string; readonly type?: string | undefined } | undefined;
  readonly local?: { readonly path: string } | undefined;
  readonly nfs?: { readonly server?: string; readonly path?: string; readonly readOnly?: boolean } | undefined;
  readonly csi?: CSIVolumeSource | undefined;
}

/** What stands under `Source:` of a PersistentVolume. */
export function writePersistentVolumeSource(writer: DescribeWriter, source: PersistentVolumeSource): void {
  if (source.hostPath !== undefined) return writeHostPath(writer, source.hostPath);
  if (source.nfs !== undefined) {
    return writeRows(writer, 'NFS (an NFS mount that lasts the lifetime of a pod)', [
      ['Server', source.nfs.server ?? ''],
      ['Path', source.nfs.path ?? ''],
      ['ReadOnly', source.nfs.readOnly ?? false],
    ]);
  }
  if (source.local !== undefined) {
    return writeRows(writer, 'LocalVolume (a persistent volume backed by local storage on a node)', [['Path', source.local.path]]);
  }
  if (source.csi !== undefined) {
    const { driver, fsType, volumeHandle, readOnly, volumeAttributes } = source.csi;
    writeRows(writer, CSI_TYPE, [['Driver', driver], ['FSType', fsType ?? ''], ['VolumeHandle', volumeHandle], ['ReadOnly', readOnly ?? false]]);
    return writeVolumeAttributes(writer, volumeAttributes);
  }
  writer.line(1, '<unknown>');
}
