import { describe, expect, test } from 'vitest';
import type { ContainerStatus, Pod } from '../../machines/model/objects.ts';
import { fullReference, isOnNodes } from '../../machines/process/node-images.ts';
import { createHands } from '../../machines/run/cluster-hands.ts';
import { seldomCommands } from '../../machines/run/seldom-commands.ts';
import { NodeCluster, podWith } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const container = (image: string, more: Record<string, unknown> = {}) => ({ name: 'app', image, command: ['sh', '-c', 'sleep 100000'], ...more });
const run = (...containers: Record<string, unknown>[]): NodeCluster => new NodeCluster().apply(podWith('first', [], { ...NODE, containers }));
const status = (cluster: NodeCluster, index = 0): ContainerStatus => cluster.pod('first').status.containerStatuses?.[index] as ContainerStatus;
const events = (cluster: NodeCluster): string[] => cluster.events('first', 'kubelet');
const withImage = (cluster: NodeCluster, image: string): void => {
  cluster.world.api.update('Pod', 'shop', 'first', (old: Pod) => ({ ...old, spec: { ...old.spec, containers: old.spec.containers.map((one, i) => (i === 0 ? { ...one, image } : one)) } }));
};
const NO_REGISTRY = (reference: string): string => `rpc error: code = Unknown desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": this simulation has no registry: its nodes hold the image of busybox and no other`;

describe('an image that is not on the node', () => {
  test('and must never be pulled leaves the container waiting for ErrImageNeverPull', () => {
    const cluster = run(container('registry.local/missing:1', { imagePullPolicy: 'Never' })).pass(3);
    const message = 'Container image "registry.local/missing:1" is not present with pull policy of Never';
    expect(status(cluster).state.waiting).toEqual({ reason: 'ErrImageNeverPull', message });
    expect(events(cluster)).toEqual([`Warning ErrImageNeverPull: ${message}`, 'Warning Failed: Error: ErrImageNeverPull']);
    expect(cluster.pod('first').status).toMatchObject({ phase: 'Pending', podIP: '10.244.1.2' });
    const { kubectl } = createHands(cluster.world, new Map(), seldomCommands);
    expect(kubectl('kubectl get pod first', 'shop').text).toContain('0/1     ErrImageNeverPull');
  });

  test('is pulled, which fails: ErrImagePull, then ImagePullBackOff', () => {
    const cluster = run(container('nginx')).pass(3.5);
    const why = NO_REGISTRY('docker.io/library/nginx:latest');
    expect(events(cluster)).toEqual(['Normal Pulling: Pulling image "nginx"', `Warning Failed: Failed to pull image "nginx": ${why}`, 'Warning Failed: Error: ErrImagePull', 'Normal BackOff: Back-off pulling image "nginx"', 'Warning Failed: Error: ImagePullBackOff']);
    cluster.until(() => status(cluster).state.waiting?.reason === 'ImagePullBackOff');
    expect(status(cluster).state.waiting?.message).toBe(`Back-off pulling image "nginx": ErrImagePull: ${why}`);
    expect(status(cluster)).toMatchObject({ image: 'nginx', imageID: '', restartCount: 0 });
  });

  test('is pulled again after 10, 20, 40, 80 s, at the next sync that is due then', () => {
    const cluster = run(container('nginx:1.27')).pass(240);
    const pulls = cluster.eventTimes('first', 'Pulling');
    const gaps = pulls.slice(1).map((t, i) => t - (pulls[i] ?? 0));
    for (const [i, least] of [10, 20, 40, 80].entries()) {
      expect(gaps[i]).toBeGreaterThanOrEqual(least);
      expect(gaps[i]).toBeLessThan(least + 18);
    }
  });

  test('does not keep the containers beside it from running', () => {
    const cluster = run(container('nginx'), { ...container('busybox:1'), name: 'beside' }).pass(5);
    expect(status(cluster, 1)).toMatchObject({ name: 'beside', ready: true });
    expect(cluster.pod('first').status.phase).toBe('Pending');
  });

  test('has no log: kubectl says what the container waits for', () => {
    const cluster = run(container('nginx'));
    const logs = (): string => createHands(cluster.world, new Map(), seldomCommands).kubectl('kubectl logs first', 'shop').text;
    cluster.until(() => status(cluster)?.state.waiting?.reason === 'ErrImagePull');
    expect(logs()).toContain('container "app" in pod "first" is waiting to start: image can\'t be pulled');
    cluster.until(() => status(cluster).state.waiting?.reason === 'ImagePullBackOff');
    expect(logs()).toContain('container "app" in pod "first" is waiting to start: trying and failing to pull image');
  });

  test('can be replaced in the pod, whose container then starts', () => {
    const cluster = run(container('nginx')).pass(100);
    withImage(cluster, 'busybox:1');
    cluster.until(() => status(cluster).ready, 5);
    expect(status(cluster)).toMatchObject({ image: 'busybox:1', restartCount: 0 });
  });
});

describe('a running container whose image is changed', () => {
  test('is stopped and made anew', () => {
    const cluster = run(container('busybox:1')).untilReady('first');
    withImage(cluster, 'busybox:2');
    cluster.until(() => status(cluster).restartCount === 1, 10);
    expect(events(cluster)).toContain('Normal Killing: Container app definition changed, will be restarted');
    expect(status(cluster)).toMatchObject({ image: 'busybox:2', state: { running: {} } });
  });

  test('waits when the node does not have the new one', () => {
    const cluster = run(container('busybox:1')).untilReady('first');
    withImage(cluster, 'busybox-typo:1');
    cluster.until(() => status(cluster).state.waiting?.reason === 'ErrImagePull', 15);
    expect(status(cluster).lastState.terminated?.exitCode).toBe(137);
  });
});

describe('the nodes', () => {
  test.each([
    ['registry.local/busybox:1.36', true, 'registry.local/busybox:1.36'],
    ['busybox', true, 'docker.io/library/busybox:latest'],
    ['localhost:5000/tools/busybox:1', true, 'localhost:5000/tools/busybox:1'],
    ['busybox@sha256:abc', true, 'docker.io/library/busybox@sha256:abc'],
    ['team/nginx', false, 'docker.io/team/nginx:latest'],
    ['busybox/nginx:1', false, 'docker.io/busybox/nginx:1'],
  ])('read %s: on them %s, in full %s', (image, there, reference) => {
    expect(isOnNodes(image)).toBe(there);
    expect(fullReference(image)).toBe(reference);
  });
});

describe('kubectl exec', () => {
  test('reaches a sidecar too', () => {
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, initContainers: [{ ...container('busybox:1'), name: 'side', restartPolicy: 'Always' }], containers: [container('busybox:1')] })).untilReady('first');
    const { exec } = createHands(cluster.world, new Map(), seldomCommands);
    expect(exec('shop', 'first', 'side', ['echo', 'here']).stdout).toBe('here\n');
    expect(exec('shop', 'first', 'none', ['echo', 'here']).stderr).toContain('container none is not valid for pod first');
  });
});
