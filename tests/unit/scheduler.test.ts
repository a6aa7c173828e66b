import { describe, expect, it } from 'vitest';
import { withMeta } from '../../machines/kernel/api-server.ts';
import type { Node } from '../../machines/model/objects.ts';
import { attempts, bindClaim, claim, createBoundClaim, createClaim, createPod, createVolume, DISK, events, failures, getPod, label, NAMESPACE, nodeOf, NODES, onlyIn, pass, scheduled, setPhase, startWithScheduler } from './scheduler-cluster.ts';

const TAINTED = '1 node(s) had untolerated taint(s)';
const NOT_HELPFUL = 'no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.';

describe('a pod that fits', () => {
  it('is bound: node, zone label, PodScheduled=True without reason, message or observedGeneration', () => {
    const world = startWithScheduler({ choices: { nodeOfPod: { [`${NAMESPACE}/web`]: 'three' }, zoneOfVolume: {} } });
    createPod(world, 'web', {}, { app: 'web' });
    pass(world, 1);
    const pod = getPod(world, 'web');
    expect(pod?.spec.nodeName).toBe('three');
    expect(pod?.metadata.labels).toEqual({ app: 'web', 'topology.kubernetes.io/zone': 'b' });
    expect(scheduled(world, 'web')).toEqual({ lastProbeTime: null, lastTransitionTime: expect.any(String), status: 'True', type: 'PodScheduled' });
    expect(events(world, 'web')).toMatchObject([{ reason: 'Scheduled', action: 'Binding', type: 'Normal', message: `Successfully assigned ${NAMESPACE}/web to three`, source: {}, reportingComponent: 'default-scheduler', reportingInstance: 'default-scheduler-master' }]);
  });

  it('is not handled when it names its node itself, or another scheduler', () => {
    const world = startWithScheduler();
    createPod(world, 'placed', { nodeName: 'master' });
    createPod(world, 'foreign', { schedulerName: 'other' });
    pass(world, 5);
    expect(nodeOf(world, 'placed')).toBe('master');
    expect(nodeOf(world, 'foreign')).toBeUndefined();
    expect(world.api.count('Event')).toBe(0);
  });

  it('goes where a recorded run sent it only when it fits there', () => {
    const world = startWithScheduler({ choices: { nodeOfPod: { [`${NAMESPACE}/web`]: 'master' }, zoneOfVolume: {} } });
    createPod(world, 'web');
    pass(world, 1);
    expect(['one', 'two', 'three']).toContain(nodeOf(world, 'web'));
  });

  it('spreads over the nodes as they fill up', () => {
    const world = startWithScheduler();
    for (let i = 0; i < 9; i++) createPod(world, `web-${i}`);
    pass(world, 2);
    const nodes = Array.from({ length: 9 }, (_, i) => nodeOf(world, `web-${i}`)).toSorted();
    expect(nodes).toEqual(['one', 'one', 'one', 'three', 'three', 'three', 'two', 'two', 'two']);
  });
});

