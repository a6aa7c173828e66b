import { describe, expect, test } from 'vitest';
import type { ContainerStatus, Pod } from '../../machines/model/objects.ts';
import { NodeCluster, claim, pod, podWith } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const sh = (script: string, more: Record<string, unknown> = {}) => ({ name: 'app', image: 'busybox:1', command: ['sh', '-c', script], ...more });
const running = (script: string, spec: Record<string, unknown> = {}): Record<string, unknown> => podWith('first', [], { ...NODE, containers: [sh(script)], ...spec });
const status = (cluster: NodeCluster): ContainerStatus => cluster.pod('first').status.containerStatuses?.[0] as ContainerStatus;
const condition = (cluster: NodeCluster, type: string) => cluster.pod('first').status.conditions?.find((c) => c.type === type);
const podWrites = (cluster: NodeCluster, name = 'first'): Pod[] => cluster.writes('Pod').flatMap(({ object }) => (object.kind === 'Pod' && object.metadata.name === name ? [object] : []));
const exec = (cluster: NodeCluster, script: string, container = 'app') => {
  const target = cluster.world.containers.get(`shop/first/${container}`);
  if (!target) throw new Error('the container does not run');
  return target.exec(['sh', '-c', script], cluster.world.clock.now);
};

describe('the status of a pod', () => {
  test('is written twice on the way up: once when the kubelet takes it, once when its containers run', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first').pass(100);
    expect(podWrites(cluster).map((object) => object.status.phase)).toEqual(['Pending', 'Pending', 'Running']);
  });

  test('begins with five conditions in the kubelet’s order and the container creating', () => {
    const cluster = new NodeCluster().apply(running('sleep 100')).pass(0.1);
    expect(cluster.pod('first').status.conditions?.map((c) => `${c.type}=${c.status}`)).toEqual(['PodReadyToStartContainers=False', 'Initialized=True', 'Ready=False', 'ContainersReady=False', 'PodScheduled=True']);
    expect(condition(cluster, 'Ready')).toMatchObject({ reason: 'ContainersNotReady', message: 'containers with unready status: [app]', observedGeneration: 1, lastProbeTime: null });
    expect(status(cluster)).toMatchObject({ imageID: '', ready: false, started: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } }, lastState: {} });
    expect(status(cluster)).not.toHaveProperty('containerID');
    expect(cluster.pod('first').status).toMatchObject({ phase: 'Pending', hostIP: '172.18.0.3', hostIPs: [{ ip: '172.18.0.3' }], observedGeneration: 1 });
    expect(cluster.pod('first').status.podIP).toBeUndefined();
  });

  test('lists containers by name, and those that are not ready in the order of the spec', () => {
    const containers = [sh('sleep 100', { name: 'writer' }), sh('sleep 100', { name: 'viewer' })];
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, containers })).pass(0.1);
    expect(cluster.pod('first').status.containerStatuses?.map((c) => c.name)).toEqual(['viewer', 'writer']);
    expect(condition(cluster, 'Ready')?.message).toBe('containers with unready status: [writer viewer]');
  });

  test('keeps conditions that are not the kubelet’s, in front of its own', () => {
    const cluster = new NodeCluster().apply(running('sleep 100')).untilReady('first');
    cluster.world.api.update('Pod', 'shop', 'first', (old) => ({ ...old, status: { ...old.status, conditions: [...(old.status.conditions ?? []), { type: 'DisruptionTarget', status: 'True', reason: 'Test' }] } }));
    cluster.delete('Pod', 'first').until(() => cluster.pod('first').status.phase === 'Failed');
    expect(cluster.pod('first').status.conditions?.[0]).toMatchObject({ type: 'DisruptionTarget', reason: 'Test' });
  });

  test('a read-only mount says that what is mounted below it is not made read-only', () => {
    const cluster = new NodeCluster().apply(running('sleep 100')).pass(0.1);
    expect(status(cluster).volumeMounts?.at(-1)).toMatchObject({ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true, recursiveReadOnly: 'Disabled' });
  });
});

