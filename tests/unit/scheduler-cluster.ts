/** A cluster in which only the scheduler runs: what other controllers would write, the tests write by hand. */
import { installAdmission } from '../../machines/admission/index.ts';
import { startScheduler } from '../../machines/controllers/scheduler/index.ts';
import { withAnnotations, withMeta, type Draft } from '../../machines/kernel/api-server.ts';
import { createWorld, type Choices, type World } from '../../machines/kernel/world.ts';
import type { AnyObject, Condition, KubeEvent, PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec, Pod, PodSpec } from '../../machines/model/objects.ts';
import { buildStage, type NodeRow } from '../../machines/run/stage.ts';

export const DISK = 'disk.csi.after-bound.dev';
export const NAMESPACE = 'test';

/** One tainted control plane, two workers in zone a, one in zone b, as in the recordings; or other nodes. */
export const NODES: readonly NodeRow[] = [
  { name: 'master', drivers: [], taints: [{ effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' }], labels: { 'node-role.kubernetes.io/control-plane': '' } },
  { name: 'one', zone: 'a', drivers: [{ name: DISK }] },
  { name: 'two', zone: 'a', drivers: [{ name: DISK }] },
  { name: 'three', zone: 'b', drivers: [{ name: DISK, limit: 2 }] },
];

export function startWithScheduler(options: { readonly nodes?: readonly NodeRow[]; readonly objects?: readonly AnyObject[]; readonly choices?: Choices; readonly seed?: number } = {}): World {
  const world = createWorld({
    stage: [...buildStage(options.nodes ?? NODES), ...(options.objects ?? [])],
    choices: options.choices ?? { nodeOfPod: {}, zoneOfVolume: {} },
    seed: options.seed ?? 1,
    drivers: () => new Map(),
  });
  installAdmission(world);
  startScheduler(world);
  return world;
}

/** Lets `seconds` pass. */
export function pass(world: World, seconds: number): void {
  world.clock.runUntil(world.clock.now + seconds * 1000);
}

export function podDraft(name: string, spec: Partial<PodSpec> & { readonly claims?: readonly string[] } = {}, labels: Readonly<Record<string, string>> = {}): Draft<'Pod'> {
  const { claims = [], ...rest } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: NAMESPACE, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
    spec: {
      containers: [{ name: 'app', image: 'busybox:1' }],
      ...(claims.length > 0 ? { volumes: claims.map((claimName, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName } })) } : {}),
      ...rest,
    },
    status: { phase: 'Pending' },
  };
}

export function createPod(world: World, name: string, spec: Parameters<typeof podDraft>[1] = {}, labels: Readonly<Record<string, string>> = {}): Pod {
  return world.api.create<'Pod'>(podDraft(name, spec, labels));
}

export function createClaim(world: World, name: string, storageClassName: string, spec: PersistentVolumeClaimSpec = {}): PersistentVolumeClaim {
  return world.api.create<'PersistentVolumeClaim'>({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: NAMESPACE },
    spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    status: { phase: 'Pending' },
  });
}

export function createVolume(world: World, name: string, spec: Partial<PersistentVolume['spec']> = {}, labels: Readonly<Record<string, string>> = {}): PersistentVolume {
  world.api.create<'PersistentVolume'>({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, ...(Object.keys(labels).length > 0 ? { labels } : {}) },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, csi: { driver: DISK, volumeHandle: `handle-${name}` }, ...spec },
    status: { phase: 'Pending' },
  });
  return world.api.update('PersistentVolume', undefined, name, (volume) => ({ ...volume, status: { ...volume.status, phase: 'Available' } }));
}

/** What the volume controller writes when it binds: volume name and bind-completed, then the phase. */
export function bindClaim(world: World, claim: string, volume: string): void {
  world.api.update('PersistentVolumeClaim', NAMESPACE, claim, (old) => withAnnotations({ ...old, spec: { ...old.spec, volumeName: volume } }, { 'pv.kubernetes.io/bind-completed': 'yes' }));
  world.api.update('PersistentVolumeClaim', NAMESPACE, claim, (old) => ({ ...old, status: { ...old.status, phase: 'Bound' } }));
}

/** A claim with its volume, bound before anything else happens. */
export function createBoundClaim(world: World, name: string, claim: PersistentVolumeClaimSpec = {}, volume: Partial<PersistentVolume['spec']> = {}, labels: Readonly<Record<string, string>> = {}): void {
  createClaim(world, name, 'zonal-immediate', claim);
  createVolume(world, `pv-${name}`, { claimRef: { name, namespace: NAMESPACE, uid: world.api.get('PersistentVolumeClaim', NAMESPACE, name)?.metadata.uid }, ...volume }, labels);
  bindClaim(world, name, `pv-${name}`);
}

export function onlyIn(key: string, ...values: string[]): NonNullable<PersistentVolume['spec']['nodeAffinity']> {
  return { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }] } };
}

export function getPod(world: World, name: string): Pod | undefined {
  return world.api.get('Pod', NAMESPACE, name);
}
export function nodeOf(world: World, name: string): string | undefined {
  return getPod(world, name)?.spec.nodeName;
}
export function scheduled(world: World, name: string): Condition | undefined {
  return getPod(world, name)?.status.conditions?.find(({ type }) => type === 'PodScheduled');
}
export function claim(world: World, name: string): PersistentVolumeClaim | undefined {
  return world.api.get('PersistentVolumeClaim', NAMESPACE, name);
}

export function events(world: World, name: string): KubeEvent[] {
  return [...world.api.list('Event')].filter(({ involvedObject }) => involvedObject.name === name);
}
/** The texts of FailedScheduling on a pod, in the order in which they came. */
export function failures(world: World, name: string): string[] {
  return events(world, name).flatMap((event) => (event.reason === 'FailedScheduling' ? [event.message] : []));
}

/** How often a pod was taken out of the queue so far. */
export function attempts(world: World, name: string): number {
  return world.trace.records.filter((record) => record.type === 'state' && record.machine === 'scheduling' && record.key === `${NAMESPACE}/${name}` && record.to === 'filtering').length;
}

export function setPhase(world: World, name: string, phase: Pod['status']['phase']): void {
  world.api.update('Pod', NAMESPACE, name, (pod) => ({ ...pod, status: { ...pod.status, phase } }));
}
export function annotate(world: World, name: string, annotations: Readonly<Record<string, string | undefined>>): void {
  world.api.update('PersistentVolumeClaim', NAMESPACE, name, (old) => withAnnotations(old, annotations));
}
export function label(world: World, node: string, labels: Readonly<Record<string, string>>): void {
  world.api.update('Node', undefined, node, (old) => withMeta(old, { labels: { ...old.metadata.labels, ...labels } }));
}
