/** `kubectl describe pod`. Source: `describePod`, k8s.io/kubectl/pkg/describe v0.35. */
import type { Container, ContainerState, ContainerStatus, EnvVar, Json, Pod, Probe, StringMap, Toleration } from '../model/objects.ts';
import { containerResource, fieldValue } from '../model/pod-fields.ts';
import { ageSince, rfc1123 } from './age.ts';
import { writeVolumes } from './describe-volumes.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { writeAnnotations, writeLabels, writeList } from './describe-writer.ts';
import { goQuote, sortedEntries } from './go-format.ts';
import { goSort } from './go-sort.ts';
import { quantityText } from './storage-text.ts';

/** Writes all of a pod but its events. `now` in milliseconds since the epoch. @recorded #missing-secret, #bind-reverts, #rwop-preemption, #wait-pod-unschedulable */
export function describePod(writer: DescribeWriter, pod: Pod, now: number): void {
  writeIdentity(writer, pod);
  writeStatus(writer, pod, now);
  if (pod.spec.initContainers !== undefined && pod.spec.initContainers.length > 0) {
    writeContainers(writer, 'Init Containers', pod, pod.spec.initContainers, pod.status.initContainerStatuses);
  }
  writeContainers(writer, 'Containers', pod, pod.spec.containers, pod.status.containerStatuses);
  writeConditions(writer, pod);
  writeVolumes(writer, pod.spec.volumes);
  writer.line(0, `QoS Class:\t${pod.status.qosClass ?? 'BestEffort'}`);
  writeLabels(writer, 'Node-Selectors', pod.spec.nodeSelector);
  writeTolerations(writer, pod.spec.tolerations);
}

export function writeTolerations(writer: DescribeWriter, tolerations: readonly Toleration[] | undefined, title = 'Tolerations'): void {
  const byKey = goSort(tolerations ?? [], (left, right) => (left.key ?? '') < (right.key ?? ''));
  writeList(writer, title, byKey.map(tolerationText));
}

function writeIdentity(writer: DescribeWriter, pod: Pod): void {
  writer.line(0, `Name:\t${pod.metadata.name}`);
  writer.line(0, `Namespace:\t${pod.metadata.namespace ?? ''}`);
  if (pod.spec.priority !== undefined) writer.line(0, `Priority:\t${pod.spec.priority}`);
  if (filled(pod.spec.priorityClassName)) writer.line(0, `Priority Class Name:\t${pod.spec.priorityClassName}`);
  if (filled(pod.spec.serviceAccountName)) writer.line(0, `Service Account:\t${pod.spec.serviceAccountName}`);
  writer.line(0, `Node:\t${filled(pod.spec.nodeName) ? `${pod.spec.nodeName}/${pod.status.hostIP ?? ''}` : '<none>'}`);
  if (pod.status.startTime !== undefined) writer.line(0, `Start Time:\t${rfc1123(pod.status.startTime)}`);
  writeLabels(writer, 'Labels', pod.metadata.labels);
  writeAnnotations(writer, pod.metadata.annotations);
}

function writeStatus(writer: DescribeWriter, pod: Pod, now: number): void {
  const { phase } = pod.status;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp !== undefined && phase !== 'Failed' && phase !== 'Succeeded') {
    writer.line(0, `Status:\tTerminating (lasts ${ageSince(deletionTimestamp, now)})`);
    writer.line(0, `Termination Grace Period:\t${deletionGracePeriodSeconds ?? 0}s`);
  } else {
    writer.line(0, `Status:\t${phase}`);
  }
  if (filled(pod.status.reason)) writer.line(0, `Reason:\t${pod.status.reason}`);
  if (filled(pod.status.message)) writer.line(0, `Message:\t${pod.status.message}`);
  writer.line(0, `IP:\t${pod.status.podIP ?? ''}`);
  writePodIps(writer, pod);
  const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller !== undefined) writer.line(0, `Controlled By:\t${controller.kind}/${controller.name}`);
  if (filled(pod.status.nominatedNodeName)) writer.line(0, `NominatedNodeName:\t${pod.status.nominatedNodeName}`);
}

function writePodIps(writer: DescribeWriter, pod: Pod): void {
  const addresses = pod.status.podIPs ?? [];
  writer.line(0, addresses.length === 0 ? 'IPs:\t<none>' : 'IPs:');
  for (const address of addresses) writer.line(1, `IP:\t${address.ip}`);
}

