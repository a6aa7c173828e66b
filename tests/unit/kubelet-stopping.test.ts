import { describe, expect, test } from 'vitest';
import type { ContainerStatus } from '../../machines/model/objects.ts';
import { NodeCluster, claim, podWith } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const BYE = "trap 'exit 0' TERM; while true; do sleep 1; done";
const DEAF = 'sleep 10000';
/** Takes so many seconds to end. */
const slow = (seconds: number): string => `trap 'sleep ${seconds}; exit 0' TERM; while true; do sleep 1; done`;
const container = (name: string, script: string, more: Record<string, unknown> = {}) => ({ name, image: 'busybox:1', command: ['sh', '-c', script], ...more });
const sidecar = (name: string, script: string, more: Record<string, unknown> = {}) => container(name, script, { restartPolicy: 'Always', ...more });
const exec = (script: string) => ({ exec: { command: ['sh', '-c', script] } });
const first = (spec: Record<string, unknown>) => podWith('first', [], { ...NODE, terminationGracePeriodSeconds: 30, ...spec });
const statusOf = (cluster: NodeCluster, name = 'app'): ContainerStatus => {
  const { containerStatuses = [], initContainerStatuses = [] } = cluster.pod('first').status;
  return [...containerStatuses, ...initContainerStatuses].find((c) => c.name === name) as ContainerStatus;
};
/** Seconds from the first Killing event to the end of each container of a pod that stays, having failed or succeeded. */
const lasted = (cluster: NodeCluster, ...names: string[]): number[] => {
  const killed = Math.floor((cluster.world.api.unixMs - cluster.world.clock.now) / 1000 + (cluster.eventTimes('first', 'Killing')[0] ?? 0));
  return names.map((name) => Date.parse(statusOf(cluster, name).state.terminated?.finishedAt ?? '') / 1000 - killed);
};
/** Lets a deadline end the pod, so that its object stays. */
const ended = (spec: Record<string, unknown>): NodeCluster => {
  const cluster = new NodeCluster().apply(first({ activeDeadlineSeconds: 15, ...spec }));
  return cluster.until(() => cluster.pod('first').status.phase === 'Failed');
};
const killings = (cluster: NodeCluster): string[] => cluster.events('first', 'kubelet').filter((text) => text.includes('Killing'));

