/** The commands that ash runs itself. Source: POSIX.1-2017, 2.14; busybox 1.35, shell/ash.c. */
import { NOT_MODELLED_STATUS } from './applet.ts';
import { runApplet } from './applets.ts';
import { Break, Continue, ExitShell, Return } from './control.ts';
import { FileError } from './errno.ts';
import { joinPath } from './mounts.ts';
import { UNMODELLED_BUILTINS } from './not-modelled.ts';
import type { Shell } from './shell.ts';
import { DEFAULT_PATH, findProgram, without } from './shell.ts';
import { ShellFatal } from './shell-expansion.ts';
import { inputOf } from './streams.ts';
import type { SignalName, Steps } from './task.ts';
import { signalNamed } from './task.ts';

export type Builtin = (shell: Shell, args: readonly string[], name: string) => Steps<number>;

/** Builtins whose mistakes end a shell that runs a script, and whose assignments stay. */
export const SPECIAL_BUILTINS: ReadonlySet<string> = new Set(['.', ':', 'break', 'continue', 'eval', 'exec', 'exit', 'export', 'local', 'readonly', 'return', 'set', 'shift', 'trap', 'unset']);

/** The builtin of a name; undefined when there is none. */
export function builtinNamed(name: string): Builtin | undefined {
  if (UNMODELLED_BUILTINS.has(name)) return refuse;
  if (APPLET_BUILTINS.has(name)) return asApplet;
  return BUILTINS.get(name);
}

const KEYWORDS = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'case', 'esac', 'while', 'until', 'for', '{', '}', '!', 'in']);

function* refuse(shell: Shell, _args: readonly string[], name: string): Steps<number> {
  shell.complain(`${name}: not modelled by this simulation`);
  return NOT_MODELLED_STATUS;
}

/** Programs that ash has inside: they run in the shell's own process and speak under the name `sh`. */
const APPLET_BUILTINS: ReadonlySet<string> = new Set(['[', '[[', 'echo', 'false', 'kill', 'printf', 'test', 'true']);

function* asApplet(shell: Shell, args: readonly string[], name: string): Steps<number> {
  return yield* runApplet({ name, args, host: shell.host, files: shell.files, open: shell.open, environment: () => shell.environment(), speaker: 'sh' });
}

type Immediate = (shell: Shell, args: readonly string[], name: string) => number;

function immediate(act: Immediate): Builtin {
  return function* (shell, args, name) {
    return act(shell, args, name);
  };
}

/** A builtin's error that does not end the shell. That of a special builtin is a ShellFatal. */
function fail(shell: Shell, message: string, status = 2): number {
  shell.complain(message);
  return status;
}

function readStatus(shell: Shell, word: string | undefined): number {
  if (word === undefined) return shell.status;
  if (!/^\d+$/.test(word)) throw new ShellFatal(`Illegal number: ${word}`);
  return Number(word) & 0xff;
}

