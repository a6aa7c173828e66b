import { describe, expect, test } from 'vitest';
import { ClaimsCluster, claimManifest, classManifest, podManifest, volumeManifest } from '../helpers/claims-cluster.ts';

const ZONE = 'topology.disk.csi.after-bound.dev/zone';
const zonal = { storageClassName: 'zonal-immediate' };
const failing = (fault: string, rest: Record<string, unknown> = {}) => classManifest('failing', { parameters: { 'fail.CreateVolume': fault }, ...rest });
const claimOfFailing = claimManifest('data', { storageClassName: 'failing' });

describe('a new volume', () => {
  test('carries what the provisioner gives it', () => {
    const cluster = new ClaimsCluster().apply(classManifest('fancy', { mountOptions: ['noatime'], parameters: { 'csi.storage.k8s.io/fstype': 'xfs', color: 'red' } })).apply(claimManifest('data', { storageClassName: 'fancy' }));
    const volume = cluster.volumeOf('data');
    expect(volume.metadata.name).toBe(`pvc-${cluster.claim('data').metadata.uid}`);
    expect(volume.metadata.finalizers).toEqual(['external-provisioner.volume.kubernetes.io/finalizer', 'kubernetes.io/pv-protection']);
    expect(volume.metadata.annotations).toEqual({
      'pv.kubernetes.io/provisioned-by': 'disk.csi.after-bound.dev',
      'volume.kubernetes.io/provisioner-deletion-secret-name': '',
      'volume.kubernetes.io/provisioner-deletion-secret-namespace': '',
    });
    expect(volume.spec).toMatchObject({ capacity: { storage: '1Gi' }, mountOptions: ['noatime'], csi: { fsType: 'xfs', volumeAttributes: { color: 'red' } }, storageClassName: 'fancy', persistentVolumeReclaimPolicy: 'Delete' });
    expect(cluster.calls('CreateVolume')[0]?.request).toMatchObject({ volume_capabilities: [{ AccessType: { Mount: { fs_type: 'xfs', mount_flags: ['noatime'] } }, access_mode: { mode: 7 } }], parameters: { color: 'red' } });
    expect(cluster.states('provisioning', 'shop/data')).toEqual(['creating', 'succeeded']);
  });

  test.each([
    ['ReadWriteOnce', 7],
    ['ReadWriteOncePod', 6],
    ['ReadOnlyMany', 3],
    ['ReadWriteMany', 5],
  ])('is asked for with the access mode number of %s', (mode, number) => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { ...zonal, accessModes: [mode] }));
    expect(cluster.calls('CreateVolume')[0]?.request).toMatchObject({ volume_capabilities: [{ access_mode: { mode: number } }] });
  });

  test('of an Immediate class may be in every zone; the first is picked by the claim\'s name, and ordinals take turns', () => {
    const cluster = new ClaimsCluster().apply(['web-0', 'web-1', 'web-2'].map((n) => claimManifest(`data-${n}`, zonal)).join('\n---\n'));
    const first = cluster.calls('CreateVolume').map(({ request }) => (request as { accessibility_requirements: { preferred: { segments: Record<string, string> }[] } }).accessibility_requirements.preferred[0]?.segments[ZONE]);
    expect(first[0]).not.toBe(first[1]);
    expect(first[2]).toBe(first[0]);
  });

  test('of a waiting class is preferred where its pod will be', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'zonal-wait' })).selectNode('data', 'ab-worker3');
    expect(cluster.calls('CreateVolume')[0]?.request).toMatchObject({ accessibility_requirements: { preferred: [{ segments: { [ZONE]: 'zone-b' } }, { segments: { [ZONE]: 'zone-a' } }], requisite: [{ segments: { [ZONE]: 'zone-a' } }, { segments: { [ZONE]: 'zone-b' } }] } });
    expect(cluster.volumeOf('data').spec.nodeAffinity?.required?.nodeSelectorTerms).toEqual([{ matchExpressions: [{ key: ZONE, operator: 'In', values: ['zone-b'] }] }]);
  });

  test('is made only where the class allows it, also for an Immediate claim', () => {
    const cluster = new ClaimsCluster().apply(classManifest('b-only', { allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['zone-b'] }] }] })).apply(claimManifest('data', { storageClassName: 'b-only' }));
    expect(cluster.calls('CreateVolume')[0]?.request).toMatchObject({ accessibility_requirements: { requisite: [{ segments: { [ZONE]: 'zone-b' } }], preferred: [{ segments: { [ZONE]: 'zone-b' } }] } });
    expect(cluster.volumeOf('data').spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values).toEqual(['zone-b']);
  });

  test('cannot be made for a node without the driver: the same node is tried again and again', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'hostpath-wait' })).selectNode('data', 'ab-worker2');
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: error generating accessibility requirements: no topology key found for node ab-worker2');
    cluster.pass(8);
    expect(cluster.eventCount('data', 'ProvisioningFailed')).toBe(4);
    expect(cluster.claim('data').metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': 'ab-worker2' });
    expect(cluster.states('provisioning', 'shop/data')).toEqual(['backOff']);
  });

  test('cannot be made when no node runs the driver', () => {
    const cluster = new ClaimsCluster();
    for (const node of ['ab-worker', 'ab-worker2', 'ab-worker3']) cluster.world.api.delete('CSINode', undefined, node);
    cluster.pass(0.1).apply(claimManifest('data', zonal));
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: error generating accessibility requirements: no available topology found');
  });

  test('whose selected node is gone is given back to the scheduler', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'zonal-wait' }));
    cluster.world.api.delete('CSINode', undefined, 'ab-worker3');
    cluster.selectNode('data', 'ab-worker3');
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: failed to get selected CSINode ab-worker3: csinode.storage.k8s.io "ab-worker3" not found');
    expect(cluster.claim('data').metadata.annotations).not.toHaveProperty('volume.kubernetes.io/selected-node');
  });

  test('is asked for again with the places of the first attempt, until an answer is final', () => {
    const zoneAskedFor = (cluster: ClaimsCluster): (string | undefined)[] =>
      cluster.calls('CreateVolume').map(({ request }) => (request as { accessibility_requirements: { preferred: { segments: Record<string, string> }[] } }).accessibility_requirements.preferred[0]?.segments[ZONE]);
    const attempts = (code: string): (string | undefined)[] => {
      const cluster = new ClaimsCluster().apply(failing(`${code} x1: later`, { volumeBindingMode: 'WaitForFirstConsumer' })).apply(claimManifest('data', { storageClassName: 'failing' })).selectNode('data', 'ab-worker3');
      cluster.world.api.update('Node', undefined, 'ab-worker3', (node) => ({ ...node, metadata: { ...node.metadata, labels: { ...node.metadata.labels, [ZONE]: 'zone-c' } } }));
      return zoneAskedFor(cluster.pass(10));
    };
    expect(attempts('Unavailable')).toEqual(['zone-b', 'zone-b']);
    expect(attempts('Internal')).toEqual(['zone-b', 'zone-c']);
  });

  test('of a class with Retain loses the provisioner\'s finalizer at once', () => {
    const cluster = new ClaimsCluster().apply(classManifest('keep', { reclaimPolicy: 'Retain' })).apply(claimManifest('data', { storageClassName: 'keep' }));
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(cluster.volumeOf('data').metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    expect(cluster.states('claim-binding', 'shop/data')).toEqual(['provisioningRequested', 'binding', 'bound']);
  });

  test('is not made for a claim with a selector', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { ...zonal, selector: { matchLabels: { tier: 'gold' } } }));
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: claim Selector is not supported');
    expect(cluster.calls('CreateVolume')).toEqual([]);
  });

  test('is made once, though its claim changes before the two are bound', () => {
    const cluster = new ClaimsCluster();
    cluster.world.api.create(JSON.parse(claimManifest('data', zonal).replace('"metadata":{', '"metadata":{"namespace":"shop",')));
    for (let ms = 0; ms < 1000 && cluster.world.api.count('PersistentVolume') === 0; ms++) cluster.pass(0.001);
    cluster.updateClaim('data', (claim) => ({ ...claim, metadata: { ...claim.metadata, labels: { touched: 'yes' } } }));
    expect(cluster.pass(20).claim('data').status.phase).toBe('Bound');
    expect(cluster.calls('CreateVolume')).toHaveLength(1);
    expect(cluster.eventCount('data', 'Provisioning')).toBe(1);
  });

  test.each([
    ['two file system types', { fstype: 'ext4', 'csi.storage.k8s.io/fstype': 'xfs' }, 'fstype specified in parameters with both "fstype" and "csi.storage.k8s.io/fstype" keys'],
    ['a reserved parameter that nobody knows', { 'csi.storage.k8s.io/color': 'red' }, 'failed to strip CSI Parameters of prefixed keys: found unknown parameter key "csi.storage.k8s.io/color" with reserved namespace csi.storage.k8s.io/'],
  ])('is not asked for with %s', (_what, parameters, message) => {
    const cluster = new ClaimsCluster().apply(classManifest('odd', { parameters })).apply(claimManifest('data', { storageClassName: 'odd' }));
    expect(cluster.events('data')).toContain(`Warning ProvisioningFailed: ${message}`);
    expect(cluster.calls('CreateVolume')).toEqual([]);
  });

  test('is not made when its provisioner does not run: the claim waits, and says so at every resync', () => {
    const cluster = new ClaimsCluster().apply(classManifest('ghost', { provisioner: 'ghost.example.com' })).apply(claimManifest('data', { storageClassName: 'ghost' })).pass(46);
    expect(cluster.events('data')).toHaveLength(1);
    expect(cluster.eventCount('data', 'ExternalProvisioning')).toBe(4);
    expect(cluster.claim('data').metadata.annotations).toMatchObject({ 'volume.kubernetes.io/storage-provisioner': 'ghost.example.com', 'volume.beta.kubernetes.io/storage-provisioner': 'ghost.example.com' });
  });
});

