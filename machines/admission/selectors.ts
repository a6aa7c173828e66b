/** Selectors of labels and of nodes (apimachinery pkg/apis/meta/v1/validation, pkg/apis/core/validation/validation.go, v1.35). */
import type { LabelSelector, NodeSelectorTerm } from '../model/objects.ts';
import type { FieldErrors } from './field-errors.ts';
import { checkLabels } from './names.ts';

/** ValidateLabelSelector. @modelled apimachinery pkg/apis/meta/v1/validation/validation.go, v1.35 */
export function checkLabelSelector(errors: FieldErrors, at: string, { matchLabels, matchExpressions }: LabelSelector): void {
  checkLabels(errors, `${at}.matchLabels`, matchLabels ?? {});
  for (const [i, { key, operator, values }] of (matchExpressions ?? []).entries()) {
    const field = `${at}.matchExpressions[${i}]`;
    if (operator === undefined || !['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)) errors.invalid(`${field}.operator`, operator ?? '', 'not a valid selector operator');
    else checkValues(errors, field, operator, values ?? []);
    checkLabels(errors, `${field}.key`, { [key ?? '']: '' });
  }
}

/** ValidateNodeSelectorTerm, its label requirements. @modelled pkg/apis/core/validation/validation.go, v1.35 */
export function checkNodeSelectorTerm(errors: FieldErrors, at: string, term: NodeSelectorTerm): void {
  for (const [i, { key, operator, values }] of (term.matchExpressions ?? []).entries()) {
    const field = `${at}.matchExpressions[${i}]`;
    if (operator === 'Gt' || operator === 'Lt') {
      if ((values ?? []).length !== 1) errors.required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    } else if (operator === undefined || !['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)) errors.invalid(`${field}.operator`, operator ?? '', 'not a valid selector operator');
    else checkValues(errors, field, operator, values ?? []);
    checkLabels(errors, `${field}.key`, { [key ?? '']: '' });
  }
}

function checkValues(errors: FieldErrors, field: string, operator: string, values: readonly string[]): void {
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && values.length === 0) errors.required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  if (!takesValues && values.length > 0) errors.forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
}