describe('a container', () => {
  test('is announced by three events at its field path', () => {
    const cluster = new NodeCluster().apply(running('sleep 100')).untilReady('first');
    expect(cluster.events('first', 'kubelet')).toEqual([
      'Normal Pulled: Container image "busybox:1" already present on machine and can be accessed by the pod',
      'Normal Created: Container created',
      'Normal Started: Container started',
    ]);
    expect([...cluster.world.api.list('Event')].filter((e) => e.reportingComponent === 'kubelet').every((e) => e.involvedObject.fieldPath === 'spec.containers{app}')).toBe(true);
  });

  test('that ends well under restartPolicy Never makes the pod Succeeded, one sync after its end is seen', () => {
    const cluster = new NodeCluster().apply(running('true', { restartPolicy: 'Never' }));
    cluster.until(() => cluster.pod('first').status.phase === 'Succeeded');
    const completed = podWrites(cluster).find((object) => object.status.conditions?.some((c) => c.reason === 'PodCompleted'));
    expect(completed?.status.phase).toBe('Pending');
    expect(status(cluster).state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(condition(cluster, 'PodReadyToStartContainers')?.status).toBe('False');
    expect(cluster.podNames()).toContain('first');
  });

  test.each([
    ['Never', 'Failed', 0],
    ['OnFailure', 'Running', 1],
    ['Always', 'Running', 1],
  ])('that fails under restartPolicy %s leaves the pod %s', (restartPolicy, phase, restarts) => {
    const cluster = new NodeCluster().apply(running('sleep 3; exit 4', { restartPolicy })).pass(6.5);
    expect(cluster.pod('first').status.phase).toBe(phase);
    expect(status(cluster).restartCount).toBe(restarts);
    expect((status(cluster).state.terminated ?? status(cluster).lastState.terminated)).toMatchObject({ exitCode: 4, reason: 'Error' });
  });

  test('that ends well is restarted under Always, not under OnFailure', () => {
    expect(status(new NodeCluster().apply(running('sleep 1')).pass(6)).restartCount).toBe(1);
    expect(new NodeCluster().apply(running('sleep 1', { restartPolicy: 'OnFailure' })).pass(6).pod('first').status.phase).toBe('Succeeded');
  });

  test('is restarted at once the first time, then after at least 10, 20, 40 s, with a warning for each wait', () => {
    const cluster = new NodeCluster().apply(running('exit 1')).pass(200);
    const starts = cluster.eventTimes('first', 'Started');
    const gaps = starts.slice(1).map((t, i) => t - (starts[i] ?? 0));
    for (const [i, least] of [0, 10, 20, 40].entries()) {
      expect(gaps[i]).toBeGreaterThanOrEqual(least);
      expect(gaps[i]).toBeLessThan(least * 1.5 + 3);
    }
    expect(cluster.events('first', 'kubelet')).toContain(`Warning BackOff: Back-off restarting failed container app in pod first_shop(${cluster.pod('first').metadata.uid})`);
    expect(cluster.count('first', 'BackOff')).toBeGreaterThanOrEqual(3);
  });

  test('in back-off shows CrashLoopBackOff with its length', () => {
    const cluster = new NodeCluster().apply(running('exit 1'));
    cluster.until(() => status(cluster)?.state.waiting?.reason === 'CrashLoopBackOff');
    expect(status(cluster).state.waiting?.message).toMatch(/^back-off (10s|20s|40s) restarting failed container=app pod=first_shop\(/);
    expect(status(cluster).lastState.terminated?.exitCode).toBe(1);
  });

  test('keeps the bytes of the volume over a restart, not those of its own layer', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', { ...NODE, containers: [sh("trap 'exit 1' TERM; while true; do sleep 1; done", { volumeMounts: [{ name: 'disk', mountPath: '/data' }] })] })).untilReady('first');
    exec(cluster, 'echo kept > /data/proof; echo lost > /tmp/proof; kill 1');
    cluster.until(() => status(cluster).restartCount === 1);
    expect(exec(cluster, 'cat /data/proof; ls /tmp').stdout).toBe('kept\n');
    expect(cluster.calls('NodePublishVolume')).toHaveLength(1);
  });

  test('that cannot be started for want of its program fails with the runtime’s reason', () => {
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, containers: [{ name: 'app', image: 'busybox:1', command: ['/no/such/program'] }] })).pass(3);
    expect(cluster.events('first', 'kubelet').find((text) => text.startsWith('Warning Failed'))).toContain('exec: "/no/such/program": stat /no/such/program: no such file or directory');
    expect(status(cluster).restartCount).toBeLessThanOrEqual(1);
    expect(cluster.pod('first').status.phase).not.toBe('Failed');
  });
});

