/** The stage without `--like`: the cluster that the recordings were made on (traces' README), as data. */
import type { AnyObject, CSIDriver, CSINode, Node, StorageClass, Taint } from '../model/objects.ts';
import { HOSTPATH_DRIVER, HOSTPATH_NODE_KEY } from '../drivers/hostpath.ts';
import { ZONAL_DRIVER, ZONE_KEY } from '../drivers/zonal.ts';

const CREATED = '2026-01-01T00:00:00Z';
const ZONE_LABEL = 'topology.kubernetes.io/zone';
export const LOCAL_PATH_PROVISIONER = 'rancher.io/local-path';

/** One row of a stage's node table. */
export interface NodeRow {
  readonly name: string;
  readonly zone?: string | undefined;
  readonly drivers: readonly { readonly name: string; readonly limit?: number | undefined }[];
  readonly taints?: readonly Taint[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

const NODES: readonly NodeRow[] = [
  {
    name: 'ab-control-plane',
    drivers: [],
    taints: [{ effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' }],
    labels: { 'node-role.kubernetes.io/control-plane': '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' },
  },
  { name: 'ab-worker', zone: 'zone-a', drivers: [{ name: HOSTPATH_DRIVER }, { name: ZONAL_DRIVER }] },
  { name: 'ab-worker2', zone: 'zone-a', drivers: [{ name: ZONAL_DRIVER }] },
  { name: 'ab-worker3', zone: 'zone-b', drivers: [{ name: ZONAL_DRIVER, limit: 3 }] },
];

type ClassRow = Pick<StorageClass, 'provisioner' | 'volumeBindingMode'> & { readonly name: string };

const CLASSES: readonly ClassRow[] = [
  { name: 'hostpath-immediate', provisioner: HOSTPATH_DRIVER, volumeBindingMode: 'Immediate' },
  { name: 'hostpath-wait', provisioner: HOSTPATH_DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
  { name: 'standard', provisioner: LOCAL_PATH_PROVISIONER, volumeBindingMode: 'WaitForFirstConsumer' },
  { name: 'zonal-immediate', provisioner: ZONAL_DRIVER, volumeBindingMode: 'Immediate' },
  { name: 'zonal-wait', provisioner: ZONAL_DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
];

/** The recorded cluster: three workers in two zones, two CSI drivers, five classes. */
export function defaultStage(): AnyObject[] {
  return buildStage(NODES);
}

/** A stage of any nodes, with the drivers and classes of the recorded cluster. */
export function buildStage(rows: readonly NodeRow[]): AnyObject[] {
  let version = 0;
  const meta = (name: string) => ({ creationTimestamp: CREATED, name, resourceVersion: String(++version), uid: stageUid(version) });
  const nodes = rows.map((row, i) => nodeOf(row, i, meta(row.name)));
  return [
    ...nodes,
    ...rows.map((row, i) => csiNodeOf(row, nodes[i] as Node, meta(row.name))),
    ...CLASSES.map(({ name, ...rest }) => classOf(meta(name), rest, name === 'standard')),
    csiDriverOf(meta(ZONAL_DRIVER), false, ['Persistent']),
    csiDriverOf(meta(HOSTPATH_DRIVER), true, ['Persistent', 'Ephemeral']),
  ];
}

type Meta = { creationTimestamp: string; name: string; resourceVersion: string; uid: string };

function stageUid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function nodeOf(row: NodeRow, index: number, metadata: Meta): Node {
  const topology = {
    ...(row.zone === undefined ? {} : { [ZONE_LABEL]: row.zone }),
    ...(row.zone !== undefined && hasDriver(row, ZONAL_DRIVER) ? { [ZONE_KEY]: row.zone } : {}),
    ...(hasDriver(row, HOSTPATH_DRIVER) ? { [HOSTPATH_NODE_KEY]: row.name } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...metadata,
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': row.name, 'kubernetes.io/os': 'linux', ...row.labels, ...topology },
    },
    spec: { podCIDR: `10.244.${index}.0/24`, ...(row.taints ? { taints: row.taints } : {}) },
    status: {
      addresses: [
        { address: `172.18.0.${index + 2}`, type: 'InternalIP' },
        { address: row.name, type: 'Hostname' },
      ],
      allocatable: { cpu: '2', 'ephemeral-storage': '264212084Ki', memory: '24684096Ki', pods: '110' },
      capacity: { cpu: '2', 'ephemeral-storage': '264212084Ki', memory: '24684096Ki', pods: '110' },
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux', kubeletVersion: 'v1.35.4', containerRuntimeVersion: 'containerd://1.7.24' },
    },
  };
}

function condition(type: string, status: 'True' | 'False', reason: string, message: string) {
  return { lastHeartbeatTime: CREATED, lastTransitionTime: CREATED, message, reason, status, type };
}

function hasDriver(row: NodeRow, name: string): boolean {
  return row.drivers.some((driver) => driver.name === name);
}

const TOPOLOGY_KEY: Readonly<Record<string, string>> = { [HOSTPATH_DRIVER]: HOSTPATH_NODE_KEY, [ZONAL_DRIVER]: ZONE_KEY };

function csiNodeOf(row: NodeRow, node: Node, metadata: Meta): CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { ...metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: row.name, uid: node.metadata.uid }] },
    spec: {
      drivers: row.drivers.map(({ name, limit }) => ({
        ...(limit === undefined ? {} : { allocatable: { count: limit } }),
        name,
        nodeID: row.name,
        topologyKeys: [TOPOLOGY_KEY[name] ?? ''].filter(Boolean),
      })),
    },
  };
}

function classOf(metadata: Meta, rest: Pick<StorageClass, 'provisioner' | 'volumeBindingMode'>, isDefault: boolean): StorageClass {
  const annotations: Record<string, string> = isDefault ? { 'storageclass.kubernetes.io/is-default-class': 'true' } : {};
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { ...metadata, annotations }, reclaimPolicy: 'Delete', ...rest };
}

function csiDriverOf(metadata: Meta, podInfoOnMount: boolean, volumeLifecycleModes: readonly string[]): CSIDriver {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata,
    spec: { attachRequired: true, fsGroupPolicy: 'File', podInfoOnMount, requiresRepublish: false, seLinuxMount: false, storageCapacity: false, volumeLifecycleModes },
  };
}