describe('provisioning that fails', () => {
  test('for good is tried again after 1, 2, 4 … seconds, up to five minutes', () => {
    const cluster = new ClaimsCluster().apply(failing('PermissionDenied x0: not authorized')).apply(claimOfFailing).pass(260);
    const begin = cluster.callTimes('CreateVolume')[0] ?? 0;
    expect(cluster.callTimes('CreateVolume').map((t) => Math.round(t - begin))).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255]);
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: rpc error: code = PermissionDenied desc = not authorized');
    expect(cluster.states('provisioning', 'shop/data').slice(0, 3)).toEqual(['creating', 'backOff', 'creating']);
  });

  test('is tried once more, outside the back-off, when the informers hand everything out again every 15 minutes', () => {
    const cluster = new ClaimsCluster().apply(failing('PermissionDenied x0: not authorized')).apply(claimOfFailing).pass(1800);
    const [begin = 0, ...times] = cluster.callTimes('CreateVolume').filter((t) => t > 254);
    const off = times.filter((t) => Math.abs(((t - begin - 256) / 300) % 1) > 0.01);
    expect(off).toHaveLength(2);
    expect(Math.round((off[1] ?? 0) - (off[0] ?? 0))).toBe(900);
  });

  test('is over when the claim is deleted, after a last attempt that the deletion itself sets off', () => {
    const cluster = new ClaimsCluster().apply(failing('PermissionDenied x0: not authorized')).apply(claimOfFailing).pass(5);
    const before = cluster.calls('CreateVolume').length;
    cluster.delete('PersistentVolumeClaim', 'data').pass(60);
    expect(cluster.calls('CreateVolume')).toHaveLength(before + 1);
  });

  test.each(['DeadlineExceeded', 'Unavailable', 'Aborted', 'Canceled'])('with %s may go on in the driver, so it is repeated even for a claim that is gone, and what it makes is deleted', (code) => {
    const cluster = new ClaimsCluster().apply(failing(`${code} x3: who knows`)).apply(claimOfFailing);
    const { uid } = cluster.claim('data').metadata;
    expect(cluster.states('provisioning', 'shop/data')).toEqual(['creating', 'inBackground']);
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.claimExists('data')).toBe(false);
    cluster.pass(8);
    expect(cluster.calls('CreateVolume').map((call) => call.code)).toEqual([code, code, code, 'OK']);
    expect(cluster.calls('DeleteVolume').map((call) => call.code)).toEqual(['OK']);
    expect(cluster.volumeExists(`pvc-${uid}`)).toBe(false);
    expect(cluster.events('data').filter((text) => text.includes('ProvisioningSucceeded'))).toEqual([]);
  });

  test('with InvalidArgument is not repeated for five minutes, whatever the back-off says', () => {
    const cluster = new ClaimsCluster().apply(failing('InvalidArgument x0: no such flavour')).apply(claimOfFailing).pass(290);
    expect(cluster.calls('CreateVolume')).toHaveLength(1);
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: Volume provisioning failed with infeasible error. Retries will be delayed. rpc error: code = InvalidArgument desc = no such flavour');
    expect(cluster.states('provisioning', 'shop/data')).toEqual(['creating', 'infeasible']);
    cluster.pass(300);
    expect(cluster.calls('CreateVolume')).toHaveLength(2);
  });

  test('with InvalidArgument is repeated soon when the class was replaced', () => {
    const cluster = new ClaimsCluster().apply(failing('InvalidArgument x0: no such flavour')).apply(claimOfFailing).pass(2);
    cluster.delete('StorageClass', 'failing').apply(classManifest('failing')).pass(20);
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test('with ResourceExhausted gives a waiting claim back to the scheduler', () => {
    const cluster = new ClaimsCluster().apply(failing('ResourceExhausted x1: zone is full', { volumeBindingMode: 'WaitForFirstConsumer' })).apply(claimOfFailing).selectNode('data', 'ab-worker');
    expect(cluster.claim('data').metadata.annotations).not.toHaveProperty('volume.kubernetes.io/selected-node');
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: rpc error: code = ResourceExhausted desc = zone is full');
    expect(cluster.states('provisioning', 'shop/data')).toEqual(['creating', 'idle']);
    cluster.pass(30);
    expect(cluster.calls('CreateVolume')).toHaveLength(1);
    cluster.selectNode('data', 'ab-worker3');
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test('with ResourceExhausted is simply tried again for an Immediate claim', () => {
    const cluster = new ClaimsCluster().apply(failing('ResourceExhausted x2: quota')).apply(claimOfFailing).pass(4);
    expect(cluster.calls('CreateVolume').map((call) => call.code)).toEqual(['ResourceExhausted', 'ResourceExhausted', 'OK']);
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test('for a class that is gone waits without a word, and goes on when the class is back', () => {
    const cluster = new ClaimsCluster().apply(failing('Internal x0: broken')).apply(claimOfFailing).delete('StorageClass', 'failing').pass(20);
    const failures = cluster.eventCount('data', 'ProvisioningFailed');
    expect(cluster.calls('CreateVolume')).toHaveLength(1);
    cluster.apply(classManifest('failing')).pass(40);
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(failures).toBeGreaterThan(1);
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: storageclass.storage.k8s.io "failing" not found');
  });
});

describe('a provisioner whose node stands still', () => {
  test('does nothing until the node runs again', () => {
    const cluster = new ClaimsCluster();
    cluster.world.pausedNodes.add('ab-worker');
    cluster.apply(claimManifest('data', { storageClassName: 'hostpath-immediate' })).pass(30);
    expect(cluster.events('data').map((text) => text.split(':')[0])).toEqual(['Normal ExternalProvisioning']);
    cluster.world.pausedNodes.delete('ab-worker');
    expect(cluster.pass(0.1).claim('data').status.phase).toBe('Bound');
  });

  test('is not held up by another node', () => {
    const cluster = new ClaimsCluster();
    cluster.world.pausedNodes.add('ab-worker2');
    expect(cluster.apply(claimManifest('data', { storageClassName: 'hostpath-immediate' })).claim('data').status.phase).toBe('Bound');
  });
});

describe('deleting a volume', () => {
  const attachment = (volume: string) => JSON.stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'va' }, spec: { attacher: 'disk.csi.after-bound.dev', nodeName: 'ab-worker', source: { persistentVolumeName: volume } } });

  test('deletes the storage, then the object', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal));
    const { name } = cluster.volumeOf('data').metadata;
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.calls('DeleteVolume')).toHaveLength(1);
    expect(cluster.volumeExists(name)).toBe(false);
    expect(cluster.states('volume-deletion', name)).toEqual(['deleting', 'deleted']);
    expect(cluster.states('volume', name)).toEqual(['bound', 'released', 'terminating']);
  });

  test('waits for the attachment to go, by its own back-off alone', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal));
    const { name } = cluster.volumeOf('data').metadata;
    cluster.apply(attachment(name)).delete('PersistentVolumeClaim', 'data');
    expect(cluster.events(name)).toEqual([`Warning VolumeFailedDelete: persistentvolume ${name} is still attached to node ab-worker`]);
    cluster.pass(3.4).delete('VolumeAttachment', 'va').pass(3);
    expect(cluster.calls('DeleteVolume')).toEqual([]);
    cluster.pass(1);
    expect(cluster.calls('DeleteVolume')).toHaveLength(1);
    expect(cluster.eventCount(name, 'VolumeFailedDelete')).toBe(3);
  });

  test('of a driver without attachments does not wait for them', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'hostpath-immediate' }));
    const { name } = cluster.volumeOf('data').metadata;
    cluster.apply(attachment(name)).delete('PersistentVolumeClaim', 'data');
    expect(cluster.volumeExists(name)).toBe(false);
  });

  test('that the driver refuses leaves the volume Released and is repeated', () => {
    const cluster = new ClaimsCluster().apply(classManifest('sticky', { parameters: { 'fail.DeleteVolume': 'FailedPrecondition x2: has snapshots' } })).apply(claimManifest('data', { storageClassName: 'sticky' }));
    const { name } = cluster.volumeOf('data').metadata;
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.volume(name).status.phase).toBe('Released');
    expect(cluster.events(name)).toEqual(['Warning VolumeFailedDelete: rpc error: code = FailedPrecondition desc = has snapshots']);
    cluster.pass(4);
    expect(cluster.volumeExists(name)).toBe(false);
    expect(cluster.calls('DeleteVolume').map((call) => call.code)).toEqual(['FailedPrecondition', 'FailedPrecondition', 'OK']);
  });

  test('of a CSI volume made by hand with Delete is done by the provisioner; it gets the finalizer once Bound', () => {
    const cluster = new ClaimsCluster()
      .apply(volumeManifest('disk', { persistentVolumeReclaimPolicy: 'Delete', hostPath: undefined, csi: { driver: 'disk.csi.after-bound.dev', volumeHandle: 'vol-by-hand' } }))
      .apply(claimManifest('data', { storageClassName: 'by-hand' }));
    expect(cluster.volume('disk').metadata.finalizers).toEqual(['kubernetes.io/pv-protection', 'external-provisioner.volume.kubernetes.io/finalizer']);
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.calls('DeleteVolume')[0]?.request).toEqual({ volume_id: 'vol-by-hand' });
    expect(cluster.volumeExists('disk')).toBe(false);
  });

  test('of a bound volume that a person deleted first begins when its claim goes', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal));
    const { name } = cluster.volumeOf('data').metadata;
    cluster.delete('PersistentVolume', name).pass(10);
    expect(cluster.calls('DeleteVolume')).toEqual([]);
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.calls('DeleteVolume')).toHaveLength(1);
    expect(cluster.volumeExists(name)).toBe(false);
  });

  test('does not happen while a pod still uses the claim', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal)).apply(podManifest('user', ['data'], { nodeName: 'ab-worker' }));
    cluster.delete('PersistentVolumeClaim', 'data').pass(60);
    expect(cluster.calls('DeleteVolume')).toEqual([]);
  });
});

