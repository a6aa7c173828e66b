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

/**
 * The whole status, from the stored pod and what the runtime shows. A condition keeps its transition time while its status
 * stays the same.
 * @recorded #immediate-happy, #node-move, #finished-pod, #read-only-one-container
 */
export function podStatus(pod: Pod, view: PodView, now: string): PodStatus {
  const computed = view.evicted ? 'Failed' : phaseOf(pod, view);
  const phase = (computed === 'Succeeded' || computed === 'Failed') && !view.stopped ? pod.status.phase : computed;
  const { nominatedNodeName: _cleared, conditions = NO_CONDITIONS, containerStatuses: before, initContainerStatuses: initBefore, ...rest } = pod.status;
  const status: Draft = rest;
  status.conditions = withOwnConditions(conditions, pod, view, computed, now);
  status.containerStatuses = byName(view.containers.map((container) => containerStatus(container, before)));
  if (view.initContainers.length > 0) status.initContainerStatuses = view.initContainers.map((container) => containerStatus(container, initBefore));
  if (view.hostIP !== undefined && view.hostIP !== status.hostIP) {
    status.hostIP = view.hostIP;
    status.hostIPs = [{ ip: view.hostIP }];
  }
  if (pod.metadata.generation !== undefined) status.observedGeneration = pod.metadata.generation;
  status.phase = phase;
  if (view.evicted && phase === 'Failed') Object.assign(status, view.evicted);
  if (view.podIP !== undefined && view.podIP !== status.podIP) {
    status.podIP = view.podIP;
    status.podIPs = [{ ip: view.podIP }];
  }
  status.startTime ??= view.startTime;
  return status;
}
type Draft = { -readonly [K in keyof PodStatus]: PodStatus[K] };
const NO_CONDITIONS: readonly Condition[] = [];

/** Those of others first, then the kubelet's own. */
function withOwnConditions(before: readonly Condition[], pod: Pod, view: PodView, phase: PodPhase, now: string): Condition[] {
  const { generation } = pod.metadata;
  const ready = containersReady(pod, view, phase);
  const own = [
    condition('PodReadyToStartContainers', view.sandboxReady ? TRUE : FALSE, before, generation, now),
    condition('Initialized', initialized(pod, view, phase), before, generation, now),
    condition('Ready', ready, before, generation, now),
    condition('ContainersReady', ready, before, generation, now),
    condition('PodScheduled', TRUE, before, generation, now),
  ];
  const others = before.filter(({ type }) => !OWN_CONDITIONS.has(type));
  return others.length === 0 ? own : [...others, ...own];
}

type Finding = Pick<Condition, 'status' | 'reason' | 'message'>;
const TRUE: Finding = { status: 'True' };
const FALSE: Finding = { status: 'False' };

/** A condition of ours that nothing has changed in is kept, not made again: a pod's writes share it. */
function condition(type: string, finding: Finding, before: readonly Condition[], generation: number | undefined, now: string): Condition {
  const known = before.find((candidate) => candidate.type === type);
  if (known && saysTheSame(known, finding, generation)) return known;
  const lastTransitionTime = known?.status === finding.status ? (known.lastTransitionTime ?? now) : now;
  const { status, reason, message } = finding;
  if (generation === undefined) return { lastProbeTime: null, lastTransitionTime, type, ...finding };
  // Spelled out, since tens of thousands of them are made: an object of one form takes half the room of one put together.
  if (reason === undefined) return { lastProbeTime: null, lastTransitionTime, observedGeneration: generation, type, status };
  if (message === undefined) return { lastProbeTime: null, lastTransitionTime, observedGeneration: generation, type, status, reason };
  return { lastProbeTime: null, lastTransitionTime, observedGeneration: generation, type, status, reason, message };
}

function saysTheSame(known: Condition, { status, reason, message }: Finding, generation: number | undefined): boolean {
  return known.status === status && known.observedGeneration === generation && known.reason === reason && known.message === message && known.lastProbeTime === null && known.lastTransitionTime !== undefined;
}

