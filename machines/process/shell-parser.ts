/**
 * Reads shell scripts: the grammar of POSIX sh as busybox ash has it, with ash's texts for mistakes.
 * Source: POSIX.1-2017, Shell Command Language; busybox 1.35, shell/ash.c.
 */
import type { AndOr, Assignment, Command, List, Pipeline, Redirect, Word, WordPart } from './shell-ast.ts';

/** A script that cannot be read. The message is ash's, without the shell's name in front. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

type Token =
  | { readonly type: 'word'; readonly word: Word; readonly plain: string | undefined }
  | { readonly type: 'operator'; readonly text: string }
  | { readonly type: 'redirect'; readonly fd: number | undefined; readonly operator: string }
  | { readonly type: 'newline' }
  | { readonly type: 'end' };

const OPERATORS = ['&&', '||', ';;', '&', '|', ';', '(', ')'] as const;
const REDIRECTS = ['<<-', '<<', '>>', '>&', '<&', '<>', '>|', '&>', '>', '<'] as const;
const RESERVED = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'case', 'esac', 'while', 'until', 'for', '{', '}', '!', 'in']);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Deeper nesting than any script of a lesson needs, shallow enough for the JavaScript stack. */
const DEEPEST_NESTING = 200;

interface PendingHere {
  readonly delimiter: string;
  readonly literal: boolean;
  readonly stripTabs: boolean;
  readonly fill: (text: Word) => void;
}

/** Reads a script one complete command at a time, as ash does: what stands before a mistake is still run. */
class ShellParser {
  readonly #source: string;
  #position = 0;
  /** Where the last token that was read begins. */
  #start = 0;
  #token: Token | undefined;
  #heres: PendingHere[] = [];
  #depth: number;

  constructor(source: string, position = 0, depth = 0) {
    this.#source = source;
    this.#position = position;
    this.#depth = depth;
  }

