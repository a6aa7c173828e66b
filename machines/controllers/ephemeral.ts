/** The ephemeral-volume controller (pkg/controller/volume/ephemeral/controller.go, v1.35; ref 9). */
import { ApiError } from '../kernel/api-error.ts';
import { objectKey, type Draft } from '../kernel/api-server.ts';
import { chart } from '../kernel/machine.ts';
import { timings } from '../kernel/timings.ts';
import { WorkQueue, type Work } from '../kernel/work-queue.ts';
import type { World } from '../kernel/world.ts';
import type { Pod, Volume } from '../model/objects.ts';
import { isOwnedBy, notOwnerText } from './scheduler/plugins/volume-binding.ts';
import { claimNameOf } from './scheduler/pod-info.ts';

const PODS_BY_CLAIM = 'ephemeral/pods-by-claim';

/** One generic ephemeral volume of a pod, `namespace/pod/volume`. */
export const ephemeralChart = chart({
  id: 'ephemeral',
  initial: 'wanted',
  states: {
    wanted: { on: { CREATE: 'created', FOREIGN: 'notOwner' } },
    notOwner: { on: { CREATE: 'created' } },
    created: { on: { CLAIM_DELETED: 'wanted' } },
  },
});

/** Makes the claim of every generic ephemeral volume of every pod. It never deletes one: the garbage collector does. @recorded #ephemeral-volume */
export function startEphemeralVolumeController(world: World): void {
  const { api } = world;
  const recorder = world.recorder('ephemeral_volume');
  const lanes = world.lanes(ephemeralChart);
  const laneKey = (pod: Pod, volume: Volume): string => `${objectKey(pod)}/${volume.name}`;
  api.index(PODS_BY_CLAIM, 'Pod', (pod) => ephemeralVolumes(pod).map((volume) => `${pod.metadata.namespace ?? ''}/${claimNameOf(pod, volume) ?? ''}`), (pod) => pod.spec.volumes);
  const queue = new WorkQueue(world.clock, sync);

  api.watch('Pod', ({ verb, object }) => {
    if (verb === 'ADDED') enqueue(object);
    if (verb === 'DELETED') for (const volume of ephemeralVolumes(object)) lanes.drop(laneKey(object, volume));
  });
  api.watch('PersistentVolumeClaim', ({ verb, object }) => {
    if (verb !== 'DELETED') return;
    for (const pod of api.byIndex<'Pod'>(PODS_BY_CLAIM, objectKey(object))) {
      for (const volume of ephemeralVolumes(pod)) if (claimNameOf(pod, volume) === object.metadata.name) lanes.get(laneKey(pod, volume)).try('CLAIM_DELETED');
      enqueue(pod);
    }
  });

  function enqueue(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined && ephemeralVolumes(pod).length > 0) queue.add(objectKey(pod));
  }

  function* sync(key: string): Work {
    const pod = api.byKey('Pod', key);
    if (!pod || pod.metadata.deletionTimestamp !== undefined) {
      queue.forget(key);
      return;
    }
    for (const volume of ephemeralVolumes(pod)) {
      yield timings.request;
      const why = makeClaim(pod, volume);
      if (why === undefined) continue;
      recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${volume.name}: ${why}`);
      queue.addRateLimited(key);
      return;
    }
    queue.forget(key);
  }

  /** Creates the claim unless it is there. Returns why it could not. @recorded #ephemeral-volume */
  function makeClaim(pod: Pod, volume: Volume): string | undefined {
    const name = claimNameOf(pod, volume) ?? '';
    const lane = lanes.get(laneKey(pod, volume));
    const existing = api.get('PersistentVolumeClaim', pod.metadata.namespace, name);
    if (existing && !isOwnedBy(existing, pod)) {
      lane.try('FOREIGN');
      return notOwnerText(pod, existing);
    }
    try {
      if (!existing) api.create(claimOf(pod, volume, name));
    } catch (error) {
      if (error instanceof ApiError) return `create PVC ${name}: ${error.message}`;
      throw error;
    }
    lane.try('CREATE');
    return undefined;
  }
}

function ephemeralVolumes(pod: Pod): Volume[] {
  return (pod.spec.volumes ?? []).filter((volume) => volume.ephemeral !== undefined);
}

/** The claim as the template says, owned by the pod. */
function claimOf(pod: Pod, volume: Volume, name: string): Draft<'PersistentVolumeClaim'> {
  const template = volume.ephemeral?.volumeClaimTemplate;
  const { labels, annotations } = template?.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: pod.metadata.namespace,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: template?.spec ?? {},
    status: { phase: 'Pending' },
  };
}
