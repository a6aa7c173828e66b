/**
 * The difference that the API server appends when it refuses a change: both values as indented JSON of its Go structs,
 * compared line by line (apimachinery pkg/util/diff/diff.go, v1.35: difflib, three lines around).
 */

const CONTEXT = 3;

/** The unified difference of two values, one space of indentation; ends with a line feed. @modelled apimachinery pkg/util/diff/diff.go, v1.35 */
export function goDiff(before: unknown, after: unknown): string {
  const a = JSON.stringify(before, undefined, 1).split('\n');
  const b = JSON.stringify(after, undefined, 1).split('\n');
  return hunks(edits(a, b)).map((hunk) => `${hunk.header}\n${hunk.lines.join('\n')}\n`).join('');
}

interface Edit {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Lines of each side before this one. */
  readonly a: number;
  readonly b: number;
}

/** Longest common subsequence; removals before additions. */
function edits(a: readonly string[], b: readonly string[]): Edit[] {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const out: Edit[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) out.push({ sign: ' ', text: a[i] ?? '', a: i++, b: j++ });
    else if (i < a.length && (j >= b.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) out.push({ sign: '-', text: a[i] ?? '', a: i++, b: j });
    else out.push({ sign: '+', text: b[j] ?? '', a: i, b: j++ });
  }
  return out;
}

function hunks(all: readonly Edit[]): { readonly header: string; readonly lines: readonly string[] }[] {
  const changed = all.flatMap((edit, index) => (edit.sign === ' ' ? [] : [index]));
  const ranges: [number, number][] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last && index - CONTEXT <= last[1] + 1) last[1] = Math.min(all.length - 1, index + CONTEXT);
    else ranges.push([Math.max(0, index - CONTEXT), Math.min(all.length - 1, index + CONTEXT)]);
  }
  return ranges.map(([from, to]) => {
    const slice = all.slice(from, to + 1);
    const first = slice[0];
    const range = (start: number, length: number): string => (length === 1 ? String(start + 1) : `${length === 0 ? start : start + 1},${length}`);
    const before = slice.filter((edit) => edit.sign !== '+').length;
    const after = slice.filter((edit) => edit.sign !== '-').length;
    return { header: `@@ -${range(first?.a ?? 0, before)} +${range(first?.b ?? 0, after)} @@`.replace(/ @@$/, ' @@'), lines: slice.map((edit) => edit.sign + edit.text) };
  });
}