describe('init containers', () => {
  test('run one after the other before all others', () => {
    const initContainers = [sh('sleep 2', { name: 'one' }), sh('sleep 2', { name: 'two' })];
    const cluster = new NodeCluster().apply(running('sleep 100', { initContainers })).pass(1);
    expect(condition(cluster, 'Initialized')).toMatchObject({ status: 'False', reason: 'ContainersNotInitialized', message: 'containers with incomplete status: [one two]' });
    expect(status(cluster).state.waiting?.reason).toBe('PodInitializing');
    cluster.untilReady('first');
    expect(cluster.pod('first').status.initContainerStatuses?.map((c) => [c.name, c.ready, c.state.terminated?.reason])).toEqual([['one', true, 'Completed'], ['two', true, 'Completed']]);
    expect(cluster.eventTimes('first', 'Started')).toHaveLength(3);
  });

  test('one that fails under restartPolicy Never fails the pod', () => {
    const cluster = new NodeCluster().apply(running('sleep 100', { restartPolicy: 'Never', initContainers: [sh('exit 3', { name: 'one' })] })).pass(8);
    expect(cluster.pod('first').status.phase).toBe('Failed');
    expect(cluster.states('container', 'shop/first/app')).toEqual([]);
  });
});

describe('what a container finds', () => {
  test('environment from values, Secrets, ConfigMaps and fields', () => {
    const env = [{ name: 'A', value: 'x' }, { name: 'B', value: '$(A)y' }, { name: 'K', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }, { name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const cluster = new NodeCluster()
      .apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { k: 'secret' } }, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { COLOUR: 'green' } })
      .apply(podWith('first', [], { ...NODE, containers: [sh('sleep 100', { env, envFrom: [{ configMapRef: { name: 'c' } }] })] }))
      .untilReady('first');
    expect(exec(cluster, 'echo $A $B $K $N $COLOUR').stdout).toBe('x xy secret first green\n');
  });

  test.each([
    ['a Secret that is missing', { secretKeyRef: { name: 'gone', key: 'k' } }, 'secret "gone" not found'],
    ['a ConfigMap that is missing', { configMapKeyRef: { name: 'gone', key: 'k' } }, 'configmap "gone" not found'],
    ['a key that is missing', { secretKeyRef: { name: 's', key: 'gone' } }, "couldn't find key gone in Secret shop/s"],
  ])('%s in the environment blocks the container, not the volumes', (_what, valueFrom, error) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { k: 'x' } };
    const cluster = new NodeCluster().apply(secret, podWith('first', [], { ...NODE, containers: [sh('sleep 100', { env: [{ name: 'K', valueFrom }] })] })).pass(20);
    expect(cluster.events('first', 'kubelet').filter((text) => text.startsWith('Warning'))).toEqual([`Warning Failed: Error: ${error}`]);
    expect(status(cluster).state.waiting).toEqual({ reason: 'CreateContainerConfigError', message: error });
    expect(cluster.count('first', 'Failed')).toBeGreaterThanOrEqual(2);
  });

  test('the files of its volumes, read-only where the volume or the mount is', () => {
    const volumes = [{ name: 'settings', configMap: { name: 'c' } }, { name: 'scratch', emptyDir: {} }];
    const mounts = [{ name: 'settings', mountPath: '/settings' }, { name: 'scratch', mountPath: '/scratch' }, { name: 'scratch', mountPath: '/view', readOnly: true }];
    const cluster = new NodeCluster()
      .apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { colour: 'green' } })
      .apply(podWith('first', volumes, { ...NODE, containers: [sh('sleep 100', { volumeMounts: mounts })] }))
      .untilReady('first');
    expect(exec(cluster, 'cat /settings/colour; echo a > /scratch/f; cat /view/f').stdout).toBe('greena\n');
    expect(exec(cluster, 'echo b > /view/f').stderr).toContain('Read-only file system');
    expect(exec(cluster, 'echo b > /settings/colour').stderr).toContain('Read-only file system');
  });

  test('an update of a ConfigMap at the pod’s next resync, not through a subPath', () => {
    const volumes = [{ name: 'settings', configMap: { name: 'c' } }];
    const mounts = [{ name: 'settings', mountPath: '/settings' }, { name: 'settings', mountPath: '/colour', subPath: 'colour' }];
    const cluster = new NodeCluster()
      .apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { colour: 'green' } })
      .apply(podWith('first', volumes, { ...NODE, containers: [sh('sleep 1000', { volumeMounts: mounts })] }))
      .untilReady('first')
      .pass(3);
    cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { colour: 'blue' } }).pass(5);
    expect(exec(cluster, 'cat /settings/colour').stdout).toBe('green');
    cluster.pass(90);
    expect(exec(cluster, 'cat /settings/colour').stdout).toBe('blue');
    expect(exec(cluster, 'cat /colour').stdout).toBe('green');
  });

  test('a sub-path of a volume, made when missing; what is no directory stands in the way', () => {
    const mounts = [{ name: 'scratch', mountPath: '/sub', subPath: 'a/b' }, { name: 'scratch', mountPath: '/all' }];
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'scratch', emptyDir: {} }], { ...NODE, containers: [sh('sleep 100', { volumeMounts: mounts })] })).untilReady('first');
    exec(cluster, 'echo x > /sub/f');
    expect(exec(cluster, 'cat /all/a/b/f').stdout).toBe('x\n');
  });

  test('bytes that a pod on another node wrote, after the volume has moved there', () => {
    const cluster = new NodeCluster({ seed: 3 }).apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first');
    exec(cluster, 'echo moved > /data/proof');
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first')).apply(pod('first', { nodeName: 'ab-worker2' })).untilReady('first');
    expect(exec(cluster, 'cat /data/proof').stdout).toBe('moved\n');
  });
});

