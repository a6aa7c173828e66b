/**
 * YAML as `kubectl get -o yaml` writes it: keys in order, lists not indented, the quotes and line breaks of go-yaml.
 * Source: sigs.k8s.io/yaml v1.6 over go.yaml.in/yaml/v2 v2.4 (encode.go, emitterc.go, resolve.go, sorter.go).
 */

/** A line is folded at the first blank behind this column. */
const BEST_WIDTH = 80;

/** A JSON value as a YAML document. */
export function yamlText(value: unknown): string {
  return `${writeNode(value, 0, 0)}\n`;
}

/** Text of a value that begins at `column`; lines that it adds are indented by `indent`. */
function writeNode(value: unknown, indent: number, column: number): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map((item) => `- ${writeNode(item, indent + 2, indent + 2)}`).join(`\n${' '.repeat(indent)}`);
  if (value !== null && typeof value === 'object') return writeMapping(value, indent);
  return writeScalar(value, indent, column);
}

function writeMapping(value: object, indent: number): string {
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([left], [right]) => compareNaturally([...left], [...right]));
  if (members.length === 0) return '{}';
  return members.map(([key, item]) => writeMember(key, item, indent)).join(`\n${' '.repeat(indent)}`);
}

function writeMember(key: string, item: unknown, indent: number): string {
  const name = `${writeText(key, 0, Number.NEGATIVE_INFINITY)}:`;
  const filled = item !== null && typeof item === 'object' && Object.keys(item).length > 0;
  if (!filled) return `${name} ${writeNode(item, indent + 2, indent + name.length + 1)}`;
  // A list stands at the column of its key.
  const inner = Array.isArray(item) ? indent : indent + 2;
  return `${name}\n${' '.repeat(inner)}${writeNode(item, inner, inner)}`;
}

function writeScalar(value: unknown, indent: number, column: number): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'string' ? writeText(value, indent, column) : String(value);
}

/** Plain where it reads back as the same text, else quoted; several lines as a block. */
function writeText(text: string, indent: number, column: number): string {
  const traits = analyse(text);
  if (text.includes('\n') && traits.block) return writeBlock(text, indent);
  if (!text.includes('\n') && isPlainText(text) && traits.plain && text !== '') return fold(text, indent, column);
  if (text.includes('\n') || !isPlainText(text) || !traits.singleQuoted) return `"${foldQuoted(text, indent, column + 1)}"`;
  return `'${fold(text.replaceAll("'", "''"), indent, column + 1)}'`;
}

interface Traits {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

/** Which styles the characters of a text allow. Source: `yaml_emitter_analyze_scalar`. */
function analyse(text: string): Traits {
  const special = /[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(text);
  const spaceBeforeBreak = / \n/.test(text);
  const breakBeforeSpace = /\n /.test(text);
  const edges = /^[ \n]|[ \n]$/.test(text);
  const begins = /^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:\s|$)/.test(text);
  const inside = /:(?:\s|$)/.test(text) || /\s#/.test(text);
  return {
    plain: !special && !spaceBeforeBreak && !breakBeforeSpace && !edges && !begins && !inside,
    singleQuoted: !special && !spaceBeforeBreak && !breakBeforeSpace,
    block: !special && !spaceBeforeBreak && !/ $/.test(text),
  };
}

function writeBlock(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = text.replace(/\n$/, '').split('\n').map((line) => (line === '' ? '' : ' '.repeat(Math.max(indent, 2)) + line));
  return `|${hint}${chomping}\n${lines.join('\n')}`;
}

/** Breaks a text at single blanks behind the width. */
function fold(text: string, indent: number, start: number): string {
  let column = start;
  let folded = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const single = character === ' ' && text.charAt(index - 1) !== ' ' && text.charAt(index + 1) !== ' ';
    if (single && column > BEST_WIDTH && index > 0 && index < text.length - 1) {
      folded += `\n${' '.repeat(indent)}`;
      column = indent;
    } else {
      folded += character;
      column += 1;
    }
  }
  return folded;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0', '\x07': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', '\x1b': 'e', '"': '"', '\\': '\\', '\x85': 'N', '\xa0': '_', '\u2028': 'L', '\u2029': 'P',
};

function foldQuoted(text: string, indent: number, start: number): string {
  let column = start;
  let folded = '';
  let afterBlank = false;
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    if (character === ' ' && !afterBlank && column > BEST_WIDTH && index > 0 && index < characters.length - 1) {
      folded += `\n${' '.repeat(indent)}${characters[index + 1] === ' ' ? '\\' : ''}`;
      column = indent;
      afterBlank = true;
      continue;
    }
    const written = quotedCharacter(character);
    folded += written;
    column += written.length;
    afterBlank = character === ' ';
  }
  return folded;
}

function quotedCharacter(character: string): string {
  const escape = ESCAPES[character];
  if (escape !== undefined) return `\\${escape}`;
  if (/[\x20-\x7e\xa1-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const WORDS = new Set(
  ['', '~', 'null', 'Null', 'NULL', '.nan', '.NaN', '.NAN', ...['.inf', '.Inf', '.INF'].flatMap((word) => [word, `+${word}`, `-${word}`])].concat(
    ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off'].flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]),
  ),
);
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]*|0[bB][01]+|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const SIXTIES = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const TIME = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})?)?$/;

/** Whether a text without quotes would read back as a text, not as a number, a truth value, nothing or a time. Source: `resolve`. */
function isPlainText(text: string): boolean {
  const digits = text.replaceAll('_', '');
  const numeric = /^[-+.0-9]/.test(text);
  return !WORDS.has(text) && !(numeric && (INTEGER.test(digits) || FLOAT.test(digits) || SIXTIES.test(text) || TIME.test(text)));
}

/** Letters by their code, numbers by their value, other characters before letters. Source: `keyList.Less`. */
function compareNaturally(left: readonly string[], right: readonly string[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [a = '', b = ''] = [left[index], right[index]];
    if (a === b) continue;
    const [letterA, letterB] = [/\p{L}/u.test(a), /\p{L}/u.test(b)];
    if (letterA !== letterB) return letterB ? -1 : 1;
    if (!letterA) {
      const numbers = compareNumbers(left, right, index);
      if (numbers !== 0) return numbers;
    }
    return a < b ? -1 : 1;
  }
  return left.length - right.length;
}

function compareNumbers(left: readonly string[], right: readonly string[], start: number): number {
  const leading = (left[start] === '0' || right[start] === '0') && followsNumber(left, start) ? '1' : '';
  const [a, b] = [digitsFrom(left, start), digitsFrom(right, start)];
  const difference = Number(leading + a || '0') - Number(leading + b || '0');
  return difference === 0 ? a.length - b.length : difference;
}

function followsNumber(text: readonly string[], start: number): boolean {
  for (let index = start - 1; index >= 0 && /\d/.test(text[index] ?? ''); index -= 1) if (text[index] !== '0') return true;
  return false;
}

function digitsFrom(text: readonly string[], start: number): string {
  let end = start;
  while (/^\d$/.test(text[end] ?? '')) end += 1;
  return text.slice(start, end).join('');
}
