import { describe, expect, test } from 'vitest';
import type { ContainerStatus } from '../../machines/model/objects.ts';
import { NodeCluster, claim, podWith } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const DEAF = 'sleep 100000';
const container = (script: string, more: Record<string, unknown> = {}) => ({ name: 'app', image: 'busybox:1', command: ['sh', '-c', script], ...more });
const probe = (script: string, more: Record<string, unknown> = {}) => ({ exec: { command: ['sh', '-c', script] }, ...more });
const first = (script: string, probes: Record<string, unknown>, spec: Record<string, unknown> = {}) => podWith('first', [], { ...NODE, terminationGracePeriodSeconds: 2, containers: [container(script, probes)], ...spec });
const run = (...args: Parameters<typeof first>): NodeCluster => new NodeCluster().apply(first(...args));
const status = (cluster: NodeCluster): ContainerStatus => cluster.pod('first').status.containerStatuses?.[0] as ContainerStatus;
const isReady = (cluster: NodeCluster, pod = 'first'): boolean => cluster.pod(pod).status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
const exec = (cluster: NodeCluster, script: string): string => cluster.world.containers.get('shop/first/app')?.exec(['sh', '-c', script], cluster.world.clock.now).stdout ?? '';
const unhealthy = (cluster: NodeCluster): string[] => cluster.events('first', 'kubelet').filter((text) => text.startsWith('Warning Unhealthy')).map((text) => text.slice('Warning Unhealthy: '.length));
const killings = (cluster: NodeCluster): string[] => cluster.events('first', 'kubelet').filter((text) => text.includes('Killing'));

describe('a readiness probe', () => {
  test('decides about Ready by what its command finds on the volume', () => {
    const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];
    const app = container(DEAF, { volumeMounts: [{ name: 'disk', mountPath: '/data' }], readinessProbe: { exec: { command: ['cat', '/data/ready'] }, periodSeconds: 3, failureThreshold: 1 } });
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(podWith('first', [], { ...NODE, volumes, containers: [app] }));
    cluster.until(() => cluster.pod('first').status.phase === 'Running').pass(20);
    expect(cluster.pod('first').status.conditions?.filter(({ type }) => type.endsWith('Ready')).map(({ status: is, message }) => [is, message])).toEqual([['False', 'containers with unready status: [app]'], ['False', 'containers with unready status: [app]']]);
    expect(status(cluster)).toMatchObject({ ready: false, started: true });
    expect(unhealthy(cluster)).toEqual(["Readiness probe failed: cat: can't open '/data/ready': No such file or directory\n"]);
    exec(cluster, 'touch /data/ready');
    cluster.until(() => isReady(cluster), 4);
    exec(cluster, 'rm /data/ready');
    cluster.until(() => !isReady(cluster), 4);
    expect(status(cluster).restartCount).toBe(0);
  });

  test('is asked as soon as its container runs, not only when its period is over', () => {
    const cluster = run(DEAF, { readinessProbe: probe('true', { periodSeconds: 60 }) }).untilReady('first');
    expect(cluster.world.clock.now).toBeLessThan(5000);
  });

  test('takes so many failures in a row, and so many successes', () => {
    const cluster = run(`touch /tmp/on; ${DEAF}`, { readinessProbe: probe('echo >> /tmp/asked; test -f /tmp/on', { periodSeconds: 2, failureThreshold: 3, successThreshold: 4 }) }).untilReady('first');
    expect(exec(cluster, 'wc -l < /tmp/asked').trim()).toBe('4');
    exec(cluster, 'rm /tmp/on');
    cluster.until(() => cluster.count('first', 'Unhealthy') === 2);
    expect(isReady(cluster)).toBe(true);
    cluster.until(() => !isReady(cluster), 3);
  });

  test('waits for its initial delay', () => {
    const cluster = run(DEAF, { readinessProbe: probe('true', { initialDelaySeconds: 20, periodSeconds: 1 }) }).untilReady('first');
    expect(cluster.world.clock.now).toBeGreaterThan(20_000);
    expect(cluster.world.clock.now).toBeLessThan(25_000);
  });

  test('that takes too long has failed', () => {
    const cluster = run(DEAF, { readinessProbe: probe('sleep 3', { timeoutSeconds: 2 }) }).pass(30);
    expect(isReady(cluster)).toBe(false);
    expect(unhealthy(cluster)).toEqual(['Readiness probe failed: command timed out: "sh -c sleep 3" timed out after 2s']);
  });

  test('whose command cannot be started says nothing about the container', () => {
    const cluster = run(DEAF, { readinessProbe: { exec: { command: ['nope'] } } }).pass(5);
    expect(isReady(cluster)).toBe(false);
    expect(unhealthy(cluster)[0]).toMatch(/^Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nope": executable file not found in \$PATH: unknown$/);
  });

  test('gets no answer once its pod is deleted: a pod that was ready stays so to the end', () => {
    const cluster = run(`touch /tmp/on; ${DEAF}`, { readinessProbe: probe('test -f /tmp/on', { periodSeconds: 2, failureThreshold: 1 }) }, { terminationGracePeriodSeconds: 10 }).untilReady('first');
    cluster.delete('Pod', 'first').pass(1);
    exec(cluster, 'rm /tmp/on');
    cluster.pass(7);
    expect(isReady(cluster)).toBe(true);
    expect(unhealthy(cluster)).toEqual(['Readiness probe errored and resulted in unknown state: rpc error: code = Canceled desc = context canceled']);
  });

  test('is still answered while a deadline ends its pod', () => {
    const cluster = run(`touch /tmp/on; trap 'rm /tmp/on' TERM; while true; do sleep 1; done`, { readinessProbe: probe('test -f /tmp/on', { periodSeconds: 1, failureThreshold: 1 }) }, { activeDeadlineSeconds: 10, terminationGracePeriodSeconds: 10 });
    cluster.until(() => cluster.count('first', 'Killing') > 0).pass(5);
    expect(status(cluster).ready).toBe(false);
    expect(status(cluster).state.running).toBeDefined();
  });
});

