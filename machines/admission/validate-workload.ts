/** What is refused of a Deployment, ReplicaSet or StatefulSet (pkg/apis/apps/validation/validation.go, v1.35). */
import { matchesLabelSelector } from '../model/label-selector.ts';
import type { Deployment, LabelSelector, PodTemplate, ReplicaSet, StatefulSet } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { FieldErrors } from './field-errors.ts';
import { checkMeta } from './names.ts';
import { checkPodSpec } from './validate-pod.ts';

/** @modelled pkg/apis/apps/validation/validation.go, v1.35 */
export function validateDeployment(deployment: Deployment): void {
  const errors = new FieldErrors();
  checkMeta(errors, deployment);
  checkReplicas(errors, deployment.spec.replicas);
  checkSelector(errors, deployment.spec.selector, deployment.spec.template);
  checkPodSpec(errors, deployment.spec.template.spec, 'spec.template.spec');
  checkForEver(errors, deployment.spec.template, 'ReplicaSet');
  checkStrategy(errors, deployment.spec.strategy);
  errors.throwFor(deployment);
}

/** @modelled pkg/apis/apps/validation/validation.go, v1.35 */
export function validateReplicaSet(set: ReplicaSet): void {
  const errors = new FieldErrors();
  checkMeta(errors, set);
  checkReplicas(errors, set.spec.replicas);
  checkSelector(errors, set.spec.selector, set.spec.template);
  checkPodSpec(errors, set.spec.template.spec, 'spec.template.spec');
  checkForEver(errors, set.spec.template, 'ReplicaSet');
  errors.throwFor(set);
}

/** The template's volumes are not checked: a mount may name a claim template. @modelled pkg/apis/apps/validation/validation.go, v1.35 */
export function validateStatefulSet(set: StatefulSet): void {
  const errors = new FieldErrors();
  checkMeta(errors, set);
  checkReplicas(errors, set.spec.replicas);
  checkSelector(errors, set.spec.selector, set.spec.template, 'statefulset');
  checkForEver(errors, set.spec.template, 'StatefulSet');
  errors.throwFor(set);
}

/** A selector never changes. @modelled pkg/apis/apps/validation/validation.go, v1.35 */
export function validateWorkloadUpdate(old: Deployment | ReplicaSet, next: Deployment | ReplicaSet): void {
  if (next.kind === 'Deployment') validateDeployment(next);
  else validateReplicaSet(next);
  const errors = new FieldErrors();
  errors.immutable('spec.selector', old.spec.selector, next.spec.selector);
  errors.throwFor(next);
}

const CHANGEABLE = ['replicas', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy', 'minReadySeconds', 'ordinals'];

/** Claim templates, selector and service name of a StatefulSet never change. @modelled pkg/apis/apps/validation/validation.go, v1.35 */
export function validateStatefulSetUpdate(old: StatefulSet, next: StatefulSet): void {
  validateStatefulSet(next);
  const fixed = (set: StatefulSet): unknown => Object.fromEntries(Object.entries(set.spec).filter(([field]) => !CHANGEABLE.includes(field)));
  if (deepEqual(fixed(old), fixed(next))) return;
  const errors = new FieldErrors();
  errors.forbidden('spec', "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
  errors.throwFor(next);
}

function checkReplicas(errors: FieldErrors, replicas: number | undefined): void {
  if (replicas !== undefined && replicas < 0) errors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
}

function checkSelector(errors: FieldErrors, selector: LabelSelector | undefined, template: PodTemplate, kind = 'deployment'): void {
  const empty = !selector || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);
  if (!selector) errors.required('spec.selector');
  else if (empty) errors.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`);
  const labels = template.metadata?.labels ?? {};
  if (selector && !empty && !matchesLabelSelector(selector, labels)) errors.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');
}

/** The pods of a workload never end by themselves. */
function checkForEver(errors: FieldErrors, template: PodTemplate, owner: 'ReplicaSet' | 'StatefulSet'): void {
  const policy = template.spec.restartPolicy ?? 'Always';
  if (policy !== 'Always') errors.notSupported('spec.template.spec.restartPolicy', policy, ['Always']);
  if (template.spec.activeDeadlineSeconds !== undefined) errors.forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${owner} is not Supported`);
}

function checkStrategy(errors: FieldErrors, strategy: Deployment['spec']['strategy']): void {
  const type = strategy?.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate' && type !== 'Recreate') errors.notSupported('spec.strategy.type', type, ['Recreate', 'RollingUpdate']);
  const rolling = strategy?.rollingUpdate;
  if (type === 'Recreate' && rolling) errors.forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'");
  if (type === 'RollingUpdate' && rolling && isZero(rolling.maxSurge) && isZero(rolling.maxUnavailable)) errors.invalid('spec.strategy.rollingUpdate.maxUnavailable', rolling.maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0');
}

function isZero(value: number | string | undefined): boolean {
  return value !== undefined && Number(String(value).replace('%', '')) === 0;
}
