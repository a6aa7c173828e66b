/**
 * The tables of `kubectl get`: one function a kind, columns and cells as the API server prints them.
 * Source: pkg/printers/internalversion/printers.go, Kubernetes v1.35.
 */
import type {
  AnyObject, ConfigMap, Container, ContainerState, ContainerStatus, ControllerRevision, CSIDriver, CSINode, Deployment, Json, Kind, KindMap,
  KubeEvent, Node, PersistentVolume, PersistentVolumeClaim, Pod, PodDisruptionBudget, PriorityClass, ReplicaSet, Secret, StatefulSet,
  StorageClass, VolumeAttachment,
} from '../model/objects.ts';
import { ageSince } from './age.ts';
import { formatLabelSelector } from './selector.ts';
import { accessModesText, quantityText, storageClassOf } from './storage-text.ts';

export interface Column {
  readonly name: string;
  /** Shown with `-o wide` only. */
  readonly wide?: true;
  /** The cell takes the kind's prefix in a list of several kinds. The first such column does. */
  readonly isName?: true;
}

export interface Table<K extends Kind = Kind> {
  readonly columns: readonly Column[];
  /** One object's cells, those of wide columns included. `now` in milliseconds since the epoch. */
  readonly cells: (object: KindMap[K], now: number) => readonly string[];
}

/** The table of a kind. */
export function tableOf(kind: Kind): Table {
  return TABLES[kind] as unknown as Table;
}

const NAME: Column = { name: 'Name', isName: true };
const wide = (name: string): Column => ({ name, wide: true });
const columns = (...names: string[]): Column[] => names.map((name) => ({ name }));