function readLevels(word: string | undefined): number {
  const levels = Number(word ?? '1');
  if (!Number.isInteger(levels) || levels < 1) throw new ShellFatal(`Illegal number: ${word ?? ''}`);
  return levels;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

function changeDirectory(shell: Shell, args: readonly string[]): number {
  const words = args.filter((word) => word !== '-L' && word !== '-P');
  const back = words[0] === '-';
  const target = back ? (shell.get('OLDPWD') ?? '') : (words[0] ?? shell.get('HOME') ?? '');
  const before = shell.files.cwd;
  if (target !== '') {
    try {
      shell.files.changeDirectory(target);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return fail(shell, `can't cd to ${target}: ${error.message}`);
    }
  }
  shell.set('OLDPWD', before);
  shell.set('PWD', shell.files.cwd);
  if (back) shell.write(1, `${shell.files.cwd}\n`);
  return 0;
}

function exportVariables(shell: Shell, args: readonly string[], name: string): number {
  const words = args.filter((word) => word !== '-p');
  if (words.length === 0) return listVariables(shell, name);
  for (const word of words) {
    const equals = word.indexOf('=');
    const variable = equals < 0 ? word : word.slice(0, equals);
    if (!IDENTIFIER.test(variable)) throw new ShellFatal(`${variable}: bad variable name`);
    if (equals >= 0) shell.set(variable, word.slice(equals + 1));
    const known = shell.variables.get(variable) ?? { value: undefined, exported: false, readOnly: false };
    shell.variables.set(variable, { ...known, ...(name === 'export' ? { exported: true } : { readOnly: true }) });
  }
  return 0;
}

function listVariables(shell: Shell, name: string): number {
  const chosen = [...shell.variables].filter(([, variable]) => (name === 'export' ? variable.exported : variable.readOnly));
  for (const [variable, { value }] of chosen.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    shell.write(1, `${name} ${variable}${value === undefined ? '' : `=${quoted(value)}`}\n`);
  }
  return 0;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

function unset(shell: Shell, args: readonly string[]): number {
  const functions = args[0] === '-f';
  for (const word of args.filter((item) => item !== '-f' && item !== '-v')) {
    if (functions) shell.functions = without(shell.functions, word);
    else if (shell.variables.get(word)?.readOnly === true) throw new ShellFatal(`${word}: is read only`);
    else shell.variables.delete(word);
  }
  return 0;
}

function local(shell: Shell, args: readonly string[]): number {
  if (shell.locals === undefined) throw new ShellFatal('not in a function');
  for (const word of args) {
    const equals = word.indexOf('=');
    const variable = equals < 0 ? word : word.slice(0, equals);
    if (!IDENTIFIER.test(variable)) throw new ShellFatal(`${variable}: bad variable name`);
    if (!shell.locals.has(variable)) {
      const known = shell.variables.get(variable);
      shell.locals.set(variable, known === undefined ? undefined : { ...known });
    }
    if (equals >= 0) shell.set(variable, word.slice(equals + 1));
  }
  return 0;
}

function set(shell: Shell, args: readonly string[], name: string): number {
  let words = [...args];
  if (words.length === 0) {
    for (const [variable, { value }] of [...shell.variables].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      if (value !== undefined) shell.write(1, `${variable}=${quoted(value)}\n`);
    }
    return 0;
  }
  while (words[0] !== undefined && /^[-+]/.test(words[0]) && words[0] !== '-') {
    const word = words.shift() ?? '';
    if (word === '--') {
      shell.positional = words;
      return 0;
    }
    for (const letter of word.slice(1)) {
      if (!'efua'.includes(letter)) throw new ShellFatal(`${name} ${word.charAt(0)}${letter}: not modelled by this simulation`, NOT_MODELLED_STATUS);
      shell.setOption(letter, word.startsWith('-'));
    }
  }
  if (words.length > 0) {
    words = words[0] === '-' ? words.slice(1) : words;
    shell.positional = words;
  }
  return 0;
}

function shift(shell: Shell, args: readonly string[]): number {
  const count = readStatus(shell, args[0] ?? '1');
  if (count > shell.positional.length) return 1;
  shell.positional = shell.positional.slice(count);
  return 0;
}

/** `trap [ACTION] SIGNAL…`; `''` ignores, `-` gives the default back. */
function trap(shell: Shell, args: readonly string[]): number {
  const words = args[0] === '--' ? args.slice(1) : args;
  if (words.length === 0) {
    for (const [signal, action] of shell.traps) shell.write(1, `trap -- ${quoted(action === 'ignore' ? '' : action.script)} ${signal}\n`);
    return 0;
  }
  const [first = '', ...rest] = words;
  const resets = rest.length === 0 || first === '-';
  let status = 0;
  for (const word of resets && first !== '-' ? words : rest) {
    const signal: SignalName | 'EXIT' | undefined = word === 'EXIT' || word === '0' ? 'EXIT' : signalNamed(word);
    if (signal === undefined) status = fail(shell, `${word}: invalid signal specification`, 1);
    else if (resets) shell.traps = without(shell.traps, signal);
    else shell.traps = new Map(shell.traps).set(signal, first === '' ? 'ignore' : { script: first });
  }
  shell.announceTraps();
  return status;
}

/** `read [-r] NAME…`: one line, split by IFS; the last name takes the rest. */
function read(shell: Shell, args: readonly string[], name: string): number {
  const raw = args[0] === '-r';
  const names = raw ? args.slice(1) : args;
  const option = names.find((word) => word.startsWith('-'));
  if (option !== undefined) throw new ShellFatal(`${name} ${option}: not modelled by this simulation`, NOT_MODELLED_STATUS);
  const bad = names.find((word) => !IDENTIFIER.test(word));
  if (bad !== undefined) {
    shell.write(2, `sh: ${name}: '${bad}': bad variable name\n`);
    return 1;
  }
  const input = inputOf(shell.open);
  let text = '';
  let ended = false;
  for (;;) {
    const next = input.readLine();
    if (next === undefined) break;
    text += next.line;
    ended = next.ended;
    if (raw || !ended || !/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) break;
    text = text.slice(0, -1);
  }
  assignFields(shell, names.length === 0 ? ['REPLY'] : names, raw ? text : text.replace(/\\(.?)/g, '$1'));
  return ended ? 0 : 1;
}

function assignFields(shell: Shell, names: readonly string[], text: string): void {
  const ifs = shell.get('IFS') ?? ' \t\n';
  const blanks = [...ifs].filter((character) => ' \t\n'.includes(character)).join('');
  const skip = (from: number, characters: string): number => {
    let index = from;
    while (index < text.length && characters.includes(text.charAt(index))) index += 1;
    return index;
  };
  let position = skip(0, blanks);
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) {
      let end = text.length;
      while (end > position && blanks.includes(text.charAt(end - 1))) end -= 1;
      shell.set(name, text.slice(position, end));
      return;
    }
    const start = position;
    while (position < text.length && !ifs.includes(text.charAt(position))) position += 1;
    shell.set(name, text.slice(start, position));
    position = skip(position, blanks);
    if (position < text.length && ifs.includes(text.charAt(position)) && !blanks.includes(text.charAt(position))) position = skip(position + 1, blanks);
  }
}

