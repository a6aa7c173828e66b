import { describe, expect, test } from 'vitest';
import { ClaimsCluster, claimManifest, classManifest, podManifest, volumeManifest } from '../helpers/claims-cluster.ts';

const byHand = { storageClassName: 'by-hand' };

describe('a claim that finds a volume', () => {
  test('binds in four writes: claimRef, volume Bound, volumeName with bind-completed, claim Bound', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand));
    const writes = cluster.world.trace.records.filter((record) => record.type === 'watch' && record.verb === 'MODIFIED').map((record) => (record as { object: { kind: string } }).object.kind);
    expect(writes).toEqual(['PersistentVolume', 'PersistentVolume', 'PersistentVolume', 'PersistentVolumeClaim', 'PersistentVolumeClaim']);
    expect(cluster.volume('disk').spec.claimRef).toMatchObject({ kind: 'PersistentVolumeClaim', name: 'data', namespace: 'shop', uid: cluster.claim('data').metadata.uid });
    expect(cluster.volume('disk').metadata.annotations).toMatchObject({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect(cluster.claim('data')).toMatchObject({ spec: { volumeName: 'disk' }, status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } });
    expect(cluster.claim('data').metadata.annotations).toMatchObject({ 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect(cluster.events('data')).toEqual([]);
    expect(cluster.states('claim-binding', 'shop/data')).toEqual(['binding', 'bound']);
    expect(cluster.states('volume', 'disk')).toEqual(['available', 'bound']);
  });

  test('takes the fewest access modes first and then the smallest that is large enough', () => {
    const cluster = new ClaimsCluster()
      .apply([volumeManifest('large', { capacity: { storage: '9Gi' } }), volumeManifest('fit', { capacity: { storage: '3Gi' } }), volumeManifest('small', { capacity: { storage: '500Mi' } })].join('\n---\n'))
      .apply(volumeManifest('many-modes', { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }))
      .apply(claimManifest('data', byHand));
    expect(cluster.claim('data')).toMatchObject({ spec: { volumeName: 'fit' }, status: { capacity: { storage: '3Gi' } } });
  });

  test.each([
    ['the class differs', { storageClassName: 'other' }, {}],
    ['an access mode is missing', { accessModes: ['ReadWriteMany'] }, {}],
    ['it is too small', { capacity: { storage: '512Mi' } }, {}],
    ['the volume mode differs', { volumeMode: 'Block' }, {}],
    ['the selector does not match', {}, { selector: { matchLabels: { tier: 'gold' } } }],
    ['it is reserved for another claim', { claimRef: { namespace: 'shop', name: 'other' } }, {}],
  ])('leaves a volume alone when %s', (_why, volume, claim) => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk', volume)).apply(claimManifest('data', { ...byHand, ...claim }));
    cluster.pass(40);
    expect(cluster.claim('data').status.phase).toBe('Pending');
    expect(cluster.volume('disk').status.phase).toBe('Available');
  });

  test('takes the volume that its selector matches, by labels and expressions', () => {
    const cluster = new ClaimsCluster()
      .apply(volumeManifest('silver', {}, { labels: { tier: 'silver' } }))
      .apply(volumeManifest('gold', { capacity: { storage: '5Gi' } }, { labels: { tier: 'gold' } }))
      .apply(claimManifest('data', { ...byHand, selector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold', 'platinum'] }] } }));
    expect(cluster.claim('data').spec.volumeName).toBe('gold');
  });

  test('takes a volume that is reserved for it, though a smaller one is free', () => {
    const cluster = new ClaimsCluster()
      .apply(volumeManifest('reserved', { capacity: { storage: '9Gi' }, claimRef: { namespace: 'shop', name: 'data' } }))
      .apply(volumeManifest('free'))
      .apply(claimManifest('data', byHand));
    expect(cluster.claim('data').spec.volumeName).toBe('reserved');
    expect(cluster.volume('reserved').metadata.annotations).not.toHaveProperty('pv.kubernetes.io/bound-by-controller');
    expect(cluster.volume('reserved').spec.claimRef?.uid).toBe(cluster.claim('data').metadata.uid);
  });

  test('waits for the next resync when the volume comes after the claim, and is told nothing about the volume', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: '' })).apply(volumeManifest('disk', { storageClassName: '' }));
    expect(cluster.claim('data').status.phase).toBe('Pending');
    cluster.pass(15);
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(cluster.events('data')).toEqual(['Normal FailedBinding: no persistent volumes available for this claim and no storage class is set']);
  });

  test('does not take a volume that has not become Available yet', () => {
    const cluster = new ClaimsCluster();
    cluster.world.api.create(JSON.parse(volumeManifest('disk')));
    cluster.apply(claimManifest('data', byHand));
    expect(cluster.volume('disk').status.phase).toBe('Available');
    expect(cluster.claim('data').status.phase).toBe('Pending');
    expect(cluster.pass(15).claim('data').status.phase).toBe('Bound');
  });

  test('two claims never share a volume', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply([claimManifest('a', byHand), claimManifest('b', byHand)].join('\n---\n'));
    cluster.pass(20);
    expect([cluster.claim('a').status.phase, cluster.claim('b').status.phase].toSorted()).toEqual(['Bound', 'Pending']);
  });
});