describe('the local-path class', () => {
  const local = (spec: Record<string, unknown> = {}) => claimManifest('data', { storageClassName: 'standard', ...spec });

  test('makes a directory of the chosen node by a helper pod of some seconds', () => {
    const cluster = new ClaimsCluster().apply(local()).selectNode('data', 'ab-worker2');
    expect(cluster.claim('data').status.phase).toBe('Pending');
    cluster.pass(3.2);
    const volume = cluster.volumeOf('data');
    expect(volume.metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
    expect(volume.metadata.annotations).toEqual({ 'local.path.provisioner/selected-node': 'ab-worker2', 'pv.kubernetes.io/provisioned-by': 'rancher.io/local-path' });
    expect(volume.spec).toMatchObject({ hostPath: { path: `/var/local-path-provisioner/${volume.metadata.name}_shop_data`, type: 'DirectoryOrCreate' }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', values: ['ab-worker2'] }] }] } } });
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.volume(volume.metadata.name).status.phase).toBe('Released');
    cluster.pass(3.2);
    expect(cluster.volumeExists(volume.metadata.name)).toBe(false);
  });

  test.each([
    ['many writers', { accessModes: ['ReadWriteMany'] }, 'failed to provision volume with StorageClass "standard": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes'],
    ['a raw device', { volumeMode: 'Block' }, 'rancher.io/local-path does not support block volume provisioning'],
    ['a selector', { selector: { matchLabels: { a: 'b' } } }, 'failed to provision volume with StorageClass "standard": claim.Spec.Selector is not supported'],
  ])('cannot give %s', (_what, spec, message) => {
    const cluster = new ClaimsCluster().apply(local(spec)).selectNode('data', 'ab-worker2');
    expect(cluster.events('data')).toContain(`Warning ProvisioningFailed: ${message}`);
  });

  test('cannot be Immediate: no node was chosen', () => {
    const cluster = new ClaimsCluster().apply(classManifest('now', { provisioner: 'rancher.io/local-path' })).apply(claimManifest('data', { storageClassName: 'now' }));
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: failed to provision volume with StorageClass "now": configuration error, no node was specified');
    cluster.pass(50);
    expect(cluster.eventCount('data', 'ProvisioningFailed')).toBe(3);
  });

  test('gives up on a helper pod after two minutes when the node stands still', () => {
    const cluster = new ClaimsCluster().apply(local());
    cluster.world.pausedNodes.add('ab-worker2');
    cluster.selectNode('data', 'ab-worker2').pass(121);
    expect(cluster.events('data')).toContain(`Warning ProvisioningFailed: failed to provision volume with StorageClass "standard": failed to create volume pvc-${cluster.claim('data').metadata.uid}: create process timeout after 120 seconds`);
  });
});

describe('a volume that begins with the bytes of another', () => {
  const copying = (kind: string, name: string, rest: Record<string, unknown> = {}) => claimManifest('copy', { storageClassName: 'hostpath-immediate', dataSource: { kind, name }, ...rest });
  const snapshot = { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'monday' } };

  test('is a copy; the copied claim is protected until it is deleted and no copy is pending', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'hostpath-immediate' }));
    cluster.apply(copying('PersistentVolumeClaim', 'data'));
    expect(cluster.claim('copy').spec).toMatchObject({ dataSource: { name: 'data' }, dataSourceRef: { name: 'data' } });
    expect(cluster.claim('copy').status.phase).toBe('Bound');
    expect(cluster.claim('data').metadata.finalizers).toEqual(['kubernetes.io/pvc-protection', 'provisioner.storage.kubernetes.io/cloning-protection']);
    cluster.world.api.delete('PersistentVolumeClaim', 'shop', 'data');
    cluster.pass(0.2);
    expect(cluster.claimExists('data')).toBe(false);
  });

  test('waits for a claim that is not there, and is made once it is bound', () => {
    const cluster = new ClaimsCluster().apply(copying('PersistentVolumeClaim', 'data'));
    expect(cluster.events('copy')).toContain('Warning ProvisioningFailed: error getting handle for DataSource Type PersistentVolumeClaim by Name data: error getting PVC data (namespace "shop") from api server: persistentvolumeclaim "data" not found');
    cluster.apply(claimManifest('data', { storageClassName: 'hostpath-immediate' })).pass(3);
    expect(cluster.claim('copy').status.phase).toBe('Bound');
  });

  test('cannot be smaller, nor of another driver', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal));
    cluster.apply(copying('PersistentVolumeClaim', 'data'));
    expect(cluster.events('copy').join('\n')).toContain('by Name data: claim in dataSource not bound or invalid');
    const small = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'hostpath-immediate' })).apply(copying('PersistentVolumeClaim', 'data', { resources: { requests: { storage: '1Mi' } } }));
    expect(small.events('copy').join('\n')).toContain('requested 1048576 but source is 1073741824');
  });

  test('is refused where the driver can neither copy nor restore; a snapshot is nowhere to be found', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', zonal)).apply(claimManifest('copy', { ...zonal, dataSource: { kind: 'PersistentVolumeClaim', name: 'data' } })).apply(claimManifest('restored', { ...zonal, ...snapshot })).apply(claimManifest('other', { storageClassName: 'hostpath-immediate', ...snapshot }));
    expect(cluster.events('copy')).toContain('Warning ProvisioningFailed: CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported');
    expect(cluster.events('restored')).toContain('Warning ProvisioningFailed: CSI driver does not support snapshot restore: controller CREATE_DELETE_SNAPSHOT capability is not reported');
    expect(cluster.events('other')).toContain('Warning ProvisioningFailed: error getting handle for DataSource Type VolumeSnapshot by Name monday: error getting snapshot monday from api server: the server could not find the requested resource (get volumesnapshots.snapshot.storage.k8s.io monday)');
  });

  test('is left to a populator when the source is of any other kind, and is not tried again', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { ...zonal, dataSourceRef: { apiGroup: 'hello.example.com', kind: 'Hello', name: 'world' } })).pass(10);
    expect(cluster.events('data')).toContain('Normal Provisioning: Assuming an external populator will provision the volume');
    expect(cluster.calls('CreateVolume')).toEqual([]);
    expect(cluster.eventCount('data', 'ProvisioningFailed')).toBe(0);
  });

  test('dataSource alone may only name a claim or a snapshot; anything else in it is dropped', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { ...zonal, dataSource: { apiGroup: 'hello.example.com', kind: 'Hello', name: 'world' } }));
    expect(cluster.claim('data').spec).not.toHaveProperty('dataSource');
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });
});

