/**
 * Elastic tab stops as Go's text/tabwriter makes them (and github.com/liggitt/tabwriter, which kubectl get uses: the same
 * with remembered widths). A cell ends at a tab; a column is a block of consecutive lines that have a cell there; each
 * block is as wide as its widest cell. The text after a line's last tab belongs to no column.
 */
export interface TabWriterOptions {
  /** Smallest width of a cell, padding included. */
  readonly minWidth: number;
  /** Blanks after the widest cell. */
  readonly padding: number;
  /** Whether a column never becomes narrower than it was in an earlier block. */
  readonly rememberWidths: boolean;
}

/** kubectl describe: `tabwriter.Init(buf, 0, 8, 2, ' ', 0)`. */
export const DESCRIBE_TABS: TabWriterOptions = { minWidth: 0, padding: 2, rememberWidths: false };
/** kubectl get: `printers.GetNewTabWriter`, k8s.io/cli-runtime v0.35. */
export const GET_TABS: TabWriterOptions = { minWidth: 6, padding: 3, rememberWidths: true };

interface Cell {
  readonly text: string;
  readonly width: number;
}

/** Collects text with tabs and turns it into aligned text. */
export class TabWriter {
  readonly #options: TabWriterOptions;
  #output = '';
  #current = '';
  #lines: Cell[][] = [[]];
  #widths: number[] = [];
  #maxWidths: number[] = [];

  constructor(options: TabWriterOptions) {
    this.#options = options;
  }

  /** Adds text; tabs end cells, line feeds and form feeds end lines. */
  write(text: string): void {
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const character = text[index];
      if (character !== '\t' && character !== '\v' && character !== '\n' && character !== '\f') continue;
      this.#current += text.slice(start, index);
      start = index + 1;
      const cells = this.#endCell();
      if (character === '\t' || character === '\v') continue;
      this.#lines.push([]);
      // A line without a tab touches no column, so everything before it can be laid out.
      if (character === '\f' || cells === 1) this.flush();
    }
    this.#current += text.slice(start);
  }

  /** Lays out what was written so far; later lines start new columns. */
  flush(): void {
    if (this.#current !== '') this.#endCell();
    this.#format(0, this.#lines.length);
    this.#lines = [[]];
    this.#current = '';
  }

  /** Forgets the remembered widths: the next block is a table of its own. */
  forgetWidths(): void {
    this.#maxWidths = [];
  }

  /** Everything laid out so far. Call `flush` first. */
  text(): string {
    return this.#output;
  }

  #endCell(): number {
    const line = this.#lines[this.#lines.length - 1] ?? [];
    line.push({ text: this.#current, width: [...this.#current].length });
    this.#current = '';
    return line.length;
  }

  #format(from: number, to: number): void {
    const column = this.#widths.length;
    let printed = from;
    let line = from;
    while (line < to) {
      if (!this.#hasColumn(line, column)) {
        line += 1;
        continue;
      }
      this.#writeLines(printed, line);
      const end = this.#blockEnd(line, to, column);
      this.#widths.push(this.#blockWidth(line, end, column));
      this.#format(line, end);
      this.#widths.pop();
      printed = end;
      line = end + 1;
    }
    this.#writeLines(printed, to);
  }

  #hasColumn(line: number, column: number): boolean {
    return column < (this.#lines[line]?.length ?? 0) - 1;
  }

  #blockEnd(from: number, to: number, column: number): number {
    let end = from;
    while (end < to && this.#hasColumn(end, column)) end += 1;
    return end;
  }

  #blockWidth(from: number, to: number, column: number): number {
    let width = this.#options.minWidth;
    for (let line = from; line < to; line += 1) {
      width = Math.max(width, (this.#lines[line]?.[column]?.width ?? 0) + this.#options.padding);
    }
    if (!this.#options.rememberWidths) return width;
    for (let known = this.#maxWidths.length; known < column; known += 1) this.#maxWidths.push(this.#widths[known] ?? 0);
    width = Math.max(width, this.#maxWidths[column] ?? 0);
    this.#maxWidths[column] = width;
    return width;
  }

  #writeLines(from: number, to: number): void {
    for (let index = from; index < to; index += 1) {
      for (const [column, cell] of (this.#lines[index] ?? []).entries()) {
        this.#output += cell.text;
        const width = this.#widths[column];
        if (width !== undefined) this.#output += ' '.repeat(width - cell.width);
      }
      if (index + 1 < this.#lines.length) this.#output += '\n';
    }
  }
}

/** Terminal control characters made visible. Source: `printers.EscapeTerminal`, k8s.io/cli-runtime v0.35. */
export function escapeTerminal(text: string): string {
  return text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r');
}
