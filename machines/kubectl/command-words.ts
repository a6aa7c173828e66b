/** The words of a kubectl command line: quotes, flags, and the objects that they name. */
import { KubectlError, notModelled } from './outcome.ts';
import type { Resource } from './resources.ts';
import { isServedElsewhere, resourceOfKind, resourcesNamed } from './resources.ts';

/** One type, or one object of it. */
export interface Target {
  readonly resource: Resource;
  readonly name?: string | undefined;
}

export interface Selection {
  readonly targets: readonly Target[];
  /** Text of `-l`; empty selects everything. */
  readonly selector: string;
  /** Undefined: the context's namespace. */
  readonly namespace?: string | undefined;
  readonly allNamespaces: boolean;
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

export interface Flags {
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
  '--replicas': 'replicas',
  '--grace-period': 'grace-period',
  '--type': 'type',
  '--tail': 'tail',
  '--patch': 'patch',
  '--for': 'for',
  '--types': 'types',
  '--to-revision': 'to-revision',
  '--pod-selector': 'pod-selector',
  '--skip-wait-for-delete-timeout': 'skip-wait-for-delete-timeout',
};
/** Flags that are true when they stand alone. */
const SWITCH_FLAGS: Readonly<Record<string, string>> = {
  '-A': 'all-namespaces', '--all-namespaces': 'all-namespaces',
  '-i': 'stdin', '--stdin': 'stdin',
  '-t': 'tty', '--tty': 'tty',
  '-w': 'watch', '--watch': 'watch',
  '--no-headers': 'no-headers',
  '--show-labels': 'show-labels',
  '--show-events': 'show-events',
  '--ignore-not-found': 'ignore-not-found',
  '-p': 'previous', '--previous': 'previous',
  '--all': 'all',
  '--overwrite': 'overwrite',
  '--wait': 'wait',
  '--force': 'force',
  '--now': 'now',
  '--all-containers': 'all-containers',
  '--ignore-daemonsets': 'ignore-daemonsets',
  '--delete-emptydir-data': 'delete-emptydir-data',
  '--disable-eviction': 'disable-eviction',
};

export function readFlags(words: readonly string[]): { flags: Flags; words: string[] } {
  const values = new Map<string, string>();
  const positional: string[] = [];
  const queue = words.map((word) => (words.includes('patch') && !words.includes('logs') ? word.replace(/^-p(?==|$)/, '--patch') : word)).flatMap(splitShortSwitches);
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

export function isSet(flags: Flags, name: string): boolean {
  const value = flags.values.get(name);
  return value !== undefined && value !== 'false';
}

export function allowOnly(verb: string, flags: Flags, names: readonly string[]): void {
  for (const name of flags.values.keys()) {
    if (!names.includes(name)) throw notModelled(`"kubectl ${verb}" with the flag "${name}"`);
  }
}

export function readSelection(verb: string, positional: readonly string[], flags: Flags): Selection {
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

/** The nodes that `cordon`, `uncordon` and `drain` are about. */
export function readNodes(verb: string, positional: readonly string[], flags: Flags): { targets: readonly Target[]; selector: string } {
  const selector = flags.values.get('selector') ?? '';
  const usage = `\nSee 'kubectl ${verb} -h' for help and examples`;
  if (positional.length === 0 && selector === '') throw new KubectlError(`error: USAGE: ${verb} NODE [flags]${usage}`);
  if (positional.length > 0 && selector !== '') throw new KubectlError(`error: cannot specify both a node name and a --selector option${usage}`);
  const resource = resourceOfKind('Node');
  return { targets: positional.length === 0 ? [{ resource }] : positional.map((word) => ({ resource, name: word.replace(/^nodes?\//, '') })), selector };
}

/** `pod`, `pod a b`, `pvc,pv`, `pod/a pvc/b`. Source: `resource.Builder.ResourceTypeOrNameArgs`, k8s.io/cli-runtime v0.35. */
export function readTargets(verb: string, positional: readonly string[]): Target[] {
  const [first, ...names] = positional;
  if (first === undefined) {
    throw new KubectlError(`error: You must specify the type of resource to ${verb}. Use "kubectl api-resources" for a complete list of supported resources.`);
  }
  if (positional.some((word) => word.includes('/'))) return positional.map(readSlashTarget);
  const resources = first.split(',').filter((word) => word !== '').flatMap(resolveResource);
  if (names.length === 0) return resources.map((resource) => ({ resource }));
  return resources.flatMap((resource) => names.map((name) => ({ resource, name })));
}

export function readSlashTarget(word: string): Target {
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
  if (resources === undefined && isServedElsewhere(word)) throw notModelled(`The resource type "${word}"`);
  if (resources === undefined) throw new KubectlError(`error: the server doesn't have a resource type "${word}"`);
  return resources;
}

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A Go duration ("90s", "1m30s", "0") in milliseconds; zero and no flag at all mean for ever. */
export function readDuration(text: string | undefined): number | undefined {
  const total = text === undefined ? 0 : readGoDuration(text);
  return total === 0 ? undefined : total;
}

/** The longest timeout that is taken: the reader's machine works through all of the time that a command waits. */
const LONGEST_TIMEOUT_MS = 86_400_000;

/** A Go duration in milliseconds, also one below 0. Throws a KubectlError for what is none, and for more than a day. */
export function readGoDuration(text: string): number {
  if (/^[+-]?0$/.test(text)) return 0;
  const unsigned = text.replace(/^[+-]/, '');
  const parts = [...unsigned.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== unsigned) {
    throw new KubectlError(`error: invalid argument "${text}" for "--timeout" flag: time: ${/^[+-]?[\d.]+$/.test(text) ? 'missing unit in' : 'invalid'} duration "${text}"`);
  }
  const total = parts.reduce((sum, part) => sum + Number(part[1]) * (DURATION_UNITS[part[2] ?? ''] ?? 0), 0);
  if (text.startsWith('-')) return -total;
  if (total > LONGEST_TIMEOUT_MS) throw notModelled(`A --timeout of ${text}, longer than 24h,`);
  return total;
}

const MOST_SECONDS = 2 ** 31 - 1;

/** A number of seconds that a flag gives. Throws a KubectlError for what is none, and for more than the clock of a run could show. */
export function wholeNumber(flags: Flags, name: string, otherwise: number): number {
  const text = flags.values.get(name);
  if (text === undefined) return otherwise;
  if (!/^[+-]?\d+$/.test(text)) throw new KubectlError(`error: invalid argument "${text}" for "--${name}" flag: strconv.ParseInt: parsing "${text}": invalid syntax`);
  if (Math.abs(Number(text)) > MOST_SECONDS) throw notModelled(`A --${name} of ${text}`);
  return Number(text);
}

/** Milliseconds as Go prints a duration: `10s`, `1m30s`, `1h0m0s`, `500ms`. */
export function goDuration(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0s' : `${ms}ms`;
  const minutes = Math.trunc(ms / 60_000);
  const seconds = `${(ms - minutes * 60_000) / 1000}s`;
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.trunc(minutes / 60)}h${minutes % 60}m${seconds}`;
}
