/** Programs that read text and print some of it. Source: busybox 1.35, coreutils. */
import type { AppletRun } from './applet.ts';
import { complain, forEachFile, inputs, linesOf, NotModelled, print, readOptions, UsageError } from './applet.ts';
import type { FileError } from './errno.ts';
import { byteLength } from './filesystem.ts';
import type { Writable } from './mounted-files.ts';
import { compareBytes } from './mounted-files.ts';
import { inputOf } from './streams.ts';

/** `cat [FILE…]`. */
export function concatenate(run: AppletRun): number {
  const { operands } = readOptions(run.args, 'u');
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, error.errno === 'EISDIR' ? `read error: ${error.message}` : `can't open '${name}': ${error.message}`);
    status = 1;
  };
  for (const { text } of inputs(run, operands, problem)) print(run, text);
  return status;
}

/** Position in a list of files, as `head` and `tail` head them. */
function* headed(run: AppletRun, operands: readonly string[], problem: (name: string, error: FileError) => void): Generator<string> {
  let first = true;
  for (const { name, text } of inputs(run, operands, problem)) {
    if (operands.length > 1) print(run, `${first ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
    first = false;
    yield text;
  }
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, b: 512, k: 1024, m: 1024 * 1024 };

function amount(text: string): { readonly value: number; readonly sign: string } {
  const match = /^([-+]?)(\d+)([bkm]?)$/.exec(text);
  if (match === null) throw new UsageError(`invalid number '${text}'`);
  return { sign: match[1] ?? '', value: Number(match[2]) * (SUFFIXES[match[3] ?? ''] ?? 1) };
}

/** The old form `head -5`, which only the first word may have. */
function withOldCount(args: readonly string[]): string[] {
  return args.map((word, index) => (index === 0 ? word.replace(/^-(\d+)$/, '-n$1') : word));
}

/** `head [-n N | -c N] [FILE…]`; a negative N leaves the last ones out. */
export function head(run: AppletRun): number {
  const options = readOptions(withOldCount(run.args), '', 'nc');
  const bytes = options.values.get('c');
  const { value, sign } = amount(bytes ?? options.values.get('n') ?? '10');
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, `${name}: ${error.errno === 'EISDIR' ? 'Input/output error' : error.message}`);
    status = 1;
  };
  const cut = (text: string): string => {
    const parts = bytes === undefined ? splitLines(text) : [...text];
    return parts.slice(0, sign === '-' ? Math.max(0, parts.length - value) : value).join('');
  };
  // A device has no end: only as much is read as is wanted.
  const limited = bytes !== undefined && sign !== '-' && options.operands.length === 1 ? options.operands[0] : undefined;
  if (limited !== undefined && limited !== '-') return forEachFile(run, [limited], (name) => print(run, cut(run.files.read(name, value))), (name, error) => `${name}: ${error.errno === 'EISDIR' ? 'Input/output error' : error.message}`);
  for (const text of headed(run, options.operands, problem)) print(run, cut(text));
  return status;
}

/** Lines with their line feeds. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `tail [-n N | -c N] [FILE…]`; `+N` begins at the Nth. */
export function tail(run: AppletRun): number {
  const options = readOptions(withOldCount(run.args), '', 'nc');
  const bytes = options.values.get('c');
  const { value, sign } = amount(bytes ?? options.values.get('n') ?? '10');
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, error.errno === 'EISDIR' ? `read error: ${error.message}` : `can't open '${name}': ${error.message}`);
    status = 1;
  };
  let read = 0;
  for (const text of headed(run, options.operands, problem)) {
    read += 1;
    const parts = bytes === undefined ? splitLines(text) : [...text];
    print(run, parts.slice(sign === '+' ? Math.max(0, value - 1) : Math.max(0, parts.length - value)).join(''));
  }
  if (read === 0 && status !== 0) complain(run, 'no files');
  return status;
}

interface Counts {
  readonly lines: number;
  readonly words: number;
  readonly bytes: number;
}

/** `wc [-clw] [FILE…]`. One count alone stands without padding, unless there are several files. */
export function countWords(run: AppletRun): number {
  const options = readOptions(run.args, 'clw');
  const all = options.letters.size === 0;
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, `${name}: ${error.errno === 'EISDIR' ? `read error: ${error.message}` : error.message}`);
    status = 1;
  };
  const chosen = (counts: Counts): number[] => {
    const pairs: [string, number][] = [['l', counts.lines], ['w', counts.words], ['c', counts.bytes]];
    return pairs.filter(([letter]) => all || options.letters.has(letter)).map(([, value]) => value);
  };
  const padded = options.letters.size !== 1 || options.operands.length > 1;
  const line = (counts: Counts, name: string): string => `${chosen(counts).map((value) => (padded ? String(value).padStart(9) : String(value))).join(' ')}${name === '' ? '' : ` ${name}`}\n`;
  let total: Counts = { lines: 0, words: 0, bytes: 0 };
  for (const { name, text } of inputs(run, options.operands, problem)) {
    const counts = { lines: text.split('\n').length - 1, words: text.split(/\s+/).filter((word) => word !== '').length, bytes: byteLength(text) };
    total = { lines: total.lines + counts.lines, words: total.words + counts.words, bytes: total.bytes + counts.bytes };
    print(run, line(counts, options.operands.length === 0 ? '' : name));
  }
  if (options.operands.length > 1) print(run, line(total, 'total'));
  return status;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** `cut {-b | -c | -f} LIST [-d DELIMITER] [-s] [FILE…]`. */
