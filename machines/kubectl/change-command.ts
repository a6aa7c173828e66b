/** The kubectl commands that change objects: delete, scale, label, annotate, cordon, taint, patch, rollout restart. */
import type { Json, JsonOperation, Patch, Taint } from '../model/objects.ts';
import type { Flags, Selection } from './command-words.ts';
import { allowOnly, isSet, readDuration, readNodes, readSelection, wholeNumber } from './command-words.ts';
import { KubectlError, notModelled } from './outcome.ts';

/** What is done to each of the objects. */
export type Change =
  | { readonly type: 'scale'; readonly replicas: number }
  | { readonly type: 'restart' }
  | { readonly type: 'labels' | 'annotations'; readonly set: ReadonlyMap<string, string>; readonly remove: readonly string[]; readonly overwrite: boolean }
  | { readonly type: 'cordon'; readonly unschedulable: boolean }
  | { readonly type: 'patch'; readonly patch: Patch }
  /** A taint to remove without an effect: every one of that key. */
  | { readonly type: 'taint'; readonly set: readonly Taint[]; readonly remove: readonly Partial<Taint>[]; readonly overwrite: boolean }
  | { readonly type: 'delete'; readonly graceSeconds?: number | undefined; readonly wait: boolean; readonly timeoutMs?: number | undefined };

export interface ChangeCommand extends Selection {
  readonly verb: 'change';
  readonly change: Change;
  /** `--all`: every object of the types. */
  readonly all: boolean;
}

type Parser = (positional: readonly string[], flags: Flags) => ChangeCommand;

const PARSERS: Readonly<Record<string, Parser>> = {
  'scale': parseScale,
  'label': (positional, flags) => parseMetadata('label', positional, flags),
  'annotate': (positional, flags) => parseMetadata('annotate', positional, flags),
  'cordon': (positional, flags) => parseCordon('cordon', positional, flags),
  'uncordon': (positional, flags) => parseCordon('uncordon', positional, flags),
  'patch': parsePatch,
  'delete': parseDelete,
  'rollout restart': parseRestart,
};

/** The command that changes something; undefined when the verb is none of them. */
export function parseChange(verb: string, positional: readonly string[], flags: Flags): ChangeCommand | undefined {
  const [name, words] = verb === 'rollout' ? [`rollout ${positional[0] ?? ''}`, positional.slice(1)] : [verb, positional];
  return Object.hasOwn(PARSERS, name) ? PARSERS[name]?.(words, flags) : undefined;
}

