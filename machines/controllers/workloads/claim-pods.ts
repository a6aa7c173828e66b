/** Which pods a controller takes as its own (PodControllerRefManager.ClaimPods, pkg/controller/controller_ref_manager.go, v1.35). */
import { objectKey, withMeta, type ApiServer } from '../../kernel/api-server.ts';
import { timings } from '../../kernel/timings.ts';
import { matchesLabelSelector } from '../../model/label-selector.ts';
import type { Pod, ReplicaSet, StatefulSet } from '../../model/objects.ts';
import { controllerOf, controllerReference, indexPodsByController, isActive, podsOfController } from './pods.ts';

type Owner = ReplicaSet | StatefulSet;

const ORPHANS_OF_NAMESPACE = 'workloads.orphans-of-namespace';

/** A pod wakes the controller that it has or had, and one that has none wakes every set whose selector it has come to fit. */
export function watchPods(api: ApiServer, kind: Owner['kind'], enqueue: (key: string) => void): void {
  indexPodsByController(api);
  api.index(ORPHANS_OF_NAMESPACE, 'Pod', (pod) => (controllerOf(pod) ? [] : [pod.metadata.namespace ?? '']), (pod) => pod.metadata.ownerReferences);
  api.watch('Pod', ({ verb, object, old }) => {
    const now = controllerOf(object);
    const before = old && controllerOf(old);
    if (now?.kind === kind) enqueue(`${object.metadata.namespace ?? ''}/${now.name}`);
    if (before?.kind === kind && before.name !== (now?.kind === kind ? now.name : undefined)) enqueue(`${object.metadata.namespace ?? ''}/${before.name}`);
    if (now || verb === 'DELETED' || (old && old.metadata.labels === object.metadata.labels && !before)) return;
    for (const set of api.list(kind)) if (fits(set, object)) enqueue(objectKey(set));
  });
}

/**
 * The pods of a controller. Before that it adopts those that fit its selector and have no controller, and releases those of
 * its own that fit no longer.
 * @modelled pkg/controller/controller_ref_manager.go, v1.35
 */
export function* claimPods(api: ApiServer, owner: Owner, isMember: (pod: Pod) => boolean = () => true): Generator<number, Pod[], void> {
  if (owner.metadata.deletionTimestamp === undefined) {
    for (const pod of podsOfController(api, owner.metadata.uid).filter((own) => !fits(owner, own))) {
      yield timings.request;
      own(api, pod, pod.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid));
    }
    for (const pod of api.byIndex<'Pod'>(ORPHANS_OF_NAMESPACE, owner.metadata.namespace ?? '').filter((orphan) => isActive(orphan) && fits(owner, orphan) && isMember(orphan))) {
      yield timings.request;
      own(api, pod, [...(pod.metadata.ownerReferences ?? []), controllerReference(owner)]);
    }
  }
  return podsOfController(api, owner.metadata.uid);
}

/** Whether a controller's selector fits the pod, in one namespace. */
function fits(owner: Owner, pod: Pod): boolean {
  return owner.metadata.namespace === pod.metadata.namespace && matchesLabelSelector(owner.spec.selector, pod.metadata.labels);
}

function own(api: ApiServer, { metadata: { namespace, name, uid } }: Pod, ownerReferences: Pod['metadata']['ownerReferences']): void {
  api.updateIfPresent('Pod', namespace, name, (pod) => (pod.metadata.uid === uid ? withMeta(pod, { ownerReferences: ownerReferences?.length ? ownerReferences : undefined }) : pod));
}
