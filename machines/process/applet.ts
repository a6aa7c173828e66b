/** What every applet works with. */
import { FileError } from './errno.ts';
import type { MountedFiles } from './mounted-files.ts';
import type { Descriptors } from './streams.ts';
import { inputOf, writeTo } from './streams.ts';
import type { ProcessHost, Steps, Wait } from './task.ts';

/** One run of an applet. */
export interface AppletRun {
  readonly name: string;
  readonly args: readonly string[];
  readonly host: ProcessHost;
  readonly files: MountedFiles;
  readonly open: Descriptors;
  /** Made when it is asked for: few commands look at it. */
  readonly environment: () => ReadonlyMap<string, string>;
  /** The name in front of its messages, when it is not its own: programs inside the shell speak as `sh`. */
  readonly speaker?: string | undefined;
}

/** An applet returns its exit status, at once or after waiting; a wait alone ends with status 0. */
export type Applet = (run: AppletRun) => number | Wait | Steps<number>;

export function print(run: AppletRun, text: string): void {
  writeTo(run.open, 1, text);
}

/** `NAME: message` on standard error. */
export function complain(run: AppletRun, message: string): void {
  writeTo(run.open, 2, `${run.speaker ?? run.name}: ${message}\n`);
}

/** An applet's refusal of what the simulation has no rules for. */
export class NotModelled extends Error {
  override readonly name = 'NotModelled';
}

/** Exit status of whatever is not modelled. */
export const NOT_MODELLED_STATUS = 127;

/** Options read from the words of a command, as getopt does: letters may stand together, `--` ends them. */
export interface Options {
  readonly letters: ReadonlySet<string>;
  /** Values of options that take one; the last counts. */
  readonly values: ReadonlyMap<string, string>;
  /** Values of an option that may be repeated, in order. */
  all(letter: string): readonly string[];
  readonly operands: readonly string[];
}

/**
 * Reads options. `plain`: letters of options without a value; `valued`: with one. Options may stand after operands.
 * Throws NotModelled for any other, and a UsageError for a value that is missing.
 */
export function readOptions(args: readonly string[], plain: string, valued = ''): Options {
  const letters = new Set<string>();
  const given: { letter: string; value: string }[] = [];
  const operands: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    if (word === '--') {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    if (word.startsWith('--')) throw new NotModelled(`the option "${word}"`);
    for (let position = 1; position < word.length; position += 1) {
      const letter = word.charAt(position);
      if (plain.includes(letter)) {
        letters.add(letter);
        continue;
      }
      if (!valued.includes(letter)) throw new NotModelled(`the option "-${letter}"`);
      const attached = word.slice(position + 1);
      if (attached === '') index += 1;
      const value = attached === '' ? args[index] : attached;
      if (value === undefined) throw new UsageError(`option requires an argument -- '${letter}'`);
      letters.add(letter);
      given.push({ letter, value });
      break;
    }
  }
  const values = new Map(given.map((item) => [item.letter, item.value]));
  return { letters, values, operands, all: (letter) => given.filter((item) => item.letter === letter).map((item) => item.value) };
}

/** A command that was given wrong. busybox prints its usage then; here it is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text of each file named, or of standard input when none is or for `-`. Files that cannot be read are complained of. */
export function* inputs(run: AppletRun, names: readonly string[], problem: (name: string, error: FileError) => void): Generator<{ readonly name: string; readonly text: string }> {
  for (const name of names.length === 0 ? ['-'] : names) {
    if (name === '-') {
      yield { name, text: inputOf(run.open).readAll() };
      continue;
    }
    try {
      yield { name, text: run.files.read(name) };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problem(name, error);
    }
  }
}

/** The lines of a text; the last one may lack its line feed. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Does something to each file named; complains of those where it fails, with the message given. Returns the exit status. */
export function forEachFile(run: AppletRun, names: readonly string[], act: (name: string) => void, message: (name: string, error: FileError) => string): number {
  let status = 0;
  for (const name of names) {
    try {
      act(name);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      complain(run, message(name, error));
      status = 1;
    }
  }
  return status;
}
