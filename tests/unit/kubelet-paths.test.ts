import { describe, expect, test } from 'vitest';
import { NodeCluster, claim, pod, podWith, staticDisk } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const SLEEP = ['sh', '-c', 'sleep 86400'];
const secret = (name: string, stringData: Record<string, string>) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });
const sh = (script: string, more: Record<string, unknown> = {}) => ({ name: 'app', image: 'busybox:1', command: ['sh', '-c', script], ...more });
const withMounts = (volumes: readonly unknown[], volumeMounts: readonly unknown[], more: Record<string, unknown> = {}) =>
  podWith('first', [], { ...NODE, volumes, containers: [{ name: 'app', image: 'busybox:1', command: SLEEP, volumeMounts, ...more }] });
const waiting = (cluster: NodeCluster) => cluster.pod('first').status.containerStatuses?.[0]?.state.waiting;
const exec = (cluster: NodeCluster, script: string) => {
  const target = cluster.world.containers.get('shop/first/app');
  if (!target) throw new Error('the container does not run');
  return target.exec(['sh', '-c', script], cluster.world.clock.now);
};

describe('one claim under two names of a pod', () => {
  test('is mounted once and found at both paths', () => {
    const volumes = ['a', 'b'].map((name) => ({ name, persistentVolumeClaim: { claimName: 'disk' } }));
    const mounts = [{ name: 'a', mountPath: '/a' }, { name: 'b', mountPath: '/b' }];
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(withMounts(volumes, mounts)).untilReady('first');
    expect(cluster.calls('NodePublishVolume')).toHaveLength(1);
    expect(exec(cluster, 'echo x > /a/f; cat /b/f').stdout).toBe('x\n');
    cluster.delete('Pod', 'first').pass(10);
    expect(cluster.calls('NodeUnpublishVolume')).toHaveLength(1);
    expect(cluster.podNames()).toEqual([]);
  });
});

describe('a part of a volume', () => {
  const disk = { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } };

  test('that is missing is made as a directory with the mode of the volume', () => {
    const scratch = { name: 'scratch', emptyDir: {} };
    const cluster = new NodeCluster().apply(withMounts([scratch], [{ name: 'scratch', mountPath: '/part', subPath: 'one/two' }, { name: 'scratch', mountPath: '/all' }])).untilReady('first');
    expect(exec(cluster, 'ls -ld /part | cut -c1-10; ls -ld /all/one | cut -c1-10').stdout).toBe('drwxrwxrwx\ndrwxr-xr-x\n');
  });

  test('that a Secret does not have is made too: the kubelet can write where the container cannot', () => {
    const token = { name: 'token', secret: { secretName: 'token' } };
    const cluster = new NodeCluster().apply(secret('token', { key: 'v' }), withMounts([token], [{ name: 'token', mountPath: '/other', subPath: 'other' }])).untilReady('first');
    expect(exec(cluster, 'test -d /other && touch /other/f').stderr).toBe('touch: /other/f: Read-only file system\n');
  });

  test('cannot be made in a volume that is read-only on the node: the container is not made, and the kubelet says why', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(withMounts([{ name: 'disk', persistentVolumeClaim: { claimName: 'disk', readOnly: true } }], [{ name: 'disk', mountPath: '/part', subPath: 'none' }])).pass(20);
    const message = 'failed to create subPath directory for volumeMount "disk" of container "app"';
    expect(waiting(cluster)).toEqual({ reason: 'CreateContainerConfigError', message });
    expect(cluster.events('first', 'kubelet')).toContain(`Warning Failed: Error: ${message}`);
  });

  test('cannot lie behind a file', () => {
    const token = { name: 'token', secret: { secretName: 'token' } };
    const cluster = new NodeCluster().apply(secret('token', { key: 'v' }), withMounts([token], [{ name: 'token', mountPath: '/other', subPath: 'key/below' }])).pass(5);
    expect(waiting(cluster)?.message).toBe('failed to prepare subPath for volumeMount "token" of container "app"');
  });

  test('may be named by the container’s variables, which must all have a value', () => {
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'EMPTY', value: '' }];
    const mount = (subPathExpr: string) => [{ name: 'disk', mountPath: '/part', subPathExpr }, { name: 'disk', mountPath: '/all' }];
    const good = new NodeCluster().apply(claim('disk')).pass(1).apply(withMounts([disk], mount('of/$(NAME)'), { env })).untilReady('first');
    expect(exec(good, 'ls /all/of').stdout).toBe('first\n');
    const bad = new NodeCluster().apply(claim('disk')).pass(1).apply(withMounts([disk], mount('$(NONE)/$(EMPTY)'), { env })).pass(20);
    expect(waiting(bad)?.message).toBe('missing value for EMPTY, NONE');
  });
});