  /** What stands from here to the `)` that closes a command substitution, and the position after it. */
  substitution(): { readonly body: List; readonly end: number } {
    const body = this.#andOrs(() => false);
    const close = this.#take();
    if (close.type !== 'operator' || close.text !== ')') throw unexpected(close, ')');
    return { body, end: this.#position };
  }

  /** The whole script as one list. */
  all(): List {
    const list = this.#andOrs(() => false);
    const end = this.#peek();
    if (end.type !== 'end') throw unexpected(end);
    return list;
  }

  /** The next complete command line; undefined at the end. Throws a ShellSyntaxError. */
  next(): List | undefined {
    while (this.#peek().type === 'newline') this.#take();
    if (this.#peek().type === 'end') return undefined;
    const list = this.#andOrs(() => this.#peek().type === 'newline');
    const end = this.#peek();
    if (end.type !== 'newline' && end.type !== 'end') throw unexpected(end);
    if (end.type === 'newline') this.#take();
    return list;
  }

  #peek(): Token {
    this.#token ??= this.#read();
    return this.#token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#token = undefined;
    return token;
  }

  /** Lists: `a; b && c`. `stop` says where a list ends besides reserved words and closing operators. */
  #andOrs(stop: () => boolean): List {
    const list: AndOr[] = [];
    for (;;) {
      if (stop()) return list;
      this.#skipNewlines();
      if (this.#endsList()) return list;
      const first = this.#pipeline();
      const rest: { operator: '&&' | '||'; pipeline: Pipeline }[] = [];
      for (;;) {
        const token = this.#peek();
        if (token.type !== 'operator' || (token.text !== '&&' && token.text !== '||')) break;
        this.#take();
        this.#skipNewlines();
        rest.push({ operator: token.text, pipeline: this.#pipeline() });
      }
      const separator = this.#peek();
      const background = separator.type === 'operator' && separator.text === '&';
      list.push({ first, rest, background });
      if (background || (separator.type === 'operator' && separator.text === ';')) {
        this.#take();
        continue;
      }
      if (separator.type !== 'newline' || stop()) return list;
      this.#take();
    }
  }

  #endsList(): boolean {
    const token = this.#peek();
    if (token.type === 'end') return true;
    if (token.type === 'operator') return token.text === ')' || token.text === ';;';
    return token.type === 'word' && ['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}'].includes(token.plain ?? '');
  }

  /** A list that must not be empty, with newlines allowed, up to a reserved word or closing operator. */
  #compoundList(expected: string): List {
    this.#skipNewlines();
    const list = this.#andOrs(() => false);
    if (list.length === 0) throw unexpected(this.#peek(), this.#peek().type === 'end' ? expected : undefined);
    return list;
  }

  #skipNewlines(): void {
    while (this.#peek().type === 'newline') this.#take();
  }

  #pipeline(): Pipeline {
    let negated = false;
    while (this.#isReserved('!')) {
      this.#take();
      negated = !negated;
    }
    const commands = [this.#command()];
    for (;;) {
      const token = this.#peek();
      if (token.type !== 'operator' || token.text !== '|') return { negated, commands };
      this.#take();
      this.#skipNewlines();
      commands.push(this.#command());
    }
  }

  #isReserved(word: string): boolean {
    const token = this.#peek();
    return token.type === 'word' && token.plain === word;
  }

  #expect(word: string): void {
    if (!this.#isReserved(word)) throw unexpected(this.#peek(), word);
    this.#take();
  }

  #command(): Command {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING) throw tooDeep();
    try {
      return this.#commandInside();
    } finally {
      this.#depth -= 1;
    }
  }

  #commandInside(): Command {
    const token = this.#peek();
    if (token.type === 'operator') {
      if (token.text !== '(') throw unexpected(token);
      this.#take();
      const body = this.#compoundList(')');
      this.#expectOperator(')');
      return { type: 'subshell', body, redirects: this.#redirects() };
    }
    if (token.type === 'word') {
      switch (token.plain) {
        case '{':
          return this.#group();
        case 'if':
          return this.#if();
        case 'while':
        case 'until':
          return this.#loop(token.plain === 'until');
        case 'for':
          return this.#for();
        case 'case':
          return this.#case();
        default:
          if (token.plain !== undefined && RESERVED.has(token.plain)) throw unexpected(token);
      }
    }
    return this.#simple();
  }

  #expectOperator(text: string): void {
    const token = this.#peek();
    if (token.type !== 'operator' || token.text !== text) throw unexpected(token, text);
    this.#take();
  }

  #group(): Command {
    this.#take();
    const body = this.#compoundList('}');
    this.#expect('}');
    return { type: 'group', body, redirects: this.#redirects() };
  }

  #if(): Command {
    const clauses: { test: List; body: List }[] = [];
    let otherwise: List = [];
    do {
      this.#take();
      const test = this.#compoundList('then');
      this.#expect('then');
      clauses.push({ test, body: this.#compoundList('fi') });
    } while (this.#isReserved('elif'));
    if (this.#isReserved('else')) {
      this.#take();
      otherwise = this.#compoundList('fi');
    }
    this.#expect('fi');
    return { type: 'if', clauses, otherwise, redirects: this.#redirects() };
  }

  #loop(until: boolean): Command {
    this.#take();
    const test = this.#compoundList('do');
    const body = this.#doGroup();
    return { type: 'loop', until, test, body, redirects: this.#redirects() };
  }

  #doGroup(): List {
    this.#expect('do');
    const body = this.#compoundList('done');
    this.#expect('done');
    return body;
  }

  #for(): Command {
    this.#take();
    const token = this.#take();
    const name = token.type === 'word' ? token.plain : undefined;
    if (name === undefined || !NAME.test(name)) throw new ShellSyntaxError('syntax error: bad for loop variable');
    this.#skipNewlines();
    let words: Word[] | undefined;
    if (this.#isReserved('in')) {
      this.#take();
      words = [];
      for (let next = this.#peek(); next.type === 'word'; next = this.#peek()) {
        words.push(next.word);
        this.#take();
      }
      const end = this.#peek();
      if (end.type !== 'newline' && (end.type !== 'operator' || end.text !== ';')) throw unexpected(end);
      this.#take();
    } else {
      const end = this.#peek();
      if (end.type === 'operator' && end.text === ';') this.#take();
    }
    this.#skipNewlines();
    return { type: 'for', name, words, body: this.#doGroup(), redirects: this.#redirects() };
  }

  #case(): Command {
    this.#take();
    const subject = this.#take();
    if (subject.type !== 'word') throw unexpected(subject, 'word');
    this.#skipNewlines();
    this.#expect('in');
    this.#skipNewlines();
    const items: { patterns: Word[]; body: List }[] = [];
    while (!this.#isReserved('esac')) {
      items.push(this.#caseItem());
      const end = this.#peek();
      if (end.type === 'operator' && end.text === ';;') this.#take();
      else if (!this.#isReserved('esac')) throw unexpected(end, ';;');
      this.#skipNewlines();
    }
    this.#take();
    return { type: 'case', word: subject.word, items, redirects: this.#redirects() };
  }

  #caseItem(): { patterns: Word[]; body: List } {
    const open = this.#peek();
    if (open.type === 'operator' && open.text === '(') this.#take();
    const patterns: Word[] = [];
    for (;;) {
      const pattern = this.#take();
      if (pattern.type !== 'word') throw unexpected(pattern, pattern.type === 'end' ? ')' : undefined);
      patterns.push(pattern.word);
      const separator = this.#peek();
      if (separator.type !== 'operator' || separator.text !== '|') break;
      this.#take();
    }
    this.#expectOperator(')');
    this.#skipNewlines();
    return { patterns, body: this.#andOrs(() => false) };
  }

  #simple(): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const line = this.#line();
    for (;;) {
      const token = this.#peek();
      if (token.type === 'redirect') {
        redirects.push(...this.#redirect());
        continue;
      }
      if (token.type === 'operator' && token.text === '(' && words.length === 1) {
        const functionBody = this.#functionBody(words, assignments, redirects);
        if (functionBody !== undefined) return functionBody;
      }
      if (token.type !== 'word') break;
      this.#take();
      const assignment = words.length === 0 ? asAssignment(token.word) : undefined;
      if (assignment === undefined) words.push(token.word);
      else assignments.push(assignment);
    }
    if (words.length === 0 && assignments.length === 0 && redirects.length === 0) throw unexpected(this.#peek());
    return { type: 'simple', line, assignments, words, redirects };
  }

  #line(): number {
    this.#peek();
    return this.#source.slice(0, this.#start).split('\n').length - 1;
  }

  #functionBody(words: readonly Word[], assignments: readonly Assignment[], redirects: readonly Redirect[]): Command | undefined {
    this.#take();
    if (this.#peek().type === 'word') throw new ShellSyntaxError('syntax error: unexpected word (expecting ")")');
    this.#expectOperator(')');
    const name = plainText(words[0] ?? []);
    if (name === undefined || !NAME.test(name) || assignments.length > 0 || redirects.length > 0) throw new ShellSyntaxError('syntax error: bad function name');
    this.#skipNewlines();
    return { type: 'function', name, body: this.#command() };
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    while (this.#peek().type === 'redirect') redirects.push(...this.#redirect());
    return redirects;
  }

  #redirect(): Redirect[] {
    const token = this.#take();
    if (token.type !== 'redirect') throw unexpected(token);
    const word = this.#take();
    if (word.type !== 'word') throw unexpected(word);
    const { operator } = token;
    if (operator === '<<' || operator === '<<-') return [this.#here(token.fd ?? 0, word.word, operator === '<<-')];
    if (operator === '&>') {
      return [
        { fd: 1, operator: '>', target: word.word },
        { fd: 2, operator: '>&', target: [{ type: 'text', text: '1', quoted: false }] },
      ];
    }
    if (operator === '<>') throw new ShellSyntaxError('the redirection "<>" is not modelled by this simulation');
    const input = operator === '<' || operator === '<&';
    return [{ fd: token.fd ?? (input ? 0 : 1), operator: operator === '>|' ? '>' : (operator as Redirect['operator']), target: word.word }];
  }

  /** The text follows after the line; it is filled in when the line ends. */
  #here(fd: number, delimiter: Word, stripTabs: boolean): Redirect {
    const redirect: { fd: number; operator: 'here'; target: Word } = { fd, operator: 'here', target: [] };
    const literal = delimiter.some((part) => part.type === 'text' && part.quoted);
    const text = delimiter.map((part) => (part.type === 'text' ? part.text : '')).join('');
    this.#heres.push({ delimiter: text, literal, stripTabs, fill: (word) => (redirect.target = word) });
    return redirect;
  }

  #readHeres(): void {
    const heres = this.#heres;
    this.#heres = [];
    for (const here of heres) {
      let text = '';
      while (this.#position < this.#source.length) {
        const end = this.#source.indexOf('\n', this.#position);
        const stop = end < 0 ? this.#source.length : end;
        const raw = this.#source.slice(this.#position, stop);
        const line = here.stripTabs ? raw.replace(/^\t+/, '') : raw;
        this.#position = Math.min(stop + 1, this.#source.length);
        if (line === here.delimiter) break;
        text += end < 0 ? line : `${line}\n`;
      }
      here.fill(here.literal ? [{ type: 'text', text, quoted: true }] : new WordReader(text, 0, this.#depth).hereDocument());
    }
  }

  #read(): Token {
    const source = this.#source;
    for (;;) {
      const character = source.charAt(this.#position);
      if (character === ' ' || character === '\t' || character === '\r') this.#position += 1;
      else if (source.startsWith('\\\n', this.#position)) this.#position += 2;
      else break;
    }
    this.#start = this.#position;
    if (source.charAt(this.#position) === '#') {
      while (this.#position < source.length && source.charAt(this.#position) !== '\n') this.#position += 1;
    }
    if (this.#position >= source.length) {
      this.#readHeres();
      return { type: 'end' };
    }
    if (source.charAt(this.#position) === '\n') {
      this.#position += 1;
      this.#readHeres();
      return { type: 'newline' };
    }
    return this.#readRedirectOrOperator() ?? this.#readWord();
  }

  #readRedirectOrOperator(): Token | undefined {
    const rest = this.#source.slice(this.#position, this.#position + 8);
    const numbered = /^(\d?)(?=[<>])/.exec(rest);
    const digits = numbered?.[1] ?? '';
    const operator = REDIRECTS.find((candidate) => rest.startsWith(candidate, digits.length));
    if (operator !== undefined && (numbered !== null || operator === '&>')) {
      this.#position += digits.length + operator.length;
      return { type: 'redirect', fd: digits === '' ? undefined : Number(digits), operator };
    }
    const text = OPERATORS.find((candidate) => rest.startsWith(candidate));
    if (text === undefined) return undefined;
    this.#position += text.length;
    return { type: 'operator', text };
  }

  #readWord(): Token {
    const reader = new WordReader(this.#source, this.#position, this.#depth);
    const word = reader.word();
    this.#position = reader.position;
    return { type: 'word', word, plain: plainText(word) };
  }
}

/** A word's text when nothing in it is quoted or substituted: only such a word can be reserved. */
function plainText(word: Word): string | undefined {
  const [only] = word;
  return word.length === 1 && only?.type === 'text' && !only.quoted ? only.text : undefined;
}

function asAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word;
  if (first?.type !== 'text' || first.quoted) return undefined;
  const equals = first.text.indexOf('=');
  if (equals <= 0 || !NAME.test(first.text.slice(0, equals))) return undefined;
  const value = first.text.slice(equals + 1);
  return { name: first.text.slice(0, equals), value: value === '' ? rest : [{ ...first, text: value }, ...rest] };
}

/** ash's text for a token that does not fit. Source: `raise_error_unexpected_syntax`. */
function unexpected(token: Token, expected?: string): ShellSyntaxError {
  const tail = expected === undefined ? '' : ` (expecting ${expected === 'word' ? expected : `"${expected}"`})`;
  return new ShellSyntaxError(`syntax error: unexpected ${tokenName(token)}${tail}`);
}

function tokenName(token: Token): string {
  if (token.type === 'end') return 'end of file';
  if (token.type === 'newline') return 'newline';
  if (token.type === 'redirect') return 'redirection';
  if (token.type === 'operator') return `"${token.text}"`;
  return token.plain !== undefined && RESERVED.has(token.plain) ? `"${token.plain}"` : 'word';
}

function tooDeep(): ShellSyntaxError {
  return new ShellSyntaxError(`syntax error: nested deeper than ${DEEPEST_NESTING} levels, which is not modelled by this simulation`);
}

/** Reads words: quotes, parameters, substitutions. */
class WordReader {
  readonly #source: string;
  #depth: number;
  position: number;

  constructor(source: string, position: number, depth = 0) {
    this.#source = source;
    this.position = position;
    this.#depth = depth;
  }

  /** A word up to a blank, an operator or the end. */
  word(): Word {
    return this.#parts((character) => ' \t\r\n;&|<>()'.includes(character), false);
  }

  /** The whole text with its substitutions; quotes mean nothing here. */
  hereDocument(): Word {
    return this.#quotedParts(() => false, true);
  }

  #parts(ends: (character: string) => boolean, insideBraces: boolean): Word {
    const parts: WordPart[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ type: 'text', text, quoted: false });
      text = '';
    };
    while (this.position < this.#source.length) {
      const character = this.#source.charAt(this.position);
      if (ends(character)) break;
      if (character === '\\') {
        flush();
        this.#escape(parts);
      } else if (character === "'") {
        flush();
        parts.push({ type: 'text', text: this.#singleQuoted(), quoted: true });
      } else if (character === '"') {
        flush();
        this.position += 1;
        const inside = this.#quotedParts((next) => next === '"', false);
        if (this.position >= this.#source.length) throw new ShellSyntaxError('syntax error: unterminated quoted string');
        this.position += 1;
        parts.push(...(inside.length === 0 ? [{ type: 'text', text: '', quoted: true } as const] : inside));
      } else if (character === '$' || character === '`') {
        const part = this.#substitution(false);
        if (part === undefined) text += character;
        else {
          flush();
          parts.push(part);
        }
      } else {
        text += character;
        this.position += 1;
      }
    }
    if (insideBraces && this.position >= this.#source.length) throw new ShellSyntaxError("syntax error: missing '}'");
    flush();
    return parts;
  }

  #escape(parts: WordPart[]): void {
    const next = this.#source.charAt(this.position + 1);
    this.position += next === '' ? 1 : 2;
    if (next === '\n') return;
    parts.push({ type: 'text', text: next === '' ? '\\' : next, quoted: true });
  }

  #singleQuoted(): string {
    const end = this.#source.indexOf("'", this.position + 1);
    if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string');
    const text = this.#source.slice(this.position + 1, end);
    this.position = end + 1;
    return text;
  }

  /** A word inside `"${name:-…}"`: double quotes in it are taken away, single ones stay. */
  #operandInQuotes(): Word {
    const parts: WordPart[] = [];
    while (this.position < this.#source.length && this.#source.charAt(this.position) !== '}') {
      parts.push(...this.#quotedParts((character) => character === '}' || character === '"', false));
      if (this.#source.charAt(this.position) === '"') this.position += 1;
    }
    return parts;
  }

  /** Inside double quotes: backslash keeps its meaning before `$`, a backquote, `"`, itself and a line feed only. */
  #quotedParts(ends: (character: string) => boolean, here: boolean): Word {
    const parts: WordPart[] = [];
    let text = '';
    while (this.position < this.#source.length) {
      const character = this.#source.charAt(this.position);
      if (ends(character)) break;
      const next = this.#source.charAt(this.position + 1);
      if (character === '\\' && next !== '' && (here ? '$`\\\n' : '$`"\\\n').includes(next)) {
        if (next !== '\n') text += next;
        this.position += 2;
      } else if (character === '$' || character === '`') {
        const part = this.#substitution(true);
        if (part === undefined) {
          text += character;
          continue;
        }
        if (text !== '') parts.push({ type: 'text', text, quoted: true });
        text = '';
        parts.push(part);
      } else {
        text += character;
        this.position += 1;
      }
    }
    if (text !== '') parts.push({ type: 'text', text, quoted: true });
    return parts;
  }

  /** What stands at `$` or a backquote; undefined, one character on, for a `$` that means itself. */
  #substitution(quoted: boolean): WordPart | undefined {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING) throw tooDeep();
    const part = this.#substitutionInside(quoted);
    this.#depth -= 1;
    return part;
  }

  #substitutionInside(quoted: boolean): WordPart | undefined {
    const source = this.#source;
    if (source.charAt(this.position) === '`') return this.#backquoted(quoted);
    if (source.startsWith('$((', this.position)) return this.#arithmetic(quoted);
    if (source.startsWith('$(', this.position)) {
      const { body, end } = new ShellParser(source, this.position + 2, this.#depth).substitution();
      this.position = end;
      return { type: 'command', body, quoted };
    }
    if (source.startsWith('${', this.position)) return this.#braced(quoted);
    const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/.exec(source.slice(this.position + 1))?.[0];
    this.position += 1 + (name?.length ?? 0);
    return name === undefined ? undefined : { type: 'parameter', name, quoted };
  }

  #backquoted(quoted: boolean): WordPart {
    let script = '';
    this.position += 1;
    for (;;) {
      const character = this.#source.charAt(this.position);
      if (character === '') throw new ShellSyntaxError('syntax error: EOF in backquote substitution');
      this.position += 1;
      if (character === '`') return { type: 'command', body: new ShellParser(script, 0, this.#depth).all(), quoted };
      const next = this.#source.charAt(this.position);
      if (character === '\\' && next !== '' && (quoted ? '$`\\"' : '$`\\').includes(next)) {
        script += next;
        this.position += 1;
      } else {
        script += character;
      }
    }
  }

  /** `$((…))`. ash takes every `$((` for one. */
  #arithmetic(quoted: boolean): WordPart {
    const start = this.position + 3;
    let depth = 0;
    for (let index = start; index < this.#source.length; index += 1) {
      const character = this.#source.charAt(index);
      if (character === '(') depth += 1;
      if (character !== ')') continue;
      if (depth > 0) {
        depth -= 1;
        continue;
      }
      if (this.#source.charAt(index + 1) !== ')') break;
      this.position = index + 2;
      const expression = new WordReader(this.#source.slice(start, index), 0, this.#depth).#quotedParts(() => false, false);
      return { type: 'arithmetic', expression, quoted };
    }
    throw new ShellSyntaxError("syntax error: missing '))'");
  }

  #braced(quoted: boolean): WordPart {
    this.position += 2;
    const rest = this.#source.slice(this.position);
    const length = /^#([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!-])\}/.exec(rest);
    if (length !== null) {
      this.position += length[0].length;
      return { type: 'parameter', name: length[1] ?? '', operator: 'length', quoted };
    }
    const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])/.exec(rest)?.[0];
    if (name === undefined) throw new ShellSyntaxError(rest === '' ? "syntax error: missing '}'" : 'syntax error: bad substitution');
    this.position += name.length;
    const operator = /^(?::[-=?+]|[-=?+]|##?|%%?)/.exec(this.#source.slice(this.position))?.[0];
    if (operator === undefined) {
      const next = this.#source.charAt(this.position);
      if (next === '') throw new ShellSyntaxError("syntax error: missing '}'");
      if (next === ':' || next === '/') throw new ShellSyntaxError(`the substitution "\${${name}${next}…}" is not modelled by this simulation`);
      if (next !== '}') throw new ShellSyntaxError('syntax error: bad substitution');
      this.position += 1;
      return { type: 'parameter', name, quoted };
    }
    this.position += operator.length;
    // A pattern's quotes count, and its other characters match, inside double quotes too.
    const operand = this.#operand(quoted && !/[#%]/.test(operator));
    this.position += 1;
    return { type: 'parameter', name, operator, operand, quoted };
  }

  #operand(quoted: boolean): Word {
    if (!quoted) return this.#parts((character) => character === '}', true);
    const word = this.#operandInQuotes();
    if (this.position >= this.#source.length) throw new ShellSyntaxError("syntax error: missing '}'");
    return word;
  }
}

/** A script's commands, each read when it is first asked for. They are values, so shells that run the same script share them. */
class ScriptLines {
  readonly #parser: ShellParser;
  readonly #read: List[] = [];
  #ended = false;
  /** A parser that met a mistake cannot be asked again. */
  #mistake: unknown;

  constructor(script: string) {
    this.#parser = new ShellParser(script);
  }

  /** The command with this index, at most the one after the last that was read; undefined at the end. Throws ShellSyntaxError. */
  at(index: number): List | undefined {
    if (this.#ended || index < this.#read.length) return this.#read[index];
    if (this.#mistake !== undefined) throw this.#mistake;
    try {
      const next = this.#parser.next();
      if (next === undefined) this.#ended = true;
      else this.#read.push(next);
      return next;
    } catch (error) {
      this.#mistake = error;
      throw error;
    }
  }
}

/** Many containers start with the same few scripts; long ones are seldom the same. */
const LONGEST_REMEMBERED = 1000;
const MOST_REMEMBERED = 200;
const remembered = new Map<string, ScriptLines>();

/** The commands of a script. */
export function linesOf(script: string): ScriptLines {
  const known = remembered.get(script);
  if (known) return known;
  const lines = new ScriptLines(script);
  if (script.length > LONGEST_REMEMBERED) return lines;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(script, lines);
  return lines;
}
