/** A kubectl command line, read into what it asks for. */
import { KubectlError, notModelled } from './outcome.ts';
import type { Resource } from './resources.ts';
import { resourcesNamed } from './resources.ts';

/** One type, or one object of it. */
export interface Target {
  readonly resource: Resource;
  readonly name?: string | undefined;
}

export type OutputFormat =
  | { readonly type: 'table'; readonly wide: boolean }
  | { readonly type: 'yaml' | 'json' | 'name' }
  | { readonly type: 'custom-columns' | 'jsonpath'; readonly spec: string };

interface Selection {
  readonly targets: readonly Target[];
  /** Text of `-l`; empty selects everything. */
  readonly selector: string;
  /** Undefined: the context's namespace. */
  readonly namespace?: string | undefined;
  readonly allNamespaces: boolean;
}

export interface GetCommand extends Selection {
  readonly verb: 'get';
  readonly output: OutputFormat;
  readonly fieldSelector: string;
  readonly noHeaders: boolean;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
  readonly sortBy: string;
  readonly ignoreNotFound: boolean;
}
export interface DescribeCommand extends Selection {
  readonly verb: 'describe';
  readonly showEvents: boolean;
}
export interface ExecCommand {
  readonly verb: 'exec';
  readonly pod: string;
  readonly container?: string | undefined;
  readonly namespace?: string | undefined;
  readonly argv: readonly string[];
}
export interface LogsCommand {
  readonly verb: 'logs';
  readonly pod: string;
  readonly container?: string | undefined;
  readonly namespace?: string | undefined;
  /** Of the run before the last restart. */
  readonly previous: boolean;
  /** How many lines from the end; undefined or below 0: all. */
  readonly tail?: number | undefined;
}
export interface RolloutStatusCommand {
  readonly verb: 'rollout-status';
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Virtual milliseconds after which it gives up; undefined: never. */
  readonly timeoutMs?: number | undefined;
  /** False with `--watch=false`: print one line and end. */
  readonly watch: boolean;
}
/** A command that ends at once with a message: a mistake in it, or something that is not modelled. */
export interface RefusedCommand {
  readonly verb: 'refused';
  readonly code: number;
  readonly text: string;
}
export type KubectlCommand = GetCommand | DescribeCommand | ExecCommand | LogsCommand | RolloutStatusCommand | RefusedCommand;

/**
 * Reads a kubectl command, given as its words or as one line with the shell's quotes. Never throws: a command that
 * cannot run comes back as `refused` with kubectl's text, or with a text that says what is not modelled.
 */
export function parseKubectl(command: string | readonly string[]): KubectlCommand {
  try {
    return parseWords(typeof command === 'string' ? splitCommandLine(command) : command);
  } catch (error) {
    if (error instanceof KubectlError) return { verb: 'refused', code: 1, text: `${error.message}\n` };
    throw error;
  }
}

function parseWords(words: readonly string[]): KubectlCommand {
  const [program = '', ...rest] = words;
  if (program !== 'kubectl') throw notModelled(program === '' ? 'An empty command' : `The command "${program}"`);
  const separator = rest.indexOf('--');
  const own = separator < 0 ? rest : rest.slice(0, separator);
  const command = separator < 0 ? undefined : rest.slice(separator + 1);
  const { flags, words: [verb = '', ...positional] } = readFlags(own);
  if (verb === 'get') return parseGet(positional, flags);
  if (verb === 'describe') return parseDescribe(positional, flags);
  if (verb === 'exec') return parseExec(positional, flags, command);
  if (verb === 'logs') return parseLogs(positional, flags);
  if (verb === 'rollout' && positional[0] === 'status') return parseRolloutStatus(positional.slice(1), flags);
  throw notModelled(verb === '' ? '"kubectl" without a command' : `"kubectl ${[verb, ...positional.slice(0, verb === 'rollout' ? 1 : 0)].join(' ')}"`);
}