/** @modelled k8s.io/kubectl pkg/cmd/scale/scale.go, v0.35 */
function parseScale(positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly('scale', flags, ['replicas', 'namespace', 'selector', 'all']);
  const replicas = Number(flags.values.get('replicas') ?? -1);
  if (!(Number.isInteger(replicas) && replicas >= 0)) throw new KubectlError('error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  return changeOf('scale', positional, flags, { type: 'scale', replicas });
}

/** @modelled k8s.io/kubectl pkg/cmd/rollout/rollout_restart.go, v0.35 */
function parseRestart(positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly('rollout restart', flags, ['namespace', 'selector']);
  if (positional.length === 0) throw new KubectlError('error: required resource not specified');
  return { ...changeOf('restart', positional, flags, { type: 'restart' }), all: true };
}

/** `KEY=VALUE` sets, `KEY-` removes; the words before them name the objects. @modelled k8s.io/kubectl pkg/cmd/label/label.go, pkg/cmd/annotate/annotate.go, v0.35 */
function parseMetadata(verb: 'label' | 'annotate', positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly(verb, flags, ['namespace', 'selector', 'all', 'overwrite']);
  const first = positional.findIndex(isPair);
  const pairs = first < 0 ? [] : positional.slice(first);
  const resources = first < 0 ? positional : positional.slice(0, first);
  if (resources.length === 0) throw new KubectlError('error: one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (pairs.length === 0) throw new KubectlError(`error: at least one ${verb === 'label' ? 'label' : 'annotation'} update is required`);
  const late = pairs.find((word) => !isPair(word));
  if (late !== undefined) throw new KubectlError(`error: all resources must be specified before ${verb === 'label' ? 'label' : 'annotation'} changes: ${late}`);
  const set = new Map(pairs.filter((word) => word.includes('=')).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  const remove = pairs.filter((word) => !word.includes('=')).map((word) => word.slice(0, -1));
  return changeOf(verb, resources, flags, { type: verb === 'label' ? 'labels' : 'annotations', set, remove, overwrite: isSet(flags, 'overwrite') });
}

function isPair(word: string): boolean {
  return word.indexOf('=') > 0 || (word.endsWith('-') && word.length > 1);
}

/** @modelled k8s.io/kubectl pkg/cmd/drain/drain.go, v0.35 */
function parseCordon(verb: 'cordon' | 'uncordon', positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly(verb, flags, ['selector']);
  return { verb: 'change', change: { type: 'cordon', unschedulable: verb === 'cordon' }, ...readNodes(verb, positional, flags), allNamespaces: false, all: false };
}

/** @modelled k8s.io/kubectl pkg/cmd/patch/patch.go, v0.35 */
function parsePatch(positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly('patch', flags, ['namespace', 'type', 'patch']);
  const text = flags.values.get('patch');
  if (text === undefined) throw new KubectlError('error: must specify --patch or --patch-file containing the contents of the patch');
  const type = flags.values.get('type') ?? 'strategic';
  return changeOf('patch', positional, flags, { type: 'patch', patch: readPatch(type, text) });
}

function readPatch(type: string, text: string): Patch {
  if (type !== 'json' && type !== 'merge' && type !== 'strategic') throw new KubectlError(`error: --type must be one of [json merge strategic], not "${type}"`);
  const body = readJson(text);
  if (type === 'json') {
    if (!isOperations(body)) throw notModelled('"kubectl patch --type json" with anything but a list of operations, each with op and path,');
    return { type, operations: body };
  }
  if (type === 'strategic' && /\$patch|\$retainKeys|\$setElementOrder|\$deleteFromPrimitiveList/.test(text)) throw notModelled('"kubectl patch" with a directive of strategic patches');
  return { type, merge: body };
}

function isOperations(body: Json): body is Json[] & JsonOperation[] {
  return Array.isArray(body) && body.every((item) => item !== null && typeof item === 'object' && !Array.isArray(item) && typeof item['op'] === 'string' && typeof item['path'] === 'string' && (item['from'] === undefined || typeof item['from'] === 'string'));
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw notModelled('"kubectl patch" with a patch that is not JSON');
  }
}

/** @modelled k8s.io/kubectl pkg/cmd/delete/delete.go, v0.35 */
function parseDelete(positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly('delete', flags, ['namespace', 'selector', 'all', 'wait', 'timeout', 'force', 'now', 'grace-period', 'ignore-not-found']);
  const force = isSet(flags, 'force');
  if (isSet(flags, 'now') && flags.values.has('grace-period')) throw new KubectlError('error: --now and --grace-period cannot be specified together');
  const asked = isSet(flags, 'now') ? 1 : wholeNumber(flags, 'grace-period', -1);
  if (asked > 0 && force) throw new KubectlError('error: --force and --grace-period greater than 0 cannot be specified together');
  const grace = asked < 0 ? (force ? 0 : undefined) : asked === 0 && !force ? 1 : asked;
  const wait = flags.values.get('wait') !== 'false';
  return changeOf('delete', positional, flags, { type: 'delete', graceSeconds: grace, wait, timeoutMs: readDuration(flags.values.get('timeout')) });
}

function changeOf(verb: string, positional: readonly string[], flags: Flags, change: Change): ChangeCommand {
  const command: ChangeCommand = { verb: 'change', change, ...readSelection(verb, positional, flags), all: isSet(flags, 'all') };
  const named = command.targets.every(({ name }) => name !== undefined);
  if (!named && command.selector === '' && !command.all && change.type !== 'restart') throw new KubectlError('error: resource(s) were provided, but no name was specified');
  return command;
}