describe('a claim that names its volume', () => {
  const named = (spec: Record<string, unknown> = {}) => claimManifest('data', { ...byHand, volumeName: 'disk', ...spec });

  test('waits silently while the volume does not exist, and binds at the resync after it came', () => {
    const cluster = new ClaimsCluster().apply(named());
    cluster.pass(20);
    expect(cluster.events('data')).toEqual([]);
    expect(cluster.claim('data').status.phase).toBe('Pending');
    cluster.apply(volumeManifest('disk')).pass(15);
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(cluster.claim('data').metadata.annotations).not.toHaveProperty('pv.kubernetes.io/bound-by-controller');
  });

  test.each([
    ['requested PV is too small', { capacity: { storage: '1Mi' } }, {}],
    ['storageClassName does not match', { storageClassName: 'other' }, {}],
    ['incompatible volumeMode', { volumeMode: 'Block' }, {}],
    ['incompatible accessMode', { accessModes: ['ReadOnlyMany'] }, {}],
  ])('is told why it cannot have it: %s', (why, volume, claim) => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk', volume)).apply(named(claim));
    expect(cluster.events('data')).toEqual([`Warning VolumeMismatch: Cannot bind to requested volume "disk": ${why}`]);
    cluster.pass(31);
    expect(cluster.eventCount('data', 'VolumeMismatch')).toBeGreaterThanOrEqual(3);
  });

  test('is told when the volume is being deleted', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk', {}, { finalizers: ['example.com/slow'] })).delete('PersistentVolume', 'disk').apply(named());
    expect(cluster.events('data')).toEqual(['Warning VolumeMismatch: Cannot bind to requested volume "disk": the volume is marked for deletion "disk"']);
  });

  test('does not look at its selector', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(named({ selector: { matchLabels: { tier: 'gold' } } }));
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test('is told when another claim has it', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('first', byHand)).apply(named());
    expect(cluster.events('data')).toEqual(['Warning FailedBinding: volume "disk" already bound to a different claim.']);
    expect(cluster.claim('data').status.phase).toBe('Pending');
  });
});

