/** What the workload controllers ask of pods (pkg/controller/controller_utils.go, pkg/api/v1/pod/util.go, v1.35). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Kind, KubeObject, OwnerReference, Pod, PodTemplate } from '../../model/objects.ts';

const PODS_OF_CONTROLLER = 'workloads.pods-of-controller';

/** Declares the index from a controller's uid to its pods. */
export function indexPodsByController(api: ApiServer): void {
  api.index(PODS_OF_CONTROLLER, 'Pod', (pod) => {
    const owner = controllerOf(pod);
    return owner ? [owner.uid] : [];
  }, (pod) => pod.metadata.ownerReferences);
}

/** The pods whose controller has this uid, oldest first. */
export function podsOfController(api: ApiServer, uid: string): Pod[] {
  return api.byIndex<'Pod'>(PODS_OF_CONTROLLER, uid);
}

/** The owner that controls the object, or undefined (metav1.GetControllerOf). */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller);
}

/** A reference that makes `owner` the controller (metav1.NewControllerRef). */
export function controllerReference(owner: KubeObject & { readonly kind: Kind }): OwnerReference {
  return { apiVersion: owner.apiVersion, blockOwnerDeletion: true, controller: true, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid };
}

export function isTerminal(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
}

/** Neither finished nor being deleted (IsPodActive). */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Being deleted, its processes perhaps still alive (IsPodTerminating). */
export function isTerminating(pod: Pod): boolean {
  return !isTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readySince(pod) !== undefined;
}

/** Ready for `minReadySeconds` (IsPodAvailable). `nowMs` in Unix milliseconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const since = readySince(pod);
  return since !== undefined && (minReadySeconds === 0 || since + minReadySeconds * 1000 <= nowMs);
}

/** Unix milliseconds of the pod's last change to Ready, or undefined while it is not. */
export function readySince(pod: Pod): number | undefined {
  const ready = pod.status.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : undefined;
}

/** A template's metadata and spec as a pod carries them (GetPodFromTemplate): maps are there only where the template has some. */
export function podMetaOfTemplate(template: PodTemplate, owner: OwnerReference): Pick<KubeObject['metadata'], 'labels' | 'annotations' | 'ownerReferences'> {
  const { labels, annotations } = template.metadata ?? {};
  return { ...(annotations ? { annotations } : {}), ...(labels ? { labels } : {}), ownerReferences: [owner] };
}
