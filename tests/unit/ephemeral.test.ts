import { describe, expect, it } from 'vitest';
import { startEphemeralVolumeController } from '../../machines/controllers/ephemeral.ts';
import type { PodSpec } from '../../machines/model/objects.ts';
import { claim, createClaim, createPod, events, failures, getPod, NAMESPACE, pass, startWithScheduler } from './scheduler-cluster.ts';

const SCRATCH: Partial<PodSpec> = {
  volumes: [{ name: 'disk', ephemeral: { volumeClaimTemplate: { metadata: { labels: { use: 'scratch' } }, spec: { storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } }],
};

function start(): ReturnType<typeof startWithScheduler> {
  const world = startWithScheduler();
  startEphemeralVolumeController(world);
  return world;
}

describe('a generic ephemeral volume', () => {
  it('gets a claim of its own that the pod owns; the scheduler waits for it', () => {
    const world = start();
    const pod = createPod(world, 'web', SCRATCH);
    pass(world, 0.5);
    expect(claim(world, 'web-disk')?.metadata).toMatchObject({
      labels: { use: 'scratch' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: pod.metadata.uid, controller: true, blockOwnerDeletion: true }],
    });
    expect(failures(world, 'web')).toEqual(['0/4 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "web-disk". not found']);
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBeDefined();
  });

  it('does not take a claim of that name that is not the pod’s', () => {
    const world = start();
    createClaim(world, 'web-disk', 'zonal-wait');
    createPod(world, 'web', SCRATCH);
    pass(world, 0.5);
    const why = `PVC ${NAMESPACE}/web-disk was not created for pod ${NAMESPACE}/web (pod is not owner)`;
    expect(events(world, 'web').filter(({ reason }) => reason === 'FailedBinding')).toMatchObject([{ type: 'Warning', message: `ephemeral volume disk: ${why}`, source: { component: 'ephemeral_volume' } }]);
    expect(failures(world, 'web')).toEqual([`0/4 nodes are available: ${why}. not found`]);
  });

  it('gets its claim again when somebody deletes it', () => {
    const world = start();
    createPod(world, 'web', SCRATCH);
    pass(world, 0.5);
    const first = claim(world, 'web-disk')?.metadata.uid;
    world.api.update('PersistentVolumeClaim', NAMESPACE, 'web-disk', (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
    world.api.delete('PersistentVolumeClaim', NAMESPACE, 'web-disk');
    pass(world, 0.5);
    expect(claim(world, 'web-disk')?.metadata.uid).not.toBe(first);
    expect(claim(world, 'web-disk')).toBeDefined();
  });
});