function filled(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** Containers of a pod, or of a template: that has no statuses, and kubectl moves its titles by two blanks and its names by one. */
export function writeContainers(writer: DescribeWriter, title: string, pod: Pod | undefined, containers: readonly Container[], statuses: readonly ContainerStatus[] | undefined): void {
  writer.line(0, `${pod ? '' : '  '}${title}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses?.find((candidate) => candidate.name === container.name);
    writeContainerIdentity(writer, container, status, pod ? '' : ' ');
    writeWords(writer, 'Command', container.command);
    writeWords(writer, 'Args', container.args);
    if (status !== undefined) writeContainerStatus(writer, status);
    writeResources(writer, 'Limits', container.resources?.limits);
    writeResources(writer, 'Requests', container.resources?.requests);
    writeProbes(writer, container);
    writeEnvironment(writer, pod, container);
    writeMounts(writer, container);
  }
}

interface ContainerPort {
  readonly name?: string;
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly protocol?: string;
}

function writeContainerIdentity(writer: DescribeWriter, container: Container, status: ContainerStatus | undefined, indent: string): void {
  writer.line(1, `${indent}${container.name}:`);
  if (status !== undefined) writer.line(2, `Container ID:\t${status.containerID ?? ''}`);
  writer.line(2, `Image:\t${container.image}`);
  if (status !== undefined) writer.line(2, `Image ID:\t${status.imageID}`);
  const ports = (container as { readonly ports?: readonly ContainerPort[] }).ports ?? [];
  writePorts(writer, 'Port', ports, (port) => port.containerPort ?? 0);
  writePorts(writer, 'Host Port', ports, (port) => port.hostPort ?? 0);
}

function writePorts(writer: DescribeWriter, title: string, ports: readonly ContainerPort[], numberOf: (port: ContainerPort) => number): void {
  const texts = ports.map((port) => `${numberOf(port)}/${port.protocol ?? 'TCP'}${filled(port.name) ? ` (${port.name})` : ''}`);
  if (texts.length > 1) writer.line(2, `${title}s:\t${texts.join(', ')}`);
  else writer.line(2, `${title}:\t${texts[0] ?? '<none>'}`);
}

function writeWords(writer: DescribeWriter, title: string, words: readonly string[] | undefined): void {
  if (words === undefined || words.length === 0) return;
  writer.line(2, `${title}:`);
  for (const word of words) {
    for (const line of word.split('\n')) writer.line(3, line);
  }
}

function writeContainerStatus(writer: DescribeWriter, status: ContainerStatus): void {
  writeState(writer, 'State', status.state);
  if (status.lastState.terminated !== undefined) writeState(writer, 'Last State', status.lastState);
  writer.line(2, `Ready:\t${status.ready ? 'True' : 'False'}`);
  writer.line(2, `Restart Count:\t${status.restartCount}`);
}

function writeState(writer: DescribeWriter, title: string, state: ContainerState): void {
  if (state.running !== undefined) {
    writer.line(2, `${title}:\tRunning`);
    writer.line(3, `Started:\t${rfc1123(state.running.startedAt)}`);
  } else if (state.terminated !== undefined) {
    const { terminated } = state;
    const message = (terminated as { readonly message?: string }).message;
    writer.line(2, `${title}:\tTerminated`);
    if (terminated.reason !== '') writer.line(3, `Reason:\t${terminated.reason}`);
    if (filled(message)) writer.line(3, `Message:\t${message}`);
    writer.line(3, `Exit Code:\t${terminated.exitCode}`);
    writer.line(3, `Started:\t${rfc1123(terminated.startedAt)}`);
    writer.line(3, `Finished:\t${rfc1123(terminated.finishedAt)}`);
  } else {
    writer.line(2, `${title}:\tWaiting`);
    if (filled(state.waiting?.reason)) writer.line(3, `Reason:\t${state.waiting.reason}`);
  }
}

function writeResources(writer: DescribeWriter, title: string, resources: StringMap | undefined): void {
  const entries = sortedEntries(resources ?? {});
  if (entries.length > 0) writer.line(2, `${title}:`);
  for (const [name, quantity] of entries) writer.line(3, `${name}:\t${quantityText(String(quantity))}`);
}

function writeProbes(writer: DescribeWriter, { livenessProbe, readinessProbe, startupProbe }: Container): void {
  if (livenessProbe !== undefined) writer.line(2, `Liveness:\t${probeText(livenessProbe)}`);
  if (readinessProbe !== undefined) writer.line(2, `Readiness:\t${probeText(readinessProbe)}`);
  if (startupProbe !== undefined) writer.line(2, `Startup:\t${probeText(startupProbe)}`);
}

/** Numbers that a probe leaves out are those the API server fills in. */
function probeText(probe: Probe): string {
  const numbers =
    `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 1}s period=${probe.periodSeconds ?? 10}s` +
    ` #success=${probe.successThreshold ?? 1} #failure=${probe.failureThreshold ?? 3}`;
  if (probe.exec !== undefined) return `exec [${(probe.exec.command ?? []).join(' ')}] ${numbers}`;
  if (probe.httpGet !== undefined) {
    const { scheme, host, port, path } = probe.httpGet;
    return `http-get ${text(scheme, 'HTTP').toLowerCase()}://${text(host)}:${text(port)}${text(path)} ${numbers}`;
  }
  if (probe.tcpSocket !== undefined) return `tcp-socket ${text(probe.tcpSocket['host'])}:${text(probe.tcpSocket['port'])} ${numbers}`;
  if (probe.grpc !== undefined) return `grpc <pod>:${text(probe.grpc['port'])} ${text(probe.grpc['service'])} ${numbers}`;
  return `unknown ${numbers}`;
}

function text(value: Json | undefined, otherwise = ''): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

function writeEnvironment(writer: DescribeWriter, pod: Pod | undefined, container: Container): void {
  if (container.envFrom !== undefined && container.envFrom.length > 0) writeEnvironmentSources(writer, container.envFrom);
  const variables = container.env ?? [];
  writer.line(2, variables.length === 0 ? 'Environment:\t<none>' : 'Environment:');
  for (const variable of variables) writeVariable(writer, pod, container, variable);
}

/** Source: `describeContainerEnvFrom`. */
function writeEnvironmentSources(writer: DescribeWriter, sources: NonNullable<Container['envFrom']>): void {
  writer.line(2, 'Environment Variables from:');
  for (const { prefix, configMapRef, secretRef } of sources) {
    const source = configMapRef ?? secretRef;
    const kind = configMapRef !== undefined ? 'ConfigMap' : secretRef !== undefined ? 'Secret' : '';
    const described = filled(prefix) ? `${kind} with prefix '${prefix}'` : kind;
    writer.line(3, `${source?.name ?? ''}\t${described}\tOptional: ${source?.optional ?? false}`);
  }
}

function writeVariable(writer: DescribeWriter, pod: Pod | undefined, container: Container, variable: EnvVar): void {
  const from = variable.valueFrom;
  if (from === undefined) {
    for (const [index, line] of (variable.value ?? '').split('\n').entries()) {
      writer.line(3, index === 0 ? `${variable.name}:\t${line}` : `\t${line}`);
    }
  } else if (from.fieldRef !== undefined) {
    const { fieldPath } = from.fieldRef;
    writer.line(3, `${variable.name}:\t${pod ? fieldValue(pod, fieldPath) : ''} (v1:${fieldPath})`);
  } else if (from.resourceFieldRef !== undefined) {
    const { resource } = from.resourceFieldRef;
    const value = containerResource(container, from.resourceFieldRef);
    writer.line(3, `${variable.name}:\t${value === '0' && /^limits\.(cpu|memory)$/.test(resource) ? 'node allocatable' : value} (${resource})`);
  } else if (from.secretKeyRef !== undefined) {
    writer.line(3, `${variable.name}:\t<set to the key '${from.secretKeyRef.key}' in secret '${from.secretKeyRef.name}'>\tOptional: ${from.secretKeyRef.optional ?? false}`);
  } else if (from.configMapKeyRef !== undefined) {
    writer.line(3, `${variable.name}:\t<set to the key '${from.configMapKeyRef.key}' of config map '${from.configMapKeyRef.name}'>\tOptional: ${from.configMapKeyRef.optional ?? false}`);
  }
}

function writeMounts(writer: DescribeWriter, container: Container): void {
  const mounts = goSort(container.volumeMounts ?? [], (left, right) => left.mountPath < right.mountPath);
  const none = mounts.length === 0 ? '\t<none>' : '';
  writer.line(2, `Mounts:${none}`);
  for (const mount of mounts) {
    const path = filled(mount.subPath) ? `,path=${goQuote(mount.subPath)}` : '';
    writer.line(3, `${mount.mountPath} from ${mount.name} (${mount.readOnly === true ? 'ro' : 'rw'}${path})`);
  }
  const devices = goSort(container.volumeDevices ?? [], (left, right) => left.devicePath < right.devicePath);
  if (devices.length === 0) return;
  // kubectl prints the `<none>` of the mounts here too.
  writer.line(2, `Devices:${none}`);
  for (const device of devices) writer.line(3, `${device.devicePath} from ${device.name}`);
}

function writeConditions(writer: DescribeWriter, pod: Pod): void {
  const conditions = pod.status.conditions ?? [];
  if (conditions.length === 0) return;
  writer.write(0, 'Conditions:\n  Type\tStatus\n');
  for (const condition of conditions) writer.line(1, `${condition.type} \t${condition.status} `);
}

/** Source: `printTolerationsMultilineWithIndent`. */
function tolerationText(toleration: Toleration): string {
  const key = toleration.key ?? '';
  const value = filled(toleration.value) ? `=${toleration.value}` : '';
  const effect = filled(toleration.effect) ? `:${toleration.effect}` : '';
  const everything = key === '' && effect === '';
  const exists = toleration.operator === 'Exists' && value === '' ? `${everything ? '' : ' '}op=Exists` : '';
  const seconds = toleration.tolerationSeconds === undefined ? '' : ` for ${toleration.tolerationSeconds}s`;
  return key + value + effect + exists + seconds;
}
