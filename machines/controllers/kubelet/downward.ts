/** What a pod can learn of itself: its fields and its containers' resources (pkg/fieldpath, pkg/api/v1/resource, v1.35). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { Pod, ResourceFieldRef } from '../../model/objects.ts';
import { containerResource, fieldValue } from '../../model/pod-fields.ts';

/** One file of a downward API volume. */
export interface DownwardItem {
  readonly path: string;
  readonly mode?: number | undefined;
  readonly fieldRef?: { readonly fieldPath: string } | undefined;
  readonly resourceFieldRef?: ResourceFieldRef | undefined;
}

export function itemValue(api: ApiServer, pod: Pod, { fieldRef, resourceFieldRef }: DownwardItem): string {
  return resourceFieldRef ? resourceValue(api, pod, resourceFieldRef.containerName, resourceFieldRef) : fieldValue(pod, fieldRef?.fieldPath ?? '');
}

/** A field that only a container's environment may ask for, as things stand when the container is made. @modelled pkg/kubelet/kubelet_pods.go podFieldSelectorRuntimeValue, v1.35 */
export function environmentField(api: ApiServer, pod: Pod, path: string, podIP: string): string {
  const node = pod.spec.nodeName ?? '';
  if (path === 'spec.nodeName') return node;
  if (path === 'spec.serviceAccountName') return pod.spec.serviceAccountName ?? '';
  if (/^status\.podIPs?$/.test(path)) return podIP;
  if (/^status\.hostIPs?$/.test(path)) return api.get('Node', undefined, node)?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
  return fieldValue(pod, path);
}

/** A limit that is not set is what the node has; a request that is not set is nothing. @modelled pkg/api/v1/resource/helpers.go ExtractResourceValueByContainerNameAndNodeAllocatable, v1.35 */
export function resourceValue(api: ApiServer, pod: Pod, name: string | undefined, reference: ResourceFieldRef): string {
  const container = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((candidate) => candidate.name === name);
  return containerResource(container, reference, api.get('Node', undefined, pod.spec.nodeName ?? '')?.status.allocatable);
}
