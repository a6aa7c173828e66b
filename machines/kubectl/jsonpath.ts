/**
 * kubectl's JSONPath: what custom columns and `-o jsonpath` select. Source: k8s.io/client-go/util/jsonpath, v0.35.
 * Fields, quoted keys, indexes, slices, wildcards, `..`, unions of indexes, filters, quoted texts, `range` and `end`.
 */
import { goJson, goSprint, sortedEntries } from './go-format.ts';
import { KubectlError } from './outcome.ts';

type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'array'; readonly start: number | undefined; readonly stop: number | undefined; readonly step: number | undefined; readonly single: boolean }
  | { readonly type: 'union'; readonly members: readonly Path[] }
  | { readonly type: 'filter'; readonly left: Path; readonly operator: string; readonly right: Path }
  | { readonly type: 'literal'; readonly value: number | boolean }
  | { readonly type: 'wildcard' | 'recursive' | 'range' | 'end' };
type Path = readonly Node[];

/** A parsed template: plain text and paths, in order. */
export type Template = readonly ({ readonly text: string } | { readonly path: Path })[];

/** Parses a template such as `{.metadata.name}`. Throws a KubectlError when it is no JSONPath. */
export function parseTemplate(source: string): Template {
  const template: ({ text: string } | { path: Path })[] = [];
  let index = 0;
  while (index < source.length) {
    const open = source.indexOf('{', index);
    if (open < 0) {
      template.push({ text: source.slice(index) });
      break;
    }
    if (open > index) template.push({ text: source.slice(index, open) });
    const reader = new PathReader(source, open + 1);
    template.push({ path: reader.readUntilClosed() });
    index = reader.position;
  }
  return template;
}

const RELAXED = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/** A custom column's field, with or without braces and leading dot, as a template. */
export function parseRelaxed(expression: string): Template {
  const found = RELAXED.exec(expression);
  if (found === null) {
    throw new KubectlError("error: unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'");
  }
  return parseTemplate(`{.${found[1] ?? found[2] ?? ''}}`);
}

/** The values of a custom column in an object; empty when the object has none. */
export function findValues(template: Template, object: unknown): unknown[] {
  return template.flatMap((part) => ('path' in part ? evaluate(part.path, [object]) : [part.text]));
}

/** What `-o jsonpath=TEMPLATE` prints for an object. */
export function renderTemplate(template: Template, object: unknown): string {
  return renderParts(template, 0, template.length, object);
}

function renderParts(template: Template, from: number, to: number, object: unknown): string {
  let text = '';
  for (let index = from; index < to; index += 1) {
    const part = template[index];
    if (part === undefined) continue;
    if ('text' in part) {
      text += part.text;
    } else if (part.path[0]?.type === 'range') {
      const end = rangeEnd(template, index);
      for (const item of evaluate(part.path.slice(1), [object])) text += renderParts(template, index + 1, end, item);
      index = end;
    } else if (part.path[0]?.type === 'end') {
      throw new KubectlError('error: error parsing jsonpath: not in range, nothing to end');
    } else {
      text += evaluate(part.path, [object]).map(printValue).join(' ');
    }
  }
  return text;
}

function rangeEnd(template: Template, start: number): number {
  let depth = 0;
  for (let index = start; index < template.length; index += 1) {
    const part = template[index];
    const type = part !== undefined && 'path' in part ? part.path[0]?.type : undefined;
    if (type === 'range') depth += 1;
    if (type === 'end') depth -= 1;
    if (depth === 0) return index;
  }
  throw new KubectlError('error: error parsing jsonpath: the range is never ended; write {end}');
}

function printValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return goJson(value);
  return value === null ? 'null' : goSprint(value);
}

function evaluate(path: Path, input: readonly unknown[]): unknown[] {
  return path.reduce<unknown[]>((values, node) => step(node, values), [...input]);
}

