/** The entries of the image's /bin. */
import { createFile, createSymlink, type FsNode } from './filesystem.ts';
import { appletNames } from './not-modelled.ts';

/** Stands for the program's bytes, which nothing here reads. */
const PROGRAM_BYTES = '\x7fELF';
const BUSYBOX = 'busybox';
const NAMES: ReadonlySet<string> = new Set([BUSYBOX, ...appletNames()]);

/**
 * A container runs one or two of the image's hundreds of programs. So an entry is made when somebody looks at it, and all
 * of them when somebody lists the directory.
 */
export class ProgramEntries extends Map<string, FsNode> {
  readonly #mtimeMs: number;
  readonly #removed = new Set<string>();
  #complete = false;

  constructor(mtimeMs: number) {
    super();
    this.#mtimeMs = mtimeMs;
  }

  override get(name: string): FsNode | undefined {
    const known = super.get(name);
    if (known !== undefined || this.#complete || !NAMES.has(name) || this.#removed.has(name)) return known;
    const made = name === BUSYBOX ? createFile(PROGRAM_BYTES, { mode: 0o755, mtimeMs: this.#mtimeMs }) : createSymlink(BUSYBOX, { mtimeMs: this.#mtimeMs });
    super.set(name, made);
    return made;
  }
  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }
  override delete(name: string): boolean {
    const was = this.has(name);
    this.#removed.add(name);
    super.delete(name);
    return was;
  }
  override clear(): void {
    this.#complete = true;
    super.clear();
  }

  override get size(): number {
    return this.#all().size;
  }
  override keys(): MapIterator<string> {
    return this.#all().keys();
  }
  override values(): MapIterator<FsNode> {
    return this.#all().values();
  }
  override entries(): MapIterator<[string, FsNode]> {
    return this.#all().entries();
  }
  override [Symbol.iterator](): MapIterator<[string, FsNode]> {
    return this.entries();
  }
  override forEach(visit: (node: FsNode, name: string, entries: Map<string, FsNode>) => void): void {
    for (const [name, node] of this.entries()) visit(node, name, this);
  }

  /** The plain map behind this one, with every entry in it. */
  #all(): { readonly size: number; keys(): MapIterator<string>; values(): MapIterator<FsNode>; entries(): MapIterator<[string, FsNode]> } {
    if (!this.#complete) for (const name of NAMES) this.get(name);
    this.#complete = true;
    const size = (): number => super.size;
    return {
      get size() {
        return size();
      },
      keys: () => super.keys(),
      values: () => super.values(),
      entries: () => super.entries(),
    };
  }
}