describe('a claim without a volume', () => {
  test('of a class that does not exist is told so at every resync; a new class is noticed at the next one', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'fast' }));
    expect(cluster.events('data')).toEqual(['Warning ProvisioningFailed: storageclass.storage.k8s.io "fast" not found']);
    cluster.pass(30);
    expect(cluster.eventCount('data', 'ProvisioningFailed')).toBe(3);
    cluster.apply(classManifest('fast'));
    expect(cluster.claim('data').status.phase).toBe('Pending');
    cluster.pass(15);
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test('that somebody changes while the provisioner is being named is told so, and asked for again at the next sync', () => {
    const cluster = new ClaimsCluster();
    cluster.world.api.create(JSON.parse(claimManifest('data', { storageClassName: 'zonal-immediate' }).replace('"metadata":{', '"metadata":{"namespace":"shop",')));
    cluster.pass(0.005);
    cluster.world.api.update('PersistentVolumeClaim', 'shop', 'data', (claim) => ({ ...claim, metadata: { ...claim.metadata, labels: { touched: 'yes' } } }));
    cluster.pass(0.1);
    expect(cluster.events('data')).toEqual([
      'Warning ProvisioningFailed: Error saving claim: Operation cannot be fulfilled on persistentvolumeclaims "data": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    expect(cluster.pass(15).claim('data').status.phase).toBe('Bound');
  });

  test('of a class without provisioner is told that no such plugin exists', () => {
    const cluster = new ClaimsCluster().apply(classManifest('local', { provisioner: 'kubernetes.io/no-provisioner' })).apply(claimManifest('data', { storageClassName: 'local' }));
    expect(cluster.events('data')).toEqual(['Warning ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner']);
    expect(cluster.claim('data').metadata.annotations).not.toHaveProperty('volume.kubernetes.io/storage-provisioner');
  });

  test('of a class without provisioner that waits for a consumer is told only that it waits', () => {
    const cluster = new ClaimsCluster()
      .apply(classManifest('local', { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' }))
      .apply(volumeManifest('disk', { storageClassName: 'local' }))
      .apply(claimManifest('data', { storageClassName: 'local' }));
    expect(cluster.events('data')).toEqual(['Normal WaitForFirstConsumer: waiting for first consumer to be created before binding']);
    expect(cluster.volume('disk').status.phase).toBe('Available');
  });

  test('waits for its consumer, and says which pods wait to be scheduled', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', { storageClassName: 'zonal-wait' })).apply(podManifest('one', ['data']));
    expect(cluster.events('data')).toEqual(['Normal WaitForFirstConsumer: waiting for first consumer to be created before binding']);
    cluster.pass(15);
    expect(cluster.events('data')).toContain('Normal WaitForPodScheduled: waiting for pod one to be scheduled');
    cluster.apply(podManifest('two', ['data'])).pass(15);
    expect(cluster.events('data')).toContain('Normal WaitForPodScheduled: waiting for pods one,two to be scheduled');
    cluster.world.api.update('Pod', 'shop', 'one', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } }));
    cluster.pass(15);
    expect(cluster.events('data')).toContain('Normal WaitForPodScheduled: waiting for pod two to be scheduled');
    expect(cluster.states('claim-binding', 'shop/data')).toEqual(['waitingForFirstConsumer']);
  });

  test('made before any default class existed gets the one that comes later', () => {
    const cluster = new ClaimsCluster().delete('StorageClass', 'standard').apply(claimManifest('data'));
    expect(cluster.events('data')).toEqual(['Normal FailedBinding: no persistent volumes available for this claim and no storage class is set']);
    cluster.apply(classManifest('later', { metadata: { name: 'later', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } })).pass(16);
    expect(cluster.claim('data')).toMatchObject({ spec: { storageClassName: 'later' }, status: { phase: 'Bound' } });
  });

  test('of several default classes gets the newest', () => {
    const cluster = new ClaimsCluster().pass(5).apply(classManifest('newer', { metadata: { name: 'newer', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } })).apply(claimManifest('data'));
    expect(cluster.claim('data').spec.storageClassName).toBe('newer');
  });
});

describe('a waiting claim and volumes made by hand', () => {
  test('the scheduler reserves the volume, the controller binds it', () => {
    const cluster = new ClaimsCluster()
      .apply(classManifest('local', { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' }))
      .apply(volumeManifest('disk', { storageClassName: 'local' }))
      .apply(claimManifest('data', { storageClassName: 'local' }));
    const { uid } = cluster.claim('data').metadata;
    cluster.updateVolume('disk', (volume) => ({ ...volume, metadata: { ...volume.metadata, annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } }, spec: { ...volume.spec, claimRef: { namespace: 'shop', name: 'data', uid } } }));
    expect(cluster.claim('data')).toMatchObject({ spec: { volumeName: 'disk' }, status: { phase: 'Bound' } });
    expect(cluster.states('claim-binding', 'shop/data')).toEqual(['waitingForFirstConsumer', 'binding', 'bound']);
  });
});

describe('a bound claim', () => {
  const bound = () => new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand));
  const strip = (cluster: ClaimsCluster) => cluster.updateVolume('disk', (volume) => ({ ...volume, metadata: { ...volume.metadata, finalizers: [] } }));

  test('is Lost when its volume object is forced away, once, and bound again when a volume of that name comes back', () => {
    const cluster = bound().delete('PersistentVolume', 'disk');
    expect(cluster.claim('data').status.phase).toBe('Bound');
    strip(cluster);
    expect(cluster.volumeExists('disk')).toBe(false);
    expect(cluster.claim('data').status).toEqual({ phase: 'Lost' });
    cluster.pass(31);
    expect(cluster.eventCount('data', 'ClaimLost')).toBe(1);
    expect(cluster.events('data')).toEqual(['Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!']);
    cluster.apply(volumeManifest('disk')).pass(15);
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(cluster.states('claim-binding', 'shop/data')).toEqual(['binding', 'bound', 'lost', 'binding', 'bound']);
  });

  test('gets its volume back at the resync when a person clears the claimRef', () => {
    const cluster = bound().pass(16).updateVolume('disk', (volume) => ({ ...volume, spec: (({ claimRef: _gone, ...spec }) => spec)(volume.spec) }));
    expect(cluster.volume('disk').status.phase).toBe('Available');
    cluster.pass(15);
    expect(cluster.volume('disk')).toMatchObject({ status: { phase: 'Bound' }, spec: { claimRef: { uid: cluster.claim('data').metadata.uid } } });
  });

  test('is misbound when its volume is another claim\'s', () => {
    const cluster = bound().pass(16).updateVolume('disk', (volume) => ({ ...volume, spec: { ...volume.spec, claimRef: { ...volume.spec.claimRef, name: 'other', uid: 'another' } } }));
    cluster.pass(15);
    expect(cluster.claim('data').status.phase).toBe('Lost');
    expect(cluster.events('data')).toEqual(['Warning ClaimMisbound: Two claims are bound to the same volume, this one is bound incorrectly']);
  });
});

