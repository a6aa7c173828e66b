import { describe, expect, it } from 'vitest';
import { withMeta } from '../../machines/kernel/api-server.ts';
import type { AnyObject } from '../../machines/model/objects.ts';
import { annotate, attempts, bindClaim, claim, createBoundClaim, createClaim, createPod, createVolume, DISK, events, failures, getPod, NAMESPACE, nodeOf, NODES, onlyIn, pass, scheduled, setPhase, startWithScheduler } from './scheduler-cluster.ts';

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** Object writes of the run so far: `Kind/name: what changed`, in order. */
function writes(world: ReturnType<typeof startWithScheduler>, kinds: readonly string[]): string[] {
  const before = new Map<string, AnyObject>();
  return world.trace.records.flatMap((record) => {
    if (record.type !== 'watch') return [];
    const { object } = record;
    const key = `${object.kind}/${object.metadata.name}`;
    const old = before.get(key);
    before.set(key, object);
    return kinds.includes(object.kind) && old ? [`${key} ${changes(old, object)}`] : [];
  });
}
function changes(old: AnyObject, object: AnyObject): string {
  const parts: string[] = [];
  if (old.kind === 'Pod' && object.kind === 'Pod') {
    if (old.status.nominatedNodeName !== object.status.nominatedNodeName) parts.push(`nominated=${object.status.nominatedNodeName ?? 'none'}`);
    if (old.spec.nodeName !== object.spec.nodeName) parts.push(`node=${object.spec.nodeName ?? 'none'}`);
    const reason = (pod: typeof object): string | undefined => pod.status.conditions?.find(({ type }) => type === 'PodScheduled')?.reason;
    if (reason(old) !== reason(object) && reason(object) !== undefined) parts.push(reason(object) ?? '');
    for (const condition of object.status.conditions ?? []) if (condition.type === 'DisruptionTarget' && !old.status.conditions?.some(({ type }) => type === 'DisruptionTarget')) parts.push('DisruptionTarget');
    if (old.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined) parts.push('deleting');
  }
  if (old.kind === 'PersistentVolumeClaim' && object.kind === 'PersistentVolumeClaim' && old.metadata.annotations?.[SELECTED_NODE] !== object.metadata.annotations?.[SELECTED_NODE]) parts.push('selected-node');
  if (old.kind === 'PersistentVolume' && object.kind === 'PersistentVolume' && old.spec.claimRef?.uid !== object.spec.claimRef?.uid) parts.push('claimRef');
  return parts.join(' ');
}

