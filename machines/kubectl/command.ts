/** A kubectl command line, read into what it asks for. */
import type { ChangeCommand } from './change-command.ts';
import { parseChange } from './change-command.ts';
import type { Flags, Selection, Target } from './command-words.ts';
import { allowOnly, isSet, readDuration, readFlags, readSelection, readSlashTarget, readTargets, splitCommandLine } from './command-words.ts';
import type { DrainCommand } from './drain.ts';
import type { EventsCommand } from './events.ts';
import type { RolloutCommand } from './rollout-change.ts';
import { KubectlError, notModelled } from './outcome.ts';
import type { WaitCommand } from './wait.ts';

export type { Target } from './command-words.ts';
export { splitCommandLine } from './command-words.ts';

export type OutputFormat =
  | { readonly type: 'table'; readonly wide: boolean }
  | { readonly type: 'yaml' | 'json' | 'name' }
  | { readonly type: 'custom-columns' | 'jsonpath'; readonly spec: string };

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
  /** Given instead of a pod: one of its pods is taken. */
  readonly workload?: Target | undefined;
  readonly container?: string | undefined;
  readonly namespace?: string | undefined;
  readonly argv: readonly string[];
}
export interface LogsCommand {
  readonly verb: 'logs';
  readonly pod: string;
  /** Given instead of a pod: one of its pods is taken. */
  readonly workload?: Target | undefined;
  /** Given instead of a pod: every pod that it keeps. */
  readonly selector: string;
  readonly allContainers: boolean;
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
/** Commands that take a part of their own, which a browser loads only for who types them. */
export type SeldomCommand = EventsCommand | WaitCommand | DrainCommand | RolloutCommand;
export type SeldomParser = (verb: SeldomVerb, positional: readonly string[], flags: Flags) => SeldomCommand | ChangeCommand;
const SELDOM_VERBS = ['events', 'wait', 'drain', 'taint', 'set', 'rollout history', 'rollout undo', 'rollout pause', 'rollout resume'] as const;
const SELDOM_WORDS = /\b(?:events|wait|drain|taint|set|history|undo|pause|resume)\b/;
export type SeldomVerb = (typeof SELDOM_VERBS)[number];
export type KubectlCommand = GetCommand | DescribeCommand | ExecCommand | LogsCommand | RolloutStatusCommand | SeldomCommand | ChangeCommand | RefusedCommand;

/**
 * Reads a kubectl command, given as its words or as one line with the shell's quotes. Never throws: a command that
 * cannot run comes back as `refused` with kubectl's text, or with a text that says what is not modelled. Only without
 * the parser of seldom commands a line that `isSeldom` throws.
 */
export function parseCommand(command: string | readonly string[], parseSeldom: SeldomParser | undefined): KubectlCommand {
  try {
    return parseWords(typeof command === 'string' ? splitCommandLine(command) : command, parseSeldom);
  } catch (error) {
    if (error instanceof KubectlError) return { verb: 'refused', code: 1, text: `${error.message}\n` };
    throw error;
  }
}

/** Whether a line may hold a seldom command: what has to be loaded before it is read. */
export function isSeldom(line: string): boolean {
  return SELDOM_WORDS.test(line) || (line.includes('describe') && /\bno(?:des?)?\b/i.test(line));
}

function isSeldomVerb(verb: string): verb is SeldomVerb {
  return (SELDOM_VERBS as readonly string[]).includes(verb);
}

function parseWords(words: readonly string[], parseSeldom: SeldomParser | undefined): KubectlCommand {
  const [program = '', ...rest] = words;
  if (program !== 'kubectl') throw notModelled(program === '' ? 'An empty command' : `The command "${program}"`);
  const separator = rest.indexOf('--');
  const own = separator < 0 ? rest : rest.slice(0, separator);
  const command = separator < 0 ? undefined : rest.slice(separator + 1);
  const asked = own.find((word) => !word.startsWith('-')) ?? '';
  if (OTHER_VERBS.has(asked)) throw notModelled(`"kubectl ${asked}"`);
  const { flags, words: [verb = '', ...positional] } = readFlags(own);
  if (verb === 'get') return parseGet(positional, flags);
  if (verb === 'describe') return parseDescribe(positional, flags);
  if (verb === 'exec') return parseExec(positional, flags, command);
  if (verb === 'logs') return parseLogs(positional, flags);
  const [name, operands] = verb === 'rollout' ? [`rollout ${positional[0] ?? ''}`, positional.slice(1)] : [verb, positional];
  if (isSeldomVerb(name)) {
    if (parseSeldom === undefined) throw new Error(`the part of kubectl that knows "${name}" is not loaded`);
    return parseSeldom(name, operands, flags);
  }
  if (verb === 'rollout' && positional[0] === 'status') return parseRolloutStatus(positional.slice(1), flags);
  const change = parseChange(verb, positional, flags);
  if (change !== undefined) return change;
  throw notModelled(verb === '' ? '"kubectl" without a command' : `"kubectl ${[verb, ...positional.slice(0, verb === 'rollout' ? 1 : 0)].join(' ')}"`);
}

/** What else kubectl can do: no flag of theirs is worth reading. */
const OTHER_VERBS: ReadonlySet<string> = new Set('alpha api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cp create debug diff edit explain expose kustomize options plugin port-forward proxy replace run top version'.split(' '));

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
  return { verb: 'exec', ...readPod('exec', target), container: flags.values.get('container'), namespace: flags.values.get('namespace'), argv: command };
}

function parseLogs(positional: readonly string[], flags: Flags): LogsCommand {
  allowOnly('logs', flags, ['container', 'namespace', 'previous', 'tail', 'selector', 'all-containers']);
  const [target, container, ...more] = positional;
  const selector = flags.values.get('selector') ?? '';
  if (selector !== '' && positional.length > 0) throw new KubectlError("error: only a selector (-l) or a POD name is allowed\nSee 'kubectl logs -h' for help and examples");
  if ((target === undefined && selector === '') || more.length > 0) throw new KubectlError("error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples");
  const tail = flags.values.get('tail');
  if (tail !== undefined && !/^-?\d+$/.test(tail)) throw new KubectlError(`error: invalid argument "${tail}" for "--tail" flag: strconv.ParseInt: parsing "${tail}": invalid syntax`);
  const allContainers = isSet(flags, 'all-containers');
  const named = flags.values.get('container') ?? container;
  if (allContainers && named !== undefined) throw new KubectlError('error: --all-containers=true should not be specified with container name ' + named);
  return { verb: 'logs', ...(target === undefined ? { pod: '' } : readPod('logs', target)), selector, allContainers, container: named, namespace: flags.values.get('namespace'), previous: isSet(flags, 'previous'), tail: tail === undefined ? undefined : Number(tail) };
}

const WITH_PODS: readonly string[] = ['Deployment', 'ReplicaSet', 'StatefulSet'];

function readPod(verb: string, word: string): { readonly pod: string; readonly workload?: Target } {
  if (!word.includes('/')) return { pod: word };
  const target = readSlashTarget(word);
  if (target.resource.kind === 'Pod') return { pod: target.name ?? '' };
  if (!WITH_PODS.includes(target.resource.kind)) throw notModelled(`"kubectl ${verb}" of a ${target.resource.kind}`);
  return { pod: '', workload: target };
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