describe('a liveness probe', () => {
  const sick = `touch /tmp/healthy; sleep 10; rm /tmp/healthy; ${DEAF}`;

  test('that fails so many times in a row has its container stopped and started again', () => {
    const cluster = run(sick, { livenessProbe: probe('cat /tmp/healthy', { periodSeconds: 3 }) });
    cluster.until(() => cluster.count('first', 'Killing') > 0);
    expect(cluster.count('first', 'Unhealthy')).toBe(3);
    expect(killings(cluster)).toEqual(['Normal Killing: Container app failed liveness probe, will be restarted']);
    cluster.until(() => status(cluster).restartCount === 1, 6);
    expect(status(cluster).lastState.terminated?.exitCode).toBe(137);
    expect(cluster.pod('first').status.phase).toBe('Running');
  });

  test('gives the container its own grace period', () => {
    const cluster = run(sick, { livenessProbe: probe('cat /tmp/healthy', { periodSeconds: 3, terminationGracePeriodSeconds: 8 }) });
    cluster.until(() => cluster.count('first', 'Killing') > 0);
    const killed = cluster.world.clock.now;
    cluster.until(() => cluster.count('first', 'Started') === 2);
    expect(cluster.world.clock.now - killed).toBeGreaterThan(8000);
  });

  test('that goes on failing brings the container into back-off', () => {
    const cluster = run(DEAF, { livenessProbe: probe('false', { periodSeconds: 1, failureThreshold: 1 }) });
    cluster.until(() => status(cluster)?.state.waiting?.reason === 'CrashLoopBackOff', 300);
    expect(status(cluster).restartCount).toBeGreaterThanOrEqual(2);
  });

  test('ends a pod that is never restarted, as a whole', () => {
    const cluster = run(sick, { livenessProbe: probe('cat /tmp/healthy', { periodSeconds: 3 }) }, { restartPolicy: 'Never' });
    cluster.until(() => cluster.pod('first').status.phase === 'Failed');
    expect(killings(cluster)).toEqual(['Normal Killing: Stopping container app']);
  });

  test('starts a container again that ends well when told to, also under OnFailure', () => {
    const cluster = run("trap 'exit 0' TERM; while true; do sleep 1; done", { livenessProbe: probe('false', { periodSeconds: 2, failureThreshold: 1 }) }, { restartPolicy: 'OnFailure' });
    cluster.until(() => status(cluster)?.restartCount === 1, 20);
    expect(status(cluster).lastState.terminated?.exitCode).toBe(0);
  });

  test('is not asked while the pod is being deleted', () => {
    const cluster = run(sick, { livenessProbe: probe('cat /tmp/healthy', { periodSeconds: 1 }) }, { terminationGracePeriodSeconds: 30 }).pass(5);
    cluster.delete('Pod', 'first').pass(20);
    expect(cluster.count('first', 'Unhealthy')).toBe(0);
    expect(killings(cluster)).toEqual(['Normal Killing: Stopping container app']);
  });
});

