/** A terminal's words at stage size: generated names cut after what tells them apart, tables no wider than they need to be. */

/** So many letters of the smallest legible size stand in one line of the stage. */
export const COLUMNS = 84;

/** Cuts generated names inside a text: `csi-42e3…`, `pvc-1cf2992a…`. */
export function shortIds(text: string): string {
  return text
    .replace(/\b(csi-[0-9a-f]{4})[0-9a-f]{60}\b/g, '$1…')
    .replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1…');
}

/** The same words, with every table that `kubectl` prints drawn together. What is left out is marked by `…`. */
export function narrowed(text: string): string {
  const out: string[] = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; ) {
    const length = tableLength(lines, i);
    if (length > 0) out.push(...table(lines.slice(i, i + length)));
    else if (isRow(lines, i)) out.push(row(lines[i] ?? ''));
    else out.push(shortIds(lines[i] ?? '').trimEnd());
    i += Math.max(1, length);
  }
  return out.join('\n');
}

/** How many lines from here on are one table: a head of two columns or more in capitals, and what stands below it. */
function tableLength(lines: readonly string[], from: number): number {
  if (!/^[A-Z][A-Z0-9 :_()-]*? {2,}[A-Z]/.test(lines[from] ?? '')) return 0;
  const end = lines.findIndex((line, i) => i > from && (line.trim() === '' || line.startsWith('$ ')));
  return (end === -1 ? lines.length : end) - from;
}

/** A row of a table whose head is not shown. */
function isRow(lines: readonly string[], at: number): boolean {
  const asked = lines.slice(0, at).findLast((line) => line.startsWith('$ ')) ?? '';
  return /^\$ kubectl get\b(?!.* -o (?:json|yaml))/.test(asked) && /^\S.*? {2,}\S.*? {2,}\S/.test(lines[at] ?? '');
}

function row(line: string): string {
  const cells = shortIds(line.trimEnd()).split(/ {2,}/);
  const wide = cells.join('  ');
  return wide.length <= COLUMNS ? wide : cells.map((cell) => (cell === '<unset>' || cell === '<none>' ? '…' : cell)).join('  ');
}

function table(lines: readonly string[]): string[] {
  const [head = ''] = lines;
  const starts = [...head.matchAll(/\S+(?: \S+)*/g)].map((found) => found.index);
  const rows = lines.map((line) => starts.map((start, i) => shortIds(line.slice(start, starts[i + 1] ?? undefined).trim())));
  // Cells that reach into the next column are no table after all.
  if (lines.some((line) => starts.some((start) => start > 0 && line.length > start && line[start - 1] !== ' '))) return lines.map((line) => shortIds(line).trimEnd());
  const wide = joined(rows);
  if (widthOf(wide) <= COLUMNS) return wide;
  return joined(NARROWER.reduce<Cells>((cells, narrower) => (widthOf(joined(cells)) <= COLUMNS ? cells : narrower(cells)), rows));
}

type Cells = readonly (readonly string[])[];

/** What a table too wide gives up, the least telling first; each only if it is still too wide. */
const NARROWER: readonly ((rows: Cells) => Cells)[] = [
  (rows) => without(rows, (column) => rows.slice(1).every((row) => /^(?:<unset>|<none>|)$/.test(row[column] ?? ''))),
  // Of which kind a row is say its columns and the command; the namespace is the one the talk is in.
  (rows) => rows.map((row, r) => row.map((cell, column) => (r > 0 && /^(?:NAME|CLAIM)$/.test(rows[0]?.[column] ?? '') ? cell.replace(/^[a-z0-9.-]+\/(?=\S)/, '…/') : cell))),
  (rows) => rows.map((row, r) => (r === 0 ? row.map((cell) => cell.replace(/^(ACCESS|RECLAIM) \S+$/, '$1…')) : row)),
  (rows) => without(rows, (column) => rows[0]?.[column] === 'AGE'),
];

/** The rows without some columns: neighbours left out together stand as one `…` in the head. */
function without(rows: Cells, isLeftOut: (column: number) => boolean): Cells {
  const left = (rows[0] ?? []).map((head, column) => head === '…' || isLeftOut(column));
  return rows.map((row, r) => row.flatMap((cell, column) => (left[column] !== true ? [cell] : left[column - 1] === true ? [] : [r === 0 ? '…' : ''])));
}

function joined(rows: Cells): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd());
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => line.length));
}

/** Cuts lines into parts that fit on the stage one by one: each of so many rows at most, long lines counted as they wrap. */
export function pagesOf(text: string, rows: number): string[] {
  const heightOf = (line: string): number => Math.max(1, Math.ceil(line.length / COLUMNS));
  const lines = text.split('\n');
  if (lines.reduce((sum, line) => sum + heightOf(line), 0) <= rows) return [text];
  const pages: string[][] = [[]];
  let height = 0;
  for (const line of lines) {
    // Both ends keep a row for the mark that there is more.
    if (height + heightOf(line) > rows - 2 && height > 0) {
      pages.push([]);
      height = 0;
    }
    pages.at(-1)?.push(line);
    height += heightOf(line);
  }
  return pages.map((page, i) => [...(i > 0 ? ['…'] : []), ...page, ...(i < pages.length - 1 ? ['…'] : [])].join('\n'));
}
