/** Quality of service of a pod. */
import type { Container, PodSpec } from '../model/objects.ts';

const QOS_RESOURCES = ['cpu', 'memory'] as const;

/**
 * BestEffort without any request or limit of cpu and memory; Guaranteed where every container limits both and asks for
 * just that; else Burstable (pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS, v1.35).
 * @recorded #immediate-happy, #wait-pod-unschedulable
 */
export function qosClassOf(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  if (containers.every((c) => !asks(c))) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function asks(container: Container): boolean {
  return QOS_RESOURCES.some((r) => container.resources?.requests?.[r] !== undefined || container.resources?.limits?.[r] !== undefined);
}

function isGuaranteed(container: Container): boolean {
  return QOS_RESOURCES.every((r) => {
    const limit = container.resources?.limits?.[r];
    return limit !== undefined && (container.resources?.requests?.[r] ?? limit) === limit;
  });
}
