/** Taints and tolerations (component-helpers scheduling/corev1, v1.35). */
import type { Taint, Toleration } from './objects.ts';

/** True when one toleration covers the taint: effect, key and value, each as far as the toleration names it (ToleratesTaint). */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if ((toleration.effect ?? '') !== '' && toleration.effect !== taint.effect) return false;
  if ((toleration.key ?? '') !== '' && toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '');
}

export function anyToleratesTaint(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint));
}

/** The first taint with effect NoSchedule or NoExecute that no toleration covers (FindMatchingUntoleratedTaint with DoNotScheduleTaintsFilterFunc). */
export function untoleratedTaint(taints: readonly Taint[] | undefined, tolerations: readonly Toleration[] | undefined): Taint | undefined {
  return (taints ?? []).find((taint) => taint.effect !== 'PreferNoSchedule' && !anyToleratesTaint(tolerations, taint));
}