describe('last words of a container', () => {
  test('are what it wrote at its terminationMessagePath', () => {
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, restartPolicy: 'Never', containers: [sh('echo no disk > /dev/termination-log; exit 4')] })).pass(5);
    expect(cluster.pod('first').status.containerStatuses?.[0]?.state.terminated).toMatchObject({ exitCode: 4, message: 'no disk\n' });
  });

  test('are the end of its output where it failed without a word and its policy says so', () => {
    const container = (exit: number) => sh(`echo gone; exit ${exit}`, { terminationMessagePolicy: 'FallbackToLogsOnError' });
    const ended = (exit: number) => new NodeCluster().apply(podWith('first', [], { ...NODE, restartPolicy: 'Never', containers: [container(exit)] })).pass(5).pod('first').status.containerStatuses?.[0]?.state.terminated;
    expect(ended(3)?.message).toBe('gone\n');
    expect(ended(0)?.message).toBeUndefined();
  });
});

describe('a container that must not be root', () => {
  test.each([
    [{ runAsNonRoot: true }, 'container has runAsNonRoot and image will run as root'],
    [{ runAsNonRoot: true, runAsUser: 0 }, "container's runAsUser breaks non-root policy"],
  ])('is not made as root: %j', (securityContext, text) => {
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, securityContext, containers: [sh('sleep 100')] })).pass(5);
    const { uid } = cluster.pod('first').metadata;
    expect(waiting(cluster)?.message).toBe(`${text} (pod: "first_shop(${uid})", container: app)`);
  });
  test('runs as another user', () => {
    new NodeCluster().apply(podWith('first', [], { ...NODE, securityContext: { runAsNonRoot: true, runAsUser: 1000 }, containers: [sh('sleep 100')] })).untilReady('first');
  });
});

describe('an init container', () => {
  test('is ready when it has done its work, not while it works; a sidecar while it runs', () => {
    const initContainers = [sh('sleep 100', { name: 'side', restartPolicy: 'Always' }), sh('sleep 5', { name: 'work' })];
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, initContainers, containers: [sh('sleep 100')] })).pass(5);
    const ready = (): (boolean | undefined)[] => cluster.pod('first').status.initContainerStatuses?.map((c) => c.ready) ?? [];
    expect(ready()).toEqual([true, false]);
    cluster.untilReady('first');
    expect(ready()).toEqual([true, true]);
  });
});

describe('a raw block volume', () => {
  const device = { containers: [{ name: 'app', image: 'busybox:1', command: SLEEP, volumeDevices: [{ name: 'disk', devicePath: '/dev/disk0' }] }] };

  test('that cannot reach the node is refused in every loop, until the spam filter lets nothing through', () => {
    const raw = claim('disk', { storageClassName: 'hostpath-immediate', volumeMode: 'Block' });
    const cluster = new NodeCluster().apply(raw).pass(1).apply(pod('first', { nodeName: 'ab-worker2', ...device })).pass(60);
    const text = `Warning FailedMount: MapVolume.NodeAffinity check failed for volume "${cluster.volumeOf('disk').metadata.name}" : no matching NodeSelectorTerms`;
    expect(cluster.events('first', 'kubelet')).toEqual([text]);
    const times = cluster.eventTimes('first', 'FailedMount');
    expect(cluster.count('first', 'FailedMount')).toBe(25);
    expect((times[9] ?? 0) - (times[0] ?? 0)).toBeCloseTo(0.9, 1);
  });

  test('of a hostPath is passed over without a word', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', { csi: undefined, hostPath: { path: '/dev/null' }, volumeMode: 'Block' }, { volumeMode: 'Block' })).pass(20).apply(pod('first', { ...NODE, ...device })).pass(60);
    expect(cluster.events('first', 'kubelet')).toEqual([]);
    expect(waiting(cluster)).toEqual({ reason: 'ContainerCreating' });
  });

  test('made by hand over a directory of the hostpath driver is refused by the driver', () => {
    const cluster = new NodeCluster().apply(claim('made', { storageClassName: 'hostpath-immediate' })).pass(1);
    const { volumeHandle = '' } = cluster.volumeOf('made').spec.csi ?? {};
    const csi = { driver: 'hostpath.csi.k8s.io', volumeHandle };
    cluster.apply(...staticDisk('disk', { csi, volumeMode: 'Block' }, { volumeMode: 'Block' })).pass(20).apply(pod('first', { ...NODE, ...device })).pass(20);
    expect(cluster.events('first', 'kubelet')).toEqual(['Warning FailedMapVolume: MapVolume.MapPodDevice failed for volume "pv-disk" : rpc error: code = InvalidArgument desc = cannot publish a non-block volume as block volume']);
  });
});

