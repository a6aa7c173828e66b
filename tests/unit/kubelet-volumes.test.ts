import { describe, expect, test } from 'vitest';
import { withMeta } from '../../machines/kernel/api-server.ts';
import { HOSTPATH, NodeCluster, ZONAL, claim, pod, podWith, staticDisk } from '../helpers/node-cluster.ts';

const on = (node: string) => ({ nodeName: node });
const secret = (name: string, stringData: Record<string, string>) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData });
const configMap = (name: string, data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const failing = (method: string, fault: string): Record<string, unknown> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'failing' },
  provisioner: ZONAL,
  parameters: { [`fail.${method}`]: fault },
});
const kubeletEvents = (cluster: NodeCluster, name: string): string[] => cluster.events(name, 'kubelet').filter((text) => !/Pulled|Created|Started|Killing/.test(text));

describe('a disk on its way into a pod', () => {
  test('is mounted only after the node status lists it in use: verify, stage, publish', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    expect(cluster.states('kubelet-volume', 'shop/first/disk')).toEqual(['waitingForAttach', 'attachVerified', 'staging', 'staged', 'publishing', 'published']);
    const listed = cluster.writes('Node').find(({ object }) => object.kind === 'Node' && object.status.volumesInUse !== undefined)?.t ?? Infinity;
    const [stage] = cluster.calls('NodeStageVolume');
    expect(stage?.t).toBeGreaterThan(listed);
    expect((stage?.t ?? 0) - listed).toBeLessThan(0.3);
  });

  test('the driver gets the publish context, the staging and the target path', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    const volume = cluster.volumeOf('disk').metadata.name;
    expect(cluster.calls('NodePublishVolume')[0]?.request).toMatchObject({
      publish_context: { devicePath: expect.stringContaining('/dev/disk/by-id/') as string },
      target_path: `/var/lib/kubelet/pods/${cluster.pod('first').metadata.uid}/volumes/kubernetes.io~csi/${volume}/mount`,
      volume_capability: { AccessType: { Mount: {} }, access_mode: { mode: 7 } },
    });
    expect(String(cluster.calls('NodeStageVolume')[0]?.request['staging_target_path'])).toMatch(/^\/var\/lib\/kubelet\/plugins\/kubernetes\.io\/csi\/disk\.csi\.after-bound\.dev\/[0-9a-f]{64}\/globalmount$/);
  });

  test('is staged once for all pods of a node; the last one leaving unstages it', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first').apply(pod('second', on('ab-worker'))).untilReady('second');
    expect(cluster.calls('NodeStageVolume')).toHaveLength(1);
    expect(cluster.calls('NodePublishVolume')).toHaveLength(2);
    expect(cluster.states('kubelet-volume', 'shop/second/disk')).toEqual(['publishing', 'published']);
    cluster.delete('Pod', 'first').pass(15);
    expect(cluster.calls('NodeUnstageVolume')).toEqual([]);
    cluster.delete('Pod', 'second').pass(15);
    expect(cluster.calls('NodeUnpublishVolume')).toHaveLength(2);
    expect(cluster.calls('NodeUnstageVolume')).toHaveLength(1);
  });

  test('a failing stage is tried again after 0.5, 1, 2, 4 s and told each time', () => {
    const cluster = new NodeCluster().apply(failing('NodeStageVolume', 'Internal x4: bad superblock'), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: MountVolume.MountDevice failed for volume "${cluster.volumeOf('disk').metadata.name}" : rpc error: code = Internal desc = bad superblock`]);
    const times = cluster.calls('NodeStageVolume').map(({ t }) => t);
    for (const [i, gap] of [0.5, 1, 2, 4].entries()) {
      expect((times[i + 1] ?? 0) - (times[i] ?? 0)).toBeGreaterThan(gap);
      expect((times[i + 1] ?? 0) - (times[i] ?? 0)).toBeLessThan(gap + 0.2);
    }
    expect(cluster.calls('NodeUnstageVolume')).toEqual([]);
  });

  test('a failing publish keeps the volume staged and calls no unpublish', () => {
    const cluster = new NodeCluster().apply(failing('NodePublishVolume', 'FailedPrecondition x2: not staged'), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    expect(cluster.calls('NodeStageVolume')).toHaveLength(1);
    expect(cluster.calls('NodePublishVolume')).toHaveLength(3);
    expect(cluster.calls('NodeUnpublishVolume')).toEqual([]);
    expect(cluster.count('first', 'FailedMount')).toBe(2);
  });

  test.each([
    ['Internal', 0],
    ['Aborted', 1],
    ['Unavailable', 1],
    ['DeadlineExceeded', 1],
  ])('a pod deleted while publishing fails with %s: %i unpublish, since that answer leaves it open whether it worked', (code, unpublished) => {
    const cluster = new NodeCluster().apply(failing('NodePublishVolume', `${code} x0: no answer`), claim('disk', { storageClassName: 'failing' })).pass(1).apply(pod('first', on('ab-worker')));
    cluster.until(() => cluster.calls('NodePublishVolume').length > 0).pass(0.5).delete('Pod', 'first').pass(15);
    expect(cluster.calls('NodeUnpublishVolume')).toHaveLength(unpublished);
    expect(cluster.calls('NodeUnstageVolume')).toHaveLength(1);
    expect(cluster.podNames()).not.toContain('first');
  });

  test('a driver that is not registered on the node is told as such, after the attach', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', { csi: { driver: HOSTPATH, volumeHandle: 'h1' } })).pass(16).apply(pod('first', on('ab-worker2'))).pass(15);
    expect(cluster.count('first', 'SuccessfulAttachVolume')).toBe(1);
    expect(kubeletEvents(cluster, 'first')).toEqual([
      `Warning FailedMount: MountVolume.MountDevice failed for volume "pv-disk" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${HOSTPATH} not found in the list of registered CSI drivers`,
    ]);
  });

  test('a pod that bypassed the scheduler is stopped by the volume’s node affinity, after the attach', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1);
    const zone = cluster.volumeOf('disk').spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values?.[0];
    cluster.apply(pod('first', on(zone === 'zone-a' ? 'ab-worker3' : 'ab-worker'))).pass(15);
    expect(cluster.count('first', 'SuccessfulAttachVolume')).toBe(1);
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: MountVolume.NodeAffinity check failed for volume "${cluster.volumeOf('disk').metadata.name}" : no matching NodeSelectorTerms`]);
  });

  test('the second pod on a ReadWriteOncePod volume is stopped at the mount when it bypassed the scheduler', () => {
    const cluster = new NodeCluster().apply(claim('disk', { accessModes: ['ReadWriteOncePod'] })).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    const node = cluster.pod('first').spec.nodeName ?? '';
    cluster.apply(pod('second', on(node))).pass(3);
    expect(kubeletEvents(cluster, 'second')).toEqual([
      `Warning FailedMount: MountVolume.SetUp failed for volume "${cluster.volumeOf('disk').metadata.name}" : volume uses the ReadWriteOncePod access mode and is already in use by another pod`,
    ]);
    cluster.delete('Pod', 'first').untilReady('second');
  });

  test('a missing stage secret fails the mount before the driver is asked', () => {
    const cluster = new NodeCluster()
      .apply(...staticDisk('disk', { csi: { driver: ZONAL, volumeHandle: 'h1', nodeStageSecretRef: { name: 'key', namespace: 'vault' } } }))
      .pass(16)
      .apply(pod('first', on('ab-worker')))
      .pass(15);
    expect(kubeletEvents(cluster, 'first')).toEqual([
      'Warning FailedMount: MountVolume.MountDevice failed for volume "pv-disk" : fetching NodeStageSecretRef vault/key failed: kubernetes.io/csi: failed to find the secret key in the namespace vault with error: secrets "key" not found',
    ]);
    expect(cluster.calls('NodeStageVolume')).toEqual([]);
  });
});