describe('what a class or a claim asks for beside the storage', () => {
  const secretOf = (use: string, name = 'key') => ({ [`csi.storage.k8s.io/${use}-secret-name`]: name, [`csi.storage.k8s.io/${use}-secret-namespace`]: '${pvc.namespace}' });

  test('a VolumeAttributesClass is refused: no driver here can change a volume', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { ...zonal, volumeAttributesClassName: 'fast' }));
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: CSI driver does not support VolumeAttributesClass: controller MODIFY_VOLUME capability is not reported');
  });

  test('the Secret for making volumes must be there; one for staging is only noted on the volume', () => {
    const cluster = new ClaimsCluster().apply(classManifest('guarded', { parameters: { ...secretOf('provisioner'), ...secretOf('node-stage', '${pvc.name}-key') } })).apply(claimManifest('data', { storageClassName: 'guarded' }));
    expect(cluster.events('data')).toContain('Warning ProvisioningFailed: error getting secret key in namespace shop: secrets "key" not found');
    cluster.apply('{apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {a: b}}').pass(2);
    expect(cluster.volumeOf('data').spec.csi).toMatchObject({ nodeStageSecretRef: { name: 'data-key', namespace: 'shop' } });
    expect(cluster.volumeOf('data').metadata.annotations).toMatchObject({ 'volume.kubernetes.io/provisioner-deletion-secret-name': 'key', 'volume.kubernetes.io/provisioner-deletion-secret-namespace': 'shop' });
  });

  test('a Secret needs both name and namespace, and tokens that exist', () => {
    const half = new ClaimsCluster().apply(classManifest('guarded', { parameters: { 'csi.storage.k8s.io/provisioner-secret-name': 'key' } })).apply(claimManifest('data', { storageClassName: 'guarded' }));
    expect(half.events('data')).toContain('Warning ProvisioningFailed: failed to get name and namespace template from params: either name and namespace for Provisioner secrets specified, Both must be specified');
    const unknown = new ClaimsCluster().apply(classManifest('guarded', { parameters: secretOf('provisioner', '${pod.name}') })).apply(claimManifest('data', { storageClassName: 'guarded' }));
    expect(unknown.events('data')).toContain('Warning ProvisioningFailed: error resolving value "${pod.name}": invalid tokens: ["pod.name"]');
  });

  test('an in-tree provisioner is waited for under the name of the CSI driver that took over', () => {
    const cluster = new ClaimsCluster().apply(classManifest('old', { provisioner: 'kubernetes.io/aws-ebs' })).apply(claimManifest('data', { storageClassName: 'old' }));
    expect(cluster.claim('data').metadata.annotations).toMatchObject({ 'volume.kubernetes.io/storage-provisioner': 'ebs.csi.aws.com' });
    expect(cluster.events('data').join('\n')).toContain("external provisioner 'ebs.csi.aws.com'");
  });

  test('hostpath knows no kinds of storage', () => {
    const cluster = new ClaimsCluster().apply(classManifest('fast', { provisioner: 'hostpath.csi.k8s.io', parameters: { kind: 'fast' } })).apply(claimManifest('data', { storageClassName: 'fast' }));
    expect(cluster.events('data').join('\n')).toContain('code = InvalidArgument desc = capacity tracking disabled, specifying kind "fast" is invalid');
  });
});
