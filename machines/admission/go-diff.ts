/**
 * The difference that the API server appends when it refuses a change: both values as indented JSON of its Go structs,
 * compared line by line (apimachinery pkg/util/diff/diff.go, v1.35: go-difflib v1.0.0, three lines around).
 */

const CONTEXT = 3;
/** From so many lines on, a line that stands in more than one of a hundred is no place to start a match from. */
const LONG = 200;

/** The unified difference of two values, one space of indentation; ends with a line feed. @modelled apimachinery pkg/util/diff/diff.go, v1.35 */
export function goDiff(before: unknown, after: unknown): string {
  const a = linesOf(before);
  const b = linesOf(after);
  return groups(edits(matches(a, b), a.length, b.length)).map((group) => hunk(group, a, b)).join('');
}

/** As json.MarshalIndent prints it: what HTML reads is escaped. */
function linesOf(value: unknown): string[] {
  return JSON.stringify(value, undefined, 1).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).split('\n');
}

/** `size` lines of one side, from line `a` on, that stand on the other from line `b` on. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

type Range = readonly [from: number, to: number];

/** The longest run of equal lines, then the longest before and after it, and so on (GetMatchingBlocks). */
function matches(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = ([aFrom, aTo]: Range, [bFrom, bTo]: Range): void => {
    if (aFrom === aTo || bFrom === bTo) return;
    const match = longest(a, b, places, [aFrom, aTo], [bFrom, bTo]);
    if (match.size === 0) return;
    search([aFrom, match.a], [bFrom, match.b]);
    found.push(match);
    search([match.a + match.size, aTo], [match.b + match.size, bTo]);
  };
  search([0, a.length], [0, b.length]);
  return found;
}

/** Where each line stands; without the lines that stand almost everywhere (chainB, autojunk). */
function placesOf(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  }
  const many = Math.floor(b.length / 100) + 1;
  if (b.length >= LONG) for (const [line, indices] of places) if (indices.length > many) places.delete(line);
  return places;
}

function longest(a: readonly string[], b: readonly string[], places: ReadonlyMap<string, readonly number[]>, [aFrom, aTo]: Range, [bFrom, bTo]: Range): Match {
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  let ending = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < bFrom || j >= bTo) continue;
      const size = (ending.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    ending = next;
  }
  let { a: i, b: j, size } = best;
  for (; i > aFrom && j > bFrom && a[i - 1] === b[j - 1]; i--, j--) size++;
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++;
  return { a: i, b: j, size };
}

interface Edit {
  readonly equal: boolean;
  readonly a: Range;
  readonly b: Range;
}

/** Matches that follow each other without a gap are one. */
function joined(found: readonly Match[]): Match[] {
  const out: Match[] = [];
  for (const match of found) {
    const last = out.at(-1);
    const follows = last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b;
    if (follows) out.splice(-1, 1, { ...last, size: last.size + match.size });
    else out.push(match);
  }
  return out;
}

/** Runs of equal and of changed lines in turn (GetOpCodes). */
function edits(found: readonly Match[], aLength: number, bLength: number): Edit[] {
  const out: Edit[] = [];
  let [i, j] = [0, 0];
  for (const { a, b, size } of [...joined(found), { a: aLength, b: bLength, size: 0 }]) {
    if (i < a || j < b) out.push({ equal: false, a: [i, a], b: [j, b] });
    [i, j] = [a + size, b + size];
    if (size > 0) out.push({ equal: true, a: [a, i], b: [b, j] });
  }
  return out;
}

/** The changes with the equal lines around them; a longer run of equal lines parts two groups (GetGroupedOpCodes). */
function groups(all: readonly Edit[]): Edit[][] {
  const out: Edit[][] = [[]];
  for (const [index, edit] of all.entries()) {
    if (!edit.equal) {
      out.at(-1)?.push(edit);
      continue;
    }
    const [first, last] = [index === 0, index === all.length - 1];
    const length = edit.a[1] - edit.a[0];
    if (!first && !last && length <= 2 * CONTEXT) {
      out.at(-1)?.push(edit);
      continue;
    }
    if (!first) out.at(-1)?.push(head(edit, CONTEXT));
    if (!first && !last) out.push([]);
    if (!last) out.at(-1)?.push(tail(edit, CONTEXT));
  }
  return out.filter((group) => group.some(({ equal }) => !equal));
}

function head({ a, b }: Edit, lines: number): Edit {
  return { equal: true, a: [a[0], Math.min(a[1], a[0] + lines)], b: [b[0], Math.min(b[1], b[0] + lines)] };
}

function tail({ a, b }: Edit, lines: number): Edit {
  return { equal: true, a: [Math.max(a[0], a[1] - lines), a[1]], b: [Math.max(b[0], b[1] - lines), b[1]] };
}

function hunk(group: readonly Edit[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  const header = `@@ -${rangeText(first?.a[0] ?? 0, last?.a[1] ?? 0)} +${rangeText(first?.b[0] ?? 0, last?.b[1] ?? 0)} @@`;
  const lines = group.flatMap((edit) =>
    edit.equal ? signed(' ', a, edit.a) : [...signed('-', a, edit.a), ...signed('+', b, edit.b)],
  );
  return [header, ...lines].map((line) => `${line}\n`).join('');
}

function signed(sign: string, lines: readonly string[], [from, to]: Range): string[] {
  return lines.slice(from, to).map((line) => sign + line);
}

function rangeText(from: number, to: number): string {
  const length = to - from;
  return length === 1 ? String(from + 1) : `${length === 0 ? from : from + 1},${length}`;
}
