/** The manifests that a repair applies, made from those of the scenario and from what stood there at the moment of the repair. */
import type { AnyObject, PersistentVolumeClaim, Pod } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import { claimOf } from '../trace-view/bytes.ts';
import { podVolumes } from '../trace-view/pod-volumes.ts';
import { find, ofKind, worldAt, type World } from '../trace-view/world.ts';
import type { PodChange } from './actions.ts';
import { contentRefs } from './content-refs.ts';
import { ChangeError, type Doc } from './doc.ts';
import { writeManifest } from './manifests.ts';

/** What stood there at a moment, milliseconds. */
function worldThen(trace: Trace, at: number): World {
  return worldAt(trace, trace.records.findLastIndex((record) => record.t * 1000 <= at));
}

/** A Secret or ConfigMap with every key that a pod of the scenario asks for. */
export function contentManifest(kind: 'Secret' | 'ConfigMap', name: string, docs: readonly Doc[]): string {
  const asked = docs.flatMap((doc) => podSpecOf(doc) ?? []).flatMap((spec) => contentRefs(spec)).filter((ref) => ref.kind === kind && ref.name === name).flatMap((ref) => ref.keys);
  const keys = asked.length > 0 ? [...new Set(asked)] : [kind === 'Secret' ? 'token' : 'app.conf'];
  const values = Object.fromEntries(keys.map((key) => [key, 'example']));
  return writeManifest({ apiVersion: 'v1', kind, metadata: { name }, ...(kind === 'Secret' ? { stringData: values } : { data: values }) });
}

/** The spec of a pod, or of a controller's pods. */
function podSpecOf(doc: Doc): Pod['spec'] | undefined {
  const spec = doc.kind === 'Pod' ? doc.spec : (doc.spec?.['template'] as { spec?: unknown } | undefined)?.spec;
  return (spec as { containers?: unknown } | undefined)?.containers === undefined ? undefined : (spec as Pod['spec']);
}

/** How large a claim is that a repair makes: as large as the labs' own. */
const SIZE = '64Mi';

/** The claim that a pod of the scenario refers to: as a device where a container names it under volumeDevices. */
export function claimManifest(name: string, className: string, docs: readonly Doc[]): string {
  const block = docs.flatMap((doc) => podSpecOf(doc) ?? []).some((spec) => {
    const volumes = (spec.volumes ?? []).filter((volume) => volume.persistentVolumeClaim?.claimName === name).map((volume) => volume.name);
    return spec.containers.some((container) => container.volumeDevices?.some((device) => volumes.includes(device.name)) === true);
  });
  const spec = { storageClassName: className, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: SIZE } }, ...(block ? { volumeMode: 'Block' } : {}) };
  return writeManifest({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec });
}

function claimThen(claim: string, at: number, trace: Trace): { readonly world: World; readonly object: PersistentVolumeClaim } {
  const world = worldThen(trace, at);
  const object = find(world, 'PersistentVolumeClaim', trace.scenario.namespace, claim)?.object;
  if (object === undefined) throw new ChangeError(`there is no claim ${claim} at ${at / 1000} s`);
  return { world, object };
}

/** A directory of the node as a volume that fits the claim: its name where it asks for one, its class, modes and size. */
export function volumeByHand(claim: string, at: number, trace: Trace): Doc {
  const { world, object } = claimThen(claim, at, trace);
  const taken = (name: string): boolean => find(world, 'PersistentVolume', undefined, name) !== undefined;
  const free = [`${claim}-by-hand`, `${claim}-by-hand-2`, `${claim}-by-hand-3`].find((name) => !taken(name)) ?? `${claim}-by-hand-4`;
  const asked = object.spec.volumeName;
  const name = asked === undefined || asked === '' ? free : asked;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: object.spec.resources?.requests?.storage ?? SIZE },
      accessModes: [...(object.spec.accessModes ?? ['ReadWriteOnce'])],
      storageClassName: object.spec.storageClassName ?? '',
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `/var/local/${name}`, type: 'DirectoryOrCreate' },
    },
  };
}

/**
 * A lost volume's object once more, over the same disk. Its name in the manifest is a variable where a provisioner chose
 * it: in another run it is another.
 */
export function restoredVolume(claim: string, at: number, trace: Trace): Doc {
  const { world, object } = claimThen(claim, at, trace);
  const name = object.spec.volumeName ?? '';
  const seen = world.gone.get(`PersistentVolume//${name}`)?.object;
  if (seen?.kind !== 'PersistentVolume') throw new ChangeError(`nothing is known of the volume that claim ${claim} lost`);
  const { claimRef: _claimRef, ...spec } = seen.spec;
  const given = seen.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] !== undefined;
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: given ? `$PV_OF_${claim}` : name }, spec: { ...spec } };
}

