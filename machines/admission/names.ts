/** The forms of names (apimachinery pkg/util/validation/validation.go, v1.35). */
import type { AnyObject } from '../model/objects.ts';
import type { FieldErrors } from './field-errors.ts';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_TEXT = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SUBDOMAIN_TEXT = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';
const IS_LABEL = new RegExp(`^${LABEL}$`);
const IS_SUBDOMAIN = new RegExp(`^${SUBDOMAIN}$`);
const IS_QUALIFIED = new RegExp(`^${QUALIFIED}$`);
const IS_LABEL_VALUE = new RegExp(`^${LABEL_VALUE}$`);
const LABEL_VALUE_TEXT = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`;
const QUALIFIED_TEXT = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`;

/** At most 63 characters, letters and digits: container and volume names. */
export function checkLabel(errors: FieldErrors, field: string, name: string): void {
  if (name.length > 63) errors.invalid(field, name, 'must be no more than 63 characters');
  if (!IS_LABEL.test(name)) errors.invalid(field, name, LABEL_TEXT);
}

/** At most 253 characters with dots: names of most objects. */
export function checkSubdomain(errors: FieldErrors, field: string, name: string): void {
  if (name.length > 253) errors.invalid(field, name, 'must be no more than 253 characters');
  if (!IS_SUBDOMAIN.test(name)) errors.invalid(field, name, SUBDOMAIN_TEXT);
}

/** What is wrong with the name in `name` or `prefix/name` (IsQualifiedName); undefined when it is well formed. */
export function qualifiedNameMistake(key: string): string | undefined {
  return IS_QUALIFIED.test(key.split('/').at(-1) ?? '') ? undefined : QUALIFIED_TEXT;
}

/** ValidateObjectMeta: name and labels. @modelled apimachinery pkg/api/validation/objectmeta.go, v1.35 */
export function checkMeta(errors: FieldErrors, object: AnyObject): void {
  checkSubdomain(errors, 'metadata.name', object.metadata.name);
  checkLabels(errors, 'metadata.labels', object.metadata.labels ?? {});
}

export function checkLabels(errors: FieldErrors, field: string, labels: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(labels)) {
    const name = key.split('/').at(-1) ?? '';
    if (!IS_QUALIFIED.test(name)) errors.invalid(field, key, QUALIFIED_TEXT);
    if (value.length > 63) errors.invalid(field, value, 'must be no more than 63 characters');
    if (!IS_LABEL_VALUE.test(value)) errors.invalid(field, value, LABEL_VALUE_TEXT);
  }
}
