/** `grep`, `egrep`, `fgrep`. Source: busybox 1.35, findutils/grep.c. */
import type { AppletRun, Options } from './applet.ts';
import { complain, inputs, linesOf, NotModelled, print, readOptions, UsageError } from './applet.ts';

/** `grep [-HhnlLoqvsiwxFEcm] {PATTERN | -e PATTERN…} [FILE…]`. Status 0: found, 1: not found, 2: trouble. */
export function grep(run: AppletRun): number {
  const options = readOptions(run.args, 'HhnlLoqvsriwxFEc', 'em');
  if (options.letters.has('r')) throw new NotModelled('the option "-r"');
  const operands = [...options.operands];
  const patterns = [...options.all('e')];
  const first = patterns.length === 0 ? operands.shift() : undefined;
  if (first !== undefined) patterns.push(first);
  if (patterns.length === 0) throw new UsageError('missing pattern');
  const matcher = matcherOf(run, patterns.flatMap((pattern) => pattern.split('\n')), options);
  const search: Search = { run, options, matcher, repetitions: repetitionsOf(matcher.source) };
  const withNames = options.letters.has('H') || (operands.length > 1 && !options.letters.has('h'));
  let found = false;
  let trouble = false;
  const problem = (name: string, error: Error): void => {
    trouble = true;
    if (!options.letters.has('s')) complain(run, `${name}: ${error.message}`);
  };
  for (const { name, text } of inputs(run, operands, problem)) {
    found = searchText(search, name === '-' ? '(standard input)' : name, text, withNames) || found;
    if (found && options.letters.has('q')) return 0;
  }
  return trouble ? 2 : found ? 0 : 1;
}

interface Search {
  readonly run: AppletRun;
  readonly options: Options;
  readonly matcher: RegExp;
  /** Repetitions without an end in the pattern. */
  readonly repetitions: number;
}

/**
 * JavaScript tries the repetitions of a pattern one within the other, where busybox's automaton reads a line once: so many
 * tries are a limit of this simulation.
 */
const MOST_TRIES = 1e8;
/** Characters that may be missing; each doubles the tries. */
const MOST_OPTIONAL = 20;

/** Throws NotModelled where the tries would grow beyond any limit. */
function repetitionsOf(source: string): number {
  const plain = source.replace(/\[(?:\\.|[^\]\\])*\]|\\./g, 'x');
  // Groups without anything of the kind inside stand for one character, so that those around them can be judged.
  let rest = plain.replaceAll('(?:', '(').replaceAll(/\(\?<?[=!]/g, '(');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\(([^()*+?{|]*)\)/g, 'x');
  }
  // A group that repeats and still holds a repetition or a choice: the tries double with each character.
  if (/\)(?:[*+]|\{\d)/.test(rest)) throw new NotModelled('a repeated group with repetitions or alternatives in it');
  if (rest.split('?').length > MOST_OPTIONAL) throw new NotModelled(`a pattern with more than ${MOST_OPTIONAL} optional characters`);
  return (plain.match(/[*+]|\{\d*,/g) ?? []).length;
}

function searchText(search: Search, name: string, text: string, withNames: boolean): boolean {
  const { run, options, matcher } = search;
  const { letters } = options;
  const most = options.values.has('m') ? Number(options.values.get('m')) : Number.POSITIVE_INFINITY;
  const silent = ['c', 'l', 'L', 'q'].some((letter) => letters.has(letter));
  const prefix = withNames ? `${name}:` : '';
  let count = 0;
  for (const [index, line] of linesOf(text).entries()) {
    if (count >= most) break;
    if (line.length ** search.repetitions > MOST_TRIES) throw new NotModelled('so long a line under a pattern with so many repetitions');
    matcher.lastIndex = 0;
    if (matcher.test(line) === letters.has('v')) continue;
    count += 1;
    if (silent) continue;
    const number = letters.has('n') ? `${index + 1}:` : '';
    if (!letters.has('o')) {
      print(run, `${prefix}${number}${line}\n`);
      continue;
    }
    matcher.lastIndex = 0;
    const matches = letters.has('v') ? [] : [...line.matchAll(matcher)];
    for (const [match] of matches) if (match !== '') print(run, `${prefix}${number}${match}\n`);
  }
  if (letters.has('c') && !letters.has('q')) print(run, `${prefix}${count}\n`);
  if (letters.has('l') && count > 0) print(run, `${name}\n`);
  if (letters.has('L') && count === 0) print(run, `${name}\n`);
  return count > 0;
}