describe('a claim that waits for its first consumer', () => {
  it('gets its node: nomination, selected-node, then nothing until the claim is bound, seen at the next whole second after', () => {
    const world = startWithScheduler({ choices: { nodeOfPod: { [`${NAMESPACE}/web`]: 'two' }, zoneOfVolume: {} } });
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 1.5);
    expect(writes(world, ['Pod', 'PersistentVolumeClaim'])).toEqual(['Pod/web nominated=two', 'PersistentVolumeClaim/disk selected-node']);
    expect(claim(world, 'disk')?.metadata.annotations).toEqual({ [SELECTED_NODE]: 'two' });
    createVolume(world, 'pv-disk', { nodeAffinity: onlyIn(ZONE, 'a') });
    bindClaim(world, 'disk', 'pv-disk');
    pass(world, 0.4);
    expect(nodeOf(world, 'web')).toBeUndefined();
    pass(world, 0.3);
    expect(nodeOf(world, 'web')).toBe('two');
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBeUndefined();
  });

  it('closes nodes that its class does not allow, and opens them when the class allows more', () => {
    const world = startWithScheduler();
    const narrow = (values: readonly string[]) => [{ matchLabelExpressions: [{ key: ZONE, values }] }];
    world.api.create<'StorageClass'>({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'narrow' }, provisioner: DISK, volumeBindingMode: 'WaitForFirstConsumer', allowedTopologies: narrow(['c']) });
    createClaim(world, 'disk', 'narrow');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 5);
    expect(failures(world, 'web')).toEqual([
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
    ]);
    world.api.update('StorageClass', undefined, 'narrow', (old) => ({ ...old, allowedTopologies: narrow(['b']) }));
    pass(world, 0.1);
    expect(claim(world, 'disk')?.metadata.annotations?.[SELECTED_NODE]).toBe('three');
  });

  it('cannot be made by a class without provisioner', () => {
    const world = startWithScheduler();
    world.api.create<'StorageClass'>({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
    createClaim(world, 'disk', 'local');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 1);
    expect(failures(world, 'web')[0]).toContain("3 node(s) didn't find available persistent volumes to bind");
    createVolume(world, 'pv-late', { storageClassName: 'local', nodeAffinity: onlyIn(HOSTNAME, 'two') });
    pass(world, 0.1);
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBe('two');
    expect(world.api.get('PersistentVolume', undefined, 'pv-late')).toMatchObject({ metadata: { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } }, spec: { claimRef: { kind: 'PersistentVolumeClaim', name: 'disk', namespace: NAMESPACE, uid: claim(world, 'disk')?.metadata.uid } } });
  });

  it('takes the smallest volume that the node reaches, whatever its other access modes', () => {
    const world = startWithScheduler({ nodes: NODES.slice(0, 2) });
    createVolume(world, 'pv-far', { storageClassName: 'zonal-wait', nodeAffinity: onlyIn(HOSTNAME, 'elsewhere') });
    createVolume(world, 'pv-small', { storageClassName: 'zonal-wait', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] });
    createVolume(world, 'pv-large', { storageClassName: 'zonal-wait', capacity: { storage: '5Gi' } });
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.1);
    expect(world.api.get('PersistentVolume', undefined, 'pv-small')?.spec.claimRef?.name).toBe('disk');
    expect(claim(world, 'disk')?.metadata.annotations).toBeUndefined();
  });

  it('whose volume is reserved for it takes that one and no other', () => {
    const world = startWithScheduler();
    world.api.create<'StorageClass'>({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
    createClaim(world, 'disk', 'local');
    createVolume(world, 'pv-mine', { storageClassName: 'local', claimRef: { name: 'disk', namespace: NAMESPACE }, nodeAffinity: onlyIn(HOSTNAME, 'three') });
    createVolume(world, 'pv-free', { storageClassName: 'local' });
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.1);
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBe('three');
    const mine = world.api.get('PersistentVolume', undefined, 'pv-mine');
    expect(mine?.spec.claimRef?.uid).toBe(claim(world, 'disk')?.metadata.uid);
    // Somebody else had reserved it, so the mark of the controller's own choice is not set.
    expect(mine?.metadata.annotations).toBeUndefined();
  });

  it('is served with others of the same pod, each by a volume of its own, the smallest request first', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    createClaim(world, 'large', 'zonal-wait', { resources: { requests: { storage: '3Gi' } } });
    createClaim(world, 'small', 'zonal-wait');
    createVolume(world, 'pv-4', { storageClassName: 'zonal-wait', capacity: { storage: '4Gi' } });
    createVolume(world, 'pv-3', { storageClassName: 'zonal-wait', capacity: { storage: '3Gi' } });
    createPod(world, 'web', { claims: ['large', 'small'] });
    pass(world, 0.1);
    const takenBy = (name: string): string | undefined => world.api.get('PersistentVolume', undefined, name)?.spec.claimRef?.name;
    expect([takenBy('pv-3'), takenBy('pv-4')]).toEqual(['small', 'large']);
  });

  it('does not get a volume that was promised a moment ago to another pod', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    world.api.create<'StorageClass'>({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
    createVolume(world, 'pv-only', { storageClassName: 'local' });
    for (const name of ['a', 'b']) {
      createClaim(world, name, 'local');
      createPod(world, `pod-${name}`, { claims: [name] });
    }
    pass(world, 0.5);
    expect(world.api.get('PersistentVolume', undefined, 'pv-only')?.spec.claimRef?.name).toBe('a');
    expect(failures(world, 'pod-b')[0]).toContain("1 node(s) didn't find available persistent volumes to bind");
  });

  it('that was promised to a node can only be used there, until someone removes the annotation', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    annotate(world, 'disk', { [SELECTED_NODE]: 'one', other: 'kept' });
    createPod(world, 'web', { claims: ['disk'], nodeSelector: { [HOSTNAME]: 'two' } });
    pass(world, 5);
    expect(failures(world, 'web')[0]).toContain("1 node(s) didn't find available persistent volumes to bind");
    annotate(world, 'disk', { [SELECTED_NODE]: undefined });
    pass(world, 0.1);
    expect(claim(world, 'disk')?.metadata.annotations?.[SELECTED_NODE]).toBe('two');
  });
});

