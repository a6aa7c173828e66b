import { describe, expect, it } from 'vitest';
import type { World } from '../../machines/kernel/world.ts';
import { startCluster } from '../../machines/run/simulate.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { Deployment, KubeEvent, Pod, StatefulSet } from '../../machines/model/objects.ts';
import { describeObject } from '../../machines/kubectl/describe.ts';
import { mergePatch } from '../../machines/model/values.ts';

const NS = 'default';
const SECOND = 1000;

function cluster(manifest: string): World {
  const world = startCluster();
  apply(world, manifest);
  return world;
}
function apply(world: World, manifest: string): void {
  for (const object of manifestObjects(manifest)) expect(applyManifest(world.api, object, NS)).toBeUndefined();
}
function pass(world: World, seconds: number): void {
  world.clock.runUntil(world.clock.now + seconds * SECOND);
}
function patch(world: World, kind: 'Deployment' | 'StatefulSet', name: string, merge: unknown): void {
  world.api.update(kind, NS, name, (object) => mergePatch(object, merge) as typeof object);
}
function podNames(world: World): string[] {
  return [...world.api.list('Pod')].map((pod) => pod.metadata.name).toSorted();
}
function events(world: World, reason: string): string[] {
  return [...world.api.list('Event')].filter((event: KubeEvent) => event.reason === reason).map((event) => event.message);
}
const hash = (pod: Pod): string | undefined => pod.metadata.labels?.['pod-template-hash'];