describe('a startup probe', () => {
  test('keeps the other probes waiting until it succeeds', () => {
    const probes = { startupProbe: probe('test -f /tmp/up', { periodSeconds: 2, failureThreshold: 30 }), livenessProbe: probe('test -f /tmp/up', { periodSeconds: 1, failureThreshold: 1 }), readinessProbe: probe('true', { periodSeconds: 60 }) };
    const cluster = run(`sleep 15; touch /tmp/up; ${DEAF}`, probes).pass(10);
    expect(status(cluster)).toMatchObject({ started: false, ready: false });
    cluster.untilReady('first');
    expect(status(cluster)).toMatchObject({ started: true, ready: true, restartCount: 0 });
    expect(new Set(unhealthy(cluster))).toEqual(new Set(['Startup probe failed: ']));
    expect(cluster.world.clock.now).toBeLessThan(22_000);
  });

  test('that never succeeds has the container restarted', () => {
    const cluster = run(DEAF, { startupProbe: probe('false', { periodSeconds: 2, failureThreshold: 3 }) });
    cluster.until(() => status(cluster)?.restartCount === 1, 30);
    expect(killings(cluster)).toEqual(['Normal Killing: Container app failed startup probe, will be restarted']);
  });

  test('of a sidecar holds back what comes after it', () => {
    const side = { ...container(`sleep 8; touch /tmp/up; ${DEAF}`, { startupProbe: probe('test -f /tmp/up', { periodSeconds: 1, failureThreshold: 60 }) }), name: 'side', restartPolicy: 'Always' };
    const cluster = run(DEAF, {}, { initContainers: [side] }).pass(6);
    expect(cluster.pod('first').status.phase).toBe('Pending');
    expect(cluster.pod('first').status.conditions?.find(({ type }) => type === 'Initialized')?.message).toBe('containers with incomplete status: [side]');
    cluster.untilReady('first');
    const [one = 0, two = 0] = cluster.eventTimes('first', 'Started');
    expect(two - one).toBeGreaterThan(8);
  });

  test('of a sidecar that fails restarts the sidecar', () => {
    const side = { ...container(DEAF, { livenessProbe: probe('false', { periodSeconds: 3, failureThreshold: 2 }) }), name: 'side', restartPolicy: 'Always' };
    const cluster = run(DEAF, {}, { initContainers: [side] });
    cluster.until(() => cluster.pod('first').status.initContainerStatuses?.[0]?.restartCount === 1, 60);
    expect(killings(cluster)).toEqual(['Normal Killing: Init container side failed liveness probe']);
    expect(status(cluster).restartCount).toBe(0);
  });
});

describe('controllers above probing pods', () => {
  const template = (script: string) => ({ metadata: { labels: { app: 'a' } }, spec: { terminationGracePeriodSeconds: 1, containers: [container(DEAF, { readinessProbe: probe(script, { periodSeconds: 2 }) })] } });
  const selector = { matchLabels: { app: 'a' } };

  test('a StatefulSet makes its next pod when the one before is ready', () => {
    const cluster = new NodeCluster().apply({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec: { serviceName: 'web', replicas: 2, selector, template: template('test -f /tmp/on') } }).pass(30);
    expect(cluster.podNames()).toEqual(['web-0']);
    cluster.world.containers.get('shop/web-0/app')?.exec(['touch', '/tmp/on'], cluster.world.clock.now);
    cluster.pass(5);
    expect(cluster.podNames()).toEqual(['web-0', 'web-1']);
  });

  test('a Deployment keeps its old pods while the new ones are not ready', () => {
    const deployment = (script: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2, selector, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, template: template(script) } });
    const cluster = new NodeCluster().apply(deployment('true')).pass(10);
    const old = cluster.podNames();
    expect(old.every((name) => isReady(cluster, name))).toBe(true);
    cluster.apply(deployment('false')).pass(60);
    expect(cluster.podNames()).toEqual(expect.arrayContaining(old));
    expect(cluster.podNames()).toHaveLength(3);
  });
});

describe('a pod without probes', () => {
  test('has no timers for them', () => {
    const cluster = run(DEAF, {}).untilReady('first').pass(130);
    const before = cluster.world.clock.fired;
    cluster.pass(60);
    const without = cluster.world.clock.fired - before;
    const other = run(DEAF, { readinessProbe: { httpGet: { port: 80 } } }).untilReady('first').pass(130);
    const from = other.world.clock.fired;
    other.pass(60);
    expect(other.world.clock.fired - from).toBe(without);
  });
});