describe('the text of FailedScheduling', () => {
  it('counts each node under the first plugin that refuses it, sorted as strings', () => {
    const world = startWithScheduler();
    createPod(world, 'big', { containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '64' } } }] });
    pass(world, 1);
    expect(failures(world, 'big')).toEqual([`0/4 nodes are available: ${TAINTED}, 3 Insufficient cpu. ${NOT_HELPFUL}`]);
    expect(scheduled(world, 'big')).toMatchObject({ status: 'False', reason: 'Unschedulable', observedGeneration: 1, lastProbeTime: null, message: failures(world, 'big')[0] });
  });

  it('sorts 10 before 2, as Go sorts strings', () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ name: `n${i}`, zone: i < 2 ? 'a' : 'b', drivers: [] }));
    const world = startWithScheduler({ nodes: rows });
    label(world, 'n0', { disk: 'ssd' });
    label(world, 'n1', { disk: 'ssd' });
    createPod(world, 'picky', { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'app', image: 'b:1', resources: { requests: { memory: '1Ti' } } }] });
    pass(world, 1);
    expect(failures(world, 'picky')).toEqual([
      "0/12 nodes are available: 10 node(s) didn't match Pod's node affinity/selector, 2 Insufficient memory. no new claims to deallocate, preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.",
    ]);
  });

  it('names every resource that one node lacks', () => {
    const world = startWithScheduler();
    createPod(world, 'big', { containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '3', memory: '1Ti', 'example.com/gpu': '1' } } }] });
    pass(world, 1);
    expect(failures(world, 'big')).toEqual([`0/4 nodes are available: ${TAINTED}, 3 Insufficient cpu, 3 Insufficient example.com/gpu, 3 Insufficient memory. ${NOT_HELPFUL}`]);
  });

  it('tells a full node, which a victim could free, from one that is too small', () => {
    const world = startWithScheduler();
    for (const node of ['one', 'two', 'three']) createPod(world, `hog-${node}`, { nodeName: node, containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '1500m' } } }] });
    createPod(world, 'late', { containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '1' } } }] });
    pass(world, 1);
    expect(failures(world, 'late')).toEqual([
      `0/4 nodes are available: ${TAINTED}, 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.`,
    ]);
  });

  it('ends with `not found` when the pod fails before any node is looked at', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { claims: ['nowhere'] });
    pass(world, 1);
    expect(failures(world, 'first')).toEqual(['0/4 nodes are available: persistentvolumeclaim "nowhere" not found. not found']);
  });

  it.each([
    ['an Immediate claim that is not bound', 'zonal-immediate'],
    ['a claim whose class does not exist', 'no-such-class'],
    ['a claim with the empty class', ''],
  ])('calls %s an unbound immediate one', (_what, storageClass) => {
    const world = startWithScheduler();
    createClaim(world, 'disk', storageClass);
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 1);
    expect(failures(world, 'first')).toEqual(['0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found']);
  });

  it('tells a claim that is being deleted and one that has lost its volume', () => {
    const world = startWithScheduler();
    createClaim(world, 'going', 'zonal-wait');
    world.api.delete('PersistentVolumeClaim', NAMESPACE, 'going');
    createBoundClaim(world, 'lost');
    world.api.update('PersistentVolumeClaim', NAMESPACE, 'lost', (old) => ({ ...old, status: { phase: 'Lost' } }));
    createPod(world, 'a', { claims: ['going'] });
    createPod(world, 'b', { claims: ['lost'] });
    pass(world, 1);
    expect(failures(world, 'a')).toEqual(['0/4 nodes are available: persistentvolumeclaim "going" is being deleted. not found']);
    expect(failures(world, 'b')).toEqual(['0/4 nodes are available: persistentvolumeclaim "lost" bound to non-existent persistentvolume "pv-lost". not found']);
  });

  it('tells a bound claim whose volume object is missing', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-immediate');
    bindClaim(world, 'disk', 'pv-gone');
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 1);
    expect(failures(world, 'first')).toEqual(['0/4 nodes are available: persistentvolume "pv-gone" not found. not found']);
  });

  it('tells cordoned nodes, volumes out of reach and zone labels of volumes apart', () => {
    const world = startWithScheduler();
    world.api.update('Node', undefined, 'one', (node): Node => ({ ...node, spec: { ...node.spec, unschedulable: true } }));
    createBoundClaim(world, 'disk', {}, { nodeAffinity: onlyIn('topology.kubernetes.io/zone', 'a') }, { 'topology.kubernetes.io/zone': 'c__d' });
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 1);
    expect(failures(world, 'first')).toEqual([
      `0/4 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 1 node(s) had no available volume zone, ${TAINTED}, 1 node(s) were unschedulable. ${NOT_HELPFUL}`,
    ]);
  });

  it('says which plugin left all nodes out when the pod names nodes that do not exist', () => {
    const world = startWithScheduler();
    const named = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['nowhere'] }] }] } };
    createPod(world, 'first', { affinity: { nodeAffinity: named } });
    pass(world, 1);
    expect(failures(world, 'first')).toEqual([`0/4 nodes are available: 4 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${NOT_HELPFUL}`]);
  });

  it('is cut at 1024 bytes in the event but not in the condition', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { claims: ['x'.repeat(1200)] });
    pass(world, 1);
    expect(failures(world, 'first')[0]).toHaveLength(1024);
    expect(failures(world, 'first')[0]).toMatch(/ \.\.\.$/);
    expect(scheduled(world, 'first')?.message?.length).toBeGreaterThan(1200);
  });
});

