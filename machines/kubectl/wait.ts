/**
 * `kubectl wait`: what it waits for, and whether an object is so far. The command takes (virtual) time, so the caller
 * drives it. Source: k8s.io/kubectl/pkg/cmd/wait, v0.35.
 */
import type { AnyObject, Condition } from '../model/objects.ts';
import type { Flags, Selection } from './command-words.ts';
import { allowOnly, isSet, readGoDuration, readSelection } from './command-words.ts';
import { goSprint } from './go-format.ts';
import type { Template } from './jsonpath.ts';
import { findValues, parseRelaxed } from './jsonpath.ts';
import { KubectlError } from './outcome.ts';

export type WaitCondition =
  | { readonly type: 'delete' }
  | { readonly type: 'create' }
  | { readonly type: 'condition'; readonly name: string; readonly status: string }
  /** Without a value any value will do. */
  | { readonly type: 'jsonpath'; readonly path: Template; readonly value: string | undefined };

export interface WaitCommand extends Selection {
  readonly verb: 'wait';
  readonly condition: WaitCondition;
  readonly all: boolean;
  readonly fieldSelector: string;
  /** Virtual milliseconds; 0: look once; below 0: as long as it takes. */
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT = '30s';
const NO_RESOURCES = "error: You must provide one or more resources by argument or filename.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'";

/** Throws a KubectlError. @modelled k8s.io/kubectl pkg/cmd/wait/wait.go, v0.35 */
export function parseWait(positional: readonly string[], flags: Flags): WaitCommand {
  allowOnly('wait', flags, ['for', 'timeout', 'namespace', 'selector', 'field-selector', 'all', 'all-namespaces']);
  const timeoutMs = readGoDuration(flags.values.get('timeout') ?? DEFAULT_TIMEOUT);
  const condition = readCondition(flags.values.get('for') ?? '');
  if (positional.length === 0) throw new KubectlError(NO_RESOURCES);
  const selection = readSelection('wait', positional, flags);
  const [all, fieldSelector] = [isSet(flags, 'all'), flags.values.get('field-selector') ?? ''];
  const named = selection.targets.every(({ name }) => name !== undefined);
  if (!named && !all && selection.selector === '' && fieldSelector === '') throw new KubectlError('error: resource(s) were provided, but no name was specified');
  return { verb: 'wait', ...selection, condition, all, fieldSelector, timeoutMs };
}

function readCondition(text: string): WaitCondition {
  const lower = text.toLowerCase();
  if (lower === 'delete' || lower === 'create') return { type: lower };
  if (text.startsWith('condition=')) {
    const [name = '', ...status] = text.slice('condition='.length).split('=');
    return { type: 'condition', name, status: status.length === 0 ? 'true' : status.join('=') };
  }
  if (text.startsWith('jsonpath=')) return readPath(splitAtEquals(text.slice('jsonpath='.length)));
  throw new KubectlError(`error: unrecognized condition: ${JSON.stringify(text)}`);
}

function readPath(parts: readonly string[]): WaitCondition {
  const [expression = '', value] = parts;
  if (parts.length > 2) throw new KubectlError("error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'");
  const path = parseRelaxed(expression);
  const wanted = value?.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '') throw new KubectlError("error: jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3");
  return { type: 'jsonpath', path, value: wanted };
}

/** At every single `=`; a filter's `==` stays. */
function splitAtEquals(text: string): string[] {
  return text.replaceAll('==', '\u0000').split('=').map((part) => part.replaceAll('\u0000', '=='));
}

/**
 * Whether an object that is there meets the condition. Names and values of conditions are compared without their case; one
 * that was observed on an older generation does not count. Throws a KubectlError where a path leads to no single value.
 * @modelled k8s.io/kubectl pkg/cmd/wait/condition.go, pkg/cmd/wait/json.go, v0.35
 */
export function meetsCondition(condition: WaitCondition, object: AnyObject): boolean {
  if (condition.type === 'delete') return false;
  if (condition.type === 'create') return true;
  if (condition.type === 'jsonpath') return meetsPath(condition.path, condition.value, object);
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number } };
  const found = status?.conditions?.find(({ type }) => type.toLowerCase() === condition.name.toLowerCase());
  if (found === undefined) return false;
  const observed = found.observedGeneration ?? status?.observedGeneration;
  const { generation } = object.metadata;
  if (generation !== undefined && observed !== undefined && observed < generation) return false;
  return found.status.toLowerCase() === condition.status.toLowerCase();
}

function meetsPath(path: Template, wanted: string | undefined, object: AnyObject): boolean {
  const values = findValues(path, object);
  if (values.length === 0) return false;
  if (values.length > 1) throw new KubectlError('error: given jsonpath expression matches more than one value');
  if (wanted === undefined) return true;
  if (values[0] !== null && typeof values[0] === 'object') throw new KubectlError('error: jsonpath leads to a nested object or list which is not supported');
  return goSprint(values[0]).trim() === wanted.trim();
}
