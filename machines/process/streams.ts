/** What commands read from and write to. */
import { FileError } from './errno.ts';
import type { Writable } from './mounted-files.ts';

/** Longest text that one pipe, command substitution or output may hold. */
export const LONGEST_TEXT = 16 * 1024 * 1024;

/** What is read from its beginning; commands that share it go on where the last one stopped. */
export class TextInput {
  readonly #source: string | (() => string);
  #position = 0;

  /** A text, or a function that gives a file's text as it is when somebody reads. */
  constructor(source: string | (() => string) = '') {
    this.#source = source;
  }

  get #current(): string {
    return typeof this.#source === 'string' ? this.#source : this.#source();
  }

  /** Everything that was not read yet. */
  readAll(): string {
    const text = this.#current;
    const rest = text.slice(this.#position);
    this.#position = text.length;
    return rest;
  }

  /** The next line without its line feed, and whether it had one; undefined at the end. */
  readLine(): { readonly line: string; readonly ended: boolean } | undefined {
    const text = this.#current;
    if (this.#position >= text.length) return undefined;
    const end = text.indexOf('\n', this.#position);
    const line = text.slice(this.#position, end < 0 ? undefined : end);
    this.#position = end < 0 ? text.length : end + 1;
    return { line, ended: end >= 0 };
  }
}

/** Output kept in memory. */
export class Capture implements Writable {
  #parts: string[] = [];
  #length = 0;

  write(text: string): void {
    this.#length += text.length;
    if (this.#length > LONGEST_TEXT) throw new FileError('ENOSPC');
    this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join('');
  }
}

/** Output of which only the end is kept: what a container wrote, for a process that may write for ever. */
export class Tail implements Writable {
  readonly #longest: number;
  #text = '';

  constructor(longest: number) {
    this.#longest = longest;
  }

  write(text: string): void {
    this.#text = (this.#text + text).slice(-this.#longest);
  }

  text(): string {
    return this.#text;
  }
}

/** An open file descriptor. */
export type Descriptor = { readonly input: TextInput } | { readonly output: Writable };

/** File descriptors by number: 0 input, 1 output, 2 errors. */
export type Descriptors = ReadonlyMap<number, Descriptor>;

export function descriptors(input: TextInput, output: Writable, errors: Writable): Descriptors {
  const standard = { output };
  return new Map<number, Descriptor>().set(0, { input }).set(1, standard).set(2, errors === output ? standard : { output: errors });
}

/** Writes to a descriptor; a closed one or one for reading loses the text. */
export function writeTo(open: Descriptors, fd: number, text: string): void {
  const descriptor = open.get(fd);
  if (descriptor !== undefined && 'output' in descriptor) descriptor.output.write(text);
}

/** The input behind descriptor 0; empty when it is closed. */
export function inputOf(open: Descriptors): TextInput {
  const descriptor = open.get(0);
  return descriptor !== undefined && 'input' in descriptor ? descriptor.input : new TextInput();
}