describe('sidecars', () => {
  test('are told to end when the regular containers have, the last of them first', () => {
    const cluster = ended({ initContainers: [sidecar('one', BYE), sidecar('two', slow(4))], containers: [container('app', slow(5))] });
    const [app = 0, two = 0, one = 0] = lasted(cluster, 'app', 'two', 'one');
    expect(app).toBeGreaterThanOrEqual(5);
    expect(two - app).toBeGreaterThanOrEqual(4);
    expect(one).toBeGreaterThanOrEqual(two);
    expect(statusOf(cluster, 'one').state.terminated?.exitCode).toBe(0);
  });

  test('share the grace period of the pod: what the others took is gone, but for two seconds', () => {
    const cluster = ended({ terminationGracePeriodSeconds: 6, initContainers: [sidecar('side', DEAF)], containers: [container('app', DEAF)] });
    expect(lasted(cluster, 'app', 'side')).toEqual([6, 8]);
    expect(statusOf(cluster, 'side').state.terminated?.exitCode).toBe(137);
  });

  test('are all announced at once', () => {
    const cluster = ended({ initContainers: [sidecar('side', BYE)], containers: [container('app', slow(5))] });
    expect(killings(cluster)).toEqual(['Normal Killing: Stopping container side', 'Normal Killing: Stopping container app']);
    expect(new Set(cluster.eventTimes('first', 'Killing')).size).toBe(1);
  });

  test('do not keep a pod from finishing whose regular containers are done', () => {
    const cluster = new NodeCluster().apply(first({ restartPolicy: 'Never', terminationGracePeriodSeconds: 4, initContainers: [sidecar('side', DEAF)], containers: [container('app', 'sleep 3')] }));
    cluster.until(() => cluster.pod('first').status.phase === 'Succeeded');
    expect(statusOf(cluster, 'side').state.terminated?.exitCode).toBe(137);
    expect(lasted(cluster, 'side')).toEqual([4]);
  });

  test('run while the pod is Running though its regular container is done, which then is not ready', () => {
    const cluster = new NodeCluster().apply(first({ restartPolicy: 'Never', initContainers: [sidecar('side', DEAF)], containers: [container('app', 'sleep 3')] }));
    cluster.until(() => cluster.count('first', 'Killing') > 0).pass(1);
    const { phase, conditions } = cluster.pod('first').status;
    expect(phase).toBe('Running');
    expect(conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [app]' });
  });

  test('a failed regular container makes the pod Failed, however its sidecar ended', () => {
    const cluster = new NodeCluster().apply(first({ restartPolicy: 'Never', initContainers: [sidecar('side', BYE)], containers: [container('app', 'sleep 2; exit 3')] }));
    cluster.until(() => cluster.pod('first').status.phase === 'Failed');
    expect(statusOf(cluster, 'side').state.terminated?.exitCode).toBe(0);
  });

  test('count for readiness, and one that ends is started again while the pod stays initialized', () => {
    const cluster = new NodeCluster().apply(first({ initContainers: [sidecar('side', 'sleep 20')], containers: [container('app', DEAF)] })).untilReady('first');
    cluster.until(() => statusOf(cluster, 'side').restartCount === 1);
    const seen = cluster.writes('Pod').map(({ object }) => (object.kind === 'Pod' ? object.status : undefined));
    expect(seen.some((status) => status?.conditions?.some(({ message }) => message === 'containers with unready status: [side]'))).toBe(true);
    const initialized = seen.map((status) => status?.conditions?.find(({ type }) => type === 'Initialized')?.status);
    expect(initialized.lastIndexOf('False')).toBeLessThan(initialized.indexOf('True'));
    expect(cluster.pod('first').status.phase).toBe('Running');
  });
});

describe('a preStop hook', () => {
  test('runs before SIGTERM and takes its time from the grace period', () => {
    const cluster = ended({ terminationGracePeriodSeconds: 10, containers: [container('app', DEAF, { lifecycle: { preStop: exec('sleep 4') } })] });
    expect(lasted(cluster, 'app')).toEqual([10]);
    const calm = ended({ terminationGracePeriodSeconds: 10, containers: [container('app', BYE, { lifecycle: { preStop: { sleep: { seconds: 4 } } } })] });
    expect(lasted(calm, 'app')[0]).toBeLessThanOrEqual(5);
    expect(lasted(calm, 'app')[0]).toBeGreaterThanOrEqual(4);
  });

  test('writes to the volume of its container before another pod gets it', () => {
    const mounts = { volumeMounts: [{ name: 'disk', mountPath: '/data' }] };
    const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];
    const cluster = new NodeCluster().apply(claim('disk')).pass(1);
    cluster.apply(first({ volumes, containers: [container('app', `echo unsaved > /tmp/buffer; ${BYE}`, { ...mounts, lifecycle: { preStop: exec('cat /tmp/buffer > /data/saved') } })] })).untilReady('first');
    cluster.delete('Pod', 'first').until(() => cluster.podNames().length === 0);
    cluster.apply(podWith('second', [], { ...NODE, volumes, containers: [container('app', DEAF, mounts)] })).untilReady('second');
    expect(cluster.world.containers.get('shop/second/app')?.exec(['cat', '/data/saved'], cluster.world.clock.now).stdout).toBe('unsaved\n');
  });

  test('that fails is told without its reason, and the container is stopped all the same', () => {
    const cluster = ended({ containers: [container('app', BYE, { lifecycle: { preStop: exec('echo secret; exit 1') } })] });
    expect(cluster.events('first', 'kubelet').filter((text) => text.includes('Hook'))).toEqual(['Warning FailedPreStopHook: PreStopHook failed']);
    expect(statusOf(cluster).state.terminated?.exitCode).toBe(0);
  });

  test('that takes the whole grace period leaves two seconds, and fails when the container is killed', () => {
    const cluster = ended({ terminationGracePeriodSeconds: 5, containers: [container('app', DEAF, { lifecycle: { preStop: exec('sleep 1000') } })] });
    expect(lasted(cluster, 'app')).toEqual([7]);
    expect(cluster.count('first', 'FailedPreStopHook')).toBe(1);
  });

  test('of a sidecar does not wait for the regular containers', () => {
    const lifecycle = { preStop: { sleep: { seconds: 6 } } };
    const cluster = ended({ initContainers: [sidecar('side', BYE, { lifecycle })], containers: [container('app', slow(6))] });
    const [app = 0, side = 0] = lasted(cluster, 'app', 'side');
    expect(side - app).toBeLessThanOrEqual(1);
  });
});

