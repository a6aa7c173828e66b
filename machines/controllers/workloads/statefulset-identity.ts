/** Names, labels, claims and volumes of a StatefulSet's pods (pkg/controller/statefulset/stateful_set_utils.go, v1.35). */
import type { Draft } from '../../kernel/api-server.ts';
import type { Pod, PodTemplate, StatefulSet, Volume } from '../../model/objects.ts';
import { controllerReference, podMetaOfTemplate } from './pods.ts';

const REVISION_LABEL = 'controller-revision-hash';
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

/** The numbers that the set's pods shall have: from `start` up to, not including, `end`. @modelled pkg/controller/statefulset/stateful_set_utils.go getStartOrdinal, v1.35 */
export function ordinalsOf({ spec }: StatefulSet): { readonly start: number; readonly end: number } {
  const start = spec.ordinals?.start ?? 0;
  return { start, end: start + (spec.replicas ?? 1) };
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
