/** `kubectl get`. Source: k8s.io/kubectl/pkg/cmd/get and k8s.io/cli-runtime/pkg/printers, v0.35. */
import type { AnyObject } from '../model/objects.ts';
import type { GetCommand, Target } from './command.ts';
import { goJson, goSprint, sortedEntries } from './go-format.ts';
import { goSort } from './go-sort.ts';
import type { Template } from './jsonpath.ts';
import { findValues, parseRelaxed, parseTemplate, renderTemplate } from './jsonpath.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notFound } from './outcome.ts';
import type { Resource } from './resources.ts';
import { qualifiedPlural, qualifiedSingular } from './resources.ts';
import type { Matcher } from './selector.ts';
import { fieldMatcher, labelMatcher } from './selector.ts';
import type { Column } from './tables.ts';
import { tableOf } from './tables.ts';
import { escapeTerminal, GET_TABS, TabWriter } from './tabwriter.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';
import { yamlText } from './yaml-text.ts';

/** One answer of the API server: a list of a type, or one object asked for by name. */
interface Answer {
  readonly resource: Resource;
  readonly objects: readonly AnyObject[];
  readonly byName: boolean;
}

/** Runs a `get` and prints what it found. Throws a KubectlError for mistakes in the command. */
export function runGet(command: GetCommand, view: ClusterView): KubectlOutcome {
  const namespace = command.allNamespaces ? undefined : (command.namespace ?? view.namespace);
  const errors: string[] = [];
  const answers = command.targets.flatMap((target) => answer(target, command, view, namespace, errors));
  const printed = command.output.type === 'table' ? printTables(command, view, answers) : printGeneric(command, view, answers, errors);
  const nothing = printed === '' && errors.length === 0 && !command.ignoreNotFound && command.output.type === 'table';
  const text = printed + (nothing ? `${nothingFound(answers, command, namespace)}\n` : '') + errors.map((line) => `${line}\n`).join('');
  return { code: errors.length === 0 ? 0 : 1, text };
}

function answer(target: Target, command: GetCommand, view: ClusterView, namespace: string | undefined, errors: string[]): Answer[] {
  const { resource, name } = target;
  if (name === undefined) {
    const keeps = selection(command);
    const objects = listInOrder(view, resource.kind, namespace).filter(keeps);
    return [{ resource, objects: sortObjects(objects, command.sortBy), byName: false }];
  }
  const found = findObject(view, resource.kind, name, namespace ?? view.namespace);
  if (found !== undefined) return [{ resource, objects: [found], byName: true }];
  if (!command.ignoreNotFound) errors.push(notFound(qualifiedPlural(resource), name).message);
  return [];
}

function selection(command: GetCommand): Matcher {
  const byLabel = labelMatcher(command.selector);
  const byField = fieldMatcher(command.fieldSelector);
  return (object) => byLabel(object) && byField(object);
}

function sortObjects(objects: readonly AnyObject[], sortBy: string): readonly AnyObject[] {
  if (sortBy === '') return objects;
  const template = parseRelaxed(sortBy);
  const keyed = objects.map((object) => ({ object, key: findValues(template, object)[0] }));
  if (objects.length > 0 && keyed.every((item) => item.key === undefined)) {
    throw new KubectlError(`error: couldn't find any field with path "${sortBy}" in the list of objects`);
  }
  return goSort(keyed, (left, right) => isLess(left.key, right.key)).map((item) => item.object);
}

function isLess(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === undefined && right !== undefined;
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return goSprint(left) < goSprint(right);
}

/** A list of several types, or of one without a namespace, says nothing of a namespace. @recorded #default-class-local-path, #ephemeral-volume */
function nothingFound(answers: readonly Answer[], command: GetCommand, namespace: string | undefined): string {
  const oneNamespace = !command.allNamespaces && answers.every((item) => item.resource.namespaced);
  return oneNamespace ? `No resources found in ${namespace ?? ''} namespace.` : 'No resources found';
}

function printTables(command: GetCommand, view: ClusterView, answers: readonly Answer[]): string {
  const kinds = new Set(answers.map((item) => item.resource.kind));
  const groups: Answer[][] = [];
  for (const item of answers) {
    const last = groups.at(-1);
    if (last?.[0]?.resource === item.resource) last.push(item);
    else groups.push([item]);
  }
  const writer = new TabWriter(GET_TABS);
  const tables = groups.map((group) => printGroup(command, view, group, kinds.size > 1, writer)).filter((text) => text !== '');
  return tables.join(command.noHeaders ? '' : '\n');
}

/** Answers of one type that follow each other share a header and their columns. */
function printGroup(command: GetCommand, view: ClusterView, group: readonly Answer[], withKind: boolean, shared: TabWriter): string {
  const resource = group[0]?.resource;
  const objects = group.flatMap((item) => item.objects);
  if (resource === undefined || objects.length === 0) return '';
  shared.forgetWidths();
  const before = shared.text().length;
  const columns = decoratedColumns(command, resource);
  const shown = columns.map((column) => column.wide !== true || (command.output.type === 'table' && command.output.wide));
  const writeRow = (cells: readonly string[]): void => {
    shared.write(`${cells.filter((_, index) => shown[index]).join('\t')}\n`);
  };
  if (!command.noHeaders) writeRow(columns.map((column) => column.name.toUpperCase()));
  for (const object of objects) writeRow(decoratedCells(command, view, resource, object, withKind).map(cellText));
  shared.flush();
  return shared.text().slice(before);
}

