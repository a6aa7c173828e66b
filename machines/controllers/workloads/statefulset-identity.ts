/** Names, labels, claims and volumes of a StatefulSet's pods (pkg/controller/statefulset/stateful_set_utils.go, v1.35). */
import type { Draft } from '../../kernel/api-server.ts';
import type { PersistentVolumeClaim, Pod, PodTemplate, StatefulSet, Volume } from '../../model/objects.ts';
import { controllerReference, podMetaOfTemplate } from './pods.ts';

export const REVISION_LABEL = 'controller-revision-hash';
const NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

export function podName(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}
export function claimName(set: StatefulSet, template: string, ordinal: number): string {
  return `${template}-${set.metadata.name}-${ordinal}`;
}

/** The number at the end of a pod's name, or -1 for a pod of another name (getParentNameAndOrdinal). */
export function ordinalOf(set: StatefulSet, pod: Pod): number {
  const match = /^(.*)-(\d+)$/.exec(pod.metadata.name);
  return match?.[1] === set.metadata.name ? Number(match[2]) : -1;
}

export function revisionOfPod(pod: Pod): string | undefined {
  return pod.metadata.labels?.[REVISION_LABEL];
}

/**
 * newVersionedStatefulSetPod: the template with its identity: name, host name, labels, and its own claims as volumes in
 * front of the template's.
 * @recorded #statefulset-templates
 */
export function podDraft(set: StatefulSet, template: PodTemplate, revision: string, ordinal: number): Draft<'Pod'> {
  const name = podName(set, ordinal);
  const meta = podMetaOfTemplate(template, controllerReference(set));
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim): Volume => ({ name: claim.metadata.name, persistentVolumeClaim: { claimName: claimName(set, claim.metadata.name, ordinal) } }));
  const others = (template.spec.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  const volumes = [...claims, ...others];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...meta,
      generateName: `${set.metadata.name}-`,
      labels: { ...meta.labels, [INDEX_LABEL]: String(ordinal), [REVISION_LABEL]: revision, [NAME_LABEL]: name },
      name,
      namespace: set.metadata.namespace,
    },
    spec: { ...template.spec, hostname: name, ...(set.spec.serviceName === undefined || set.spec.serviceName === '' ? {} : { subdomain: set.spec.serviceName }), ...(volumes.length > 0 ? { volumes } : {}) },
    status: { phase: 'Pending' },
  };
}

/**
 * The claims of one pod: labels of the selector over those of the template. Without an owner: they outlive pod and set,
 * unless the retention policy says Delete.
 * @recorded #statefulset-templates
 */
export function claimDrafts(set: StatefulSet, ordinal: number): Draft<'PersistentVolumeClaim'>[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...(template.metadata.annotations ? { annotations: template.metadata.annotations } : {}),
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
      name: claimName(set, template.metadata.name, ordinal),
      namespace: set.metadata.namespace,
    },
    spec: template.spec,
    status: { phase: 'Pending' },
  }));
}

/** What the retention policy asks of a claim's owners: the set when it goes with the set, the pod when it goes with a scale-down. */
export function claimOwners(set: StatefulSet, pod: Pod | undefined, condemned: boolean): PersistentVolumeClaim['metadata']['ownerReferences'] {
  const policy = set.spec.persistentVolumeClaimRetentionPolicy;
  const reference = (owner: StatefulSet | Pod) => ({ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid });
  if (policy?.whenScaled === 'Delete' && condemned && pod) return [reference(pod)];
  return policy?.whenDeleted === 'Delete' ? [{ ...reference(set), controller: true, blockOwnerDeletion: true }] : [];
}