describe('the end of a pod', () => {
  test('a process that ignores SIGTERM is killed after the grace period, two seconds at least; the pod ends as Failed', () => {
    const cluster = new NodeCluster().apply(running('sleep 1000')).untilReady('first').pass(5);
    const from = cluster.world.clock.now;
    cluster.delete('Pod', 'first').until(() => cluster.pod('first').status.phase === 'Failed');
    expect(cluster.world.clock.now - from).toBeGreaterThan(2_000);
    expect(cluster.world.clock.now - from).toBeLessThan(3_600);
    expect(status(cluster).state.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(condition(cluster, 'Ready')).toMatchObject({ status: 'False', reason: 'PodFailed' });
    expect(cluster.events('first', 'kubelet')).toContain('Normal Killing: Stopping container app');
    cluster.until(() => !cluster.podNames().includes('first'), 3);
  });

  test('a process that handles SIGTERM and leaves with 0 makes it Succeeded', () => {
    const cluster = new NodeCluster().apply(running("trap 'exit 0' TERM; while true; do sleep 1; done", { terminationGracePeriodSeconds: 30 })).untilReady('first');
    cluster.delete('Pod', 'first').until(() => cluster.pod('first').status.phase !== 'Running', 5);
    expect(cluster.pod('first').status.phase).toBe('Succeeded');
  });

  test('a write that only tells the seen generation comes first', () => {
    const cluster = new NodeCluster().apply(running('sleep 1000')).untilReady('first').pass(5).delete('Pod', 'first').pass(1.5);
    const [before, after] = podWrites(cluster).slice(-2);
    expect(after?.status.observedGeneration).toBe(2);
    expect(before?.status.observedGeneration).toBe(1);
    expect(after?.status.phase).toBe('Running');
  });

  test('a later deletion with a shorter grace period ends the wait', () => {
    const cluster = new NodeCluster().apply(running('sleep 1000', { terminationGracePeriodSeconds: 300 })).untilReady('first').pass(3).delete('Pod', 'first').pass(10);
    expect(cluster.podNames()).toContain('first');
    cluster.world.api.delete('Pod', 'shop', 'first', { graceSeconds: 2 });
    cluster.until(() => !cluster.podNames().includes('first'), 6);
  });

  test('the object goes only after its volumes are unpublished', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first');
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first'));
    const gone = cluster.writes('Pod').at(-1)?.t ?? 0;
    expect(cluster.calls('NodeUnpublishVolume')[0]?.t).toBeLessThan(gone);
  });

  test('a pod deleted while it waits for its volumes goes at once; its container counts as lost', () => {
    const cluster = new NodeCluster().apply(podWith('first', [{ name: 'v', secret: { secretName: 'gone' } }], NODE)).pass(5);
    cluster.delete('Pod', 'first').until(() => !cluster.podNames().includes('first'), 5);
    const last = podWrites(cluster).findLast((object) => object.status.phase === 'Failed');
    expect(last?.status.containerStatuses?.[0]?.state.terminated).toEqual({ exitCode: 137, finishedAt: null, message: 'The container could not be located when the pod was terminated', reason: 'ContainerStatusUnknown', startedAt: null });
  });

  test('a finished pod is deleted at once', () => {
    const cluster = new NodeCluster().apply(running('true', { restartPolicy: 'Never' }));
    cluster.until(() => cluster.pod('first').status.phase === 'Succeeded').pass(3);
    cluster.delete('Pod', 'first').pass(0.1);
    expect(cluster.podNames()).not.toContain('first');
  });

  test('a pod deleted by force is still stopped and unmounted by its kubelet', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first').delete('Pod', 'first', { graceSeconds: 0 }).pass(0.01);
    expect(podWrites(cluster).at(-2)?.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    expect(cluster.podNames()).not.toContain('first');
    cluster.pass(8);
    expect(cluster.events('first', 'kubelet')).toContain('Normal Killing: Stopping container app');
    expect(cluster.calls('NodeUnpublishVolume')).toHaveLength(1);
    expect(cluster.calls('NodeUnstageVolume')).toHaveLength(1);
    expect(cluster.world.containers.size).toBe(0);
  });

  test('a deletion by force leaves the containers the time that their pod gives them', () => {
    const cluster = new NodeCluster().apply(running("trap '' TERM; sleep 1000", { terminationGracePeriodSeconds: 6 })).untilReady('first').pass(3).delete('Pod', 'first', { graceSeconds: 0 }).pass(5);
    expect(cluster.world.containers.size).toBe(1);
    cluster.pass(3);
    expect(cluster.world.containers.size).toBe(0);
  });

  test('the same name made again at once is another pod, with its own containers', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first').delete('Pod', 'first', { graceSeconds: 0 }).pass(0.01).apply(pod('first', NODE)).untilReady('first');
    expect(cluster.calls('NodePublishVolume')).toHaveLength(2);
    expect(status(cluster).restartCount).toBe(0);
  });
});