export function cut(run: AppletRun): number {
  const options = readOptions(run.args, 's', 'bcfd');
  const characters = options.values.get('c') ?? options.values.get('b');
  const text = options.values.get('f') ?? characters;
  if (text === undefined) throw new UsageError('expected a list of bytes, characters, or fields');
  const ranges = text.split(',').map(readRange);
  const delimiter = options.values.get('d') ?? '\t';
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, `${name}: ${error.message}`);
    status = 1;
  };
  for (const { text: content } of inputs(run, options.operands, problem)) {
    for (const line of linesOf(content)) {
      const shown = characters === undefined ? cutFields(line, ranges, delimiter, options.letters.has('s')) : pick([...line], ranges).join('');
      if (shown !== undefined) print(run, `${shown}\n`);
    }
  }
  return status;
}

function readRange(text: string): Range {
  const match = /^(\d*)(-?)(\d*)$/.exec(text);
  if (match === null || (match[1] === '' && match[3] === '')) throw new UsageError(`invalid range '${text}'`);
  const from = match[1] === '' ? 1 : Number(match[1]);
  const to = match[2] === '' ? from : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (from < 1) throw new UsageError(`invalid range '${text}'`);
  return { from, to };
}

function pick(parts: readonly string[], ranges: readonly Range[]): string[] {
  return parts.filter((_, index) => ranges.some((range) => index + 1 >= range.from && index + 1 <= range.to));
}

/** A line without the delimiter is printed whole, or not at all with `-s`. */
function cutFields(line: string, ranges: readonly Range[], delimiter: string, onlyDelimited: boolean): string | undefined {
  if (!line.includes(delimiter)) return onlyDelimited ? undefined : line;
  return pick(line.split(delimiter), ranges).join(delimiter);
}

/** `tee [-a] [FILE…]`. */
export function tee(run: AppletRun): number {
  const options = readOptions(run.args, 'ai');
  const text = inputOf(run.open).readAll();
  const writers: Writable[] = [];
  const status = forEachFile(run, options.operands, (name) => writers.push(run.files.openForWriting(name, options.letters.has('a'))), (name, error) => `${name}: ${error.message}`);
  print(run, text);
  for (const writer of writers) writer.write(text);
  return status;
}

const LONGEST_SEQUENCE = 100_000;

/** `seq [FIRST [STEP]] LAST`, whole numbers. */
export function sequence(run: AppletRun): number {
  const numbers = run.args.map((word) => {
    if (!/^-?\d+$/.test(word)) throw new NotModelled(`the number "${word}"`);
    return Number(word);
  });
  const [a, b, c] = numbers;
  if (a === undefined || numbers.length > 3) throw new UsageError('one to three numbers are wanted');
  const [first, step, last] = c !== undefined ? [a, b ?? 1, c] : b !== undefined ? [a, 1, b] : [1, 1, a];
  if (step === 0 || Math.abs((last - first) / step) > LONGEST_SEQUENCE) throw new NotModelled(`a sequence of more than ${LONGEST_SEQUENCE} numbers`);
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) print(run, `${value}\n`);
  return 0;
}

/** `sort [-nru] [FILE…]`. */
export function sortLines(run: AppletRun): number {
  const options = readOptions(run.args, 'nru');
  let status = 0;
  const problem = (name: string, error: FileError): void => {
    complain(run, `${name}: ${error.message}`);
    status = 2;
  };
  const lines = [...inputs(run, options.operands, problem)].flatMap(({ text }) => linesOf(text));
  const numeric = options.letters.has('n');
  const keyOf = (line: string): number => Number(/^\s*-?\d*\.?\d*/.exec(line)?.[0] ?? 0) || 0;
  const compare = (left: string, right: string): number => (numeric ? keyOf(left) - keyOf(right) : 0) || compareBytes(left, right);
  const sorted = lines.toSorted(compare);
  const order = options.letters.has('r') ? sorted.toReversed() : sorted;
  const kept = options.letters.has('u') ? order.filter((line, index) => index === 0 || line !== order[index - 1]) : order;
  print(run, kept.map((line) => `${line}\n`).join(''));
  return status;
}
