/** A whole cluster, asked about what happens on its nodes. */
import { parseAllDocuments } from 'yaml';
import { startCluster } from '../../machines/index.ts';
import type { World } from '../../machines/index.ts';
import type { AnyObject, KubeEvent, Node, PersistentVolume, PersistentVolumeClaim, Pod, VolumeAttachment } from '../../machines/model/objects.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import type { CsiRecord, StateRecord, WatchRecord } from '../../machines/trace/format.ts';

export const NAMESPACE = 'shop';
export const ZONAL = 'disk.csi.after-bound.dev';
export const HOSTPATH = 'hostpath.csi.k8s.io';

type Spec = Record<string, unknown>;

export class NodeCluster {
  readonly world: World;

  constructor(options: { readonly seed?: number; readonly stage?: readonly AnyObject[] } = {}) {
    this.world = startCluster(options);
  }

  apply(...manifests: readonly (string | Spec)[]): this {
    for (const manifest of manifests) {
      const documents = typeof manifest === 'string' ? parseAllDocuments(manifest).map((document) => document.toJS() as unknown) : [manifest];
      for (const document of documents) applyManifest(this.world.api, document, NAMESPACE);
    }
    return this;
  }

  pass(seconds: number): this {
    this.world.clock.runUntil(this.world.clock.now + seconds * 1000);
    return this;
  }

  /** Lets time pass until the condition holds. Throws after `seconds`. */
  until(condition: () => boolean, seconds = 200): this {
    const end = this.world.clock.now + seconds * 1000;
    while (!condition()) {
      if (this.world.clock.now >= end) throw new Error(`not met after ${seconds} s`);
      this.pass(0.05);
    }
    return this;
  }
  untilReady(pod: string): this {
    return this.until(() => this.pod(pod).status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false);
  }

  pod(name: string): Pod {
    const pod = this.world.api.get('Pod', NAMESPACE, name);
    if (!pod) throw new Error(`no pod ${name}`);
    return pod;
  }
  podNames(): string[] {
    return [...this.world.api.list('Pod')].map(({ metadata }) => metadata.name);
  }
  claim(name: string): PersistentVolumeClaim {
    const claim = this.world.api.get('PersistentVolumeClaim', NAMESPACE, name);
    if (!claim) throw new Error(`no claim ${name}`);
    return claim;
  }
  volumeOf(claim: string): PersistentVolume {
    const volume = this.world.api.get('PersistentVolume', undefined, this.claim(claim).spec.volumeName ?? '');
    if (!volume) throw new Error(`claim ${claim} has no volume`);
    return volume;
  }
  node(name: string): Node {
    const node = this.world.api.get('Node', undefined, name);
    if (!node) throw new Error(`no node ${name}`);
    return node;
  }
  attachments(): VolumeAttachment[] {
    return [...this.world.api.list('VolumeAttachment')];
  }

  delete(kind: 'Pod' | 'Secret' | 'ConfigMap' | 'PersistentVolumeClaim' | 'VolumeAttachment' | 'Node', name: string, options: { readonly graceSeconds?: number } = {}): this {
    this.world.api.delete(kind, NAMESPACE, name, options);
    return this;
  }
  taint(node: string, key: string, effect: 'NoSchedule' | 'NoExecute'): this {
    this.world.api.update('Node', undefined, node, (old) => ({ ...old, spec: { ...old.spec, taints: [...(old.spec.taints ?? []), { key, effect }] } }));
    return this;
  }

  /** `Type Reason: message` of the events on an object, by emitter, in the order of their first writing. */
  events(name: string, component?: string): string[] {
    return this.eventsOf(name, component).map((event) => `${event.type} ${event.reason}: ${event.message}`);
  }
  count(name: string, reason: string): number {
    return this.eventsOf(name).filter((event) => event.reason === reason).reduce((sum, event) => sum + (event.count ?? 1), 0);
  }
  private eventsOf(name: string, component?: string): KubeEvent[] {
    return [...this.world.api.list('Event')].filter((event) => event.involvedObject.name === name && (component === undefined || event.reportingComponent === component));
  }

  /** Seconds, since `from`, at which an event of this reason was written. */
  eventTimes(name: string, reason: string, from = 0): number[] {
    return this.writes('Event')
      .filter(({ object }) => object.kind === 'Event' && object.involvedObject.name === name && object.reason === reason)
      .map(({ t }) => Math.round((t - from) * 10) / 10);
  }
  /** Every write of a kind. */
  writes(kind: string): WatchRecord[] {
    return this.world.trace.records.filter((record): record is WatchRecord => record.type === 'watch' && record.object.kind === kind);
  }
  calls(method: string): CsiRecord[] {
    return this.world.trace.records.filter((record): record is CsiRecord => record.type === 'csi' && record.method === method);
  }
  /** The states that a machine has gone through. */
  states(machine: string, key: string): string[] {
    return this.world.trace.records.filter((record): record is StateRecord => record.type === 'state' && record.machine === machine && record.key === key).map(({ to }) => to);
  }
}

export function claim(name: string, spec: Spec = {}): Spec {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec: { storageClassName: 'zonal-immediate', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } }, ...spec } };
}

/** A volume made by hand, with the claim that gets it. */
export function staticDisk(name: string, volume: Spec = {}, claimSpec: Spec = {}): Spec[] {
  const csi = { driver: ZONAL, volumeHandle: `handle-${name}` };
  const common = { storageClassName: '', accessModes: ['ReadWriteOnce'] };
  return [
    { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `pv-${name}` }, spec: { ...common, capacity: { storage: '1Gi' }, csi, claimRef: { namespace: NAMESPACE, name }, ...volume } },
    claim(name, { ...common, volumeName: `pv-${name}`, ...claimSpec }),
  ];
}

const SLEEP = ['sh', '-c', 'sleep 86400'];

/** A pod that sleeps, with the claim `disk` at /data unless the spec says otherwise. */
export function pod(name: string, spec: Spec = {}): Spec {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'app', image: 'busybox:1', command: SLEEP, volumeMounts: [{ name: 'disk', mountPath: '/data' }] }],
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
      ...spec,
    },
  };
}

/** A pod with these volumes, each mounted at `/NAME`, and no claim unless it is among them. */
export function podWith(name: string, volumes: readonly Spec[], spec: Spec = {}): Spec {
  const volumeMounts = volumes.map((volume) => ({ name: volume['name'], mountPath: `/${String(volume['name'])}` }));
  return pod(name, { volumes, containers: [{ name: 'app', image: 'busybox:1', command: SLEEP, volumeMounts }], ...spec });
}