describe('a paused node', () => {
  test('does nothing until it returns: a deleted pod stays Terminating and its process lives on', () => {
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', NODE)).untilReady('first').pass(3);
    cluster.world.pausedNodes.add('ab-worker');
    cluster.delete('Pod', 'first').pass(30);
    expect(cluster.pod('first').metadata.deletionTimestamp).toBeDefined();
    expect(cluster.world.containers.has('shop/first/app')).toBe(true);
    expect(cluster.calls('NodeUnpublishVolume')).toEqual([]);
    cluster.world.pausedNodes.delete('ab-worker');
    cluster.until(() => !cluster.podNames().includes('first'), 8);
  });

  test('takes up a pod that was bound to it meanwhile', () => {
    const cluster = new NodeCluster();
    cluster.world.pausedNodes.add('ab-worker');
    cluster.apply(running('sleep 100')).pass(10);
    expect(cluster.pod('first').status.conditions).toBeUndefined();
    cluster.world.pausedNodes.delete('ab-worker');
    cluster.untilReady('first');
  });
});

describe('a pod that bypassed the scheduler', () => {
  test.each([
    ['a node selector that the node does not meet', { nodeSelector: { disk: 'fast' } }, 'NodeAffinity', "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"],
    ['more CPU than the node has', { containers: [sh('sleep 100', { resources: { requests: { cpu: '64' } } })] }, 'OutOfcpu', "Node didn't have enough resource: cpu, requested: 64000, used: 0, capacity: 2000"],
  ])('is refused by the kubelet for %s', (_why, spec, reason, message) => {
    const cluster = new NodeCluster().apply(running('sleep 100', spec)).pass(3);
    expect(cluster.pod('first').status).toMatchObject({ phase: 'Failed', reason, message: `Pod was rejected: ${message}` });
    expect(cluster.events('first', 'kubelet')).toEqual([`Warning ${reason}: ${message}`]);
    cluster.delete('Pod', 'first').pass(0.1);
    expect(cluster.podNames()).toEqual([]);
  });

  test('runs in spite of a NoSchedule taint, not of a NoExecute taint', () => {
    const cluster = new NodeCluster().taint('ab-worker', 'busy', 'NoSchedule').apply(running('sleep 100')).untilReady('first');
    const evicting = new NodeCluster().taint('ab-worker', 'busy', 'NoExecute').pass(1).apply(running('sleep 100')).pass(1);
    expect(cluster.pod('first').status.phase).toBe('Running');
    expect(evicting.podNames().length === 0 || evicting.pod('first').status.phase === 'Failed').toBe(true);
  });
});