describe('a postStart hook', () => {
  test('runs in the container over its mounts, and the containers after it wait for it', () => {
    const volumes = [{ name: 'scratch', emptyDir: {} }];
    const volumeMounts = [{ name: 'scratch', mountPath: '/data' }];
    const lifecycle = { postStart: exec('sleep 5; echo made > /data/made') };
    const cluster = new NodeCluster().apply(first({ volumes, containers: [container('app', DEAF, { volumeMounts, lifecycle }), container('reader', 'cat /data/made; sleep 1000', { volumeMounts })] })).untilReady('first');
    expect(cluster.world.logs.get('shop/first/reader')?.last.output).toBe('made\n');
    const [one = 0, two = 0] = cluster.eventTimes('first', 'Started');
    expect(two - one).toBeGreaterThanOrEqual(5);
  });

  test('that fails stops its container, which shows what the hook said and is started again with back-off', () => {
    const cluster = new NodeCluster().apply(first({ terminationGracePeriodSeconds: 2, containers: [container('app', DEAF, { lifecycle: { postStart: exec('echo out; echo no >&2; exit 3') } })] }));
    cluster.until(() => statusOf(cluster)?.state.waiting?.reason === 'PostStartHookError');
    const { uid } = cluster.pod('first').metadata;
    expect(statusOf(cluster).state.waiting?.message).toBe(
      `Exec lifecycle hook ([sh -c echo out; echo no >&2; exit 3]) for Container "app" in Pod "first_shop(${uid})" failed - error: command 'sh -c echo out; echo no >&2; exit 3' exited with 3: no\n, message: "out\\nno\\n"`,
    );
    expect(cluster.events('first', 'kubelet')).toEqual(expect.arrayContaining(['Warning FailedPostStartHook: PostStartHook failed', 'Normal Killing: FailedPostStartHook']));
    cluster.until(() => statusOf(cluster).state.waiting?.reason === 'CrashLoopBackOff');
    expect(statusOf(cluster).restartCount).toBeGreaterThanOrEqual(1);
  });

  test('that fails under restartPolicy Never makes the pod Failed', () => {
    const cluster = new NodeCluster().apply(first({ restartPolicy: 'Never', terminationGracePeriodSeconds: 2, containers: [container('app', DEAF, { lifecycle: { postStart: { exec: { command: ['/no/such'] } } } })] }));
    cluster.until(() => cluster.pod('first').status.phase === 'Failed');
    expect(statusOf(cluster).restartCount).toBe(0);
    expect(cluster.count('first', 'FailedPostStartHook')).toBe(1);
  });

  test('fails when its container ends before it, which is started again', () => {
    const cluster = new NodeCluster().apply(first({ containers: [container('app', 'sleep 2', { lifecycle: { postStart: exec('sleep 100'), preStop: exec('true') } })] }));
    cluster.until(() => statusOf(cluster)?.restartCount === 1, 20);
    expect(cluster.count('first', 'FailedPostStartHook')).toBeGreaterThanOrEqual(1);
    expect(statusOf(cluster).lastState.terminated?.exitCode).toBe(0);
  });

  test('that hangs does not hold up the deletion of its pod', () => {
    const cluster = new NodeCluster().apply(first({ containers: [container('app', BYE, { lifecycle: { postStart: exec('sleep 100000') } })] })).pass(20);
    cluster.delete('Pod', 'first');
    const asked = cluster.world.clock.now;
    cluster.until(() => cluster.podNames().length === 0);
    expect(cluster.world.clock.now - asked).toBeLessThan(6000);
    expect(killings(cluster)).toEqual(['Normal Killing: FailedPostStartHook', 'Normal Killing: Stopping container app']);
  });
});

describe('the API server on hooks and probes', () => {
  const refusal = (spec: Record<string, unknown>): string => {
    try {
      new NodeCluster().world.api.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first', namespace: 'shop' }, spec } as never);
    } catch (error) {
      return (error as Error).message.replace('Pod "first" is invalid: ', '');
    }
    return '';
  };
  const app = (more: Record<string, unknown>) => ({ containers: [container('app', DEAF, more)] });

  test.each([
    ['a hook without a handler', app({ lifecycle: { preStop: {} } }), 'spec.containers[0].lifecycle.preStop: Required value: must specify a handler type'],
    ['a hook with two', app({ lifecycle: { preStop: { ...exec('true'), sleep: { seconds: 1 } } } }), 'spec.containers[0].lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type'],
    ['a command without words', app({ lifecycle: { postStart: { exec: {} } } }), 'spec.containers[0].lifecycle.postStart.exec.command: Required value'],
    ['a sleep longer than the grace period', app({ lifecycle: { preStop: { sleep: { seconds: 40 } } } }), 'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 40: must be non-negative and less than terminationGracePeriodSeconds (30)'],
    ['a hook of an init container', { initContainers: [container('one', 'true', { lifecycle: { preStop: exec('true') } })], ...app({}) }, 'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always'],
    ['a probe of an init container', { initContainers: [container('one', 'true', { readinessProbe: exec('true') })], ...app({}) }, 'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always'],
    ['a probe without a handler', app({ livenessProbe: { periodSeconds: 5 } }), 'spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ['a negative number', app({ readinessProbe: { ...exec('true'), initialDelaySeconds: -1 } }), 'spec.containers[0].readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0'],
    ['two successes before life', app({ livenessProbe: { ...exec('true'), successThreshold: 2 } }), 'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1'],
    ['a grace period of readiness', app({ readinessProbe: { ...exec('true'), terminationGracePeriodSeconds: 5 } }), 'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes'],
  ])('refuses %s', (_what, spec, text) => {
    expect(refusal(spec)).toBe(text);
  });

  test('fills in the numbers of a probe', () => {
    const cluster = new NodeCluster().apply(first(app({ startupProbe: exec('true'), livenessProbe: { httpGet: { port: 80 }, periodSeconds: 3 } })));
    expect(cluster.pod('first').spec.containers[0]).toMatchObject({
      startupProbe: { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 },
      livenessProbe: { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, failureThreshold: 3, periodSeconds: 3 },
    });
  });
});