describe('a volume', () => {
  test('that a person reserved for a claim of another volume mode is told, and so is the claim', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', byHand));
    const { uid } = cluster.claim('data').metadata;
    cluster.apply(volumeManifest('disk', { volumeMode: 'Block', claimRef: { namespace: 'shop', name: 'data', uid } }));
    expect(cluster.events('disk')).toEqual(['Warning VolumeMismatch: Cannot bind PersistentVolume to requested PersistentVolumeClaim "data" due to incompatible volumeMode.']);
    expect(cluster.events('data')).toContain('Warning VolumeMismatch: Cannot bind PersistentVolume "disk" to requested PersistentVolumeClaim due to incompatible volumeMode.');
  });

  test('whose claim took another one keeps its reservation without the uid', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('first')).apply(claimManifest('data', byHand));
    const { uid } = cluster.claim('data').metadata;
    cluster.apply(volumeManifest('second', { claimRef: { namespace: 'shop', name: 'data', uid } }));
    expect(cluster.volume('second')).toMatchObject({ status: { phase: 'Available' }, spec: { claimRef: { name: 'data' } } });
    expect(cluster.volume('second').spec.claimRef).not.toHaveProperty('uid');
  });

  test('with Retain is Released when its claim goes and stays so; the next claim of that name does not get it', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand)).delete('PersistentVolumeClaim', 'data');
    expect(cluster.claimExists('data')).toBe(false);
    expect(cluster.volume('disk').status.phase).toBe('Released');
    cluster.apply(claimManifest('data', byHand)).pass(30);
    expect(cluster.claim('data').status.phase).toBe('Pending');
    expect(cluster.volume('disk').status.phase).toBe('Released');
    expect(cluster.events('disk')).toEqual([]);
  });

  test('whose claimRef carries the uid of an earlier claim is Released, though a claim of that name exists', () => {
    const cluster = new ClaimsCluster().apply(claimManifest('data', byHand)).apply(volumeManifest('disk', { claimRef: { namespace: 'shop', name: 'data', uid: 'an-earlier-one' } })).pass(20);
    expect(cluster.volume('disk').status.phase).toBe('Released');
    expect(cluster.claim('data').status.phase).toBe('Pending');
  });

  test('is Available again when a person clears its claimRef', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand)).delete('PersistentVolumeClaim', 'data');
    cluster.updateVolume('disk', (volume) => ({ ...volume, spec: (({ claimRef: _gone, ...spec }) => spec)(volume.spec) }));
    expect(cluster.volume('disk').status.phase).toBe('Available');
    cluster.apply(claimManifest('data', byHand));
    expect(cluster.claim('data').status.phase).toBe('Bound');
  });

  test.each([
    ['hostPath outside /tmp', { hostPath: { path: '/srv/disk' } }, 'host_path deleter only supports /tmp/.+ but received provided /srv/disk'],
    ['local', { hostPath: undefined, local: { path: '/srv/disk' }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['ab-worker'] }] }] } } }, 'error getting deleter volume plugin for volume "disk": no deletable volume plugin matched'],
  ])('with Delete and no deleter turns Failed and says why, once: %s', (_name, source, message) => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk', { persistentVolumeReclaimPolicy: 'Delete', ...source })).apply(claimManifest('data', byHand)).delete('PersistentVolumeClaim', 'data');
    expect(cluster.volume('disk').status).toMatchObject({ phase: 'Failed', message });
    cluster.pass(31);
    expect(cluster.events('disk')).toEqual([`Warning VolumeFailedDelete: ${message}`]);
    expect(cluster.eventCount('disk', 'VolumeFailedDelete')).toBe(1);
    expect(cluster.states('volume', 'disk')).toEqual(['available', 'bound', 'released', 'failed']);
  });

  test('with Delete under /tmp is deleted by the controller itself', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk', { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/tmp/disk' } })).apply(claimManifest('data', byHand)).delete('PersistentVolumeClaim', 'data');
    expect(cluster.volumeExists('disk')).toBe(false);
  });
});