const TABLES: { readonly [K in Kind]: Table<K> } = {
  Pod: {
    columns: [NAME, ...columns('Ready', 'Status', 'Restarts', 'Age'), ...['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map(wide)],
    cells: podCells,
  },
  PersistentVolumeClaim: {
    columns: [NAME, ...columns('Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'VolumeAttributesClass', 'Age'), wide('VolumeMode')],
    cells: claimCells,
  },
  PersistentVolume: {
    columns: [
      NAME,
      ...columns('Capacity', 'Access Modes', 'Reclaim Policy', 'Status', 'Claim', 'StorageClass', 'VolumeAttributesClass', 'Reason', 'Age'),
      wide('VolumeMode'),
    ],
    cells: volumeCells,
  },
  VolumeAttachment: { columns: [NAME, ...columns('Attacher', 'PV', 'Node', 'Attached', 'Age')], cells: attachmentCells },
  StorageClass: {
    columns: [NAME, ...columns('Provisioner', 'ReclaimPolicy', 'VolumeBindingMode', 'AllowVolumeExpansion', 'Age')],
    cells: classCells,
  },
  Node: {
    columns: [
      NAME,
      ...columns('Status', 'Roles', 'Age', 'Version'),
      ...['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'].map(wide),
    ],
    cells: nodeCells,
  },
  Event: {
    columns: [
      ...columns('Last Seen', 'Type', 'Reason', 'Object'),
      ...['Subobject', 'Source'].map(wide),
      ...columns('Message'),
      ...['First Seen', 'Count'].map(wide),
      { name: 'Name', wide: true, isName: true },
    ],
    cells: eventCells,
  },
  Secret: { columns: [NAME, ...columns('Type', 'Data', 'Age')], cells: secretCells },
  ConfigMap: { columns: [NAME, ...columns('Data', 'Age')], cells: configMapCells },
  StatefulSet: { columns: [NAME, ...columns('Ready', 'Age'), ...['Containers', 'Images'].map(wide)], cells: statefulSetCells },
  Deployment: {
    columns: [NAME, ...columns('Ready', 'Up-to-date', 'Available', 'Age'), ...['Containers', 'Images', 'Selector'].map(wide)],
    cells: deploymentCells,
  },
  ReplicaSet: {
    columns: [NAME, ...columns('Desired', 'Current', 'Ready', 'Age'), ...['Containers', 'Images', 'Selector'].map(wide)],
    cells: replicaSetCells,
  },
  CSINode: { columns: [NAME, ...columns('Drivers', 'Age')], cells: csiNodeCells },
  CSIDriver: {
    columns: [NAME, ...columns('AttachRequired', 'PodInfoOnMount', 'StorageCapacity', 'TokenRequests', 'RequiresRepublish', 'Modes', 'Age')],
    cells: csiDriverCells,
  },
  PriorityClass: { columns: [NAME, ...columns('Value', 'Global-Default', 'Age'), wide('PreemptionPolicy')], cells: priorityClassCells },
  Lease: { columns: [NAME, ...columns('Holder', 'Age')], cells: (lease, now) => [lease.metadata.name, lease.spec.holderIdentity, createdAge(lease, now)] },
  ControllerRevision: { columns: [NAME, ...columns('Controller', 'Revision', 'Age')], cells: revisionCells },
  PodDisruptionBudget: { columns: [NAME, ...columns('Min Available', 'Max Unavailable', 'Allowed Disruptions', 'Age')], cells: budgetCells },
};

function createdAge(object: AnyObject, now: number): string {
  return ageSince(object.metadata.creationTimestamp, now);
}

/** Source: `printPod`. @recorded #missing-secret, #container-restart, #finished-pod, #slow-goodbye */
function podCells(pod: Pod, now: number): string[] {
  const summary = summarisePod(pod);
  const restarted = summary.lastRestart === undefined ? '' : ` (${ageSince(summary.lastRestart, now)} ago)`;
  const restarts = summary.restarts === 0 ? '0' : `${summary.restarts}${restarted}`;
  return [
    pod.metadata.name,
    `${summary.ready}/${pod.spec.containers.length + (pod.spec.initContainers ?? []).filter(isSidecar).length}`,
    summary.status,
    restarts,
    createdAge(pod, now),
    pod.status.podIPs?.[0]?.ip ?? '<none>',
    pod.spec.nodeName ?? '<none>',
    pod.status.nominatedNodeName ?? '<none>',
    '<none>',
  ];
}

/** An init container that goes on running beside the others. */
function isSidecar(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}

interface PodSummary {
  status: string;
  ready: number;
  restarts: number;
  lastRestart: string | undefined;
}

function summarisePod(pod: Pod): PodSummary {
  const summary: PodSummary = { status: pod.status.reason ?? pod.status.phase, ready: 0, restarts: 0, lastRestart: undefined };
  const initializing = summariseInitContainers(pod, summary);
  const initialized = pod.status.conditions?.some((condition) => condition.type === 'Initialized' && condition.status === 'True') === true;
  if (!initializing || initialized) summariseContainers(pod, summary);
  if (pod.metadata.deletionTimestamp !== undefined) markDeleted(pod, summary);
  return summary;
}

/** Fills in the state of the init containers; says whether one of them still keeps the pod from starting. @modelled pkg/printers/internalversion/printers.go, v1.35 */
function summariseInitContainers(pod: Pod, summary: PodSummary): boolean {
  for (const [index, container] of (pod.status.initContainerStatuses ?? []).entries()) {
    countRestarts(container, summary);
    const { terminated, waiting } = container.state;
    if (terminated?.exitCode === 0) continue;
    if (isSidecar(specOf(pod, container.name)) && container.started === true) {
      if (container.ready) summary.ready += 1;
      continue;
    }
    if (terminated !== undefined) summary.status = `Init:${terminated.reason === '' ? `ExitCode:${terminated.exitCode}` : terminated.reason}`;
    else if (waiting !== undefined && waiting.reason !== '' && waiting.reason !== 'PodInitializing') summary.status = `Init:${waiting.reason}`;
    else summary.status = `Init:${index}/${pod.spec.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function specOf(pod: Pod, name: string): Container | undefined {
  return pod.spec.initContainers?.find((container) => container.name === name);
}

function summariseContainers(pod: Pod, summary: PodSummary): void {
  summary.restarts = 0;
  summary.lastRestart = undefined;
  for (const container of pod.status.initContainerStatuses ?? []) if (isSidecar(specOf(pod, container.name))) countRestarts(container, summary);
  let running = false;
  let failure = '';
  for (const container of (pod.status.containerStatuses ?? []).toReversed()) {
    countRestarts(container, summary);
    const text = stateText(container.state);
    if (text !== undefined) summary.status = text;
    if (container.state.terminated !== undefined && container.state.terminated.exitCode !== 0) failure = summary.status;
    if (text === undefined && container.ready && container.state.running !== undefined) {
      running = true;
      summary.ready += 1;
    }
  }
  if (summary.status === 'Completed') summary.status = statusOfCompleted(pod, running, failure);
}

/** The reason a container does not run, as the STATUS column shows it. */
function stateText(state: ContainerState): string | undefined {
  if (state.waiting !== undefined && state.waiting.reason !== '') return state.waiting.reason;
  if (state.terminated === undefined) return undefined;
  return state.terminated.reason === '' ? `ExitCode:${state.terminated.exitCode}` : state.terminated.reason;
}

/** One container is done; the pod's status is that of the others, when there are others. */
function statusOfCompleted(pod: Pod, running: boolean, failure: string): string {
  const ready = pod.status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;
  if (running && ready) return 'Running';
  if (failure !== '') return failure;
  return running ? 'NotReady' : 'Completed';
}

function countRestarts(container: ContainerStatus, summary: PodSummary): void {
  summary.restarts += container.restartCount;
  const finished = container.lastState.terminated?.finishedAt;
  if (finished === undefined || finished === null) return;
  if (summary.lastRestart === undefined || finished > summary.lastRestart) summary.lastRestart = finished;
}

function markDeleted(pod: Pod, summary: PodSummary): void {
  if (pod.status.reason === 'NodeLost') summary.status = 'Unknown';
  else if (pod.status.phase !== 'Failed' && pod.status.phase !== 'Succeeded') summary.status = 'Terminating';
}

/** Source: `printPersistentVolumeClaim`. @recorded #claim-lost, #delete-claim-in-use, #static-no-match */
function claimCells(claim: PersistentVolumeClaim, now: number): string[] {
  const bound = claim.spec.volumeName !== undefined && claim.spec.volumeName !== '';
  return [
    claim.metadata.name,
    claim.metadata.deletionTimestamp === undefined ? claim.status.phase : 'Terminating',
    claim.spec.volumeName ?? '',
    bound ? quantityText(claim.status.capacity?.storage) : '',
    bound ? accessModesText(claim.status.accessModes) : '',
    storageClassOf(claim),
    claim.spec.volumeAttributesClassName ?? '<unset>',
    createdAge(claim, now),
    claim.spec.volumeMode ?? '<unset>',
  ];
}

/** Source: `printPersistentVolume`. @recorded #static-volume, #retain-reuse */
function volumeCells(volume: PersistentVolume, now: number): string[] {
  const claim = volume.spec.claimRef;
  return [
    volume.metadata.name,
    quantityText(volume.spec.capacity.storage),
    accessModesText(volume.spec.accessModes),
    volume.spec.persistentVolumeReclaimPolicy ?? '',
    volume.metadata.deletionTimestamp === undefined ? volume.status.phase : 'Terminating',
    claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
    storageClassOf(volume),
    volume.spec.volumeAttributesClassName ?? '<unset>',
    volume.status.reason ?? '',
    createdAge(volume, now),
    volume.spec.volumeMode ?? '<unset>',
  ];
}

function attachmentCells(attachment: VolumeAttachment, now: number): string[] {
  const { attacher, nodeName, source } = attachment.spec;
  return [attachment.metadata.name, attacher, source.persistentVolumeName, nodeName, String(attachment.status.attached), createdAge(attachment, now)];
}

/** Source: `printPodDisruptionBudget`. @modelled pkg/printers/internalversion/printers.go, v1.35 */
function budgetCells({ metadata, spec, status }: PodDisruptionBudget, now: number): string[] {
  return [metadata.name, String(spec.minAvailable ?? 'N/A'), String(spec.maxUnavailable ?? 'N/A'), String(status.disruptionsAllowed), ageSince(metadata.creationTimestamp, now)];
}

const DEFAULT_CLASS_ANNOTATIONS = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

function classCells(storageClass: StorageClass, now: number): string[] {
  const isDefault = DEFAULT_CLASS_ANNOTATIONS.some((name) => storageClass.metadata.annotations?.[name] === 'true');
  return [
    isDefault ? `${storageClass.metadata.name} (default)` : storageClass.metadata.name,
    storageClass.provisioner,
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    String(storageClass.allowVolumeExpansion ?? false),
    createdAge(storageClass, now),
  ];
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeCells(node: Node, now: number): string[] {
  const info = node.status.nodeInfo;
  return [
    node.metadata.name,
    nodeStatus(node),
    nodeRoles(node),
    createdAge(node, now),
    info?.['kubeletVersion'] ?? '',
    nodeAddress(node, 'InternalIP'),
    nodeAddress(node, 'ExternalIP'),
    info?.['osImage'] ?? '<unknown>',
    info?.['kernelVersion'] ?? '<unknown>',
    info?.['containerRuntimeVersion'] ?? '<unknown>',
  ];
}

function nodeStatus(node: Node): string {
  const ready = node.status.conditions?.findLast((condition) => condition.type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

/** `control-plane`, `<none>`: what the labels name as roles. */
export function nodeRoles(node: Node): string {
  const labels = Object.entries(node.metadata.labels ?? {});
  const roles = labels.flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return [key.slice(ROLE_PREFIX.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  const named = [...new Set(roles.filter((role) => role !== ''))].sort();
  return named.length === 0 ? '<none>' : named.join(',');
}

function nodeAddress(node: Node, type: string): string {
  return node.status.addresses?.find((address) => address.type === type)?.address ?? '<none>';
}

/** Source: `printEvent`. @modelled pkg/printers/internalversion/printers.go, v1.35 */
function eventCells(event: KubeEvent, now: number): string[] {
  const first = ageSince(event.firstTimestamp ?? event.eventTime, now);
  const last = event.lastTimestamp === null ? first : ageSince(event.lastTimestamp, now);
  const kind = (event.involvedObject.kind ?? '').toLowerCase();
  const name = event.involvedObject.name ?? '';
  return [
    event.series === undefined ? last : ageSince(event.series.lastObservedTime, now),
    event.type,
    event.reason,
    name === '' ? kind : `${kind}/${name}`,
    event.involvedObject.fieldPath ?? '',
    eventSource(event),
    event.message.trim(),
    first,
    String(event.series?.count ?? (event.count === undefined || event.count === 0 ? 1 : event.count)),
    event.metadata.name,
  ];
}

function eventSource(event: KubeEvent): string {
  const component = firstFilled(event.source.component, event.reportingComponent);
  const instance = firstFilled(event.source.host, event.reportingInstance);
  return instance === '' ? component : `${component}, ${instance}`;
}

function firstFilled(...texts: (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

function secretCells(secret: Secret, now: number): string[] {
  return [secret.metadata.name, secret.type ?? 'Opaque', String(Object.keys(secret.data ?? {}).length), createdAge(secret, now)];
}

function configMapCells(configMap: ConfigMap, now: number): string[] {
  return [configMap.metadata.name, String(Object.keys(configMap.data ?? {}).length), createdAge(configMap, now)];
}

function statefulSetCells(set: StatefulSet, now: number): string[] {
  const ready = `${count(set.status['readyReplicas'])}/${set.spec.replicas ?? 1}`;
  return [set.metadata.name, ready, createdAge(set, now), ...containerCells(set.spec.template.spec.containers)];
}

function deploymentCells(deployment: Deployment, now: number): string[] {
  const { status, spec } = deployment;
  return [
    deployment.metadata.name,
    `${count(status['readyReplicas'])}/${spec.replicas ?? 1}`,
    String(count(status['updatedReplicas'])),
    String(count(status['availableReplicas'])),
    createdAge(deployment, now),
    ...containerCells(spec.template.spec.containers),
    formatLabelSelector(spec.selector),
  ];
}

function replicaSetCells(set: ReplicaSet, now: number): string[] {
  return [
    set.metadata.name,
    String(set.spec.replicas ?? 1),
    String(count(set.status['replicas'])),
    String(count(set.status['readyReplicas'])),
    createdAge(set, now),
    ...containerCells(set.spec.template.spec.containers),
    formatLabelSelector(set.spec.selector),
  ];
}

function count(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function containerCells(containers: readonly Container[]): [string, string] {
  return [containers.map((container) => container.name).join(','), containers.map((container) => container.image).join(',')];
}

function csiNodeCells(node: CSINode, now: number): string[] {
  return [node.metadata.name, String((node.spec.drivers ?? []).length), createdAge(node, now)];
}

function csiDriverCells(driver: CSIDriver, now: number): string[] {
  const modes = (driver.spec.volumeLifecycleModes ?? []).join(',');
  return [
    driver.metadata.name,
    String(driver.spec.attachRequired ?? true),
    String(driver.spec.podInfoOnMount ?? false),
    String(driver.spec.storageCapacity ?? false),
    '<unset>',
    String(driver.spec.requiresRepublish ?? false),
    modes === '' ? '<none>' : modes,
    createdAge(driver, now),
  ];
}

function priorityClassCells(priorityClass: PriorityClass, now: number): string[] {
  const preemption = (priorityClass as { readonly preemptionPolicy?: string }).preemptionPolicy ?? 'PreemptLowerPriority';
  return [priorityClass.metadata.name, String(priorityClass.value), String(priorityClass.globalDefault ?? false), createdAge(priorityClass, now), preemption];
}

function revisionCells(revision: ControllerRevision, now: number): string[] {
  const owner = revision.metadata.ownerReferences?.find((reference) => reference.controller);
  const controller = owner === undefined ? '<none>' : `${owner.kind.toLowerCase()}.apps/${owner.name}`;
  return [revision.metadata.name, controller, String(revision.revision), createdAge(revision, now)];
}
