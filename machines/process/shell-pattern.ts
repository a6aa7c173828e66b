/** Shell patterns: `*`, `?`, `[…]`, for file names, `case` and the trimming of parameters. */

/** A piece of a pattern; quoted text stands for itself. */
export interface PatternPiece {
  readonly text: string;
  readonly quoted: boolean;
}

/** Whether a word holds anything that a pattern would match by. */
export function isPattern(pieces: readonly PatternPiece[]): boolean {
  return pieces.some((piece) => !piece.quoted && /[*?[]/.test(piece.text));
}

/** The pattern as the source of a regular expression. */
export function patternSource(pieces: readonly PatternPiece[]): string {
  return pieces.map((piece) => (piece.quoted ? escapeRegExp(piece.text) : unquotedSource(piece.text))).join('');
}

/** Whether a text matches the whole pattern. */
export function matchesPattern(pieces: readonly PatternPiece[], text: string): boolean {
  return compile(`^${patternSource(pieces)}$`).test(text);
}

function compile(source: string): RegExp {
  return new RegExp(source, 'su');
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

function unquotedSource(text: string): string {
  let source = '';
  let index = 0;
  while (index < text.length) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const bracket = character === '[' ? bracketSource(text, index) : undefined;
    if (bracket !== undefined) {
      source += bracket.source;
      index = bracket.end;
      continue;
    }
    source += character === '*' ? '.*' : character === '?' ? '.' : escapeRegExp(character);
    index += character.length;
  }
  return source;
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z', digit: '0-9', alnum: 'a-zA-Z0-9', upper: 'A-Z', lower: 'a-z', space: '\\s', blank: ' \\t', punct: '!-\\/:-@\\[-`\\{-~', xdigit: '0-9a-fA-F',
};

/** A bracket expression; undefined when the `[` is an ordinary character. */
function bracketSource(text: string, start: number): { source: string; end: number } | undefined {
  const match = /^\[([!^]?)(\]?(?:\[:[a-z]+:\]|[^\]])*)\]/u.exec(text.slice(start));
  const inside = match?.[2] ?? '';
  if (match === null || inside === '') return undefined;
  const members = inside.replace(/\[:([a-z]+):\]|[\\\][^]/gu, (whole, name: string | undefined) => (name === undefined ? `\\${whole}` : (CLASSES[name] ?? '')));
  const source = `[${match[1] === '' ? '' : '^'}${members}]`;
  return { source: validRange(source), end: start + match[0].length };
}

/** A range the wrong way round matches nothing. */
function validRange(source: string): string {
  try {
    compile(source);
    return source;
  } catch {
    return '[^\\s\\S]';
  }
}
