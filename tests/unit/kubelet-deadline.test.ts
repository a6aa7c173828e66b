import { describe, expect, test } from 'vitest';
import type { Pod } from '../../machines/model/objects.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { NodeCluster, claim, pod, podWith } from '../helpers/node-cluster.ts';

const NODE = { nodeName: 'ab-worker' };
const MESSAGE = 'Pod was active on the node longer than the specified deadline';
const BYE = ['sh', '-c', "trap 'exit 0' TERM; while true; do sleep 1; done"];
const app = (command: readonly string[]) => [{ name: 'app', image: 'busybox:1', command }];
const active = (seconds: number, command: readonly string[] = BYE, spec: Record<string, unknown> = {}) => podWith('first', [], { ...NODE, activeDeadlineSeconds: seconds, containers: app(command), ...spec });
const failed = (cluster: NodeCluster): boolean => cluster.pod('first').status.phase === 'Failed';

describe('a pod with an active deadline', () => {
  test('fails with reason DeadlineExceeded when its time on the node is over', () => {
    const cluster = new NodeCluster().apply(active(20));
    cluster.until(() => failed(cluster));
    expect(cluster.pod('first').status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded', message: MESSAGE });
    expect(cluster.world.clock.now).toBeGreaterThan(20_000);
    expect(cluster.world.clock.now).toBeLessThan(25_000);
    expect(cluster.events('first', 'kubelet')).toContain(`Normal DeadlineExceeded: ${MESSAGE}`);
  });

  test('is no longer ready while its containers still end, and keeps its phase until they have', () => {
    const cluster = new NodeCluster().apply(active(10, ['sh', '-c', 'sleep 1000'], { terminationGracePeriodSeconds: 8 }));
    cluster.until(() => cluster.count('first', 'Killing') > 0);
    const killed = cluster.world.clock.now;
    const { phase, reason, conditions } = cluster.pod('first').status;
    expect([phase, reason]).toEqual(['Running', undefined]);
    expect(conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False', reason: 'PodFailed' });
    cluster.until(() => failed(cluster));
    expect(cluster.world.clock.now - killed).toBeGreaterThan(8000);
    expect(cluster.pod('first').status.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(137);
  });

  test('fails even though its containers ended well', () => {
    const cluster = new NodeCluster().apply(active(10));
    cluster.until(() => failed(cluster));
    expect(cluster.pod('first').status.containerStatuses?.[0]?.state.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  test('that is done before the deadline has nothing to fear from it', () => {
    const cluster = new NodeCluster().apply(active(10, ['sh', '-c', 'sleep 1'], { restartPolicy: 'Never' })).pass(60);
    expect(cluster.pod('first').status).toMatchObject({ phase: 'Succeeded' });
    expect(cluster.count('first', 'DeadlineExceeded')).toBe(0);
  });

  test('lets go of its volumes as every finished pod does, while the claim stays guarded by its object', () => {
    const spec = { ...NODE, activeDeadlineSeconds: 20 };
    const cluster = new NodeCluster().apply(claim('disk')).pass(1).apply(pod('first', spec)).untilReady('first');
    cluster.until(() => failed(cluster)).pass(20);
    expect(cluster.calls('NodeUnpublishVolume')).toHaveLength(1);
    expect(cluster.attachments()).toEqual([]);
    cluster.delete('PersistentVolumeClaim', 'disk').pass(10);
    expect(cluster.claim('disk').metadata.finalizers).toContain('kubernetes.io/pvc-protection');
    cluster.delete('Pod', 'first').pass(10);
    expect(cluster.world.api.get('PersistentVolumeClaim', 'shop', 'disk')).toBeUndefined();
  });

  test('that waits for a volume is ended after that wait, and its container counts as lost', () => {
    const volumes = [{ name: 'data', secret: { secretName: 'missing' } }];
    const cluster = new NodeCluster().apply(podWith('first', volumes, { ...NODE, activeDeadlineSeconds: 30 }));
    cluster.until(() => failed(cluster), 300);
    expect(cluster.world.clock.now).toBeGreaterThan(123_000);
    cluster.pass(10);
    expect(cluster.pod('first').status).toMatchObject({ reason: 'DeadlineExceeded' });
    expect(cluster.pod('first').status.containerStatuses?.[0]?.state.terminated?.reason).toBe('ContainerStatusUnknown');
  });

  test('a deadline set later counts from the start of the pod all the same', () => {
    const cluster = new NodeCluster().apply(podWith('first', [], { ...NODE, containers: app(BYE) })).pass(60);
    cluster.world.api.update('Pod', 'shop', 'first', (old: Pod) => ({ ...old, spec: { ...old.spec, activeDeadlineSeconds: 30 } }));
    cluster.until(() => failed(cluster), 5);
  });
});

describe('the API server on active deadlines', () => {
  const refusal = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const template = (owner: string) => ({
    apiVersion: 'apps/v1', kind: owner, metadata: { name: 'set' },
    spec: { serviceName: 'set', selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, spec: { activeDeadlineSeconds: 5, containers: app(BYE) } } },
  });
  const update = (cluster: NodeCluster, seconds: number | undefined) => refusal(() => cluster.world.api.update('Pod', 'shop', 'first', (old: Pod) => ({ ...old, spec: { ...old.spec, activeDeadlineSeconds: seconds } })));

  test('wants a positive number', () => {
    const made = (seconds: number) => new NodeCluster().world.api.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first', namespace: 'shop' }, spec: { activeDeadlineSeconds: seconds, containers: app(BYE) } } as never);
    expect(refusal(() => made(0))).toBe('Pod "first" is invalid: spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive');
  });

  test('takes a 0 in a manifest for what it is', () => {
    const cluster = new NodeCluster();
    const said = applyManifest(cluster.world.api, active(0), 'shop');
    expect(said).toContain('spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive');
  });

  test('lets it be made shorter, never longer and never taken away', () => {
    const cluster = new NodeCluster().apply(active(1000)).pass(2);
    expect(update(cluster, 500)).toBe('');
    expect(update(cluster, 600)).toBe('Pod "first" is invalid: spec.activeDeadlineSeconds: Invalid value: 600: must be less than or equal to previous value');
    expect(update(cluster, undefined)).toBe('Pod "first" is invalid: spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value');
  });

  test.each([['Deployment', 'ReplicaSet'], ['ReplicaSet', 'ReplicaSet'], ['StatefulSet', 'StatefulSet']])('has none in the template of a %s', (kind, named) => {
    expect(refusal(() => new NodeCluster().world.api.create({ ...template(kind), metadata: { name: 'set', namespace: 'shop' } } as never))).toContain(`spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${named} is not Supported`);
  });
});
