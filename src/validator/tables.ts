/**
 * Whether a table that kubectl printed has the blanks that its printer makes: each column is as wide as its widest cell
 * and a fixed padding. Names and ages differ from run to run and so do widths, so this is told of each text by itself.
 */

/** Blanks between columns: those of `get`, and of the table of events in `describe`. */
const paddings = [
  { header: /^[A-Z][A-Z0-9()-]+(?: +[A-Z][A-Z0-9()-]+)+ *$/, padding: 3 },
  { header: /^ +Type +Reason +Age +From +Message$/, padding: 2 },
] as const;

/** The headers of the tables whose columns are not as wide as they must be. */
export function raggedTables(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const kind = paddings.find(({ header }) => header.test(line));
    if (kind === undefined) return [];
    const rows = lines.slice(index + 1);
    const end = rows.findIndex(row => row.trim() === '' || row.startsWith('  ') !== line.startsWith('  ') || /^ \S/.test(row));
    return isRagged(line, end === -1 ? rows : rows.slice(0, end), kind.padding) ? [line.trim().replace(/\s+/g, ' ')] : [];
  });
}

/** The narrowest column of `get` (printers.GetNewTabWriter). */
const narrowest = 6;

/** Headers of two words. */
const twoWords: ReadonlySet<string> = new Set(['ACCESS MODES', 'RECLAIM POLICY', 'NOMINATED NODE', 'READINESS GATES', 'LAST SEEN', 'FIRST SEEN']);

function isRagged(header: string, rows: readonly string[], padding: number): boolean {
  if (header.trim().split(/ {2,}/).some(word => word.includes(' ') && !twoWords.has(word))) return true;
  const starts = [...header.matchAll(/(?<=^ *|  )\S/g)].map(match => match.index);
  return starts.slice(0, -1).some((start, column) => {
    const end = starts[column + 1] ?? Infinity;
    const cells = [header, ...rows].map(row => row.slice(start, end));
    const widest = Math.max(...cells.map(cell => cell.trimEnd().length));
    const width = padding === 3 ? Math.max(widest + padding, narrowest) : widest + padding;
    return end - start !== width || cells.some(cell => cell.startsWith(' ') && cell.trim() !== '');
  });
}