describe('protection', () => {
  test('an unused claim goes at once; one that a pod with a node uses stays until the pod object is gone', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand)).apply(podManifest('user', ['data'], { nodeName: 'ab-worker' }));
    cluster.delete('PersistentVolumeClaim', 'data').pass(60);
    expect(cluster.claim('data').metadata.deletionTimestamp).toBeDefined();
    expect(cluster.claim('data').status.phase).toBe('Bound');
    expect(cluster.states('protection-claim', 'shop/data')).toEqual(['kept']);
    cluster.world.api.delete('Pod', 'shop', 'user', { graceSeconds: 0 });
    cluster.pass(0.1);
    expect(cluster.claimExists('data')).toBe(false);
    expect(cluster.volume('disk').status.phase).toBe('Released');
  });

  test('a finished pod still holds its claim; a pod without node does not', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand)).apply(podManifest('done', ['data'], { nodeName: 'ab-worker' }));
    cluster.world.api.update('Pod', 'shop', 'done', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Succeeded' } }));
    cluster.delete('PersistentVolumeClaim', 'data').pass(10);
    expect(cluster.claimExists('data')).toBe(true);
    const other = new ClaimsCluster().apply(claimManifest('data', byHand)).apply(podManifest('pending', ['data'])).delete('PersistentVolumeClaim', 'data');
    expect(other.claimExists('data')).toBe(false);
  });

  test('the claim of an ephemeral volume is free once its pod is deleted with grace period 0, though the pod object is still there', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'user', finalizers: ['example.com/slow'] },
        spec: { nodeName: 'ab-worker', containers: [{ name: 'app', image: 'busybox' }], volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } }] },
      }),
    );
    const { uid } = cluster.pod('user').metadata;
    cluster.apply(claimManifest('user-scratch', byHand)).updateClaim('user-scratch', (claim) => ({ ...claim, metadata: { ...claim.metadata, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'user', uid, controller: true }] } }));
    cluster.delete('PersistentVolumeClaim', 'user-scratch').pass(5);
    expect(cluster.claimExists('user-scratch')).toBe(true);
    cluster.world.api.delete('Pod', 'shop', 'user', { graceSeconds: 0 });
    cluster.pass(0.1);
    expect(cluster.pod('user').metadata.deletionGracePeriodSeconds).toBe(0);
    expect(cluster.claimExists('user-scratch')).toBe(false);
  });

  test('a bound volume that is deleted stays, Terminating, until its claim is gone; the claim stays Bound', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).apply(claimManifest('data', byHand)).delete('PersistentVolume', 'disk').pass(30);
    expect(cluster.volume('disk').status.phase).toBe('Bound');
    expect(cluster.claim('data').status.phase).toBe('Bound');
    cluster.delete('PersistentVolumeClaim', 'data');
    expect(cluster.volumeExists('disk')).toBe(false);
  });

  test('a protection finalizer that a person took away comes back', () => {
    const cluster = new ClaimsCluster().apply(volumeManifest('disk')).updateVolume('disk', (volume) => ({ ...volume, metadata: { ...volume.metadata, finalizers: [] } }));
    expect(cluster.volume('disk').metadata.finalizers).toEqual(['kubernetes.io/pv-protection']);
  });
});
