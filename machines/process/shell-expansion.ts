/** Word expansion: parameters, substitutions, field splitting, file names. Source: POSIX.1-2017, 2.6. */
import { FileError } from './errno.ts';
import type { MountedFiles } from './mounted-files.ts';
import { joinPath } from './mounts.ts';
import { ArithmeticError, evaluateArithmetic } from './shell-arithmetic.ts';
import type { List, Word, WordPart } from './shell-ast.ts';
import type { PatternPiece } from './shell-pattern.ts';
import { isPattern, matchesPattern } from './shell-pattern.ts';
import { LONGEST_TEXT } from './streams.ts';
import type { Steps } from './task.ts';

/** An error that ends the shell. The message stands after the shell's name. */
export class ShellFatal extends Error {
  override readonly name = 'ShellFatal';
  readonly status: number;

  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}

/** What expansion needs of the shell. */
export interface ExpansionScope {
  readonly files: MountedFiles;
  readonly positional: readonly string[];
  readonly noGlob: boolean;
  readonly noUnset: boolean;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** The output of a command substitution, line feeds at the end taken off. */
  substitute(body: List): Steps<string>;
}

interface Piece extends PatternPiece {
  /** Made by an unquoted expansion: field splitting applies. */
  readonly splits: boolean;
  /** A field ends before this piece, whatever IFS says (`"$@"`). */
  readonly startsField?: boolean | undefined;
  /** Holds no text and makes no field by itself (`"$@"` without parameters). */
  readonly nothing?: boolean | undefined;
}

/** A word that stands for itself: no pattern, no tilde, nothing to take away. */
const PLAIN = /^[\w./:=,%@+-]+$/;

const DEFAULT_IFS = ' \t\n';

/** The fields of words that all stand for themselves; undefined when one of them does not. */
export function plainWords(words: readonly Word[]): string[] | undefined {
  const fields: string[] = [];
  for (const word of words) {
    const text = plainText(word);
    if (text === undefined) return undefined;
    fields.push(text);
  }
  return fields;
}

function plainText(word: Word): string | undefined {
  const [only] = word;
  return word.length === 1 && only?.type === 'text' && !only.quoted && PLAIN.test(only.text) ? only.text : undefined;
}

/** The fields that words expand to. */
export function* expandWords(words: readonly Word[], scope: ExpansionScope): Steps<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    const plain = plainText(word);
    if (plain !== undefined) {
      fields.push(plain);
      continue;
    }
    const pieces = yield* expandParts(word, scope, true);
    for (const field of splitFields(pieces, scope.get('IFS') ?? DEFAULT_IFS)) fields.push(...fileNames(field, scope));
  }
  return fields;
}

/** One text that a word expands to, without splitting or file names: for assignments, redirections and `case`. */
export function* expandText(word: Word, scope: ExpansionScope): Steps<string> {
  return textOf(yield* expandPattern(word, scope));
}

/** The value of an assignment: a tilde also counts after each colon. */
export function* expandValue(word: Word, scope: ExpansionScope): Steps<string> {
  const home = scope.get('HOME');
  const prepared = word.map((part): WordPart => {
    if (part.type !== 'text' || part.quoted || home === undefined) return part;
    return { ...part, text: part.text.replace(/:~(?=[/:]|$)/g, `:${home}`) };
  });
  return yield* expandText(prepared, scope);
}

/** A word as a pattern: what was quoted stands for itself. */
export function* expandPattern(word: Word, scope: ExpansionScope): Steps<PatternPiece[]> {
  const pieces = yield* expandParts(word, scope, true);
  return pieces.map((piece) => (piece.startsField === true ? { ...piece, text: ` ${piece.text}` } : piece));
}

function textOf(pieces: readonly PatternPiece[]): string {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  if (length > LONGEST_TEXT) throw new ShellFatal('out of memory');
  return pieces.map((piece) => piece.text).join('');
}

function* expandParts(word: Word, scope: ExpansionScope, tilde: boolean): Steps<Piece[]> {
  const pieces: Piece[] = [];
  for (const [index, part] of word.entries()) {
    const prefix = index === 0 && tilde && part.type === 'text' && !part.quoted && (word.length === 1 || part.text.includes('/'));
    if (prefix) pieces.push(...expandTilde(part.text, scope));
    else pieces.push(...(yield* expandPart(part, scope)));
  }
  return pieces;
}

