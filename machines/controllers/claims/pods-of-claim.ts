/** Which pods use a claim. */
import { keyOf, type ApiServer } from '../../kernel/api-server.ts';
import type { PersistentVolumeClaim, Pod } from '../../model/objects.ts';

const PODS_BY_CLAIM = 'claims-pods-by-claim';

/** Declares the index that the functions below read. */
export function indexPodsByClaim(api: ApiServer): void {
  api.index(PODS_BY_CLAIM, 'Pod', (pod) => claimNamesOf(pod).map((name) => keyOf(pod.metadata.namespace, name)), (pod) => pod.spec.volumes);
}

/** Names of the claims that a pod uses, ephemeral volumes included: their claim is `POD-VOLUME`. */
export function claimNamesOf(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral ? [`${pod.metadata.name}-${volume.name}`] : [];
  });
}

/** Every pod object that uses the claim. */
export function podsOf(api: ApiServer, key: string): Pod[] {
  return api.byIndex<'Pod'>(PODS_BY_CLAIM, key);
}

/** Names of the pods that use the claim and have no node yet; finished pods do not count (findNonScheduledPodsByPVC). @recorded #wait-pod-unschedulable */
export function unscheduledPodsOf(api: ApiServer, claim: PersistentVolumeClaim): string[] {
  return podsOf(api, keyOf(claim.metadata.namespace, claim.metadata.name))
    .filter((pod) => (pod.spec.nodeName ?? '') === '' && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed')
    .map((pod) => pod.metadata.name);
}