function byName(statuses: ContainerStatus[]): ContainerStatus[] {
  return statuses.length < 2 ? statuses : statuses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sidecars count as the others do. @recorded #finished-pod, #read-only-one-container, #container-restart */
function containersReady(pod: Pod, view: PodView, phase: PodPhase): Finding {
  if (phase === 'Succeeded') return COMPLETED;
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const { initContainers, containers } = pod.spec;
  const expected = initContainers ? [...initContainers.filter(isSidecar), ...containers] : containers;
  const all = initContainers ? [...view.initContainers, ...view.containers] : view.containers;
  const unready = expected.filter(({ name }) => !isReady(all.find((c) => c.spec.name === name)));
  return unready.length === 0 ? TRUE : { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.map(({ name }) => name).join(' ')}]` };
}
const COMPLETED: Finding = { status: 'False', reason: 'PodCompleted' };

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
function initialized(pod: Pod, view: PodView, phase: PodPhase): Finding {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (!pod.spec.initContainers) return TRUE;
  const open = pod.spec.initContainers.filter((spec) => !isInitialized(spec, view.initContainers.find((c) => c.spec.name === spec.name)));
  if (open.length === 0 || view.containers.some(({ state }) => state.running ?? state.terminated)) return TRUE;
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${open.map(({ name }) => name).join(' ')}]` };
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
  if (view.containers.some((c) => c.state.waiting !== undefined && endOf(c) === undefined)) return 'Pending';
  if (view.containers.some((c) => c.state.running) || view.initContainers.some((c) => c.state.running)) return 'Running';
  const succeeded = view.containers.every((c) => endOf(c)?.exitCode === 0);
  if (view.stopping) return succeeded ? 'Succeeded' : 'Failed';
  if (policy === 'Always') return 'Running';
  if (succeeded) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}

/** How its last run ended, when none goes on. */
function endOf({ state, lastState }: ContainerView): ContainerState['terminated'] {
  return state.terminated ?? (state.waiting ? lastState.terminated : undefined);
}

/** An init container is ready when it has done its work, all others while they run and their probes agree. @modelled pkg/kubelet/prober/prober_manager.go UpdatePodStatus, v1.35 */
function containerStatus(view: ContainerView, before: readonly ContainerStatus[] | undefined): ContainerStatus {
  const { spec, init, id, state, lastState, restartCount } = view;
  const { image, name } = spec;
  const started = isStarted(view);
  const ready = init && !isSidecar(spec) ? state.terminated?.exitCode === 0 : isReady(view);
  const volumeMounts = mountStatuses(spec, before);
  if (!volumeMounts) {
    return id === undefined
      ? { image, imageID: '', lastState, name, ready, restartCount, started, state }
      : { containerID: id, image, imageID: imageIDOf(image), lastState, name, ready, resources: resourcesOf(spec), restartCount, started, state };
  }
  return id === undefined
    ? { image, imageID: '', lastState, name, ready, restartCount, started, state, volumeMounts }
    : { containerID: id, image, imageID: imageIDOf(image), lastState, name, ready, resources: resourcesOf(spec), restartCount, started, state, volumeMounts };
}

function imageIDOf(image: string): string {
  let id = imageIDs.get(image);
  if (id === undefined) {
    if (imageIDs.size >= MOST_IMAGES) imageIDs.clear();
    imageIDs.set(image, (id = ['sha256', sha256(image)].join(':')));
  }
  return id;
}
/** Many containers run the same image: one string for all of them. */
const imageIDs = new Map<string, string>();
const MOST_IMAGES = 1024;

function resourcesOf({ resources }: Container): Json {
  if (!resources?.limits && !resources?.requests) return NO_RESOURCES;
  return { ...(resources.limits ? { limits: { ...resources.limits } } : {}), ...(resources.requests ? { requests: { ...resources.requests } } : {}) };
}
const NO_RESOURCES: Json = {};

/** A container's mounts are what they were in the status before, if it was there. */
function mountStatuses({ name, volumeMounts }: Container, before: readonly ContainerStatus[] | undefined): readonly VolumeMount[] | undefined {
  if (!volumeMounts || volumeMounts.length === 0) return undefined;
  return before?.find((status) => status.name === name)?.volumeMounts ?? volumeMounts.map(mountStatus);
}

/** A read-only mount tells that its sub-mounts are not made read-only. @recorded #immediate-happy, #read-only-one-container */
function mountStatus(mount: VolumeMount): VolumeMount {
  const { name, mountPath, readOnly } = mount;
  return readOnly === true ? { mountPath, name, readOnly, recursiveReadOnly: mount.recursiveReadOnly ?? 'Disabled' } : { mountPath, name };
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