function expandTilde(text: string, scope: ExpansionScope): Piece[] {
  const home = scope.get('HOME');
  if (home === undefined || !/^~(?:\/|$)/.test(text)) return [{ text, quoted: false, splits: false }];
  return [
    { text: home, quoted: true, splits: false },
    { text: text.slice(1), quoted: false, splits: false },
  ];
}

function* expandPart(part: WordPart, scope: ExpansionScope): Steps<Piece[]> {
  switch (part.type) {
    case 'text':
      return [{ text: part.text, quoted: part.quoted, splits: false }];
    case 'command':
      return [expanded(yield* scope.substitute(part.body), part.quoted)];
    case 'arithmetic':
      return [expanded(yield* arithmetic(part.expression, scope), part.quoted)];
    case 'parameter':
      return yield* expandParameter(part, scope);
  }
}

function expanded(text: string, quoted: boolean): Piece {
  return { text, quoted, splits: !quoted };
}

function* arithmetic(expression: Word, scope: ExpansionScope): Steps<string> {
  const text = yield* expandText(expression, scope);
  try {
    return String(evaluateArithmetic(text, scope));
  } catch (error) {
    if (error instanceof ArithmeticError) throw new ShellFatal(error.message);
    throw error;
  }
}

type Parameter = Extract<WordPart, { type: 'parameter' }>;

function* expandParameter(part: Parameter, scope: ExpansionScope): Steps<Piece[]> {
  if (part.name === '@' || part.name === '*') {
    if (part.operator === undefined) return allPositional(part, scope);
    if (part.operator === 'length') return [expanded(String(scope.positional.length), part.quoted)];
  }
  const value = part.name === '@' || part.name === '*' ? joinedPositional(scope) : scope.get(part.name);
  switch (part.operator) {
    case undefined:
      if (value === undefined && scope.noUnset) throw new ShellFatal(`${part.name}: parameter not set`);
      return [expanded(value ?? '', part.quoted)];
    case 'length':
      return [expanded(String([...(value ?? '')].length), part.quoted)];
    case '#':
    case '##':
    case '%':
    case '%%':
      return [expanded(trim(value ?? '', part.operator, yield* expandPattern(part.operand ?? [], scope)), part.quoted)];
    default:
      return yield* expandAlternative(part, value, scope);
  }
}

/** `${name:-word}` and its siblings; a colon makes an empty value count as unset. */
function* expandAlternative(part: Parameter, value: string | undefined, scope: ExpansionScope): Steps<Piece[]> {
  const operator = part.operator ?? '';
  const missing = value === undefined || (operator.startsWith(':') && value === '');
  const kind = operator.slice(-1);
  if (kind === '+' ? missing : !missing) return [expanded(kind === '+' ? '' : (value ?? ''), part.quoted)];
  const operand = part.operand ?? [];
  if (kind === '-' || kind === '+') {
    const pieces = yield* expandParts(operand, scope, true);
    return pieces.map((piece) => (piece.quoted || part.quoted ? { ...piece, quoted: true } : { ...piece, splits: true }));
  }
  const text = yield* expandText(operand, scope);
  if (kind === '?') throw new ShellFatal(`${part.name}: ${text === '' ? `parameter not set${operator === ':?' ? ' or null' : ''}` : text}`);
  if (!/^[A-Za-z_]/.test(part.name)) throw new ShellFatal(`${part.name}: bad variable name`);
  scope.set(part.name, text);
  return [expanded(text, part.quoted)];
}

function joinedPositional(scope: ExpansionScope): string {
  return scope.positional.join((scope.get('IFS') ?? DEFAULT_IFS).charAt(0));
}

