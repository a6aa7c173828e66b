/** The writer that describe functions use, and the small blocks they share. Source: k8s.io/kubectl/pkg/describe/describe.go, v0.35. */
import type { StringMap } from '../model/objects.ts';
import { sortedEntries } from './go-format.ts';
import { DESCRIBE_TABS, escapeTerminal, TabWriter } from './tabwriter.ts';

const LONGEST_ANNOTATION = 140;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Text at an indentation level (two blanks each) with tabs between columns. */
export class DescribeWriter {
  readonly #tabs: TabWriter;
  readonly #indent: number;

  constructor(tabs = new TabWriter(DESCRIBE_TABS), indent = 0) {
    this.#tabs = tabs;
    this.#indent = indent;
  }

  /** Writes as it stands: no line feed is added. */
  write(level: number, text: string): void {
    this.#tabs.write(escapeTerminal('  '.repeat(level + this.#indent) + text));
  }

  /** Writes one line. */
  line(level: number, text: string): void {
    this.write(level, `${text}\n`);
  }

  /** Ends the columns so far; the next line starts new ones. */
  endColumns(): void {
    this.#tabs.flush();
  }

  /** A writer whose level 0 is this one's `levels`. */
  nested(levels: number): DescribeWriter {
    return new DescribeWriter(this.#tabs, this.#indent + levels);
  }

  text(): string {
    this.#tabs.flush();
    return this.#tabs.text();
  }
}

/** `Title:` and the values below each other; `<none>` when there are none. Source: `printLabelsMultiline` and its siblings. */
export function writeList(writer: DescribeWriter, title: string, values: readonly string[]): void {
  writer.write(0, `${title}:\t`);
  if (values.length === 0) writer.line(0, '<none>');
  for (const [index, value] of values.entries()) {
    if (index > 0) writer.write(0, '\t');
    writer.line(0, value);
  }
}

/** `key=value` lines in the order of the keys. */
export function writeLabels(writer: DescribeWriter, title: string, labels: StringMap | undefined): void {
  writeList(writer, title, sortedEntries(labels ?? {}).map(([key, value]) => `${key}=${String(value)}`));
}

/** Annotations but the last applied configuration; long ones are cut. Source: `printAnnotationsMultiline`. */
export function writeAnnotations(writer: DescribeWriter, annotations: StringMap | undefined, title = 'Annotations'): void {
  writer.write(0, `${title}:\t`);
  const shown = sortedEntries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
  if (shown.length === 0) writer.line(0, '<none>');
  for (const [index, [key, raw]] of shown.entries()) {
    if (index > 0) writer.write(0, '\t');
    const value = String(raw).replace(/\n$/, '');
    if (value.length + key.length + 2 <= LONGEST_ANNOTATION && !value.includes('\n')) {
      writer.line(0, `${key}: ${value}`);
      continue;
    }
    writer.line(0, `${key}:`);
    for (const part of value.split('\n')) writer.line(0, `\t  ${shorten(part, LONGEST_ANNOTATION - 2)}`);
  }
}

/** `key=value` lines of a CSI volume's attributes, two levels deep. Source: `printCSIPersistentVolumeAttributesMultiline`. */
export function writeVolumeAttributes(writer: DescribeWriter, attributes: StringMap | undefined): void {
  writer.write(2, 'VolumeAttributes:\t');
  const entries = sortedEntries(attributes ?? {});
  if (entries.length === 0) writer.line(0, '<none>');
  for (const [index, [key, value]] of entries.entries()) {
    if (index > 0) writer.write(2, '\t');
    writer.line(2, shorten(`${key}=${String(value)}`, LONGEST_ANNOTATION));
  }
}

function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}