describe('volumes that cannot enter the desired state', () => {
  test.each([
    ['a claim that is missing', [], 'error processing PVC shop/disk: failed to fetch PVC from API server: persistentvolumeclaims "disk" not found'],
    ['a claim that is not bound', [claim('disk', { storageClassName: 'none' })], 'error processing PVC shop/disk: PVC is not bound'],
  ])('%s ends each sync of the pod with an event, every 10 to 15 s', (_what, objects, error) => {
    const cluster = new NodeCluster().apply(...objects).pass(1).apply(pod('first', on('ab-worker'))).pass(46);
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: Unable to attach or mount volumes: unmounted volumes=[disk], unattached volumes=[], failed to process volumes=[disk]: ${error}`]);
    expect(cluster.count('first', 'FailedMount')).toBeGreaterThanOrEqual(4);
    expect(cluster.count('first', 'FailedMount')).toBeLessThanOrEqual(5);
  });

  test('a claim that is bound later lets the pod go on at its next sync', () => {
    const cluster = new NodeCluster().apply(pod('first', on('ab-worker'))).pass(2).apply(claim('disk')).untilReady('first');
    expect(cluster.count('first', 'FailedMount')).toBe(1);
  });

  test('a block volume in volumeMounts, and a filesystem in volumeDevices', () => {
    const raw = { storageClassName: 'hostpath-immediate', volumeMode: 'Block' };
    const cluster = new NodeCluster().apply(claim('disk', raw), claim('files', { storageClassName: 'hostpath-immediate' })).pass(1).apply(pod('first', on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')[0]).toContain('volume disk has volumeMode Block, but is specified in volumeMounts');
    const device = { containers: [{ name: 'app', image: 'busybox:1', volumeDevices: [{ name: 'files', devicePath: '/dev/x' }] }], volumes: [{ name: 'files', persistentVolumeClaim: { claimName: 'files' } }] };
    cluster.apply(pod('second', { ...on('ab-worker'), ...device })).pass(2);
    expect(kubeletEvents(cluster, 'second')[0]).toContain('volume files has volumeMode Filesystem, but is specified in volumeDevices');
  });

  test('a claim of another pod under the name of an ephemeral volume', () => {
    const volume = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal-immediate', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } } } } };
    const cluster = new NodeCluster().apply(claim('first-scratch')).pass(1).apply(podWith('first', [volume], on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')[0]).toContain('error processing PVC shop/first-scratch: PVC shop/first-scratch was not created for pod shop/first (pod is not owner)');
  });

  test('waiting for an attach that does not come ends after 2 m 3 s without any event', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('holder', on('ab-worker'))).untilReady('holder').apply(pod('first', on('ab-worker2'))).pass(300);
    expect(kubeletEvents(cluster, 'first')).toEqual([]);
    expect(cluster.pod('first').status.phase).toBe('Pending');
  });

  test('a volume that no container uses is attached and otherwise left alone', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', { ...on('ab-worker'), containers: [{ name: 'app', image: 'busybox:1', command: ['sh', '-c', 'sleep 86400'] }] })).untilReady('first').pass(15);
    expect(cluster.attachments()).toHaveLength(1);
    expect(cluster.node('ab-worker').status.volumesInUse).toBeUndefined();
    expect(cluster.calls('NodeStageVolume')).toEqual([]);
  });
});

describe('Secrets, ConfigMaps and projected volumes', () => {
  test('do not wait for the disk beside them', () => {
    const cluster = new NodeCluster().apply(secret('token', { key: 'x' }), pod('first', { ...on('ab-worker') })).pass(1);
    expect(cluster.states('kubelet-volume', `shop/first/${cluster.pod('first').spec.volumes?.[1]?.name ?? ''}`)).toContain('published');
  });

  test.each([
    ['a missing Secret', { name: 'v', secret: { secretName: 'gone' } }, 'secret "gone" not found'],
    ['a missing ConfigMap', { name: 'v', configMap: { name: 'gone' } }, 'configmap "gone" not found'],
    ['a missing key of a Secret', { name: 'v', secret: { secretName: 'token', items: [{ key: 'nokey', path: 'p' }] } }, 'references non-existent secret key: nokey'],
    ['a missing key of a ConfigMap', { name: 'v', configMap: { name: 'settings', items: [{ key: 'nokey', path: 'p' }] } }, 'configmap references non-existent config key: nokey'],
    ['several missing sources of a projected volume', { name: 'v', projected: { sources: [{ secret: { name: 'gone' } }, { configMap: { name: 'lost' } }] } }, '[secret "gone" not found, configmap "lost" not found]'],
  ])('%s fails the mount of that volume', (_what, volume, error) => {
    const cluster = new NodeCluster().apply(secret('token', { key: 'x' }), configMap('settings', { key: 'x' }), podWith('first', [volume], on('ab-worker'))).pass(3);
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: MountVolume.SetUp failed for volume "v" : ${error}`]);
  });

  test.each([
    ['Secret', { name: 'v', secret: { secretName: 'gone', optional: true } }],
    ['ConfigMap', { name: 'v', configMap: { name: 'gone', optional: true } }],
    ['key', { name: 'v', secret: { secretName: 'token', optional: true, items: [{ key: 'nokey', path: 'p' }] } }],
    ['projected source', { name: 'v', projected: { sources: [{ secret: { name: 'gone', optional: true } }] } }],
  ])('an optional %s that is missing is left out, without an event', (_what, volume) => {
    const cluster = new NodeCluster().apply(secret('token', { key: 'x' }), podWith('first', [volume], on('ab-worker'))).untilReady('first');
    expect(kubeletEvents(cluster, 'first')).toEqual([]);
  });

  test('what is missing is looked for again only when the back-off ends', () => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'v', secret: { secretName: 'token' } }], on('ab-worker')));
    cluster.until(() => cluster.count('first', 'FailedMount') === 4);
    const failed = cluster.world.clock.now;
    cluster.apply(secret('token', { key: 'x' })).until(() => cluster.states('kubelet-volume', 'shop/first/v').at(-1) === 'published');
    expect(cluster.world.clock.now - failed).toBeGreaterThan(3_500);
    expect(cluster.count('first', 'FailedMount')).toBe(4);
  });

  test('a Secret deleted under a running pod is noticed at the pod’s next resync, 60 to 90 s on', () => {
    const cluster = new NodeCluster().apply(secret('token', { key: 'x' }), podWith('first', [{ name: 'v', secret: { secretName: 'token' } }], on('ab-worker'))).untilReady('first').pass(2);
    const at = cluster.world.clock.now / 1000;
    cluster.delete('Secret', 'token').pass(100);
    const [noticed = 0] = cluster.eventTimes('first', 'FailedMount', at);
    expect(noticed).toBeGreaterThan(50);
    expect(noticed).toBeLessThan(92);
    expect(cluster.pod('first').status.containerStatuses?.[0]?.ready).toBe(true);
  });
});