/** The claim and the pods that use it away; the claim again with a class and no volume named, then the pods. */
export function claimAnew(claim: string, className: string, at: number, trace: Trace, docs: readonly Doc[]): Step[] {
  const { world, object } = claimThen(claim, at, trace);
  const doc = manifestOf(docs, object);
  const pods = ofKind(world, 'Pod').map((held) => held.object).filter((pod) => pod.metadata.namespace === object.metadata.namespace && podVolumes(world, pod).some((volume) => volume.claimName === claim));
  const { volumeName: _volumeName, ...spec } = doc.spec ?? {};
  return [
    ...pods.map((pod): Step => ({ delete: { target: `pod/${pod.metadata.name}`, wait: true } })),
    { delete: { target: `pvc/${claim}`, wait: true } },
    { apply: writeManifest({ ...doc, spec: { ...spec, storageClassName: className } }) },
    ...pods.map((pod): Step => ({ apply: writeManifest(manifestOf(docs, pod)) })),
  ];
}

/** The pod away and again, changed in one respect; where it could not write, it tries again. */
export function podAnew(name: string, how: PodChange, at: number, trace: Trace, docs: readonly Doc[]): Step[] {
  const pod = find(worldThen(trace, at), 'Pod', trace.scenario.namespace, name)?.object;
  if (pod === undefined) throw new ChangeError(`there is no pod ${name} at ${at / 1000} s`);
  const doc = manifestOf(docs, pod);
  const path = pod.spec.containers.flatMap((container) => container.volumeMounts ?? []).find((mount) => claimOf(pod, mount.name) !== undefined)?.mountPath;
  const tryAgain = (how === 'writable' || how === 'fsGroup') && path !== undefined;
  return [
    { delete: { target: `pod/${name}`, wait: true } },
    { apply: writeManifest({ ...doc, spec: CHANGES[how]((doc.spec ?? {}) as unknown as Pod['spec'], pod) }) },
    ...(tryAgain ? [{ wait: { for: `pod/${name}`, condition: 'Ready', timeout: 60 } }, { exec: { pod: name, sh: writeAndRead(path) } }] : []),
  ];
}

/** Writes a file under a mount path and reads it back. */
export function writeAndRead(path: string): string {
  return `echo persistent > ${path}/proof; cat ${path}/proof`;
}

type Spec = Pod['spec'];

const CHANGES: Readonly<Record<PodChange, (spec: Spec, pod: Pod) => Spec>> = {
  anyNode: ({ nodeSelector: _selector, affinity: _affinity, ...spec }) => spec,
  smaller: (spec) => ({ ...spec, containers: spec.containers.map(({ resources: _resources, ...container }) => container) }),
  asDevice: (spec, pod) => ({
    ...spec,
    containers: spec.containers.map((container) => {
      const devices = (container.volumeMounts ?? []).filter((mount) => claimOf(pod, mount.name) !== undefined);
      return {
        ...container,
        volumeMounts: (container.volumeMounts ?? []).filter((mount) => !devices.includes(mount)),
        volumeDevices: [...(container.volumeDevices ?? []), ...devices.map((mount) => ({ name: mount.name, devicePath: `/dev/${mount.name}` }))],
      };
    }),
  }),
  asMount: (spec) => ({
    ...spec,
    containers: spec.containers.map(({ volumeDevices = [], ...container }) => ({ ...container, volumeMounts: [...(container.volumeMounts ?? []), ...volumeDevices.map((device) => ({ name: device.name, mountPath: `/mnt/${device.name}` }))] })),
  }),
  writable: (spec) => ({
    ...spec,
    containers: spec.containers.map((container) => ({ ...container, volumeMounts: (container.volumeMounts ?? []).map(({ readOnly: _readOnly, ...mount }) => mount) })),
    volumes: (spec.volumes ?? []).map((volume) => (volume.persistentVolumeClaim === undefined ? volume : { ...volume, persistentVolumeClaim: { claimName: volume.persistentVolumeClaim.claimName } })),
  }),
  fsGroup: (spec) => ({ ...spec, securityContext: { ...spec.securityContext, fsGroup: GROUP } }),
};

/** A group that no image knows: what the file system grants comes from fsGroup alone. */
const GROUP = 2000;

/** The manifest that an object was last applied from; an object that no manifest made is written down as it stands. */
function manifestOf(docs: readonly Doc[], object: AnyObject): Doc {
  const applied = docs.findLast((doc) => doc.kind === object.kind && doc.metadata?.name === object.metadata.name);
  if (applied !== undefined) return applied;
  const { name, labels } = object.metadata;
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: { name, ...(labels === undefined ? {} : { labels }) }, spec: { ...('spec' in object ? (object.spec as Record<string, unknown>) : {}) } };
}