function step(node: Node, values: readonly unknown[]): unknown[] {
  switch (node.type) {
    case 'text':
      return [node.text];
    case 'literal':
      return values.map(() => node.value);
    case 'field':
      return values.flatMap((value) => fieldOf(value, node.name));
    case 'array':
      return values.flatMap((value) => (isNil(value) ? [] : sliceOf(value, node)));
    case 'union':
      return node.members.flatMap((member) => evaluate(member, values));
    case 'filter':
      return values.flatMap((value) => filterOf(value, node));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(descend);
    case 'range':
    case 'end':
      throw new KubectlError(`error: error parsing jsonpath: {${node.type}} stands alone in its braces`);
  }
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined;
}

function fieldOf(value: unknown, name: string): unknown[] {
  if (isNil(value) || typeof value !== 'object' || Array.isArray(value)) return [];
  const found = Object.entries(value as object).find(([key]) => key === name)?.[1] as unknown;
  return found === undefined ? [] : [found];
}

function childrenOf(value: unknown): unknown[] {
  if (isNil(value) || typeof value !== 'object') return [];
  return Array.isArray(value) ? value : sortedEntries(value as object).map(([, child]) => child);
}

function descend(value: unknown): unknown[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descend)];
}

function sliceOf(value: unknown, node: Extract<Node, { type: 'array' }>): unknown[] {
  if (!Array.isArray(value)) throw new KubectlError(`error: ${goSprint(value)} is not array or slice`);
  const length = value.length;
  const start = fromEnd(node.start ?? 0, length);
  if (node.single) {
    if (start < 0 || start >= length) throw new KubectlError(`error: array index out of bounds: index ${start}, length ${length}`);
    return [value[start]];
  }
  const stop = fromEnd(node.stop ?? length, length);
  if (start === stop) return [];
  if (start < 0 || start >= length) throw new KubectlError(`error: array index out of bounds: index ${start}, length ${length}`);
  if (stop < 0 || stop > length) throw new KubectlError(`error: array index out of bounds: index ${stop - 1}, length ${length}`);
  if (start > stop) throw new KubectlError(`error: starting index ${start} is greater than ending index ${stop}`);
  const stride = node.step ?? 1;
  if (stride <= 0) throw new KubectlError('error: step must be > 0');
  return value.slice(start, stop).filter((_, index) => index % stride === 0);
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function filterOf(value: unknown, node: Extract<Node, { type: 'filter' }>): unknown[] {
  if (!Array.isArray(value)) throw new KubectlError(`error: ${goSprint(value)} is not array or slice and cannot be filtered`);
  return value.filter((item: unknown) => {
    const [left] = evaluate(node.left, [item]);
    if (node.operator === 'exists') return left !== undefined;
    const [right] = evaluate(node.right, [item]);
    return left !== undefined && right !== undefined && compare(left, right, node.operator);
  }) as unknown[];
}

function compare(left: unknown, right: unknown, operator: string): boolean {
  if (typeof left !== typeof right) throw new KubectlError('error: incompatible types for comparison');
  const [a, b] = [left, right] as [string, string];
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  if (operator === '<=') return a <= b;
  if (operator === '>=') return a >= b;
  throw new KubectlError(`error: unrecognized filter operator ${operator}`);
}

const FILTER_PARTS = /^([^!<>=]+)([!<>=]+)(.+?)$/;
const DICTIONARY_KEY = /^'([^']*)'$|^"([^"]*)"$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;

/** Reads the inside of one pair of braces. */
class PathReader {
  readonly #source: string;
  position: number;

  constructor(source: string, position: number) {
    this.#source = source;
    this.position = position;
  }

