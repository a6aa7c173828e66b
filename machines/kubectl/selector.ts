/** Label and field selectors of the command line. Source: k8s.io/apimachinery/pkg/labels and fields, v1.35. */
import type { AnyObject, LabelSelector } from '../model/objects.ts';
import { sortedEntries } from './go-format.ts';
import { KubectlError, notModelled } from './outcome.ts';
import { resourceOfKind } from './resources.ts';

export type Matcher = (object: AnyObject) => boolean;

interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent';
  readonly values: readonly string[];
}

/** What `-l TEXT` keeps. Throws a KubectlError when the text is no selector. */
export function labelMatcher(text: string): Matcher {
  const requirements = splitRequirements(text).map(readRequirement);
  return (object) => requirements.every((requirement) => holds(requirement, object.metadata.labels ?? {}));
}

/** Commas separate requirements, but not inside `in (a,b)`. */
function splitRequirements(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

const KEY = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?';
const SET_FORM = new RegExp(`^(?<key>${KEY})\\s+(?<operator>in|notin)\\s*\\((?<values>[^()]*)\\)$`);
const EQUALITY_FORM = new RegExp(`^(?<key>${KEY})\\s*(?<operator>==|=|!=)\\s*(?<value>[-A-Za-z0-9_.]*)$`);
const EXISTS_FORM = new RegExp(`^(?<not>!)?\\s*(?<key>${KEY})$`);

function readRequirement(text: string): Requirement {
  const set = SET_FORM.exec(text)?.groups;
  if (set !== undefined) {
    const values = (set['values'] ?? '').split(',').map((value) => value.trim());
    return { key: set['key'] ?? '', operator: set['operator'] === 'in' ? 'in' : 'notin', values };
  }
  const equality = EQUALITY_FORM.exec(text)?.groups;
  if (equality !== undefined) {
    return { key: equality['key'] ?? '', operator: equality['operator'] === '!=' ? 'notin' : 'in', values: [equality['value'] ?? ''] };
  }
  const exists = EXISTS_FORM.exec(text)?.groups;
  if (exists !== undefined) return { key: exists['key'] ?? '', operator: exists['not'] === undefined ? 'exists' : 'absent', values: [] };
  throw new KubectlError(`Error from server (BadRequest): unable to parse requirement: "${text}" is no label selector`);
}

function holds(requirement: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[requirement.key];
  if (requirement.operator === 'exists') return value !== undefined;
  if (requirement.operator === 'absent') return value === undefined;
  const listed = value !== undefined && requirement.values.includes(value);
  return requirement.operator === 'in' ? listed : !listed;
}

/** What `--field-selector TEXT` keeps, for the fields that the API server indexes and the rules here need. */
export function fieldMatcher(text: string): Matcher {
  const terms = text.split(',').filter((term) => term.trim() !== '').map(readFieldTerm);
  return (object) => terms.every((term) => (fieldValue(object, term.path) === term.value) === term.equal);
}

interface FieldTerm {
  readonly path: string;
  readonly equal: boolean;
  readonly value: string;
}

function readFieldTerm(text: string): FieldTerm {
  const parts = /^([^=!]+)(!=|==|=)(.*)$/.exec(text.trim());
  if (parts === null) {
    throw new KubectlError(`Error from server (BadRequest): Unable to find "" that match label selector "", field selector "${text}": invalid selector: '${text}'; can't understand '${text}'`);
  }
  return { path: parts[1] ?? '', equal: parts[2] !== '!=', value: parts[3] ?? '' };
}

const META_FIELDS: Readonly<Record<string, (object: AnyObject) => string>> = {
  'metadata.name': (object) => object.metadata.name,
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};
const POD_FIELDS: Readonly<Record<string, (object: AnyObject) => string>> = {
  'spec.nodeName': (object) => (object.kind === 'Pod' ? (object.spec.nodeName ?? '') : ''),
  'spec.restartPolicy': (object) => (object.kind === 'Pod' ? (object.spec.restartPolicy ?? '') : ''),
  'spec.schedulerName': (object) => (object.kind === 'Pod' ? (object.spec.schedulerName ?? '') : ''),
  'spec.serviceAccountName': (object) => (object.kind === 'Pod' ? (object.spec.serviceAccountName ?? '') : ''),
  'status.phase': (object) => (object.kind === 'Pod' ? object.status.phase : ''),
  'status.podIP': (object) => (object.kind === 'Pod' ? (object.status.podIP ?? '') : ''),
  'status.nominatedNodeName': (object) => (object.kind === 'Pod' ? (object.status.nominatedNodeName ?? '') : ''),
};
const EVENT_FIELDS: Readonly<Record<string, (object: AnyObject) => string>> = {
  'involvedObject.kind': (object) => (object.kind === 'Event' ? (object.involvedObject.kind ?? '') : ''),
  'involvedObject.namespace': (object) => (object.kind === 'Event' ? (object.involvedObject.namespace ?? '') : ''),
  'involvedObject.name': (object) => (object.kind === 'Event' ? (object.involvedObject.name ?? '') : ''),
  'involvedObject.uid': (object) => (object.kind === 'Event' ? (object.involvedObject.uid ?? '') : ''),
  'involvedObject.fieldPath': (object) => (object.kind === 'Event' ? (object.involvedObject.fieldPath ?? '') : ''),
  reason: (object) => (object.kind === 'Event' ? object.reason : ''),
  reportingComponent: (object) => (object.kind === 'Event' ? object.reportingComponent : ''),
  source: (object) => (object.kind === 'Event' ? (object.source.component ?? object.reportingComponent) : ''),
  type: (object) => (object.kind === 'Event' ? object.type : ''),
};

function fieldValue(object: AnyObject, path: string): string {
  const fields = object.kind === 'Pod' ? POD_FIELDS : object.kind === 'Event' ? EVENT_FIELDS : {};
  const read = META_FIELDS[path] ?? fields[path];
  if (read === undefined) throw notModelled(`The field selector "${path}" on ${resourceOfKind(object.kind).plural}`);
  return read(object);
}

/** A selector of a Deployment or ReplicaSet as text. Source: `metav1.FormatLabelSelector`. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  const equalities = sortedEntries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${String(value)}` }));
  const expressions = (selector?.matchExpressions ?? []).map((expression) => ({ key: expression.key, text: formatExpression(expression) }));
  const parts = [...equalities, ...expressions].toSorted((left, right) => (left.key < right.key ? -1 : 1)).map((part) => part.text);
  return parts.length === 0 ? '<none>' : parts.join(',');
}

function formatExpression(expression: { key: string; operator: string; values?: readonly string[] | undefined }): string {
  const values = `(${[...(expression.values ?? [])].sort().join(',')})`;
  if (expression.operator === 'In') return `${expression.key} in ${values}`;
  if (expression.operator === 'NotIn') return `${expression.key} notin ${values}`;
  return expression.operator === 'Exists' ? expression.key : `!${expression.key}`;
}
