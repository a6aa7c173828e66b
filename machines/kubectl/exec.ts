/** `kubectl exec`: finds the container, lets the view run the command there, and adds what kubectl itself says. */
import type { Pod } from '../model/objects.ts';
import type { ExecCommand } from './command.ts';
import type { KubectlOutcome } from './outcome.ts';
import { notFound } from './outcome.ts';
import { noPodInTime, podsOfWorkload } from './pod-of.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import type { ClusterView, ExecOutcome } from './view.ts';
import { findObject } from './view.ts';

/** The command's output in one text, as a terminal shows it. */
export function runExec(command: ExecCommand, view: ClusterView): KubectlOutcome {
  const pod = podOf(command, view);
  // kubectl waits a minute for a pod to come.
  if (pod === undefined) return { code: 1, text: `${noPodInTime().message}\n`, durationMs: 60_000 };
  const outcome = execInPod({ ...command, pod }, view);
  return { code: outcome.code, text: outcome.stdout + outcome.stderr, durationMs: outcome.durationMs };
}

function podOf({ pod, workload, namespace }: ExecCommand, view: ClusterView): string | undefined {
  return workload === undefined ? pod : podsOfWorkload(workload, namespace ?? view.namespace, view)[0]?.metadata.name;
}

/**
 * The command's output with its two streams apart, as an `exec` step of a trace holds it. A failing command adds
 * `command terminated with exit code N`; a pod with several containers and no `-c` says which one it took.
 */
export function execInPod(command: Omit<ExecCommand, 'verb'>, view: ClusterView): ExecOutcome {
  const namespace = command.namespace ?? view.namespace;
  const pod = findObject(view, 'Pod', command.pod, namespace);
  if (pod === undefined) return refused(notFound(qualifiedPlural(resourceOfKind('Pod')), command.pod).message);
  const container = command.container ?? pod.spec.containers[0]?.name ?? '';
  const reason = whyNoExec(pod, container);
  if (reason !== undefined) return refused(reason);
  if (view.exec === undefined) return refused('error: kubectl exec is not modelled where there are no processes, as in a recorded trace');
  const outcome = view.exec({ namespace, pod: command.pod, container, argv: command.argv });
  const ending = outcome.code === 0 || outcome.refused === true ? '' : `command terminated with exit code ${outcome.code}\n`;
  return { ...outcome, stderr: defaultedNote(command, pod, container) + outcome.stderr + ending };
}

function refused(line: string): ExecOutcome {
  return { stdout: '', stderr: `${line}\n`, code: 1, refused: true };
}

/** The API server's or the kubelet's refusal; undefined when the container runs. @modelled pkg/registry/core/pod/strategy.go, v1.35 */
function whyNoExec(pod: Pod, container: string): string | undefined {
  const { phase } = pod.status;
  if (phase === 'Succeeded' || phase === 'Failed') return `error: cannot exec into a container in a completed pod; current phase is ${phase}`;
  if (![...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some((candidate) => candidate.name === container)) {
    return `Error from server (BadRequest): container ${container} is not valid for pod ${pod.metadata.name}`;
  }
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') {
    return `Error from server (BadRequest): pod ${pod.metadata.name} does not have a host assigned`;
  }
  const status = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find((candidate) => candidate.name === container);
  return status?.state.running === undefined ? `error: Internal error occurred: unable to upgrade connection: container not found ("${container}")` : undefined;
}

/** The note on a pod with several containers. @modelled k8s.io/kubectl/pkg/cmd/util/podcmd, v0.35 */
export function defaultedNote(command: { readonly container?: string | undefined }, pod: Pod, container: string): string {
  const names = [...pod.spec.containers.map((item) => item.name), ...(pod.spec.initContainers ?? []).map((item) => `${item.name} (init)`)];
  if (command.container !== undefined || names.length < 2) return '';
  return `Defaulted container "${container}" out of: ${names.join(', ')}\n`;
}