function matcherOf(run: AppletRun, patterns: readonly string[], options: Options): RegExp {
  const fixed = options.letters.has('F') || run.name === 'fgrep';
  const extended = options.letters.has('E') || run.name === 'egrep';
  const sources = patterns.map((pattern) => `(?:${around(fixed ? quote(pattern) : translate(pattern, extended), options)})`);
  try {
    return new RegExp(sources.join('|'), options.letters.has('i') ? 'giu' : 'gu');
  } catch {
    throw new NotModelled(`the pattern "${patterns.join('", "')}"`);
  }
}

function around(source: string, options: Options): string {
  if (options.letters.has('x')) return `^(?:${source})$`;
  return options.letters.has('w') ? `(?<![A-Za-z0-9_])(?:${source})(?![A-Za-z0-9_])` : source;
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z', digit: '0-9', alnum: 'A-Za-z0-9', upper: 'A-Z', lower: 'a-z', space: '\\s', blank: ' \\t', xdigit: '0-9A-Fa-f', punct: '!-\\/:-@\\[-`\\{-~',
};
/** Characters that a backslash makes special in a basic expression, and plain in an extended one. */
const SWITCHED = '+?|(){}';

/** A POSIX expression as JavaScript's. Throws NotModelled for what has no counterpart. */
function translate(pattern: string, extended: boolean): string {
  let source = '';
  let index = 0;
  while (index < pattern.length) {
    const character = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
    if (character === '[') {
      const bracket = translateBracket(pattern, index);
      source += bracket.source;
      index = bracket.end;
      continue;
    }
    if (character === '\\') {
      const next = pattern.charAt(index + 1);
      source += translateEscape(next, extended);
      index += 2;
      continue;
    }
    source += translatePlain(character, source, pattern, index, extended);
    index += character.length;
  }
  return source;
}

function translateEscape(next: string, extended: boolean): string {
  if (next === '') throw new NotModelled('a pattern that ends in a backslash');
  if (SWITCHED.includes(next)) return extended ? `\\${next}` : next;
  if (/[1-9]/.test(next)) return `\\${next}`;
  if (next === '<' || next === 'b' || next === '>') return '\\b';
  if (next === 'w' || next === 'W' || next === 's' || next === 'S' || next === 'B') return `\\${next}`;
  return quote(next);
}

/** In a basic expression `*` is plain at the beginning, `^` special only there and `$` only at the end. */
function translatePlain(character: string, before: string, pattern: string, index: number, extended: boolean): string {
  if (character === '.') return '.';
  if (character === '*') return before === '' || /(?:^|[^\\])(?:\(|\||\^)$/.test(before) ? '\\*' : '*';
  if (character === '^') return extended || index === 0 || before.endsWith('(') || before.endsWith('|') ? '^' : '\\^';
  if (character === '$') return extended || index === pattern.length - 1 || /^\$\\[)|]/.test(pattern.slice(index)) ? '$' : '\\$';
  if (SWITCHED.includes(character)) return extended ? character : `\\${character}`;
  return quote(character);
}

function translateBracket(pattern: string, start: number): { source: string; end: number } {
  const match = /^\[(\^?)(\]?(?:\[:[a-z]+:\]|[^\]])*)\]/u.exec(pattern.slice(start));
  if (match === null) throw new NotModelled('a "[" without its "]"');
  const members = (match[2] ?? '').replace(/\[:([a-z]+):\]|[\\\][^]/gu, (whole, name: string | undefined) => (name === undefined ? `\\${whole}` : (CLASSES[name] ?? '')));
  return { source: `[${match[1] ?? ''}${members}]`, end: start + match[0].length };
}
