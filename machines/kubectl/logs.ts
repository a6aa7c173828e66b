/** `kubectl logs` of one container: what it printed, or why there is nothing to read. Source: k8s.io/kubectl/pkg/cmd/logs, v0.35. */
import type { ContainerStatus, Pod } from '../model/objects.ts';
import type { LogsCommand } from './command.ts';
import { defaultedNote } from './exec.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notFound } from './outcome.ts';
import { noPodInTime, podsOfWorkload } from './pod-of.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import { labelMatcher } from './selector.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';

/** Of pods that a selector keeps, kubectl shows the last lines only. */
const TAIL_OF_SELECTED = 10;

/**
 * One pod's log, or those of several pods one after the other; the first that cannot be read ends it.
 * @modelled k8s.io/kubectl pkg/cmd/logs/logs.go, v0.35
 */
export function runLogs(command: LogsCommand, view: ClusterView): KubectlOutcome {
  const namespace = command.namespace ?? view.namespace;
  if (command.selector !== '') {
    const pods = listInOrder(view, 'Pod', namespace).filter(labelMatcher(command.selector) as (pod: Pod) => boolean);
    if (pods.length === 0) return { code: 0, text: `No resources found in ${namespace} namespace.\n` };
    return logsOf(pods, { ...command, tail: command.tail ?? TAIL_OF_SELECTED }, view);
  }
  if (command.workload !== undefined) {
    const [first, ...others] = podsOfWorkload(command.workload, namespace, view);
    // kubectl waits 20 s for a pod to come.
    if (first === undefined) return { code: 1, text: `${noPodInTime().message}\n`, durationMs: 20_000 };
    const { code, text } = logsOf([first], command, view);
    return { code, text: (others.length === 0 ? '' : `Found ${others.length + 1} pods, using pod/${first.metadata.name}\n`) + text };
  }
  const pod = findObject(view, 'Pod', command.pod, namespace);
  if (pod === undefined) throw notFound(qualifiedPlural(resourceOfKind('Pod')), command.pod);
  return logsOf([pod], command, view);
}

function logsOf(pods: readonly Pod[], command: LogsCommand, view: ClusterView): KubectlOutcome {
  let text = '';
  try {
    for (const pod of pods) {
      const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map(({ name }) => name);
      for (const container of command.allContainers ? all : [command.container]) text += logOf(pod, { ...command, container }, view);
    }
    return { code: 0, text };
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    return { code: 1, text: `${text}${error.message}\n` };
  }
}

/** Throws a KubectlError for a container that has no logs. @modelled pkg/kubelet/kubelet_pods.go validateContainerLogStatus, v1.35 */
function logOf(pod: Pod, command: LogsCommand, view: ClusterView): string {
  const { name, namespace = '' } = pod.metadata;
  const container = command.container ?? pod.spec.containers[0]?.name ?? '';
  const known = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some((one) => one.name === container);
  if (!known) throw new KubectlError(`Error from server (BadRequest): container ${container} is not valid for pod ${name}`);
  const note = defaultedNote(command, pod, container);
  // A pod that stands on no node has no logs, and that is no error.
  if (pod.spec.nodeName === undefined) return note;
  const reason = whyNoLogs(pod, container, command.previous);
  if (reason !== undefined) throw new KubectlError(`${note}Error from server (BadRequest): ${reason}`);
  if (view.logs === undefined) throw new KubectlError('error: kubectl logs is not modelled where there are no processes, as in a recorded trace');
  return note + lastLines(view.logs({ namespace, pod: name, container, previous: command.previous }), command.tail);
}

function whyNoLogs(pod: Pod, container: string, previous: boolean): string | undefined {
  const where = `container "${container}" in pod "${pod.metadata.name}"`;
  const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(({ name }) => name === container);
  if (status === undefined) return `${where} is not available`;
  if (previous) return idOf(status.lastState) === undefined ? `previous terminated ${where} not found` : undefined;
  if (status.state.running !== undefined || idOf(status.lastState) !== undefined || idOf(status.state) !== undefined) return undefined;
  if (status.state.terminated !== undefined) return `${where} is terminated`;
  return `${where} is waiting to start: ${whatFor(status.state.waiting?.reason ?? '')}`;
}

/** @modelled pkg/kubelet/kubelet_pods.go (validateContainerLogStatus), v1.35 */
function whatFor(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason;
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