describe('volume limits', () => {
  it('count the volumes of the node’s pods, the attached ones, and the new ones of the pod', () => {
    const world = startWithScheduler({ nodes: [{ name: 'only', zone: 'a', drivers: [{ name: DISK, limit: 2 }] }] });
    for (const name of ['a', 'b', 'c']) createBoundClaim(world, name);
    createPod(world, 'first', { claims: ['a', 'b'] });
    pass(world, 1);
    createPod(world, 'second', { claims: ['c'] });
    createPod(world, 'sharing', { claims: ['a'] });
    pass(world, 1);
    expect(nodeOf(world, 'sharing')).toBe('only');
    expect(failures(world, 'second')).toEqual([
      '0/1 nodes are available: 1 node(s) exceed max volume count. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    ]);
  });

  it('still count a volume that is only attached, until the attachment goes, which wakes the pod', () => {
    const world = startWithScheduler({ nodes: [{ name: 'only', zone: 'a', drivers: [{ name: DISK, limit: 1 }] }] });
    for (const name of ['old', 'new']) createBoundClaim(world, name);
    world.api.create<'VolumeAttachment'>({ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'va' }, spec: { attacher: DISK, nodeName: 'only', source: { persistentVolumeName: 'pv-old' } }, status: { attached: true } });
    pass(world, 1);
    createPod(world, 'first', { claims: ['new'] });
    pass(world, 5);
    expect(nodeOf(world, 'first')).toBeUndefined();
    world.api.delete('VolumeAttachment', undefined, 'va');
    pass(world, 1);
    expect(nodeOf(world, 'first')).toBe('only');
  });

  it('count an unbound claim under its class’s provisioner, and once it is bound under its volume', () => {
    const world = startWithScheduler({ nodes: [{ name: 'only', zone: 'a', drivers: [{ name: DISK, limit: 1 }] }] });
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 0.5);
    createVolume(world, 'pv-disk', { claimRef: { name: 'disk', namespace: NAMESPACE, uid: claim(world, 'disk')?.metadata.uid } });
    bindClaim(world, 'disk', 'pv-disk');
    pass(world, 2);
    createPod(world, 'sharing', { claims: ['disk'] });
    pass(world, 1);
    expect([nodeOf(world, 'first'), nodeOf(world, 'sharing')]).toEqual(['only', 'only']);
  });

  it('grow with the CSINode, which wakes the pod', () => {
    const world = startWithScheduler({ nodes: [{ name: 'only', zone: 'a', drivers: [{ name: DISK, limit: 0 }] }] });
    createBoundClaim(world, 'disk');
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 3);
    expect(nodeOf(world, 'first')).toBeUndefined();
    world.api.update('CSINode', undefined, 'only', (old) => ({ ...old, spec: { drivers: (old.spec.drivers ?? []).map((driver) => ({ ...driver, allocatable: { count: 5 } })) } }));
    pass(world, 1);
    expect(nodeOf(world, 'first')).toBe('only');
  });
});

describe('a ReadWriteOncePod claim', () => {
  const RWOP = { accessModes: ['ReadWriteOncePod' as const] };

  it('keeps every node closed while another pod on a node uses it', () => {
    const world = startWithScheduler();
    createBoundClaim(world, 'disk', RWOP);
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 1);
    createPod(world, 'second', { claims: ['disk'] });
    pass(world, 1);
    expect(failures(world, 'second')).toEqual([
      `0/4 nodes are available: ${TAINTED}, 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. no new claims to deallocate, preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.`,
    ]);
  });

  it('is free as soon as its holder has failed, not when its object goes', () => {
    const world = startWithScheduler();
    createBoundClaim(world, 'disk', RWOP);
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 1);
    createPod(world, 'second', { claims: ['disk'] });
    pass(world, 5);
    setPhase(world, 'first', 'Failed');
    pass(world, 0.1);
    expect(nodeOf(world, 'second')).toBeDefined();
    expect(getPod(world, 'first')).toBeDefined();
  });
});