/** `"$@"` makes one field a parameter; `"$*"` one field of all; unquoted, each parameter is split by itself. */
function allPositional(part: Parameter, scope: ExpansionScope): Piece[] {
  if (part.quoted && part.name === '*') return [{ text: joinedPositional(scope), quoted: true, splits: false }];
  if (scope.positional.length === 0) return [{ text: '', quoted: part.quoted, splits: false, nothing: true }];
  return scope.positional.map((text, index) => ({ text, quoted: part.quoted, splits: !part.quoted, startsField: index > 0 }));
}

function trim(value: string, operator: string, pattern: readonly PatternPiece[]): string {
  const characters = [...value];
  const cuts = Array.from({ length: characters.length + 1 }, (_, index) => index);
  const prefix = operator.startsWith('#');
  // Prefixes are tried by length, shortest first; `##` and `%%` take the longest.
  const lengths = operator.length === 2 ? cuts.toReversed() : cuts;
  for (const length of lengths) {
    const part = prefix ? characters.slice(0, length) : characters.slice(characters.length - length);
    if (!matchesPattern(pattern, part.join(''))) continue;
    return (prefix ? characters.slice(length) : characters.slice(0, characters.length - length)).join('');
  }
  return value;
}

/** Fields from pieces. Blanks of IFS around a field fall away; another character of IFS ends a field each time. */
function splitFields(pieces: readonly Piece[], ifs: string): PatternPiece[][] {
  const fields: PatternPiece[][] = [];
  let field: PatternPiece[] | undefined;
  let afterBlank = false;
  const end = (): void => {
    if (field !== undefined) fields.push(field);
    field = undefined;
  };
  for (const piece of pieces) {
    if (piece.nothing === true) continue;
    if (piece.startsField === true) end();
    if (!piece.splits) {
      if (piece.text !== '' || piece.quoted) {
        field = [...(field ?? []), piece];
        afterBlank = false;
      }
      continue;
    }
    let run = '';
    const flush = (): void => {
      if (run !== '') field = [...(field ?? []), { text: run, quoted: piece.quoted }];
      run = '';
    };
    for (const character of piece.text) {
      if (!ifs.includes(character)) {
        run += character;
        afterBlank = false;
        continue;
      }
      flush();
      const blank = DEFAULT_IFS.includes(character);
      if (!blank && field === undefined && !afterBlank) field = [];
      const ended: boolean = field !== undefined;
      end();
      afterBlank = blank && (ended || afterBlank);
    }
    flush();
  }
  end();
  return fields;
}

/** The names of the files that a field matches, in order; the field itself when it is no pattern or nothing matches. */
function fileNames(field: readonly PatternPiece[], scope: ExpansionScope): string[] {
  const text = textOf(field);
  if (scope.noGlob || !isPattern(field)) return [text];
  const names = matchPath(splitAtSlashes(field), text.startsWith('/') ? '/' : '', scope.files);
  return names.length === 0 ? [text] : names;
}

function splitAtSlashes(field: readonly PatternPiece[]): PatternPiece[][] {
  const components: PatternPiece[][] = [[]];
  for (const piece of field) {
    for (const [index, text] of piece.text.split('/').entries()) {
      if (index > 0) components.push([]);
      if (text !== '' || piece.quoted) components.at(-1)?.push({ text, quoted: piece.quoted });
    }
  }
  return components.filter((component) => textOf(component) !== '');
}

function matchPath(components: readonly PatternPiece[][], base: string, files: MountedFiles): string[] {
  let found = [base];
  for (const [index, component] of components.entries()) {
    const last = index === components.length - 1;
    found = found.flatMap((directory) => matchComponent(component, directory, files, last));
  }
  return found;
}

function matchComponent(component: readonly PatternPiece[], directory: string, files: MountedFiles, last: boolean): string[] {
  const join = (name: string): string => (directory === '' ? name : joinPath(directory, name));
  if (!isPattern(component)) {
    const path = join(textOf(component));
    return files.exists(path) ? [path] : [];
  }
  const hidden = component[0]?.text.startsWith('.') === true;
  return namesIn(directory === '' ? '.' : directory, files)
    .filter((name) => (hidden || !name.startsWith('.')) && matchesPattern(component, name))
    .map(join)
    .filter((path) => last || files.exists(path));
}

function namesIn(directory: string, files: MountedFiles): string[] {
  try {
    return files.list(directory).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