/**
 * The words of a line: blanks separate, single quotes keep everything, double quotes keep all but `\"`, `\\`, `\$`.
 * A line that a shell would do more with (pipes, redirections, substitutions) is not modelled.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  while (index < line.length) {
    const character = line.charAt(index);
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      index += 1;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(line, index);
      word = (word ?? '') + quoted.text;
      index = quoted.end;
    } else if (character === '\\' && index + 1 < line.length) {
      word = (word ?? '') + line.charAt(index + 1);
      index += 2;
    } else {
      if ('|&;<>()`$'.includes(character)) throw notModelled(`"${character}" in the shell of the person who types`);
      word = (word ?? '') + character;
      index += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function readQuoted(line: string, start: number): { text: string; end: number } {
  const quote = line.charAt(start);
  let text = '';
  for (let index = start + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === quote) return { text, end: index + 1 };
    const next = line.charAt(index + 1);
    if (quote === '"' && character === '\\' && next !== '' && '"\\$`'.includes(next)) {
      text += next;
      index += 1;
    } else {
      text += character;
    }
  }
  throw new KubectlError(`error: the quote ${quote} at column ${start + 1} of the command is never closed`);
}

interface Flags {
  readonly values: ReadonlyMap<string, string>;
}

/** Flags that take a value, long names and their short forms. */
const VALUE_FLAGS: Readonly<Record<string, string>> = {
  '-o': 'output', '--output': 'output',
  '-l': 'selector', '--selector': 'selector',
  '-n': 'namespace', '--namespace': 'namespace',
  '-c': 'container', '--container': 'container',
  '-L': 'label-columns', '--label-columns': 'label-columns',
  '--field-selector': 'field-selector',
  '--sort-by': 'sort-by',
  '--timeout': 'timeout',
  '--tail': 'tail',
};
/** Flags that are true when they stand alone. */
const SWITCH_FLAGS: Readonly<Record<string, string>> = {
  '-A': 'all-namespaces', '--all-namespaces': 'all-namespaces',
  '-i': 'stdin', '--stdin': 'stdin',
  '-t': 'tty', '--tty': 'tty',
  '-w': 'watch', '--watch': 'watch',
  '-p': 'previous', '--previous': 'previous',
  '--no-headers': 'no-headers',
  '--show-labels': 'show-labels',
  '--show-events': 'show-events',
  '--ignore-not-found': 'ignore-not-found',
};

function readFlags(words: readonly string[]): { flags: Flags; words: string[] } {
  const values = new Map<string, string>();
  const positional: string[] = [];
  const queue = words.flatMap(splitShortSwitches);
  for (let index = 0; index < queue.length; index += 1) {
    const word = queue[index] ?? '';
    if (!word.startsWith('-') || word === '-') {
      positional.push(word);
      continue;
    }
    const flag = readFlag(word);
    if (flag.value !== undefined) {
      values.set(flag.name, flag.value);
      continue;
    }
    index += 1;
    const value = queue[index];
    if (value === undefined) throw new KubectlError(`error: flag needs an argument: ${flag.written}`);
    values.set(flag.name, value);
  }
  return { flags: { values }, words: positional };
}

/** `-it` is `-i -t`. */
function splitShortSwitches(word: string): string[] {
  const letters = /^-([A-Za-z]{2,})$/.exec(word)?.[1];
  if (letters === undefined || ![...letters].every((letter) => `-${letter}` in SWITCH_FLAGS)) return [word];
  return [...letters].map((letter) => `-${letter}`);
}

/** A flag's name and, when it stands in the same word, its value. A value of undefined means: the next word. */
function readFlag(word: string): { name: string; value: string | undefined; written: string } {
  const equals = word.indexOf('=');
  const written = equals < 0 ? word : word.slice(0, equals);
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  const switchName = SWITCH_FLAGS[written];
  if (switchName !== undefined) return { name: switchName, value: attached ?? 'true', written };
  const valueName = VALUE_FLAGS[written];
  if (valueName !== undefined) return { name: valueName, value: attached, written };
  const short = VALUE_FLAGS[word.slice(0, 2)];
  if (!word.startsWith('--') && short !== undefined) return { name: short, value: word.slice(2).replace(/^=/, ''), written };
  throw notModelled(`The flag "${written}"`);
}

