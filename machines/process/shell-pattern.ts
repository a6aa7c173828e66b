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

/** One step of a pattern: any number of characters, or one character that fits. */
type Step = 'any number' | ((character: string) => boolean);

/**
 * Whether a text matches the whole pattern. Each `*` takes as little as it can, and only the last one seen may take more:
 * no pattern costs more than its length times that of the text.
 */
export function matchesPattern(pieces: readonly PatternPiece[], text: string): boolean {
  const steps = pieces.flatMap((piece) => (piece.quoted ? [...piece.text].map(exactly) : unquotedSteps(piece.text)));
  const characters = [...text];
  let step = 0;
  let at = 0;
  let lastStar = -1;
  let starEnd = 0;
  while (at < characters.length) {
    const wanted = steps[step];
    if (wanted === 'any number') {
      lastStar = step++;
      starEnd = at;
    } else if (wanted?.(characters[at] ?? '') === true) {
      step++;
      at++;
    } else if (lastStar >= 0) {
      step = lastStar + 1;
      at = ++starEnd;
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === 'any number');
}

function exactly(wanted: string): Step {
  return (character) => character === wanted;
}

function unquotedSteps(text: string): Step[] {
  const steps: Step[] = [];
  let index = 0;
  while (index < text.length) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const bracket = character === '[' ? bracketSource(text, index) : undefined;
    if (bracket !== undefined) {
      const fits = compile(`^${bracket.source}$`);
      steps.push((candidate) => fits.test(candidate));
      index = bracket.end;
      continue;
    }
    steps.push(character === '*' ? 'any number' : character === '?' ? () => true : exactly(character));
    index += character.length;
  }
  return steps;
}

function compile(source: string): RegExp {
  return new RegExp(source, 'su');
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