describe('volumes of the node and of the pod itself', () => {
  test.each([
    ['Directory', '/srv/none', '/srv/none is not a directory'],
    ['File', '/etc', '/etc is not a file'],
    ['Socket', '/run', '/run is not a socket file'],
    ['CharDevice', '/dev', '/dev is not a character device'],
    ['BlockDevice', '/dev', '/dev is not a block device'],
  ])('a hostPath of type %s is checked', (type, path, error) => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'host', hostPath: { path, type } }], on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: MountVolume.SetUp failed for volume "host" : hostPath type check failed: ${error}`]);
  });

  test.each(['', 'DirectoryOrCreate', 'FileOrCreate'])('a hostPath of type "%s" makes what is missing', (type) => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'host', hostPath: { path: '/srv/none', type } }], on('ab-worker'))).untilReady('first');
    expect(kubeletEvents(cluster, 'first')).toEqual([]);
  });

  test('a local volume needs its path on the node', () => {
    const affinity = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['ab-worker'] }] }] } };
    const cluster = new NodeCluster().apply(...staticDisk('disk', { csi: undefined, local: { path: '/mnt/disks/none' }, nodeAffinity: affinity })).pass(16).apply(pod('first', on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')).toEqual(['Warning FailedMount: MountVolume.NewMounter initialization failed for volume "pv-disk" : path "/mnt/disks/none" does not exist']);
    expect(cluster.attachments()).toEqual([]);
  });

  test.each([
    ['CharDevice', '/dev/null'],
    ['Socket', '/var/run/containerd/containerd.sock'],
    ['File', '/etc/hostname'],
  ])('a hostPath of type %s finds %s on every node', (type, path) => {
    new NodeCluster().apply(podWith('first', [{ name: 'host', hostPath: { path, type } }], on('ab-worker'))).untilReady('first');
  });

  test('a hostPath file is not made where its directory is missing', () => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'host', hostPath: { path: '/srv/none/file', type: 'FileOrCreate' } }], on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')).toEqual(['Warning FailedMount: MountVolume.SetUp failed for volume "host" : open /srv/none/file: no such file or directory']);
  });

  const shell = (cluster: NodeCluster, script: string): string => {
    const container = cluster.world.containers.get('shop/first/app');
    if (!container) throw new Error('no container');
    return container.exec(['sh', '-c', script], cluster.world.clock.now).stdout;
  };
  const host = (path: string) => podWith('first', [{ name: 'host', hostPath: { path, type: 'DirectoryOrCreate' } }], on('ab-worker'));

  test.each([
    ['/var/ab-medium', /\/_data\/ab-medium \S+ rw,relatime - ext4 \/dev\/vda/],
    ['/tmp/ab', / \/ab \S+ rw,nosuid,nodev,noexec,relatime - tmpfs tmpfs/],
    ['/srv/ab', / \/srv\/ab \S+ rw,relatime - overlay overlay/],
  ])('a hostPath %s stands in mountinfo as what a kind node has there', (path, row) => {
    const cluster = new NodeCluster().apply(host(path)).untilReady('first');
    const mount = cluster.pod('first').spec.containers[0]?.volumeMounts?.find((m) => m.name === 'host')?.mountPath ?? '';
    expect(shell(cluster, `grep " ${mount} " /proc/self/mountinfo`)).toMatch(row);
  });

  test('two hostPaths, one within the other, show the same files', () => {
    const cluster = new NodeCluster().apply(host('/srv/outer/inner')).untilReady('first');
    const mount = cluster.pod('first').spec.containers[0]?.volumeMounts?.find((m) => m.name === 'host')?.mountPath ?? '';
    shell(cluster, `echo here > ${mount}/proof`);
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first')).apply(host('/srv/outer')).untilReady('first');
    expect(shell(cluster, `cat ${mount}/inner/proof`)).toBe('here\n');
  });

  test('a hostPath volume takes no mount options', () => {
    const cluster = new NodeCluster().apply(...staticDisk('disk', { csi: undefined, hostPath: { path: '/srv/data' }, mountOptions: ['noatime'] })).pass(16).apply(pod('first', on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')).toEqual(['Warning FailedMount: MountVolume.MountOptionSupport check failed for volume "pv-disk" : Mount options are not supported for this volume type']);
  });

  test('an inline CSI volume is published without attach or stage, by a driver that allows it', () => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'scratch', csi: { driver: HOSTPATH } }], on('ab-worker'))).untilReady('first');
    expect(cluster.attachments()).toEqual([]);
    expect(cluster.states('kubelet-volume', 'shop/first/scratch')).toEqual(['publishing', 'published']);
  });

  test.each([
    ['does not allow inline volumes', ZONAL, `MountVolume.NewMounter initialization failed for volume "scratch" : volume mode "Ephemeral" not supported by driver ${ZONAL} (only supports ["Persistent"])`],
    ['has no CSIDriver object', 'gone.example.com', 'MountVolume.NewMounter initialization failed for volume "scratch" : volume mode "Ephemeral" not supported by driver gone.example.com (no CSIDriver object)'],
  ])('an inline CSI volume of a driver that %s', (_what, driver, error) => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'scratch', csi: { driver } }], on('ab-worker'))).pass(2);
    expect(kubeletEvents(cluster, 'first')).toEqual([`Warning FailedMount: ${error}`]);
  });
});

describe('a raw block device', () => {
  test('is staged and published at places of its own, and announced', () => {
    const raw = claim('disk', { storageClassName: 'hostpath-immediate', volumeMode: 'Block' });
    const device = { containers: [{ name: 'app', image: 'busybox:1', command: ['sh', '-c', 'sleep 86400'], volumeDevices: [{ name: 'disk', devicePath: '/dev/disk0' }] }] };
    const cluster = new NodeCluster().apply(raw).pass(1).apply(pod('first', { ...on('ab-worker'), ...device })).untilReady('first');
    const volume = cluster.volumeOf('disk').metadata.name;
    expect(kubeletEvents(cluster, 'first')).toEqual([
      `Normal SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume "${volume}" globalMapPath "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/${volume}/dev"`,
      `Normal SuccessfulMountVolume: MapVolume.MapPodDevice succeeded for volume "${volume}" volumeMapPath "/var/lib/kubelet/pods/${cluster.pod('first').metadata.uid}/volumeDevices/kubernetes.io~csi"`,
    ]);
  });

  test('fails with the reason FailedMapVolume', () => {
    const device = { containers: [{ name: 'app', image: 'busybox:1', volumeDevices: [{ name: 'disk', devicePath: '/dev/disk0' }] }] };
    const disk = staticDisk('disk', { csi: { driver: HOSTPATH, volumeHandle: 'any' }, volumeMode: 'Block' }, { volumeMode: 'Block' });
    const cluster = new NodeCluster().apply(...disk).pass(20).apply(pod('first', { ...on('ab-worker2'), ...device })).pass(15);
    expect(kubeletEvents(cluster, 'first')[0]).toBe(
      `Warning FailedMapVolume: MapVolume.SetUpDevice failed for volume "${cluster.volumeOf('disk').metadata.name}" : kubernetes.io/csi: blockMapper.SetUpDevice failed to get CSI client: driver name ${HOSTPATH} not found in the list of registered CSI drivers`,
    );
  });
});

describe('a driver that somebody takes out of the CSINode', () => {
  test('is still registered with the kubelet, which writes that object and does not read it', () => {
    const cluster = new NodeCluster().apply(claim('disk', { storageClassName: 'hostpath-immediate' })).pass(1);
    cluster.world.api.update('CSINode', undefined, 'ab-worker', (node) => ({ ...node, spec: { drivers: [] } }));
    cluster.apply(pod('first', on('ab-worker'))).untilReady('first');
  });
});

describe('volumes in use', () => {
  test('are listed from the decision until the volume is unstaged', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first').delete('Pod', 'first').pass(20);
    const lists = cluster.writes('Node').map(({ object }) => (object.kind === 'Node' ? (object.status.volumesInUse?.length ?? 0) : -1));
    expect([...new Set(lists)].toSorted()).toEqual([0, 1]);
    const unlisted = cluster.writes('Node').findLast(({ object }) => object.kind === 'Node' && object.status.volumesInUse === undefined && object.status.volumesAttached !== undefined)?.t ?? 0;
    expect(unlisted).toBeGreaterThan(cluster.calls('NodeUnstageVolume')[0]?.t ?? Infinity);
  });

  test('a pod back on its node waits for the next node status again, though the volume never left it', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).untilReady('first');
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first')).apply(pod('first', on('ab-worker'))).untilReady('first');
    expect(cluster.calls('NodeStageVolume')).toHaveLength(2);
    expect(cluster.states('kubelet-volume', 'shop/first/disk').filter((state) => state === 'waitingForAttach')).toHaveLength(2);
  });
});

describe('a node that cannot be written', () => {
  test('without the controller’s annotation nothing is attached, so the kubelet waits silently', () => {
    const cluster = new NodeCluster();
    cluster.world.api.update('Node', undefined, 'ab-worker', (node) => withMeta(node, { annotations: {} }));
    cluster.apply(claim('disk')).pass(1).apply(pod('first', on('ab-worker'))).pass(60);
    expect(kubeletEvents(cluster, 'first')).toEqual([]);
    expect(cluster.pod('first').status.phase).toBe('Pending');
  });
});