function isSet(flags: Flags, name: string): boolean {
  const value = flags.values.get(name);
  return value !== undefined && value !== 'false';
}

function allowOnly(verb: string, flags: Flags, names: readonly string[]): void {
  for (const name of flags.values.keys()) {
    if (!names.includes(name)) throw notModelled(`"kubectl ${verb}" with the flag "${name}"`);
  }
}

function readSelection(verb: string, positional: readonly string[], flags: Flags): Selection {
  const targets = readTargets(verb, positional);
  const selector = flags.values.get('selector') ?? '';
  if (selector !== '' && targets.some((target) => target.name !== undefined)) {
    throw new KubectlError('error: name cannot be provided when a selector is specified');
  }
  const allNamespaces = isSet(flags, 'all-namespaces');
  if (allNamespaces && targets.some((target) => target.name !== undefined)) {
    throw new KubectlError('error: a resource cannot be retrieved by name across all namespaces');
  }
  return { targets, selector, namespace: flags.values.get('namespace'), allNamespaces };
}

/** `pod`, `pod a b`, `pvc,pv`, `pod/a pvc/b`. Source: `resource.Builder.ResourceTypeOrNameArgs`, k8s.io/cli-runtime v0.35. */
function readTargets(verb: string, positional: readonly string[]): Target[] {
  const [first, ...names] = positional;
  if (first === undefined) {
    throw new KubectlError(`error: You must specify the type of resource to ${verb}. Use "kubectl api-resources" for a complete list of supported resources.`);
  }
  if (positional.some((word) => word.includes('/'))) return positional.map(readSlashTarget);
  const resources = first.split(',').filter((word) => word !== '').flatMap(resolveResource);
  if (names.length === 0) return resources.map((resource) => ({ resource }));
  return resources.flatMap((resource) => names.map((name) => ({ resource, name })));
}

function readSlashTarget(word: string): Target {
  const parts = word.split('/');
  const [type = '', name = ''] = parts;
  if (parts.length !== 2 || type === '' || name === '') {
    throw new KubectlError(
      'error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form' +
        ` (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`,
    );
  }
  const [resource, ...others] = resolveResource(type);
  if (resource === undefined || others.length > 0) throw new KubectlError('error: you must specify only one resource');
  return { resource, name };
}

function resolveResource(word: string): readonly Resource[] {
  const resources = resourcesNamed(word);
  if (resources === undefined) throw new KubectlError(`error: the server doesn't have a resource type "${word}"`);
  return resources;
}

const GET_FLAGS = ['output', 'selector', 'namespace', 'all-namespaces', 'no-headers', 'show-labels', 'label-columns', 'sort-by', 'ignore-not-found', 'field-selector'];

function parseGet(positional: readonly string[], flags: Flags): GetCommand {
  allowOnly('get', flags, GET_FLAGS);
  return {
    verb: 'get',
    ...readSelection('get', positional, flags),
    output: readOutput(flags.values.get('output')),
    fieldSelector: flags.values.get('field-selector') ?? '',
    noHeaders: isSet(flags, 'no-headers'),
    showLabels: isSet(flags, 'show-labels'),
    labelColumns: (flags.values.get('label-columns') ?? '').split(',').filter((label) => label !== ''),
    sortBy: flags.values.get('sort-by') ?? '',
    ignoreNotFound: isSet(flags, 'ignore-not-found'),
  };
}