describe('a volume that the node refuses for lack of room', () => {
  test('fails the pod after 2 m 3 s where the driver keeps its count up to date, and not otherwise', () => {
    const full = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'full' }, provisioner: 'disk.csi.after-bound.dev', parameters: { 'fail.ControllerPublishVolume': 'ResourceExhausted x0: too many volumes' } };
    const cluster = new NodeCluster().apply(full, claim('disk', { storageClassName: 'full' })).pass(1).apply(pod('first', NODE)).pass(130);
    expect(cluster.pod('first').status.phase).toBe('Pending');
    const updating = new NodeCluster();
    updating.world.api.update('CSIDriver', undefined, 'disk.csi.after-bound.dev', (driver) => ({ ...driver, spec: { ...driver.spec, nodeAllocatableUpdatePeriodSeconds: 60 } }));
    updating.apply(full, claim('disk', { storageClassName: 'full' })).pass(1).apply(pod('first', NODE)).pass(130);
    expect(updating.pod('first').status).toMatchObject({ phase: 'Failed', reason: 'VolumeAttachmentLimitExceeded', message: expect.stringMatching(/^Pod was rejected: Node has reached its volume attachment limit, rejecting pod\. unmounted volumes=\[disk\]/) as string });
    expect(updating.count('first', 'VolumeAttachmentLimitExceeded')).toBe(1);
  });
});