describe('what wakes a pod', () => {
  it('a heartbeat of a node does not', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { nodeSelector: { disk: 'ssd' } });
    pass(world, 2);
    world.api.update('Node', undefined, 'one', (node): Node => ({ ...node, status: { ...node.status, conditions: (node.status.conditions ?? []).map((condition) => ({ ...condition, lastHeartbeatTime: '2026-02-02T00:00:00Z' })) } }));
    pass(world, 2);
    expect(attempts(world, 'first')).toBe(1);
  });

  it('a label that makes the node match does', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { nodeSelector: { disk: 'ssd' } });
    pass(world, 2);
    label(world, 'one', { other: 'label' });
    pass(world, 2);
    expect(attempts(world, 'first')).toBe(1);
    label(world, 'two', { disk: 'ssd' });
    pass(world, 1);
    expect(nodeOf(world, 'first')).toBe('two');
  });

  it('a taint that goes does, and a toleration that the pod gains', () => {
    const world = startWithScheduler({ nodes: NODES.slice(0, 1) });
    createPod(world, 'first');
    createPod(world, 'second');
    pass(world, 2);
    world.api.update('Pod', NAMESPACE, 'second', (pod) => ({ ...pod, spec: { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), { operator: 'Exists', effect: 'NoSchedule' }] } }));
    pass(world, 1);
    expect([nodeOf(world, 'first'), nodeOf(world, 'second')]).toEqual([undefined, 'master']);
    world.api.update('Node', undefined, 'master', ({ spec, ...node }): Node => ({ ...node, spec: { ...spec, taints: [] } }));
    pass(world, 1);
    expect(nodeOf(world, 'first')).toBe('master');
  });

  it('another pod’s claim does not; any change of its own does', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-immediate');
    createClaim(world, 'other', 'zonal-immediate');
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 5);
    world.api.update('PersistentVolumeClaim', NAMESPACE, 'other', (old) => withMeta(old, { annotations: { a: 'b' } }));
    pass(world, 5);
    expect(attempts(world, 'first')).toBe(1);
    world.api.update('PersistentVolumeClaim', NAMESPACE, 'disk', (old) => withMeta(old, { annotations: { a: 'b' } }));
    pass(world, 1);
    expect(attempts(world, 'first')).toBe(2);
  });

  it('the claim that it waits for, long before its back-off is over, when nothing else is queued', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { claims: ['disk'] });
    pass(world, 0.05);
    createBoundClaim(world, 'disk');
    pass(world, 0.2);
    expect(nodeOf(world, 'first')).toBeDefined();
  });

  it('an event that comes while its attempt runs: it does not fit, and goes straight to back-off', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-immediate');
    createPod(world, 'first', { claims: ['disk'] });
    // The attempt starts after 2 ms and ends after 6.
    world.clock.after(3, () => world.api.update('PersistentVolumeClaim', NAMESPACE, 'disk', (old) => withMeta(old, { annotations: { a: 'b' } })));
    pass(world, 1);
    const states = world.trace.records.flatMap((record) => (record.type === 'state' && record.machine === 'scheduling' ? [record.to] : []));
    expect(states.slice(0, 5)).toEqual(['filtering', 'unschedulable', 'backOff', 'filtering', 'unschedulable']);
    expect(world.trace.records.some((record) => record.type === 'state' && record.machine === 'scheduling' && record.from === 'unschedulable' && record.t > 0.02)).toBe(false);
  });

  it('at the latest five minutes in the pool', () => {
    const world = startWithScheduler();
    createPod(world, 'first', { nodeSelector: { disk: 'ssd' } });
    pass(world, 299);
    expect(attempts(world, 'first')).toBe(1);
    pass(world, 45);
    expect(attempts(world, 'first')).toBe(2);
  });
});

describe('the condition PodScheduled=False', () => {
  it('is written once for equal texts, and the repeated event becomes a second object, then a series', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-immediate');
    createPod(world, 'first', { claims: ['disk'] });
    for (let i = 0; i < 3; i++) {
      pass(world, 3);
      world.api.update('PersistentVolumeClaim', NAMESPACE, 'disk', (old) => withMeta(old, { annotations: { turn: String(i) } }));
    }
    pass(world, 3);
    expect(attempts(world, 'first')).toBe(4);
    const writes = world.trace.records.filter((record) => record.type === 'watch' && record.object.kind === 'Pod' && record.verb === 'MODIFIED');
    expect(writes).toHaveLength(1);
    expect(events(world, 'first').map((event) => event.series?.count)).toEqual([undefined, 2]);
  });
});

describe('pods that were there before the scheduler', () => {
  it('count on their nodes, and those without a node are scheduled', () => {
    const seeded = startWithScheduler({ nodes: NODES.slice(1, 2) });
    const cpu = (amount: string) => ({ containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: amount } } }] });
    createPod(seeded, 'old', { ...cpu('1500m'), nodeName: 'one' });
    createPod(seeded, 'waiting', { ...cpu('1'), schedulerName: 'other' });
    const pods = [...seeded.api.list('Pod')].map((pod) => ({ ...pod, spec: { ...pod.spec, schedulerName: 'default-scheduler' } }));
    const world = startWithScheduler({ nodes: NODES.slice(1, 2), objects: pods });
    pass(world, 1);
    expect(failures(world, 'waiting')[0]).toContain('1 Insufficient cpu');
  });
});
