/** The status that a kubelet gives a pod (pkg/kubelet/kubelet_pods.go, status/generate.go, v1.35; refinements 8). */
import type { Condition, Container, ContainerState, ContainerStatus, Json, Pod, PodPhase, PodStatus, VolumeMount } from '../../model/objects.ts';
import { sha256 } from '../../model/sha256.ts';

/** A container as the runtime shows it. */
export interface ContainerView {
  readonly spec: Container;
  readonly init: boolean;
  /** Undefined until a container was made. */
  readonly id: string | undefined;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly restartCount: number;
  /** What its probes say, if it has any. */
  readonly probed?: { readonly started: boolean; readonly ready: boolean };
}

/** Why the kubelet itself ends a pod. */
export interface Verdict {
  readonly reason: string;
  readonly message: string;
}

/** What goes into a pod's status beside its spec. */
export interface PodView {
  readonly containers: readonly ContainerView[];
  readonly initContainers: readonly ContainerView[];
  /** The sandbox with the pod's network is up. */
  readonly sandboxReady: boolean;
  readonly podIP: string | undefined;
  readonly hostIP: string | undefined;
  readonly startTime: string;
  /** The pod is being stopped: its containers will not be restarted, whatever the policy. */
  readonly stopping: boolean;
  /** The containers are gone for good; only now the phase may turn terminal. */
  readonly stopped: boolean;
  /** The kubelet ends the pod, whatever its containers do. */
  readonly evicted: Verdict | undefined;
}

/** Conditions that the kubelet owns; all others stand before them, untouched. @recorded #rwop-preemption */
export const OWN_CONDITIONS: ReadonlySet<string> = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);
type OwnCondition = Omit<Condition, 'lastProbeTime' | 'lastTransitionTime' | 'observedGeneration'>;

/**
 * The whole status, from the stored pod and what the runtime shows. A condition keeps its transition time while its status
 * stays the same.
 * @recorded #immediate-happy, #node-move, #finished-pod, #read-only-one-container
 */
export function podStatus(pod: Pod, view: PodView, now: string): PodStatus {
  const computed = view.evicted ? 'Failed' : phaseOf(pod, view);
  const phase = (computed === 'Succeeded' || computed === 'Failed') && !view.stopped ? pod.status.phase : computed;
  const { nominatedNodeName: _cleared, conditions = [], containerStatuses: _old, initContainerStatuses: _oldInit, ...rest } = pod.status;
  return {
    ...rest,
    conditions: [...conditions.filter(({ type }) => !OWN_CONDITIONS.has(type)), ...ownConditions(pod, view, computed).map((c) => complete(c, conditions, pod, now))],
    containerStatuses: byName(view.containers.map(containerStatus)),
    ...(view.initContainers.length > 0 ? { initContainerStatuses: view.initContainers.map(containerStatus) } : {}),
    ...(view.hostIP === undefined ? {} : { hostIP: view.hostIP, hostIPs: [{ ip: view.hostIP }] }),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
    phase,
    ...(view.evicted && phase === 'Failed' ? view.evicted : {}),
    ...(view.podIP === undefined ? {} : { podIP: view.podIP, podIPs: [{ ip: view.podIP }] }),
    startTime: rest.startTime ?? view.startTime,
  };
}

function complete(condition: OwnCondition, before: readonly Condition[], pod: Pod, now: string): Condition {
  const known = before.find(({ type }) => type === condition.type);
  const generation = pod.metadata.generation;
  if (known && saysTheSame(known, condition, generation)) return known;
  const lastTransitionTime = known?.status === condition.status ? (known.lastTransitionTime ?? now) : now;
  return { lastProbeTime: null, lastTransitionTime, ...(generation === undefined ? {} : { observedGeneration: generation }), ...condition };
}

/** A condition of ours that nothing has changed in is kept, not made again: a pod's writes share it. */
function saysTheSame(known: Condition, condition: OwnCondition, generation: number | undefined): boolean {
  return known.status === condition.status && known.observedGeneration === generation && known.reason === condition.reason && known.message === condition.message && known.lastProbeTime === null && known.lastTransitionTime !== undefined;
}

