import { describe, expect, it } from 'vitest';
import { explainFilters } from '../../machines/controllers/scheduler/index.ts';
import type { AnyObject, Kind } from '../../machines/model/objects.ts';
import { createBoundClaim, createClaim, createPod, failures, getPod, onlyIn, pass, startWithScheduler } from './scheduler-cluster.ts';

const KINDS: readonly Kind[] = ['Node', 'Pod', 'PersistentVolume', 'PersistentVolumeClaim', 'StorageClass', 'CSINode', 'CSIDriver', 'VolumeAttachment'];

function objectsOf(world: ReturnType<typeof startWithScheduler>): AnyObject[] {
  return KINDS.flatMap((kind) => [...world.api.list(kind)] as AnyObject[]);
}

describe('explaining a pod over a list of objects', () => {
  it('says for every node what refused it and which field did', () => {
    const world = startWithScheduler();
    createBoundClaim(world, 'disk', {}, { nodeAffinity: onlyIn('topology.kubernetes.io/zone', 'b') });
    const pod = createPod(world, 'web', { claims: ['disk'], nodeSelector: { 'topology.kubernetes.io/zone': 'a' } });
    const { nodes } = explainFilters(pod, objectsOf(world));
    expect(nodes.map(({ node, rejection }) => [node, rejection?.plugin, rejection?.field])).toEqual([
      ['master', 'TaintToleration', 'Node master .spec.taints node-role.kubernetes.io/control-plane:NoSchedule'],
      ['one', 'VolumeBinding', 'PersistentVolume pv-disk .spec.nodeAffinity'],
      ['two', 'VolumeBinding', 'PersistentVolume pv-disk .spec.nodeAffinity'],
      ['three', 'NodeAffinity', 'Pod .spec.nodeSelector'],
    ]);
  });

  it('agrees with what the scheduler itself says', () => {
    const world = startWithScheduler();
    createClaim(world, 'unbound', 'zonal-immediate');
    createBoundClaim(world, 'disk', { accessModes: ['ReadWriteOncePod'] });
    createPod(world, 'holder', { claims: ['disk'] });
    pass(world, 1);
    for (const [name, claims] of [['a', ['disk']], ['b', ['unbound']], ['c', ['nowhere']]] as const) {
      createPod(world, name, { claims });
      pass(world, 1);
      const pod = getPod(world, name);
      const told = pod && explainFilters(pod, objectsOf(world)).message;
      expect(failures(world, name)[0]).toContain(told);
    }
  });

  it('has no message for a pod that fits somewhere', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    const pod = createPod(world, 'web', { claims: ['disk'] });
    const { message, nodes } = explainFilters(pod, objectsOf(world));
    expect(message).toBeUndefined();
    expect(nodes.flatMap(({ node, rejection }) => (rejection ? [] : [node]))).toEqual(['one', 'two', 'three']);
  });
});
