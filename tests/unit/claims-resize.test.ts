import { describe, expect, test } from 'vitest';
import { ClaimsCluster, claimManifest, classManifest, volumeManifest } from '../helpers/claims-cluster.ts';

const growing = (provisioner: string) => classManifest('growing', { provisioner, allowVolumeExpansion: true });
const data = claimManifest('data', { storageClassName: 'growing' });
const grow = (cluster: ClaimsCluster, storage: string) => cluster.updateClaim('data', (claim) => ({ ...claim, spec: { ...claim.spec, resources: { requests: { storage } } } }));

describe('a claim that grows', () => {
  test('is grown in the controller, then waits for the node', () => {
    const cluster = new ClaimsCluster().apply(growing('hostpath.csi.k8s.io')).apply(data);
    grow(cluster, '2Gi');
    expect(cluster.volumeOf('data').spec.capacity).toEqual({ storage: '2Gi' });
    expect(cluster.claim('data').status).toMatchObject({ capacity: { storage: '1Gi' }, allocatedResources: { storage: '2Gi' }, allocatedResourceStatuses: { storage: 'NodeResizePending' } });
    expect(cluster.claim('data').status.conditions?.map(({ type }) => type)).toEqual(['Resizing', 'FileSystemResizePending']);
    expect(cluster.events('data').filter((text) => /xpand|esiz/.test(text)).toSorted()).toEqual([
      'Normal ExternalExpanding: waiting for an external controller to expand this PVC',
      'Normal FileSystemResizeRequired: Require file system resize of volume on node',
      `Normal Resizing: External resizer is resizing volume ${cluster.volumeOf('data').metadata.name}`,
    ]);
    expect(cluster.states('resize', 'shop/data')).toEqual(['requested', 'controllerResizeInProgress', 'nodeResizePending']);
  });

  test('again while the node has not caught up waits for the node first', () => {
    const cluster = new ClaimsCluster().apply(growing('hostpath.csi.k8s.io')).apply(data);
    grow(grow(cluster, '2Gi'), '3Gi').pass(30);
    expect(cluster.volumeOf('data').spec.capacity).toEqual({ storage: '2Gi' });
    expect(cluster.claim('data').status.allocatedResources).toEqual({ storage: '2Gi' });
  });

  test('of a driver without resizer is left waiting with one event', () => {
    const cluster = new ClaimsCluster().apply(growing('disk.csi.after-bound.dev')).apply(data);
    grow(cluster, '2Gi').pass(60);
    expect(cluster.events('data').filter((text) => /xpand|esiz/.test(text))).toEqual(['Normal ExternalExpanding: waiting for an external controller to expand this PVC']);
    expect(cluster.claim('data').status).not.toHaveProperty('conditions');
  });

  test('beyond what the driver can hold is refused, tried once more and then left alone for five minutes; a smaller request is taken up then', () => {
    const cluster = new ClaimsCluster().apply(growing('hostpath.csi.k8s.io')).apply(data);
    grow(cluster, '2Ti').pass(120);
    const message = 'rpc error: code = OutOfRange desc = Requested capacity 2199023255552 exceeds maximum allowed 1099511627776';
    expect(cluster.claim('data').status).toMatchObject({ allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' }, capacity: { storage: '1Gi' } });
    expect(cluster.claim('data').status.conditions).toContainEqual(expect.objectContaining({ type: 'ControllerResizeError', message: `failed to expand pvc with ${message}` }));
    expect(cluster.events('data')).toContain(`Warning VolumeResizeFailed: resize volume "${cluster.volumeOf('data').metadata.name}" by resizer "hostpath.csi.k8s.io" failed: ${message}`);
    expect(cluster.eventCount('data', 'VolumeResizeFailed')).toBe(2);
    expect(cluster.states('resize', 'shop/data')).toContain('controllerResizeInfeasible');
    grow(cluster, '3Gi').pass(60);
    expect(cluster.volumeOf('data').spec.capacity).toEqual({ storage: '1Gi' });
    cluster.pass(150);
    expect(cluster.volumeOf('data').spec.capacity).toEqual({ storage: '3Gi' });
  });

  test('grows on to a later request when the node has caught up', () => {
    const cluster = new ClaimsCluster().apply(growing('hostpath.csi.k8s.io')).apply(data);
    grow(grow(cluster, '2Gi'), '3Gi');
    cluster.updateClaim('data', (claim) => ({ ...claim, status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, allocatedResources: { storage: '2Gi' } } }));
    expect(cluster.volumeOf('data').spec.capacity).toEqual({ storage: '3Gi' });
  });

  test('on a volume that its driver does not know cannot grow', () => {
    const cluster = new ClaimsCluster()
      .apply(growing('hostpath.csi.k8s.io'))
      .apply(volumeManifest('disk', { storageClassName: 'growing', hostPath: undefined, csi: { driver: 'hostpath.csi.k8s.io', volumeHandle: 'nowhere' } }))
      .apply(data);
    grow(cluster, '2Gi');
    expect(cluster.events('data')).toContain('Warning VolumeResizeFailed: resize volume "disk" by resizer "hostpath.csi.k8s.io" failed: rpc error: code = NotFound desc = volume id nowhere does not exist in the volumes list');
  });

  test('on a volume that is no CSI volume gets a warning', () => {
    const cluster = new ClaimsCluster().apply(growing('kubernetes.io/no-provisioner')).apply(volumeManifest('disk', { storageClassName: 'growing' })).apply(data);
    grow(cluster, '2Gi');
    expect(cluster.events('data')).toEqual(['Warning ExternalExpanding: waiting for an external controller to expand this PVC']);
  });
});
