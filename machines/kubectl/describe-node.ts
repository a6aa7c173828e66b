/** `kubectl describe node`. Source: `NodeDescriber`, k8s.io/kubectl/pkg/describe/describe.go, v0.35. */
import type { Condition, Lease, Node, Pod, StringMap, Taint } from '../model/objects.ts';
import { ageSince, rfc1123 } from './age.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { writeAnnotations, writeLabels, writeList } from './describe-writer.ts';
import { sortedEntries } from './go-format.ts';
import { goSort } from './go-sort.ts';
import { notFound } from './outcome.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import type { Totals } from './resource-totals.ts';
import { added, podTotals, readTotals, shareText, totalOf, totalText } from './resource-totals.ts';
import { nodeRoles } from './tables.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';

const LEASE_NAMESPACE = 'kube-node-lease';

/**
 * All of a node but its events. What the node does not say (a machine id, the kernel) is printed empty, as kubectl does;
 * pods are those of this cluster's own workloads.
 * @modelled k8s.io/kubectl pkg/describe/describe.go, v0.35
 */
export function describeNode(writer: DescribeWriter, node: Node, view: ClusterView): void {
  writer.line(0, `Name:\t${node.metadata.name}`);
  writer.line(0, `Roles:\t${nodeRoles(node)}`);
  writeLabels(writer, 'Labels', node.metadata.labels);
  writeAnnotations(writer, node.metadata.annotations);
  writer.line(0, `CreationTimestamp:\t${rfc1123(node.metadata.creationTimestamp)}`);
  writeList(writer, 'Taints', goSort(node.spec.taints ?? [], (left, right) => taintOrder(left) < taintOrder(right)).map(taintText));
  writer.line(0, `Unschedulable:\t${String(node.spec.unschedulable ?? false)}`);
  writeLease(writer, findObject(view, 'Lease', node.metadata.name, LEASE_NAMESPACE), node.metadata.name);
  writeConditions(writer, node.status.conditions ?? []);
  writer.line(0, 'Addresses:');
  for (const { type, address } of node.status.addresses ?? []) writer.line(1, `${type}:\t${address}`);
  writeQuantities(writer, 'Capacity', node.status.capacity);
  writeQuantities(writer, 'Allocatable', node.status.allocatable);
  writeSystem(writer, node);
  writePods(writer, node, podsNotEnded(view, node.metadata.name), view.now);
}

function taintOrder({ effect, key }: Taint): string {
  return `${effect},${key}`;
}

/** Source: `Taint.ToString`, k8s.io/api core/v1. */
function taintText({ key, value = '', effect }: Taint): string {
  return value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`;
}

function writeLease(writer: DescribeWriter, lease: Lease | undefined, node: string): void {
  if (lease === undefined) {
    const { message } = notFound(qualifiedPlural(resourceOfKind('Lease')), node);
    writer.line(0, `Lease:\tFailed to get lease: ${message.replace(/^Error from server \(NotFound\): /, '')}`);
    return;
  }
  writer.line(0, 'Lease:');
  writer.line(1, `HolderIdentity:\t${lease.spec.holderIdentity}`);
  writer.line(1, 'AcquireTime:\t<unset>');
  writer.line(1, `RenewTime:\t${rfc1123(lease.spec.renewTime)}`);
}

function writeConditions(writer: DescribeWriter, conditions: readonly Condition[]): void {
  if (conditions.length === 0) return;
  writer.write(0, 'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n');
  writer.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const { type, status, lastHeartbeatTime, lastTransitionTime, reason = '', message = '' } of conditions) {
    writer.line(1, `${type} \t${status} \t${rfc1123(lastHeartbeatTime)} \t${rfc1123(lastTransitionTime)} \t${reason} \t${message}`);
  }
}

function writeQuantities(writer: DescribeWriter, title: string, list: StringMap | undefined): void {
  const entries = sortedEntries(list ?? {});
  if (entries.length > 0) writer.line(0, `${title}:`);
  for (const [resource, quantity] of entries) writer.line(1, `${resource}:\t${String(quantity)}`);
}

const SYSTEM_INFO: readonly (readonly [string, string])[] = [
  ['Machine ID', 'machineID'], ['System UUID', 'systemUUID'], ['Boot ID', 'bootID'], ['Kernel Version', 'kernelVersion'],
  ['OS Image', 'osImage'], ['Operating System', 'operatingSystem'], ['Architecture', 'architecture'],
  ['Container Runtime Version', 'containerRuntimeVersion'], ['Kubelet Version', 'kubeletVersion'], ['Kube-Proxy Version', 'kubeProxyVersion'],
];

function writeSystem(writer: DescribeWriter, { spec, status }: Node): void {
  writer.line(0, 'System Info:');
  for (const [title, field] of SYSTEM_INFO) writer.line(1, `${title}:\t${status.nodeInfo?.[field] ?? ''}`);
  const ranges = (spec as { readonly podCIDRs?: readonly string[] }).podCIDRs ?? [];
  if ((spec.podCIDR ?? '') !== '') writer.line(0, `PodCIDR:\t${spec.podCIDR ?? ''}`);
  if (ranges.length > 0) writer.line(0, `PodCIDRs:\t${ranges.join(',')}`);
  if ((spec.providerID ?? '') !== '') writer.line(0, `ProviderID:\t${spec.providerID ?? ''}`);
}

function podsNotEnded(view: ClusterView, node: string): Pod[] {
  return listInOrder(view, 'Pod', undefined).filter(({ spec, status }) => spec.nodeName === node && status.phase !== 'Succeeded' && status.phase !== 'Failed');
}

const SHOWN_FOR_PODS = ['cpu', 'memory'] as const;
const STANDARD_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);
const HUGE_PAGES = 'hugepages-';

/** Source: `describeNodeResource`. */
function writePods(writer: DescribeWriter, { status }: Node, pods: readonly Pod[], now: number): void {
  const whole = readTotals(Object.keys(status.allocatable ?? {}).length > 0 ? status.allocatable : status.capacity);
  writer.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  writer.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  writer.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  let requests: Totals = new Map();
  let limits: Totals = new Map();
  for (const pod of pods) {
    const [asked, most] = [podTotals(pod, 'requests'), podTotals(pod, 'limits')];
    const cells = SHOWN_FOR_PODS.flatMap((resource) => [asked, most].map((totals) => shareText(resource, totalOf(totals, resource), totalOf(whole, resource))));
    writer.line(1, `${pod.metadata.namespace ?? ''}\t${pod.metadata.name}\t\t${cells.join('\t')}\t${ageSince(pod.metadata.creationTimestamp, now)}`);
    requests = added(requests, asked);
    limits = added(limits, most);
  }
  writer.write(0, 'Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n');
  writer.line(1, 'Resource\tRequests\tLimits');
  writer.line(1, '--------\t--------\t------');
  const others = [...whole.keys()].filter((resource) => !STANDARD_RESOURCES.has(resource)).sort();
  const huge = others.filter((resource) => resource.startsWith(HUGE_PAGES));
  for (const resource of ['cpu', 'memory', 'ephemeral-storage', ...huge]) {
    writer.line(1, `${resource}\t${[requests, limits].map((totals) => shareText(resource, totalOf(totals, resource), totalOf(whole, resource))).join('\t')}`);
  }
  for (const resource of others.filter((name) => !huge.includes(name))) {
    writer.line(1, `${resource}\t${[requests, limits].map((totals) => totalText(resource, totalOf(totals, resource))).join('\t')}`);
  }
}