  readUntilClosed(): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const rest = this.#source.slice(this.position);
      const character = rest.charAt(0);
      if (character === '' || character === '\n' || character === '\r') throw this.#error('unclosed action');
      if (character === '}') {
        this.position += 1;
        return nodes;
      }
      if (character === ' ' || character === '@' || character === '$') this.position += 1;
      else if (rest.startsWith('[?(')) nodes.push(this.#readFilter());
      else if (character === '[') nodes.push(...this.#readBrackets());
      else if (rest.startsWith('..')) nodes.push(...this.#readRecursive());
      else if (character === '.') nodes.push(this.#readField(1));
      else if (character === '"' || character === "'") nodes.push({ type: 'text', text: this.#readQuoted(character) });
      else if (/[-+\d]/.test(character)) nodes.push(this.#readNumber());
      else if (/[\p{L}_]/u.test(character)) nodes.push(this.#readWord());
      else throw this.#error(`unrecognized character in action: ${character}`);
    }
  }

  #error(message: string): KubectlError {
    return new KubectlError(`error: error parsing jsonpath ${this.#source}, ${message}`);
  }

  #readRecursive(): Node[] {
    this.position += 2;
    const followed = /^[\p{L}\p{N}_]/u.test(this.#source.slice(this.position));
    return followed ? [{ type: 'recursive' }, this.#readField(0)] : [{ type: 'recursive' }];
  }

  #readField(skip: number): Node {
    this.position += skip;
    const name = this.#readWhile(/^(?:\\.|[^\s.,[\]$@{}\\])*/);
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #readWord(): Node {
    const word = this.#readWhile(/^[^\s.,[\]$@{}]+/);
    if (word === 'range' || word === 'end') return { type: word };
    if (word === 'true' || word === 'false') return { type: 'literal', value: word === 'true' };
    throw this.#error(`unrecognized identifier ${word}`);
  }

  #readNumber(): Node {
    const text = this.#readWhile(/^[-+]?[\d.]*/);
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw this.#error(`cannot parse number ${text}`);
    return { type: 'literal', value };
  }

  #readWhile(pattern: RegExp): string {
    const text = pattern.exec(this.#source.slice(this.position))?.[0] ?? '';
    this.position += text.length;
    return text;
  }

  #readQuoted(quote: string): string {
    const found = quote === '"' ? /^"((?:\\.|[^"\\])*)"/s : /^'((?:\\.|[^'\\])*)'/s;
    const match = found.exec(this.#source.slice(this.position));
    if (match === null) throw this.#error('unterminated quoted string');
    this.position += match[0].length;
    return (match[1] ?? '').replace(/\\(.)/gs, (_, escaped: string) => ({ n: '\n', t: '\t', r: '\r' })[escaped] ?? escaped);
  }

  #readFilter(): Node {
    this.position += 3;
    const inside = /^((?:"[^"]*"|'[^']*'|[^)"'])*)\)\]/.exec(this.#source.slice(this.position));
    if (inside === null) throw this.#error('unterminated filter');
    this.position += inside[0].length;
    const text = inside[1] ?? '';
    const parts = FILTER_PARTS.exec(text);
    if (parts === null) return { type: 'filter', left: readPath(text), operator: 'exists', right: [] };
    return { type: 'filter', left: readPath(parts[1] ?? ''), operator: parts[2] ?? '', right: readPath(parts[3] ?? '') };
  }

  #readBrackets(): Node[] {
    const inside = /^\[((?:'[^']*'|"[^"]*"|[^\]\n])*)\]/.exec(this.#source.slice(this.position));
    if (inside === null) throw this.#error('unterminated array');
    this.position += inside[0].length;
    const text = inside[1] === '*' ? ':' : (inside[1] ?? '');
    const members = text.split(',');
    if (members.length > 1) return [{ type: 'union', members: members.map((member) => readPath(`[${member.trim()}]`)) }];
    const key = DICTIONARY_KEY.exec(text);
    if (key !== null) return [{ type: 'field', name: (key[1] ?? key[2] ?? '').replaceAll('\\', '') }];
    const slice = SLICE.exec(text);
    if (slice === null || text === '') throw this.#error(`invalid array index ${text}`);
    const [start, stop, stride] = [slice[1], slice[2]?.slice(1), slice[3]?.slice(1)].map(optionalInteger);
    return [{ type: 'array', start, stop, step: stride, single: slice[2] === undefined }];
  }
}

function readPath(text: string): Path {
  return new PathReader(`${text}}`, 0).readUntilClosed();
}

function optionalInteger(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}