describe('binding that fails', () => {
  const PREBIND = 'running PreBind plugin "VolumeBinding": binding volumes: ';

  it('because the provisioner gave the node back: SchedulerError, back-off in whole seconds, retried on the nominated node', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    annotate(world, 'disk', { other: 'kept' });
    createPod(world, 'web', { claims: ['disk'], nodeSelector: { [HOSTNAME]: 'two' } });
    pass(world, 0.5);
    annotate(world, 'disk', { [SELECTED_NODE]: undefined });
    pass(world, 0.6);
    expect(failures(world, 'web')).toEqual([`${PREBIND}provisioning failed for PVC "disk"`]);
    expect(scheduled(world, 'web')).toMatchObject({ status: 'False', reason: 'SchedulerError', message: failures(world, 'web')[0] });
    // The nomination is cleared only in the pod that the attempt started with, which had none.
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBe('two');
    expect(attempts(world, 'web')).toBe(1);
    // 1 s after 1.0x, cut to the whole second 2, over in the second after that.
    pass(world, 1.8);
    expect(attempts(world, 'web')).toBe(1);
    pass(world, 0.2);
    expect(attempts(world, 'web')).toBe(2);
    expect(claim(world, 'disk')?.metadata.annotations?.[SELECTED_NODE]).toBe('two');
  });

  it('clears the nomination the second time, and back-off doubles', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    annotate(world, 'disk', { other: 'kept' });
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.5);
    annotate(world, 'disk', { [SELECTED_NODE]: undefined });
    pass(world, 3);
    annotate(world, 'disk', { [SELECTED_NODE]: undefined });
    pass(world, 1);
    expect(getPod(world, 'web')?.status.nominatedNodeName).toBeUndefined();
    expect(events(world, 'web').filter(({ reason }) => reason === 'FailedScheduling')).toHaveLength(2);
    pass(world, 2);
    expect(attempts(world, 'web')).toBe(2);
    pass(world, 1);
    expect(attempts(world, 'web')).toBe(3);
  });

  it('because the claim was changed in between: the API server’s words, no selected-node written', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'] });
    world.clock.after(12, () => world.api.update('PersistentVolumeClaim', NAMESPACE, 'disk', (old) => withMeta(old, { labels: { changed: 'yes' } })));
    pass(world, 0.5);
    expect(failures(world, 'web')).toEqual([
      'running PreBind plugin "VolumeBinding": Operation cannot be fulfilled on persistentvolumeclaims "disk": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    expect(claim(world, 'disk')?.metadata.annotations).toBeUndefined();
  });

  it('because the pod is gone: the event still comes, nothing else', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.5);
    world.api.delete('Pod', NAMESPACE, 'web');
    pass(world, 5);
    expect(failures(world, 'web')).toEqual([`${PREBIND}pod does not exist any more: pod "web" not found`]);
    expect(claim(world, 'disk')?.metadata.annotations?.[SELECTED_NODE]).toBeDefined();
  });

  it('because the volume that came cannot be reached from the node', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'], nodeSelector: { [HOSTNAME]: 'two' } });
    pass(world, 0.5);
    createVolume(world, 'pv-disk', { nodeAffinity: onlyIn(ZONE, 'b') });
    bindClaim(world, 'disk', 'pv-disk');
    pass(world, 1);
    expect(failures(world, 'web')[0]).toBe(`${PREBIND}pv "pv-disk" node affinity doesn't match node "two": no matching NodeSelectorTerms`);
  });

  it('because somebody reset the claimRef that the scheduler wrote', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    createVolume(world, 'pv-disk', { storageClassName: 'zonal-wait' });
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.5);
    world.api.update('PersistentVolume', undefined, 'pv-disk', ({ spec: { claimRef: _gone, ...spec }, ...old }) => ({ ...old, spec }));
    pass(world, 0.6);
    expect(failures(world, 'web')[0]).toBe(`${PREBIND}ClaimRef got reset for pv "pv-disk"`);
  });

  it('after 600 s without a volume', () => {
    const world = startWithScheduler();
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 599);
    expect(failures(world, 'web')).toEqual([]);
    pass(world, 2);
    expect(failures(world, 'web')).toEqual([`${PREBIND}context deadline exceeded`]);
  });

  it('gives back what the pod had reserved on the node', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    const cpu = { containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '1500m' } } }] };
    createClaim(world, 'disk', 'zonal-wait');
    createPod(world, 'web', { claims: ['disk'], ...cpu });
    pass(world, 0.5);
    createPod(world, 'other', cpu);
    pass(world, 1);
    expect(failures(world, 'other')).toHaveLength(1);
    world.api.delete('Pod', NAMESPACE, 'web');
    pass(world, 1);
    expect(nodeOf(world, 'other')).toBe('one');
  });
});

