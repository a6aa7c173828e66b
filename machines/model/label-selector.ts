/** Label selectors (apimachinery pkg/labels, v1.35): all labels and all expressions must hold; an empty selector matches everything. */
import type { LabelSelector, StringMap } from './objects.ts';

/** True when the labels satisfy the selector. */
export function matchesLabelSelector(selector: LabelSelector, labels: StringMap | undefined): boolean {
  const have = labels ?? {};
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => have[key] === value);
  return equal && (selector.matchExpressions ?? []).every((expression) => matchesExpression(expression, have));
}

function matchesExpression(expression: { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }, labels: StringMap): boolean {
  const value = labels[expression.key];
  const listed = value !== undefined && (expression.values ?? []).includes(value);
  switch (expression.operator) {
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