describe('a Secret or ConfigMap that is marked immutable', () => {
  const write = (kind: 'Secret' | 'ConfigMap', change: Record<string, unknown>) => {
    const cluster = new NodeCluster().apply({ apiVersion: 'v1', kind, metadata: { name: 'fixed' }, immutable: true, data: { key: kind === 'Secret' ? 'dg==' : 'v' } });
    return () => cluster.world.api.update(kind, 'shop', 'fixed', (object) => ({ ...object, ...change }) as typeof object);
  };
  test.each(['Secret', 'ConfigMap'] as const)('%s: keeps its data and its mark, not its labels', (kind) => {
    expect(write(kind, { data: { key: 'dw==' } })).toThrow(`${kind} "fixed" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`);
    expect(write(kind, { immutable: false })).toThrow(`${kind} "fixed" is invalid: immutable: Forbidden: field is immutable when \`immutable\` is set`);
    expect(write(kind, { metadata: { name: 'fixed', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', labels: { a: 'b' } } })).not.toThrow();
  });
});

describe('what a pod learns of itself', () => {
  const env = (name: string, valueFrom: Record<string, unknown>) => ({ name, valueFrom });

  test('its node, its addresses and its resources stand in the environment', () => {
    const variables = [
      ...['spec.nodeName', 'spec.serviceAccountName', 'status.hostIP', 'status.podIP'].map((fieldPath, i) => env(`F${i}`, { fieldRef: { fieldPath } })),
      env('CPU', { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } }),
      env('CORES', { resourceFieldRef: { resource: 'requests.cpu' } }),
      env('MEMORY', { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } }),
      env('ALL', { resourceFieldRef: { resource: 'limits.cpu' } }),
    ];
    const resources = { requests: { cpu: '50m' }, limits: { memory: '64Mi' } };
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, containers: [sh('sleep 100', { env: variables, resources })] })).untilReady('first');
    expect(exec(cluster, 'echo $F0 $F1 $F2 $F3 $CPU $CORES $MEMORY $ALL').stdout).toBe(`ab-worker default 172.18.0.3 ${cluster.pod('first').status.podIP ?? ''} 50 1 64 2\n`);
  });

  test('a file of a downward API volume has the mode that the volume, or the item, asks for', () => {
    const items = [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }, { path: 'cpu', mode: 0o600, resourceFieldRef: { containerName: 'app', resource: 'limits.cpu' } }];
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'me', downwardAPI: { defaultMode: 0o440, items } }], NODE)).untilReady('first');
    expect(exec(cluster, 'cat /me/name; echo; cat /me/cpu; echo; ls -lL /me | cut -c1-10').stdout).toBe('first\n2\ntotal 8\n-rw-------\n-r--r-----\n');
  });

  test('the API server stores every such reference in its full form', () => {
    const containers = [sh('sleep 100', { env: [env('A', { fieldRef: { fieldPath: 'metadata.name' } }), env('B', { resourceFieldRef: { resource: 'limits.cpu' } })], ports: [{ containerPort: 80 }] })];
    const { spec } = new NodeCluster().apply(podWith('first', [], { ...NODE, containers })).pod('first');
    expect(spec.containers[0]?.env?.map(({ valueFrom }) => valueFrom)).toEqual([{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }, { resourceFieldRef: { divisor: '0', resource: 'limits.cpu' } }]);
    expect(spec.containers[0]?.ports).toEqual([{ containerPort: 80, protocol: 'TCP' }]);
  });
});

describe('what the API server adds to objects of storage', () => {
  test('a hostPath volume without a type has the empty one', () => {
    const [volume] = staticDisk('disk', { csi: undefined, hostPath: { path: '/tmp' } });
    const { world } = new NodeCluster().apply(volume as Record<string, unknown>);
    expect(world.api.get('PersistentVolume', undefined, 'pv-disk')?.spec.hostPath).toEqual({ path: '/tmp', type: '' });
  });

  test('a driver object says every setting', () => {
    const { world } = new NodeCluster().apply({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'other.example.com' }, spec: { attachRequired: false } });
    expect(world.api.get('CSIDriver', undefined, 'other.example.com')?.spec).toEqual({ attachRequired: false, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: false, requiresRepublish: false, seLinuxMount: false, storageCapacity: false, volumeLifecycleModes: ['Persistent'] });
  });
});

describe('a volume in memory', () => {
  const sizeOf = (volume: Record<string, unknown>, resources: Record<string, unknown> = {}): string => {
    const volumeMounts = [{ name: 'm', mountPath: '/m' }];
    const cluster = new NodeCluster().apply(secret('s', { a: 'b' }), podWith('first', [], { ...NODE, volumes: [{ name: 'm', ...volume }], containers: [sh('sleep 100', { volumeMounts, resources })] })).untilReady('first');
    return exec(cluster, 'grep " /m " /proc/self/mountinfo').stdout.replace(/.* tmpfs tmpfs /, '').trim();
  };
  test('is as large as the memory that the node can give', () => {
    expect(sizeOf({ secret: { secretName: 's' } })).toBe('rw,size=24684096k,inode64,noswap');
    expect(sizeOf({ emptyDir: { medium: 'Memory' } })).toBe('rw,size=24684096k,inode64,noswap');
  });
  test('is no larger than its own limit or the pod’s', () => {
    expect(sizeOf({ emptyDir: { medium: 'Memory', sizeLimit: '10Mi' } })).toBe('rw,size=10240k,inode64,noswap');
    expect(sizeOf({ secret: { secretName: 's' } }, { limits: { memory: '64Mi' } })).toBe('rw,size=65536k,inode64,noswap');
  });
});
