/** A cluster in which only the claim and volume controllers run: what a person and a scheduler would do is written by hand. */
import { parseAllDocuments } from 'yaml';
import { installAdmission } from '../../machines/admission/index.ts';
import { startExpandController } from '../../machines/controllers/claims/expand-controller.ts';
import { startClaimProtection, startVolumeProtection } from '../../machines/controllers/claims/protection.ts';
import { startPersistentVolumeController } from '../../machines/controllers/claims/pv-controller.ts';
import { startProvisioners } from '../../machines/controllers/claims/provisioners.ts';
import { startResizers } from '../../machines/controllers/claims/resizer.ts';
import { createDrivers } from '../../machines/drivers/index.ts';
import { withAnnotations } from '../../machines/kernel/api-server.ts';
import { createWorld, type World } from '../../machines/kernel/world.ts';
import type { KubeEvent, PersistentVolume, PersistentVolumeClaim, Pod } from '../../machines/model/objects.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { defaultStage } from '../../machines/run/stage.ts';
import type { CsiRecord, StateRecord } from '../../machines/trace/format.ts';

const NAMESPACE = 'shop';
const CONTROLLERS = [startPersistentVolumeController, startProvisioners, startClaimProtection, startVolumeProtection, startExpandController, startResizers];

export class ClaimsCluster {
  readonly world: World;

  constructor(seed = 1) {
    this.world = createWorld({ stage: defaultStage(), choices: { nodeOfPod: {}, zoneOfVolume: {} }, seed, drivers: createDrivers });
    installAdmission(this.world);
    for (const start of CONTROLLERS) start(this.world);
  }

  /** Applies one or several manifests, then lets a tenth of a second pass. */
  apply(manifests: string): this {
    for (const document of parseAllDocuments(manifests)) applyManifest(this.world.api, document.toJS(), NAMESPACE);
    return this.pass(0.1);
  }

  pass(seconds: number): this {
    this.world.clock.runUntil(this.world.clock.now + seconds * 1000);
    return this;
  }

  claim(name: string): PersistentVolumeClaim {
    const claim = this.world.api.get('PersistentVolumeClaim', NAMESPACE, name);
    if (!claim) throw new Error(`no claim ${name}`);
    return claim;
  }
  claimExists(name: string): boolean {
    return this.world.api.get('PersistentVolumeClaim', NAMESPACE, name) !== undefined;
  }

  pod(name: string): Pod {
    const pod = this.world.api.get('Pod', NAMESPACE, name);
    if (!pod) throw new Error(`no pod ${name}`);
    return pod;
  }

  volume(name: string): PersistentVolume {
    const volume = this.world.api.get('PersistentVolume', undefined, name);
    if (!volume) throw new Error(`no volume ${name}`);
    return volume;
  }
  volumeExists(name: string): boolean {
    return this.world.api.get('PersistentVolume', undefined, name) !== undefined;
  }
  volumeOf(claim: string): PersistentVolume {
    return this.volume(this.claim(claim).spec.volumeName ?? `of ${claim}`);
  }

  /** What the scheduler does at PreBind. */
  selectNode(claim: string, node: string): this {
    this.world.api.update('PersistentVolumeClaim', NAMESPACE, claim, (old) => withAnnotations(old, { 'volume.kubernetes.io/selected-node': node }));
    return this.pass(0.1);
  }

  updateClaim(name: string, change: (claim: PersistentVolumeClaim) => PersistentVolumeClaim): this {
    this.world.api.update('PersistentVolumeClaim', NAMESPACE, name, change);
    return this.pass(0.1);
  }
  updateVolume(name: string, change: (volume: PersistentVolume) => PersistentVolume): this {
    this.world.api.update('PersistentVolume', undefined, name, change);
    return this.pass(0.1);
  }

  delete(kind: 'PersistentVolumeClaim' | 'PersistentVolume' | 'Pod' | 'StorageClass' | 'VolumeAttachment', name: string): this {
    this.world.api.delete(kind, NAMESPACE, name);
    return this.pass(0.1);
  }

  /** `Type Reason: message ×count` of every event on the object, in the order of their first writing. */
  events(name: string): string[] {
    return [...this.world.api.list('Event')].filter((event) => event.involvedObject.name === name).map(eventText);
  }
  eventCount(name: string, reason: string): number {
    return [...this.world.api.list('Event')].filter((event) => event.involvedObject.name === name && event.reason === reason).reduce((sum, event) => sum + (event.count ?? 1), 0);
  }

  calls(method: string): CsiRecord[] {
    return this.world.trace.records.filter((record): record is CsiRecord => record.type === 'csi' && record.method === method);
  }
  /** Seconds at which the driver was asked. */
  callTimes(method: string): number[] {
    return this.calls(method).map(({ t }) => Math.round(t * 10) / 10);
  }
  /** The states that a machine has gone through. */
  states(machine: string, key: string): string[] {
    return this.world.trace.records.filter((record): record is StateRecord => record.type === 'state' && record.machine === machine && record.key === key).map(({ to }) => to);
  }
}

function eventText(event: KubeEvent): string {
  return `${event.type} ${event.reason}: ${event.message}`;
}

export function claimManifest(name: string, spec: Record<string, unknown> = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
}

export function volumeManifest(name: string, spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'by-hand', hostPath: { path: `/srv/${name}` }, ...spec },
  });
}

export function classManifest(name: string, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name }, provisioner: 'disk.csi.after-bound.dev', volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete', ...rest });
}

/** A pod that is on a node already, as one that bypassed the scheduler. */
export function podManifest(name: string, claims: readonly string[], spec: Record<string, unknown> = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [{ name: 'app', image: 'busybox', command: ['sleep', '1d'] }],
      volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      ...spec,
    },
  });
}