const deployment = (spec: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  ${spec}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: app, image: "busybox:1.36", command: [sh, -c, "sleep 86400"]}]}`;

const statefulSet = (spec: string): string => `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  ${spec}
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: app, image: "busybox:1.36", command: [sh, -c, "sleep 86400"], volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {storageClassName: zonal-wait, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}`;

const NEW_TEMPLATE = { spec: { template: { metadata: { annotations: { revision: 'second' } } } } };

describe('a Deployment', () => {
  it('makes one ReplicaSet, and the ReplicaSet its pods, named after it', () => {
    const world = cluster(deployment('replicas: 3'));
    pass(world, 10);
    const [set] = [...world.api.list('ReplicaSet')];
    expect(set?.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]+$/);
    expect(podNames(world).every((name) => name.startsWith(`${set?.metadata.name ?? ''}-`))).toBe(true);
    expect(podNames(world)).toHaveLength(3);
  });

  it('rolls over with 25 % more and 25 % fewer pods by default', () => {
    const world = cluster(deployment('replicas: 4'));
    pass(world, 10);
    patch(world, 'Deployment', 'web', NEW_TEMPLATE);
    let most = 0;
    let fewestReady = 4;
    for (let i = 0; i < 300; i++) {
      world.clock.runUntil(world.clock.now + 100);
      const pods = [...world.api.list('Pod')].filter((pod) => pod.metadata.deletionTimestamp === undefined);
      most = Math.max(most, pods.length);
      fewestReady = Math.min(fewestReady, pods.filter((pod) => pod.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True')).length);
    }
    expect({ most, fewestReady }).toEqual({ most: 5, fewestReady: 3 });
    expect(new Set([...world.api.list('Pod')].map(hash)).size).toBe(1);
  });

  it('with Recreate has no moment in which old and new pods live together', () => {
    const world = cluster(deployment('replicas: 2\n  strategy: {type: Recreate}'));
    pass(world, 10);
    const old = new Set([...world.api.list('Pod')].map(hash));
    patch(world, 'Deployment', 'web', NEW_TEMPLATE);
    for (let i = 0; i < 100; i++) {
      world.clock.runUntil(world.clock.now + 100);
      const alive = [...world.api.list('Pod')].filter((pod) => pod.status.phase !== 'Failed');
      expect(new Set(alive.map(hash)).size).toBeLessThanOrEqual(1);
    }
    expect([...world.api.list('Pod')].some((pod) => old.has(hash(pod)))).toBe(false);
  });

  it('is scaled without a new revision', () => {
    const world = cluster(deployment('replicas: 1'));
    pass(world, 10);
    patch(world, 'Deployment', 'web', { spec: { replicas: 3 } });
    pass(world, 10);
    expect(podNames(world)).toHaveLength(3);
    patch(world, 'Deployment', 'web', { spec: { replicas: 1 } });
    pass(world, 10);
    expect(podNames(world)).toHaveLength(1);
    expect(world.api.count('ReplicaSet')).toBe(1);
    expect(events(world, 'ScalingReplicaSet').map((message) => message.replace(/web-\w+/, 'SET'))).toEqual(['Scaled up replica set SET from 0 to 1', 'Scaled up replica set SET from 1 to 3', 'Scaled down replica set SET from 3 to 1']);
  });

  it('goes back to an old template with the ReplicaSet that it still has', () => {
    const world = cluster(deployment('replicas: 1'));
    pass(world, 10);
    patch(world, 'Deployment', 'web', NEW_TEMPLATE);
    pass(world, 10);
    patch(world, 'Deployment', 'web', { spec: { template: { metadata: { annotations: null } } } });
    pass(world, 10);
    expect(world.api.count('ReplicaSet')).toBe(2);
    expect((world.api.get('Deployment', NS, 'web') as Deployment).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
  });

  it('says that it is stuck when its progress deadline has passed', () => {
    const world = cluster(deployment('replicas: 1\n  progressDeadlineSeconds: 20').replace('containers:', 'nodeSelector: {no: such}, containers:'));
    pass(world, 40);
    const conditions = (world.api.get('Deployment', NS, 'web') as Deployment).status['conditions'] as { type: string; reason: string }[];
    expect(conditions.find((condition) => condition.type === 'Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
  });

  it('takes ReplicaSets and pods with it when it is deleted', () => {
    const world = cluster(deployment('replicas: 2'));
    pass(world, 10);
    world.api.delete('Deployment', NS, 'web');
    pass(world, 10);
    expect([world.api.count('ReplicaSet'), world.api.count('Pod')]).toEqual([0, 0]);
  });
});

describe('a ReplicaSet', () => {
  const replicaSet = (replicas: number): string => deployment(`replicas: ${replicas}`).replace('kind: Deployment', 'kind: ReplicaSet');
  const lone = '{apiVersion: v1, kind: Pod, metadata: {name: lone, labels: {app: web}}, spec: {containers: [{name: app, image: "busybox:1.36", command: [sh, -c, "sleep 86400"]}]}}';

  it('adopts a pod that fits and has no controller', () => {
    const world = cluster(lone);
    pass(world, 5);
    apply(world, replicaSet(2));
    pass(world, 5);
    expect(podNames(world)).toHaveLength(2);
    expect(world.api.get('Pod', NS, 'lone')?.metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web', controller: true }]);
  });

  it('deletes one when a fitting pod comes that is too many', () => {
    const world = cluster(replicaSet(1));
    pass(world, 5);
    apply(world, lone);
    pass(world, 40);
    expect(podNames(world)).toHaveLength(1);
    expect(podNames(world)).not.toContain('lone');
  });

  it('releases a pod whose labels fit no longer, and makes another', () => {
    const world = cluster(replicaSet(1));
    pass(world, 5);
    const [name = ''] = podNames(world);
    world.api.update('Pod', NS, name, (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: { app: 'other' } } }));
    pass(world, 5);
    expect(podNames(world)).toHaveLength(2);
    expect(world.api.get('Pod', NS, name)?.metadata.ownerReferences).toBeUndefined();
  });
});

describe('kubectl describe', () => {
  const described = (manifest: string, kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet', seconds = 30): string => {
    const world = cluster(manifest);
    pass(world, seconds);
    const [object] = [...world.api.list(kind)];
    if (!object) throw new Error(`no ${kind}`);
    return describeObject(object, { list: (wanted) => [...world.api.list(wanted)], namespace: NS, now: world.api.unixMs });
  };

  it('of a Deployment tells its counts, its template and its sets', () => {
    const text = described(deployment('replicas: 2'), 'Deployment');
    expect(text).toContain('Replicas:               2 desired | 2 updated | 2 total | 2 available | 0 unavailable\n');
    expect(text).toContain('RollingUpdateStrategy:  25% max unavailable, 25% max surge\nPod Template:\n  Labels:  app=web\n  Containers:\n   app:\n    Image:      busybox:1.36\n');
    expect(text).toMatch(/OldReplicaSets: {2}<none>\nNewReplicaSet: {3}web-\w+ \(2\/2 replicas created\)\n/);
  });

  it('of a ReplicaSet names its controller', () => {
    expect(described(deployment('replicas: 1'), 'ReplicaSet')).toContain('Controlled By:  Deployment/web\nReplicas:       1 current / 1 desired\nPods Status:    1 Running / 0 Waiting / 0 Succeeded / 0 Failed\n');
  });

  it('of a StatefulSet tells its claim templates', () => {
    const text = described(statefulSet('replicas: 1'), 'StatefulSet');
    expect(text).toContain('Replicas:           1 desired | 1 total\nUpdate Strategy:    RollingUpdate\n  Partition:        0\n');
    expect(text).toContain('Volume Claims:\n  Name:          data\n  StorageClass:  zonal-wait\n  Labels:        <none>\n  Annotations:   <none>\n  Capacity:      64Mi\n  Access Modes:  [ReadWriteOnce]\n');
  });
});

describe('a StatefulSet', () => {
  it('makes one pod after the other, each with its own claim', () => {
    const world = cluster(statefulSet('replicas: 2'));
    pass(world, 1);
    expect(podNames(world)).toEqual(['db-0']);
    pass(world, 40);
    expect(podNames(world)).toEqual(['db-0', 'db-1']);
    expect([...world.api.list('PersistentVolumeClaim')].map((claim) => claim.metadata.name)).toEqual(['data-db-0', 'data-db-1']);
  });

  it('with Parallel makes all at once', () => {
    const world = cluster(statefulSet('replicas: 3\n  podManagementPolicy: Parallel'));
    pass(world, 1);
    expect(podNames(world)).toEqual(['db-0', 'db-1', 'db-2']);
  });

  it('scales down from the highest number and keeps the claims', () => {
    const world = cluster(statefulSet('replicas: 3\n  podManagementPolicy: Parallel'));
    pass(world, 30);
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 1 } });
    pass(world, 0.5);
    expect([...world.api.list('Pod')].filter((pod) => pod.metadata.deletionTimestamp !== undefined).map((pod) => pod.metadata.name)).toContain('db-2');
    pass(world, 30);
    expect(podNames(world)).toEqual(['db-0']);
    expect(world.api.count('PersistentVolumeClaim')).toBe(3);
  });

  it('ordered, deletes the next pod only when the one above it is gone', () => {
    const world = cluster(statefulSet('replicas: 3'));
    pass(world, 60);
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 1 } });
    pass(world, 0.5);
    expect([...world.api.list('Pod')].filter((pod) => pod.metadata.deletionTimestamp !== undefined).map((pod) => pod.metadata.name)).toEqual(['db-2']);
  });

  it('with retention Delete takes the claims of a scale-down with it', () => {
    const world = cluster(statefulSet('replicas: 2\n  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}'));
    pass(world, 40);
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 1 } });
    pass(world, 30);
    expect([...world.api.list('PersistentVolumeClaim')].map((claim) => claim.metadata.name)).toEqual(['data-db-0']);
  });

  it('with retention Delete takes its claims with it when it is deleted', () => {
    const world = cluster(statefulSet('replicas: 2\n  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}'));
    pass(world, 40);
    world.api.delete('StatefulSet', NS, 'db');
    pass(world, 30);
    expect([world.api.count('Pod'), world.api.count('PersistentVolumeClaim')]).toEqual([0, 0]);
  });

  const ownersOf = (world: World, claim: string) => world.api.get('PersistentVolumeClaim', NS, claim)?.metadata.ownerReferences?.map(({ kind, name, controller }) => ({ kind, name, controller }));

  it('makes its claims without an owner, and takes them over when the pod is made', () => {
    const world = cluster(statefulSet('replicas: 1\n  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}'));
    pass(world, 10);
    const writes = world.trace.records.filter((record) => record.type === 'watch' && record.object.metadata.name === 'data-db-0').map((record) => record.type === 'watch' && record.object.metadata.ownerReferences?.length);
    expect(writes.slice(0, 2)).toContain(undefined);
    expect(ownersOf(world, 'data-db-0')).toEqual([{ kind: 'StatefulSet', name: 'db', controller: true }]);
  });

  it('brings the owners of its claims in line with a policy that changes, and says so', () => {
    const world = cluster(statefulSet('replicas: 1'));
    pass(world, 30);
    expect(ownersOf(world, 'data-db-0')).toBeUndefined();
    patch(world, 'StatefulSet', 'db', { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } } });
    pass(world, 1);
    expect(ownersOf(world, 'data-db-0')).toEqual([{ kind: 'StatefulSet', name: 'db', controller: true }]);
    expect(events(world, 'SuccessfulUpdate')).toEqual(['Update Pod db-0 in StatefulSet db successful']);
  });

  it('with retention Delete hands the claims of a condemned pod to that pod', () => {
    const world = cluster(statefulSet('replicas: 2\n  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}'));
    pass(world, 40);
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 1 } });
    pass(world, 0.5);
    expect(ownersOf(world, 'data-db-1')).toEqual([{ kind: 'Pod', name: 'db-1', controller: true }]);
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 2 } });
    pass(world, 60);
    // The claim outlives its pod by a moment, and the set does not look at claims: it sleeps until something else happens.
    expect(podNames(world)).toEqual(['db-0']);
    patch(world, 'StatefulSet', 'db', { metadata: { annotations: { touched: 'yes' } } });
    pass(world, 60);
    expect(podNames(world)).toEqual(['db-0', 'db-1']);
  });

  it('does not take a claim that is being deleted: it says so, waits for its end and makes a new one', () => {
    const world = cluster(statefulSet('replicas: 1'));
    pass(world, 30);
    const before = world.api.get('PersistentVolumeClaim', NS, 'data-db-0')?.metadata.uid;
    world.api.delete('PersistentVolumeClaim', NS, 'data-db-0');
    world.api.delete('Pod', NS, 'db-0');
    pass(world, 60);
    expect(events(world, 'FailedCreate')).toEqual(['Create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted']);
    const after = world.api.get('PersistentVolumeClaim', NS, 'data-db-0');
    expect(after?.metadata.uid).not.toBe(before);
    expect(after?.status.phase).toBe('Bound');
    expect(podNames(world)).toEqual(['db-0']);
  });

  it('makes a claim again that somebody took from a pod that waits', () => {
    const world = cluster(statefulSet('replicas: 1').replace('terminationGracePeriodSeconds: 1', 'nodeSelector: {disk: gold}'));
    pass(world, 5);
    const before = world.api.get('PersistentVolumeClaim', NS, 'data-db-0')?.metadata.uid;
    world.api.delete('PersistentVolumeClaim', NS, 'data-db-0');
    pass(world, 5);
    world.api.update('Pod', NS, 'db-0', (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { touched: 'yes' } } }));
    pass(world, 1);
    const after = world.api.get('PersistentVolumeClaim', NS, 'data-db-0')?.metadata.uid;
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });

  it('numbers its pods from the start that it names', () => {
    const world = cluster(statefulSet('replicas: 2\n  ordinals: {start: 5}'));
    pass(world, 60);
    expect(podNames(world)).toEqual(['db-5', 'db-6']);
    patch(world, 'StatefulSet', 'db', { spec: { ordinals: { start: 6 } } });
    pass(world, 60);
    expect(podNames(world)).toEqual(['db-6', 'db-7']);
    patch(world, 'StatefulSet', 'db', { spec: { template: { metadata: { annotations: { round: 'two' } } } } });
    pass(world, 90);
    expect(podNames(world)).toEqual(['db-6', 'db-7']);
    expect(world.api.get('Pod', NS, 'db-6')?.metadata.annotations).toEqual({ round: 'two' });
  });

  it('ordered, waits with a scale-down for a pod that is not available, unless it is the lowest such pod', () => {
    const world = cluster(statefulSet('replicas: 3\n  podManagementPolicy: OrderedReady'));
    pass(world, 90);
    for (const name of ['db-1', 'db-2']) world.api.update('Pod', NS, name, (pod) => ({ ...pod, status: { ...pod.status, conditions: pod.status.conditions?.map((c) => (c.type === 'Ready' ? { ...c, status: 'False' as const } : c)) } }));
    patch(world, 'StatefulSet', 'db', { spec: { replicas: 1 } });
    pass(world, 0.3);
    expect([...world.api.list('Pod')].filter((pod) => pod.metadata.deletionTimestamp !== undefined)).toEqual([]);
  });

  it('rolls an update from the highest number down, one healthy pod at a time', () => {
    const world = cluster(statefulSet('replicas: 2'));
    pass(world, 40);
    const first = (world.api.get('StatefulSet', NS, 'db') as StatefulSet).status['currentRevision'];
    patch(world, 'StatefulSet', 'db', NEW_TEMPLATE);
    pass(world, 1);
    expect([...world.api.list('Pod')].filter((pod) => pod.metadata.deletionTimestamp !== undefined).map((pod) => pod.metadata.name)).toEqual(['db-1']);
    pass(world, 90);
    const { status } = world.api.get('StatefulSet', NS, 'db') as StatefulSet;
    expect(status['currentRevision']).not.toBe(first);
    expect(status).toMatchObject({ currentRevision: status['updateRevision'], updatedReplicas: 2, readyReplicas: 2 });
  });

  it('leaves pods below the partition alone, and makes them again from the old template', () => {
    const world = cluster(statefulSet('replicas: 2\n  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}'));
    pass(world, 40);
    const old = world.api.get('Pod', NS, 'db-0')?.metadata.labels?.['controller-revision-hash'];
    patch(world, 'StatefulSet', 'db', NEW_TEMPLATE);
    pass(world, 40);
    world.api.delete('Pod', NS, 'db-0');
    pass(world, 30);
    expect(world.api.get('Pod', NS, 'db-0')?.metadata.labels?.['controller-revision-hash']).toBe(old);
    expect(world.api.get('Pod', NS, 'db-1')?.metadata.labels?.['controller-revision-hash']).not.toBe(old);
  });

  it('with OnDelete updates a pod only when somebody deletes it', () => {
    const world = cluster(statefulSet('replicas: 1\n  updateStrategy: {type: OnDelete}'));
    pass(world, 20);
    const before = world.api.get('Pod', NS, 'db-0')?.metadata.uid;
    patch(world, 'StatefulSet', 'db', NEW_TEMPLATE);
    pass(world, 20);
    expect(world.api.get('Pod', NS, 'db-0')?.metadata.uid).toBe(before);
    world.api.delete('Pod', NS, 'db-0');
    pass(world, 20);
    expect(world.api.get('Pod', NS, 'db-0')?.metadata.annotations).toEqual({ revision: 'second' });
  });

  it('whose template mounts a volume that nobody gives says why it has no pod', () => {
    const world = cluster(statefulSet('replicas: 1').replace('- {metadata: {name: data}', '- {metadata: {name: other}'));
    pass(world, 1);
    expect(events(world, 'FailedCreate')[0]).toContain('Pod "db-0" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "data"');
  });
});

describe('the garbage collector', () => {
  it('deletes what was made for an owner that is gone already', () => {
    const world = startCluster();
    world.api.create<'PersistentVolumeClaim'>({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'orphan', namespace: NS, ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'gone', uid: 'gone', controller: true }] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'zonal-wait' },
      status: { phase: 'Pending' },
    });
    pass(world, 1);
    expect(world.api.count('PersistentVolumeClaim')).toBe(0);
  });
});