describe('preemption', () => {
  const whole = { containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu: '1500m' } } }] };

  it('removes the pod whose removal helps, marks it first, and says so on it', () => {
    const world = startWithScheduler({ nodes: NODES.slice(0, 2) });
    createPod(world, 'ordinary', whole);
    pass(world, 1);
    createPod(world, 'important', { ...whole, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    expect(failures(world, 'important')).toEqual(['0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).']);
    expect(writes(world, ['Pod'])).toEqual(['Pod/ordinary node=one', 'Pod/ordinary DisruptionTarget', 'Pod/important nominated=one Unschedulable', 'Pod/ordinary deleting']);
    expect(getPod(world, 'ordinary')?.status.conditions).toContainEqual({ lastProbeTime: null, lastTransitionTime: expect.any(String), message: 'default-scheduler: preempting to accommodate a higher priority pod', observedGeneration: 1, reason: 'PreemptionByScheduler', status: 'True', type: 'DisruptionTarget' });
    expect(events(world, 'ordinary').at(-1)).toMatchObject({ reason: 'Preempted', action: 'Preempting', type: 'Normal', message: `Preempted by pod ${getPod(world, 'important')?.metadata.uid} on node one`, related: { kind: 'Pod', name: 'important' } });
    setPhase(world, 'ordinary', 'Failed');
    pass(world, 1);
    expect(nodeOf(world, 'important')).toBe('one');
  });

  it('takes the node where the victims matter least and keeps those that need not go', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 3) });
    const share = (cpu: string, priority: number) => ({ containers: [{ name: 'app', image: 'b:1', resources: { requests: { cpu } } }], priorityClassName: priority === 0 ? undefined : 'middle' });
    world.api.create<'PriorityClass'>({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'middle' }, value: 1000 });
    createPod(world, 'a', { ...share('1200m', 1000), nodeName: 'one' });
    createPod(world, 'b', { ...share('1200m', 0), nodeName: 'two' });
    createPod(world, 'c', { ...share('300m', 0), nodeName: 'two' });
    pass(world, 1);
    createPod(world, 'important', { ...whole, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    const going = ['a', 'b', 'c'].filter((name) => getPod(world, name)?.metadata.deletionTimestamp !== undefined);
    expect(going).toEqual(['b']);
  });

  it('is not tried for a node whose refusal no victim can lift, nor by a pod that must not preempt', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    createPod(world, 'ordinary', whole);
    pass(world, 1);
    createPod(world, 'polite', { ...whole, priorityClassName: 'system-cluster-critical', preemptionPolicy: 'Never' });
    createPod(world, 'elsewhere', { ...whole, priorityClassName: 'system-cluster-critical', nodeSelector: { disk: 'ssd' } });
    pass(world, 1);
    expect(failures(world, 'polite')).toEqual(['0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.']);
    expect(failures(world, 'elsewhere')[0]).toContain('1 Preemption is not helpful for scheduling.');
    expect(getPod(world, 'ordinary')?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('waits for a victim that is on its way out instead of taking a second one', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    createPod(world, 'ordinary', whole);
    pass(world, 1);
    createPod(world, 'important', { ...whole, priorityClassName: 'system-cluster-critical' });
    pass(world, 3);
    createPod(world, 'gone', { nodeName: 'one' });
    pass(world, 1);
    world.api.delete('Pod', NAMESPACE, 'gone', { graceSeconds: 0 });
    pass(world, 1);
    expect(failures(world, 'important').at(-1)).toBe('0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node.');
  });

  it('keeps the freed room for the pod it was made for', () => {
    const world = startWithScheduler({ nodes: NODES.slice(1, 2) });
    createPod(world, 'ordinary', whole);
    pass(world, 1);
    createPod(world, 'important', { ...whole, priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    createPod(world, 'sneaky', whole);
    pass(world, 1);
    setPhase(world, 'ordinary', 'Failed');
    pass(world, 5);
    expect([nodeOf(world, 'important'), nodeOf(world, 'sneaky')]).toEqual(['one', undefined]);
  });
});

describe('a pod without volumes to bind', () => {
  it('is bound at once, without a nomination, even when its claim was bound a moment ago', () => {
    const world = startWithScheduler();
    createBoundClaim(world, 'disk');
    createPod(world, 'web', { claims: ['disk'] });
    pass(world, 0.1);
    expect(writes(world, ['Pod'])).toEqual([`Pod/web node=${nodeOf(world, 'web') ?? ''}`]);
  });

  it('is scheduled one after the other, the higher priority first', () => {
    const world = startWithScheduler();
    createPod(world, 'ordinary');
    createPod(world, 'important', { priorityClassName: 'system-cluster-critical' });
    pass(world, 1);
    const popped = world.trace.records.flatMap((record) => (record.type === 'state' && record.machine === 'scheduling' && record.event === 'POP' ? [record.key] : []));
    expect(popped).toEqual([`${NAMESPACE}/important`, `${NAMESPACE}/ordinary`]);
  });
});
