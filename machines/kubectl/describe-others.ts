/** `kubectl describe` of the kinds around storage. Source: k8s.io/kubectl/pkg/describe/describe.go, v0.35. */
import type { AnyObject, ConfigMap, CSINode, PodDisruptionBudget, Secret } from '../model/objects.ts';
import { rfc1123 } from './age.ts';
import { writeAnnotations, writeLabels, type DescribeWriter } from './describe-writer.ts';
import { goSprint, sortedEntries } from './go-format.ts';
import { formatLabelSelector } from './selector.ts';

/**
 * A kind that kubectl has no describer for: every field as it stands, in the order of the names, which are spelled out.
 * Source: `genericDescriber`, `printUnstructuredContent`. @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35
 */
export function describeGenerically(writer: DescribeWriter, object: AnyObject): void {
  const { name, namespace = '', labels, annotations, ...metadata } = object.metadata;
  writer.line(0, `Name:\t${name}`);
  writer.line(0, `Namespace:\t${namespace}`);
  writeLabels(writer, 'Labels', labels);
  writeAnnotations(writer, annotations);
  writeFields(writer, 0, { ...object, metadata });
}

function writeFields(writer: DescribeWriter, level: number, fields: object): void {
  for (const [field, value] of sortedEntries(fields as Readonly<Record<string, unknown>>)) {
    if (value === undefined) continue;
    const label = labelOf(field);
    if (Array.isArray(value)) {
      writer.line(level, `${label}:`);
      for (const item of value as unknown[]) {
        if (isMap(item)) writeFields(writer, level + 1, item);
        else writer.line(level + 1, String(item));
      }
    } else if (isMap(value)) {
      writer.line(level, `${label}:`);
      writeFields(writer, level + 1, value);
    } else {
      writer.line(level, `${label}:\t${value === null ? '<nil>' : String(value)}`);
    }
  }
}

function isMap(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

const ACRONYMS = ['API', 'URL', 'UID', 'OSB', 'GUID'];

/** `nodeName` → `Node Name`, `uid` → `UID`; a name with other characters than letters and dashes stays. Source: `smartLabelFor`. */
function labelOf(field: string): string {
  if (!/^[A-Za-z-]+$/.test(field)) return field;
  const parts = field.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|-/g) ?? [];
  return parts.map((part) => (ACRONYMS.includes(part.toUpperCase()) ? part.toUpperCase() : part.charAt(0).toUpperCase() + part.slice(1))).join(' ');
}

/** Source: `describeCSINode`. @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35 */
export function describeCsiNode(writer: DescribeWriter, node: CSINode): void {
  writer.line(0, `Name:\t${node.metadata.name}`);
  writeLabels(writer, 'Labels', node.metadata.labels);
  writeAnnotations(writer, node.metadata.annotations);
  writer.line(0, `CreationTimestamp:\t${rfc1123(node.metadata.creationTimestamp)}`);
  writer.line(0, 'Spec:');
  if (!node.spec.drivers) return;
  writer.line(1, 'Drivers:');
  for (const { name, nodeID, allocatable, topologyKeys } of node.spec.drivers) {
    writer.line(2, `${name}:`);
    writer.line(3, `Node ID:\t${nodeID}`);
    if (allocatable?.count !== undefined) {
      writer.line(3, 'Allocatables:');
      writer.line(4, `Count:\t${allocatable.count}`);
    }
    if (topologyKeys) writer.line(3, `Topology Keys:\t${goSprint(topologyKeys)}`);
  }
}

/** Values are only counted. Source: `describeSecret`. @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35 */
export function describeSecret(writer: DescribeWriter, secret: Secret): void {
  writeHead(writer, secret);
  writer.line(0, `\nType:\t${secret.type ?? ''}`);
  writer.line(0, '\nData\n====');
  for (const [key, value] of sortedEntries(secret.data ?? {})) writer.line(0, `${key}:\t${new TextEncoder().encode(String(value)).length} bytes`);
}

/** Source: `ConfigMapDescriber`. @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35 */
export function describeConfigMap(writer: DescribeWriter, configMap: ConfigMap): void {
  writeHead(writer, configMap);
  writer.line(0, '\nData\n====');
  for (const [key, value] of sortedEntries(configMap.data ?? {})) writer.line(0, `${key}:\n----\n${String(value)}\n`);
  writer.line(0, '\nBinaryData\n====');
  writer.line(0, '');
}

/** Source: `describePodDisruptionBudget`. @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35 */
export function describeBudget(writer: DescribeWriter, { metadata, spec, status }: PodDisruptionBudget): void {
  writer.line(0, `Name:\t${metadata.name}`);
  writer.line(0, `Namespace:\t${metadata.namespace ?? ''}`);
  if (spec.minAvailable !== undefined) writer.line(0, `Min available:\t${spec.minAvailable}`);
  else if (spec.maxUnavailable !== undefined) writer.line(0, `Max unavailable:\t${spec.maxUnavailable}`);
  writer.line(0, `Selector:\t${spec.selector === undefined ? '<unset>' : formatLabelSelector(spec.selector)}`);
  writer.line(0, 'Status:');
  writer.line(2, `Allowed disruptions:\t${status.disruptionsAllowed}`);
  writer.line(2, `Current:\t${status.currentHealthy}`);
  writer.line(2, `Desired:\t${status.desiredHealthy}`);
  writer.line(2, `Total:\t${status.expectedPods}`);
}

function writeHead(writer: DescribeWriter, { metadata }: Secret | ConfigMap): void {
  writer.line(0, `Name:\t${metadata.name}`);
  writer.line(0, `Namespace:\t${metadata.namespace ?? ''}`);
  writeLabels(writer, 'Labels', metadata.labels);
  writeAnnotations(writer, metadata.annotations);
}