function describeCommand(shell: Shell, name: string): { readonly kind: string; readonly path: string } | undefined {
  if (KEYWORDS.has(name)) return { kind: 'a shell keyword', path: name };
  if (SPECIAL_BUILTINS.has(name)) return { kind: 'a special shell builtin', path: name };
  if (shell.functions.has(name)) return { kind: 'a function', path: name };
  if (builtinNamed(name) !== undefined) return { kind: 'a shell builtin', path: name };
  const found = findProgram(name, shell.files, shell.get('PATH') ?? DEFAULT_PATH);
  if (found.type !== 'applet' && found.type !== 'script') return undefined;
  return { kind: name, path: name };
}

function type(shell: Shell, args: readonly string[]): number {
  let status = 0;
  for (const word of args) {
    const found = describeCommand(shell, word);
    if (found === undefined) status = 127;
    shell.write(1, found === undefined ? `${word}: not found\n` : `${word} is ${found.kind}\n`);
  }
  return status;
}

function* command(shell: Shell, args: readonly string[]): Steps<number> {
  const [first, ...rest] = args;
  if (first === '-v') {
    const found = rest.map((word) => describeCommand(shell, word));
    for (const item of found) if (item !== undefined) shell.write(1, `${item.path}\n`);
    return found.every((item) => item !== undefined) ? 0 : 127;
  }
  if (first === '-V') return type(shell, rest);
  if (first === undefined) return 0;
  return yield* runWithoutEnding(shell, first, rest);
}

/** `command` takes from a special builtin that its mistakes end the shell. */
function* runWithoutEnding(shell: Shell, name: string, args: readonly string[]): Steps<number> {
  try {
    return yield* shell.runBuiltinOrProgram(name, args);
  } catch (error) {
    if (error instanceof ExitShell && name !== 'exit' && name !== 'exec') return error.status;
    throw error;
  }
}

function umask(shell: Shell, args: readonly string[]): number {
  const [word] = args;
  if (word === undefined) {
    shell.write(1, `${shell.files.umask.toString(8).padStart(4, '0')}\n`);
    return 0;
  }
  if (!/^[0-7]{1,4}$/.test(word)) return fail(shell, `illegal mode: ${word}`);
  shell.files.umask = Number.parseInt(word, 8) & 0o777;
  return 0;
}

/** `. FILE`: a name without a slash is looked for along PATH, then here. */
function* source(shell: Shell, args: readonly string[]): Steps<number> {
  const [file] = args;
  if (file === undefined) return 0;
  const along = file.includes('/') ? undefined : (shell.get('PATH') ?? '').split(':').map((directory) => joinPath(directory, file)).find((path) => shell.files.mayAccess(path, 'read'));
  let text: string;
  try {
    text = shell.files.read(along ?? file);
  } catch (error) {
    if (error instanceof FileError) throw new ShellFatal(`can't open '${file}': ${error.message}`);
    throw error;
  }
  try {
    return yield* shell.source(file, text);
  } catch (error) {
    if (error instanceof Return) return error.status;
    throw error;
  }
}

function* evaluate(shell: Shell, args: readonly string[]): Steps<number> {
  const script = args.join(' ');
  return script.trim() === '' ? 0 : yield* shell.evaluate(script);
}

function* replace(shell: Shell, args: readonly string[]): Steps<number> {
  const [name, ...rest] = args;
  if (name === undefined) return 0;
  throw new ExitShell(yield* shell.execute(name, rest));
}

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', immediate(() => 0)],
  ['.', source],
  ['break', immediate((shell, args) => leaveLoop(shell, new Break(readLevels(args[0]))))],
  ['continue', immediate((shell, args) => leaveLoop(shell, new Continue(readLevels(args[0]))))],
  ['cd', immediate(changeDirectory)],
  ['command', command],
  ['eval', evaluate],
  ['exec', replace],
  [
    'exit',
    immediate((shell, args) => {
      throw new ExitShell(readStatus(shell, args[0]));
    }),
  ],
  ['export', immediate(exportVariables)],
  ['local', immediate(local)],
  [
    'pwd',
    immediate((shell) => {
      shell.write(1, `${shell.files.cwd}\n`);
      return 0;
    }),
  ],
  ['read', immediate(read)],
  ['readonly', immediate(exportVariables)],
  [
    'return',
    immediate((shell, args) => {
      throw new Return(readStatus(shell, args[0]));
    }),
  ],
  ['set', immediate(set)],
  ['shift', immediate(shift)],
  ['trap', immediate(trap)],
  ['type', immediate(type)],
  ['umask', immediate(umask)],
  ['unset', immediate(unset)],
  // Nothing runs in the background here, so there is nothing to wait for.
  ['wait', immediate(() => 0)],
]);

/** Outside a loop `break` and `continue` do nothing. */
function leaveLoop(shell: Shell, exit: Break | Continue): number {
  if (shell.loops === 0) return 0;
  throw exit;
}