function readOutput(text: string | undefined): OutputFormat {
  if (text === undefined || text === '') return { type: 'table', wide: false };
  if (text === 'wide') return { type: 'table', wide: true };
  if (text === 'yaml' || text === 'json' || text === 'name') return { type: text };
  const equals = text.indexOf('=');
  const type = equals < 0 ? text : text.slice(0, equals);
  const spec = equals < 0 ? '' : text.slice(equals + 1);
  if (type === 'custom-columns') {
    if (spec === '') throw new KubectlError('error: custom-columns format specified but no custom columns given');
    return { type, spec };
  }
  if (type === 'jsonpath') {
    if (spec === '') throw new KubectlError('error: template format specified but no template given');
    return { type, spec };
  }
  throw notModelled(`The output format "${text}"`);
}

function parseDescribe(positional: readonly string[], flags: Flags): DescribeCommand {
  allowOnly('describe', flags, ['selector', 'namespace', 'all-namespaces', 'show-events']);
  const showEvents = flags.values.get('show-events') !== 'false';
  return { verb: 'describe', ...readSelection('describe', positional, flags), showEvents };
}

function parseExec(positional: readonly string[], flags: Flags, command: readonly string[] | undefined): ExecCommand {
  allowOnly('exec', flags, ['container', 'namespace', 'stdin', 'tty']);
  const [target, ...legacy] = positional;
  if (target === undefined) throw new KubectlError('error: pod, type/name or --filename must be specified');
  if (command === undefined && legacy.length > 0) {
    throw new KubectlError(
      "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples",
    );
  }
  if (command === undefined || command.length === 0) {
    throw new KubectlError('error: you must specify at least one command for the container');
  }
  return { verb: 'exec', pod: readPodName('exec', target), container: flags.values.get('container'), namespace: flags.values.get('namespace'), argv: command };
}

function parseLogs(positional: readonly string[], flags: Flags): LogsCommand {
  allowOnly('logs', flags, ['container', 'namespace', 'previous', 'tail']);
  const [target, container, ...more] = positional;
  if (target === undefined || more.length > 0) throw new KubectlError("error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
  const tail = flags.values.get('tail');
  if (tail !== undefined && !/^-?\d+$/.test(tail)) throw new KubectlError(`error: invalid argument "${tail}" for "--tail" flag: strconv.ParseInt: parsing "${tail}": invalid syntax`);
  return { verb: 'logs', pod: readPodName('logs', target), container: flags.values.get('container') ?? container, namespace: flags.values.get('namespace'), previous: isSet(flags, 'previous'), tail: tail === undefined ? undefined : Number(tail) };
}

function readPodName(verb: string, word: string): string {
  if (!word.includes('/')) return word;
  const target = readSlashTarget(word);
  if (target.resource.kind !== 'Pod') throw notModelled(`"kubectl ${verb}" of a ${target.resource.kind}`);
  return target.name ?? '';
}

function parseRolloutStatus(positional: readonly string[], flags: Flags): RolloutStatusCommand {
  allowOnly('rollout status', flags, ['namespace', 'timeout', 'watch']);
  if (positional.length === 0) throw new KubectlError('error: required resource not specified');
  const targets = readTargets('rollout', positional);
  const [target] = targets;
  if (target?.name === undefined || targets.length > 1) throw notModelled('"kubectl rollout status" of anything but one named object');
  const kind = target.resource.kind;
  if (kind !== 'Deployment' && kind !== 'StatefulSet') {
    throw new KubectlError(`error: no status viewer has been implemented for ${kind}`);
  }
  return {
    verb: 'rollout-status',
    kind,
    name: target.name,
    namespace: flags.values.get('namespace'),
    timeoutMs: readDuration(flags.values.get('timeout')),
    watch: flags.values.get('watch') !== 'false',
  };
}

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A Go duration ("90s", "1m30s", "0") in milliseconds; zero and no flag at all mean for ever. */
function readDuration(text: string | undefined): number | undefined {
  if (text === undefined || text === '0') return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text) {
    throw new KubectlError(`error: invalid argument "${text}" for "--timeout" flag: time: invalid duration "${text}"`);
  }
  const total = parts.reduce((sum, part) => sum + Number(part[1]) * (DURATION_UNITS[part[2] ?? ''] ?? 0), 0);
  return total === 0 ? undefined : total;
}
