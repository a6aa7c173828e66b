import { describe, expect, test } from 'vitest';
import { HOSTPATH, NodeCluster, claim, pod } from '../helpers/node-cluster.ts';

const GROWING = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'growing' }, provisioner: HOSTPATH, allowVolumeExpansion: true };
const NODE = { nodeName: 'ab-worker' };
const cluster = (): NodeCluster => new NodeCluster().apply(GROWING, claim('disk', { storageClassName: 'growing' })).pass(1);
const grow = (target: NodeCluster, storage = '128Mi'): NodeCluster => {
  target.world.api.update('PersistentVolumeClaim', 'shop', 'disk', (old) => ({ ...old, spec: { ...old.spec, resources: { requests: { storage } } } }));
  return target;
};
const done = (target: NodeCluster): string => `MountVolume.NodeExpandVolume succeeded for volume "${target.volumeOf('disk').metadata.name}" ab-worker`;

describe('a claim that grows', () => {
  test('under a running pod is grown on the node at the pod’s next resync, without a restart', () => {
    const target = cluster().apply(pod('first', NODE)).untilReady('first').pass(5);
    const from = target.world.clock.now / 1000;
    grow(target).pass(95);
    const [at = 0] = target.eventTimes('first', 'FileSystemResizeSuccessful', from);
    expect(at).toBeGreaterThan(50);
    expect(at).toBeLessThan(92);
    expect(target.events('disk')).toContain(`Normal FileSystemResizeSuccessful: ${done(target)}`);
    expect(target.claim('disk').status).toMatchObject({ capacity: { storage: '128Mi' }, allocatedResources: { storage: '128Mi' } });
    expect(target.claim('disk').status).not.toHaveProperty('allocatedResourceStatuses');
    expect(target.claim('disk').status).not.toHaveProperty('conditions');
    expect(target.pod('first').status.containerStatuses?.[0]?.restartCount).toBe(0);
  });

  test('without a pod waits, and grows when a pod mounts it', () => {
    const target = grow(cluster()).pass(30);
    expect(target.claim('disk').status.conditions?.map((c) => c.type)).toContain('FileSystemResizePending');
    expect(target.claim('disk').status.capacity?.storage).toBe('64Mi');
    target.apply(pod('first', NODE)).untilReady('first');
    expect(target.claim('disk').status.capacity?.storage).toBe('128Mi');
    expect(target.events('first', 'kubelet')[0]).toBe(`Normal FileSystemResizeSuccessful: ${done(target)}`);
  });

  test('does not grow on a read-only mount, which tells so', () => {
    const target = grow(cluster()).pass(5);
    target.apply(pod('first', { ...NODE, volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk', readOnly: true } }] })).untilReady('first');
    const message = `Warning FileSystemResizeFailed: MountVolume.NodeExpandVolume failed for volume "${target.volumeOf('disk').metadata.name}" requested read-only file system`;
    expect(target.events('first', 'kubelet')).toContain(message);
    expect(target.events('disk')).toContain(message);
    expect(target.claim('disk').status.capacity?.storage).toBe('64Mi');
  });
});