/** Source: `decorateTable`: the namespace in front, labels behind. */
function decoratedColumns(command: GetCommand, resource: Resource): Column[] {
  const front: Column[] = showsNamespace(command, resource) ? [{ name: 'Namespace' }] : [];
  const labels = command.labelColumns.map((label): Column => ({ name: label.slice(label.lastIndexOf('/') + 1) }));
  const back: Column[] = command.showLabels ? [{ name: 'Labels' }] : [];
  return [...front, ...tableOf(resource.kind).columns, ...labels, ...back];
}

function decoratedCells(command: GetCommand, view: ClusterView, resource: Resource, object: AnyObject, withKind: boolean): string[] {
  const table = tableOf(resource.kind);
  const nameColumn = withKind ? table.columns.findIndex((column) => column.isName === true) : -1;
  const cells = table.cells(object, view.now).map((cell, index) => (index === nameColumn ? `${qualifiedSingular(resource)}/${cell}` : cell));
  const labels = object.metadata.labels ?? {};
  const front = showsNamespace(command, resource) ? [object.metadata.namespace ?? ''] : [];
  const chosen = command.labelColumns.map((label) => labels[label] ?? '');
  const back = command.showLabels ? [labelsText(labels)] : [];
  return [...front, ...cells, ...chosen, ...back];
}

function showsNamespace(command: GetCommand, resource: Resource): boolean {
  return command.allNamespaces && resource.namespaced;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = sortedEntries(labels).map(([key, value]) => `${key}=${String(value)}`);
  return parts.length === 0 ? '<none>' : parts.join(',');
}

/** A cell ends at its first line break. Source: `printTable`. */
function cellText(cell: string): string {
  const end = cell.search(/[\f\n\r]/);
  return end < 0 ? escapeTerminal(cell) : `${escapeTerminal(cell.slice(0, end))}...`;
}

/** yaml, json, name, custom columns and jsonpath: what works on the objects themselves. @modelled k8s.io/kubectl/pkg/cmd/get, v0.35 */
function printGeneric(command: GetCommand, view: ClusterView, answers: readonly Answer[], errors: string[]): string {
  const objects = answers.flatMap((item) => item.objects.map((object) => ({ resource: item.resource, value: asServed(object, view) })));
  const single = command.targets.length === 1 && command.targets[0]?.name !== undefined;
  if (objects.length === 0 && (single || command.ignoreNotFound)) return '';
  try {
    if (command.output.type === 'name') return objects.map((item) => `${qualifiedSingular(item.resource)}/${nameOf(item.value)}\n`).join('');
    const values = objects.map((item) => item.value);
    if (command.output.type === 'custom-columns') return printCustomColumns(command.output.spec, values, command.noHeaders);
    const document = single ? values[0] : { apiVersion: 'v1', items: values, kind: 'List', metadata: { resourceVersion: '' } };
    if (command.output.type === 'jsonpath') return renderTemplate(parseTemplate(command.output.spec), document);
    return command.output.type === 'json' ? `${goJson(document, '    ')}\n` : yamlText(document);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    errors.push(error.message);
    return '';
  }
}

function nameOf(value: unknown): string {
  return (value as AnyObject).metadata.name;
}

/** The object with the annotation that traces leave out. */
function asServed(object: AnyObject, view: ClusterView): unknown {
  const lastApplied = view.lastApplied?.(object);
  if (lastApplied === undefined) return object;
  const annotations = { ...object.metadata.annotations, 'kubectl.kubernetes.io/last-applied-configuration': lastApplied };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

interface CustomColumn {
  readonly header: string;
  readonly template: Template;
}

/** Source: `CustomColumnsPrinter`. @recorded #bind-reverts, #claim-lost */
function printCustomColumns(spec: string, objects: readonly unknown[], noHeaders: boolean): string {
  const columns = spec.split(',').map(readCustomColumn);
  const writer = new TabWriter(GET_TABS);
  if (!noHeaders) writer.write(`${columns.map((column) => column.header).join('\t')}\n`);
  for (const object of objects) writer.write(`${columns.map((column) => customCell(column.template, object)).join('\t')}\n`);
  writer.flush();
  return writer.text();
}

function readCustomColumn(text: string): CustomColumn {
  const colon = text.indexOf(':');
  if (colon < 0) throw new KubectlError(`error: unexpected custom-columns spec: ${text}, expected <header>:<json-path-expr>`);
  return { header: text.slice(0, colon), template: parseRelaxed(text.slice(colon + 1)) };
}

function customCell(template: Template, object: unknown): string {
  const values = findValues(template, object);
  return values.length === 0 ? '<none>' : values.map((value) => escapeTerminal(goSprint(value))).join(',');
}
