/** `kubectl logs` of one container: what it printed, or why there is nothing to read. Source: k8s.io/kubectl/pkg/cmd/logs, v0.35. */
import type { ContainerStatus, Pod } from '../model/objects.ts';
import type { LogsCommand } from './command.ts';
import { defaultedNote } from './exec.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notFound } from './outcome.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import type { ClusterView } from './view.ts';
import { findObject } from './view.ts';

/** Throws a KubectlError for a container that has no logs. @modelled pkg/kubelet/kubelet_pods.go validateContainerLogStatus, v1.35 */
export function runLogs(command: LogsCommand, view: ClusterView): KubectlOutcome {
  const namespace = command.namespace ?? view.namespace;
  const pod = findObject(view, 'Pod', command.pod, namespace);
  if (pod === undefined) throw notFound(qualifiedPlural(resourceOfKind('Pod')), command.pod);
  const container = command.container ?? pod.spec.containers[0]?.name ?? '';
  const known = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(({ name }) => name === container);
  if (!known) throw new KubectlError(`Error from server (BadRequest): container ${container} is not valid for pod ${pod.metadata.name}`);
  const note = defaultedNote(command, pod, container);
  // A pod that stands on no node has no logs, and that is no error.
  if (pod.spec.nodeName === undefined) return { code: 0, text: note };
  const reason = whyNoLogs(pod, container, command.previous);
  if (reason !== undefined) throw new KubectlError(`${note}Error from server (BadRequest): ${reason}`);
  if (view.logs === undefined) throw new KubectlError('error: kubectl logs is not modelled where there are no processes, as in a recorded trace');
  return { code: 0, text: note + lastLines(view.logs({ namespace, pod: command.pod, container, previous: command.previous }), command.tail) };
}

function whyNoLogs(pod: Pod, container: string, previous: boolean): string | undefined {
  const where = `container "${container}" in pod "${pod.metadata.name}"`;
  const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(({ name }) => name === container);
  if (status === undefined) return `${where} is not available`;
  if (previous) return idOf(status.lastState) === undefined ? `previous terminated ${where} not found` : undefined;
  if (status.state.running !== undefined || idOf(status.lastState) !== undefined || idOf(status.state) !== undefined) return undefined;
  if (status.state.terminated !== undefined) return `${where} is terminated`;
  return `${where} is waiting to start: ${status.state.waiting?.reason ?? ''}`;
}

function idOf({ terminated }: ContainerStatus['state']): string | undefined {
  return terminated?.containerID === undefined || terminated.containerID === '' ? undefined : terminated.containerID;
}

function lastLines(text: string, tail: number | undefined): string {
  if (tail === undefined || tail < 0) return text;
  const lines = text.split('\n');
  const open = lines.at(-1) === '' ? 1 : 0;
  return lines.slice(Math.max(0, lines.length - open - tail)).join('\n');
}
