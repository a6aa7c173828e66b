/** PodDisruptionBudgets as the API server completes and checks them (pkg/registry/policy, pkg/apis/policy/validation, v1.35). */
import { withMeta } from '../kernel/api-server.ts';
import type { PodDisruptionBudget } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { FieldErrors } from './field-errors.ts';
import { checkMeta } from './names.ts';
import { checkLabelSelector } from './selectors.ts';

const NEW_STATUS = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };

/** A new budget allows nothing until its controller has counted. @modelled pkg/registry/policy/poddisruptionbudget/strategy.go, v1.35 */
export function completeBudget(budget: PodDisruptionBudget): PodDisruptionBudget {
  validateBudget(budget);
  return { ...withMeta(budget, { generation: 1 }), status: NEW_STATUS };
}

/** A changed spec raises the generation. @modelled pkg/registry/policy/poddisruptionbudget/strategy.go, v1.35 */
export function updatedBudget(old: PodDisruptionBudget, next: PodDisruptionBudget): PodDisruptionBudget {
  if (next.spec === old.spec || deepEqual(next.spec, old.spec)) return next;
  validateBudget(next);
  return withMeta(next, { generation: (old.metadata.generation ?? 1) + 1 });
}

/** @modelled pkg/apis/policy/validation/validation.go, v1.35 */
function validateBudget(budget: PodDisruptionBudget): void {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = budget.spec;
  const errors = new FieldErrors();
  checkMeta(errors, budget);
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.invalid('spec', { MinAvailable: minAvailable, MaxUnavailable: maxUnavailable, Selector: selector ?? null, UnhealthyPodEvictionPolicy: policy ?? null }, 'minAvailable and maxUnavailable cannot be both set');
  }
  checkAmount(errors, 'spec.minAvailable', minAvailable);
  checkAmount(errors, 'spec.maxUnavailable', maxUnavailable);
  if (selector) checkLabelSelector(errors, 'spec.selector', selector);
  if (policy !== undefined && !['IfHealthyBudget', 'AlwaysAllow'].includes(policy)) errors.notSupported('spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget']);
  errors.throwFor(budget);
}

const PERCENT_TEXT = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function checkAmount(errors: FieldErrors, field: string, amount: number | string | undefined): void {
  if (typeof amount === 'number' && amount < 0) errors.invalid(field, amount, 'must be greater than or equal to 0');
  if (typeof amount !== 'string') return;
  if (!/^[0-9]+%$/.test(amount)) errors.invalid(field, amount, PERCENT_TEXT);
  else if (Number(amount.slice(0, -1)) > 100) errors.invalid(field, amount, 'must not be greater than 100%');
}