function byName(statuses: ContainerStatus[]): ContainerStatus[] {
  return statuses.length < 2 ? statuses : statuses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function ownConditions(pod: Pod, view: PodView, phase: PodPhase): OwnCondition[] {
  const ready = containersReady(pod, view, phase);
  return [
    { type: 'PodReadyToStartContainers', status: view.sandboxReady ? 'True' : 'False' },
    initialized(pod, view, phase),
    { type: 'Ready', ...ready },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
}

type Readiness = Pick<Condition, 'status' | 'reason' | 'message'>;

/** Sidecars count as the others do. @recorded #finished-pod, #read-only-one-container, #container-restart */
function containersReady(pod: Pod, view: PodView, phase: PodPhase): Readiness {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const { initContainers, containers } = pod.spec;
  const expected = initContainers ? [...initContainers.filter(isSidecar), ...containers] : containers;
  const all = initContainers ? [...view.initContainers, ...view.containers] : view.containers;
  const unready = expected.filter(({ name }) => !isReady(all.find((c) => c.spec.name === name))).map(({ name }) => name);
  return unready.length === 0 ? { status: 'True' } : { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
}

function isStarted(view: ContainerView | undefined): boolean {
  return view?.probed?.started ?? view?.state.running !== undefined;
}

function isReady(view: ContainerView | undefined): boolean {
  return view?.probed?.ready ?? view?.state.running !== undefined;
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always';
}

/**
 * Init containers that must still finish; a sidecar among them must have started. Once a regular container has started the
 * pod stays initialized, also while a sidecar starts again.
 * @modelled pkg/kubelet/status/generate.go (GeneratePodInitializedCondition), v1.35
 */
function initialized(pod: Pod, view: PodView, phase: PodPhase): OwnCondition {
  if (phase === 'Succeeded') return { type: 'Initialized', status: 'True', reason: 'PodCompleted' };
  const open = (pod.spec.initContainers ?? []).filter((spec) => !isInitialized(spec, view.initContainers.find((c) => c.spec.name === spec.name)));
  if (open.length === 0 || view.containers.some(({ state }) => state.running ?? state.terminated)) return { type: 'Initialized', status: 'True' };
  return { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${open.map(({ name }) => name).join(' ')}]` };
}

function isInitialized(spec: Container, view: ContainerView | undefined): boolean {
  if (isSidecar(spec)) return isStarted(view);
  return view?.state.terminated?.exitCode === 0;
}

/**
 * getPhase: waiting for a first start is Pending, one running container is Running, all stopped is the end as far as the
 * restart policy says so; a pod that is being stopped is not restarted by any policy, and one failure makes it Failed. How a
 * sidecar ended does not count.
 * @recorded #node-move, #finished-pod, #container-restart
 */
function phaseOf(pod: Pod, view: PodView): PodPhase {
  const policy = pod.spec.restartPolicy ?? 'Always';
  const failedInit = view.initContainers.some((c) => (c.state.terminated?.exitCode ?? 0) !== 0 && !isSidecar(c.spec));
  if (failedInit && (policy === 'Never' || view.stopping)) return 'Failed';
  if (initialized(pod, view, 'Pending').status === 'False' && !view.stopping) return 'Pending';
  const ended = view.containers.map((c) => c.state.terminated ?? (c.state.waiting ? c.lastState.terminated : undefined));
  if (view.containers.some((c, i) => c.state.waiting !== undefined && ended[i] === undefined)) return 'Pending';
  if (view.containers.some((c) => c.state.running) || view.initContainers.some((c) => c.state.running)) return 'Running';
  const succeeded = ended.every((end) => end?.exitCode === 0);
  if (view.stopping) return succeeded ? 'Succeeded' : 'Failed';
  if (policy === 'Always') return 'Running';
  if (succeeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

/** An init container is ready when it has done its work, all others while they run and their probes agree. @modelled pkg/kubelet/prober/prober_manager.go UpdatePodStatus, v1.35 */
function containerStatus(view: ContainerView): ContainerStatus {
  const { spec, init, id, state, lastState, restartCount } = view;
  return {
    ...(id === undefined ? {} : { containerID: id }),
    image: spec.image,
    imageID: id === undefined ? '' : `sha256:${sha256(spec.image)}`,
    lastState,
    name: spec.name,
    ready: init && !isSidecar(spec) ? state.terminated?.exitCode === 0 : isReady(view),
    ...(id === undefined ? {} : { resources: resourcesOf(spec) }),
    restartCount,
    started: isStarted(view),
    state,
    ...(spec.volumeMounts && spec.volumeMounts.length > 0 ? { volumeMounts: spec.volumeMounts.map(mountStatus) } : {}),
  };
}

function resourcesOf({ resources }: Container): Json {
  return { ...(resources?.limits ? { limits: { ...resources.limits } } : {}), ...(resources?.requests ? { requests: { ...resources.requests } } : {}) };
}

/** A read-only mount tells that its sub-mounts are not made read-only. @recorded #immediate-happy, #read-only-one-container */
function mountStatus(mount: VolumeMount): VolumeMount {
  const { name, mountPath, readOnly } = mount;
  return { mountPath, name, ...(readOnly === true ? { readOnly: true, recursiveReadOnly: mount.recursiveReadOnly ?? 'Disabled' } : {}) };
}

/** What is left of the status of a pod that the kubelet rejects: phase and why (kubelet.go rejectPod). @modelled ref 7.1 */
export function rejectedStatus(pod: Pod, { reason, message }: Verdict): PodStatus {
  const { qosClass, startTime, conditions = [] } = pod.status;
  const kept = conditions.filter(({ type }) => !OWN_CONDITIONS.has(type));
  const generation = pod.metadata.generation;
  return {
    ...(kept.length > 0 ? { conditions: kept } : {}),
    message,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase: 'Failed',
    ...(qosClass === undefined ? {} : { qosClass }),
    reason,
    ...(startTime === undefined ? {} : { startTime }),
  };
}

const LOST: ContainerState = {
  terminated: { exitCode: 137, finishedAt: null, message: 'The container could not be located when the pod was terminated', reason: 'ContainerStatusUnknown', startedAt: null },
};

/**
 * TerminatePod: before a pod's object goes, a container that never ran counts as lost and a phase that is not terminal
 * turns Failed. Init containers that never began stay as they are.
 * @modelled pkg/kubelet/status/status_manager.go, v1.35
 */
export function terminatedStatus(status: PodStatus): PodStatus {
  const phase = status.phase === 'Succeeded' ? 'Succeeded' : 'Failed';
  const initialized = status.conditions?.some((c) => c.type === 'Initialized' && c.status === 'True') ?? true;
  const containerStatuses = status.containerStatuses?.map((c) => (c.state.terminated || !initialized ? c : { ...c, state: LOST }));
  return { ...status, phase, ...(containerStatuses ? { containerStatuses } : {}) };
}
