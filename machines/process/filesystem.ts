/**
 * File trees: what a volume, an image layer or a tmpfs holds. Trees are plain values owned by whoever provides the bytes
 * (a driver, the kubelet); containers share them by mounting them, and they outlive containers and pods.
 */

/** Ownership, permission bits (setuid, setgid and sticky included) and modification time in milliseconds since the epoch. */
export interface Inode {
  uid: number;
  gid: number;
  mode: number;
  mtimeMs: number;
}
export interface FileNode extends Inode {
  readonly type: 'file';
  content: string;
}
export interface DirectoryNode extends Inode {
  readonly type: 'directory';
  readonly entries: Map<string, FsNode>;
}
export interface SymlinkNode extends Inode {
  readonly type: 'symlink';
  readonly target: string;
}
/** A raw block volume: bytes at offsets, never truncated. What was never written reads as zeros. */
export interface BlockDeviceNode extends Inode {
  readonly type: 'block-device';
  /** The bytes from offset 0 up to the last one written. */
  content: string;
  sizeBytes: number;
  readonly major: number;
  readonly minor: number;
}
export interface CharacterDeviceNode extends Inode {
  readonly type: 'character-device';
  readonly device: 'null' | 'zero' | 'full' | 'random' | 'tty';
  readonly major: number;
  readonly minor: number;
}
/** A file whose text is made when it is read, as in /proc. */
export interface GeneratedNode extends Inode {
  readonly type: 'generated';
  readonly read: () => string;
}
export type FsNode = FileNode | DirectoryNode | SymlinkNode | BlockDeviceNode | CharacterDeviceNode | GeneratedNode;

/** The bytes of a volume or an image layer: a directory, one file, or a raw device. */
export interface FileTree<Root extends FsNode = FsNode> {
  readonly root: Root;
}

/** A tree that is made when somebody first looks at it. */
export class LazyTree<Root extends FsNode = FsNode> implements FileTree<Root> {
  #make: (() => FileTree<Root>) | undefined;
  #made: FileTree<Root> | undefined;

  constructor(make: () => FileTree<Root>) {
    this.#make = make;
  }

  get root(): Root {
    if (this.#make !== undefined) {
      this.#made = this.#make();
      this.#make = undefined;
    }
    return (this.#made as FileTree<Root>).root;
  }
}

export const SETGID = 0o2000;
export const STICKY = 0o1000;

export interface InodeOptions {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly mode?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly mtimeMs?: number | undefined;
}

function inode(options: InodeOptions, mode: number): Inode {
  return { uid: options.uid ?? 0, gid: options.gid ?? 0, mode: options.mode ?? mode, mtimeMs: options.mtimeMs ?? 0 };
}

/** A directory; `drwxr-xr-x root root` unless said otherwise. */
export function createDirectory(options: InodeOptions = {}): DirectoryNode {
  return { type: 'directory', ...inode(options, 0o755), entries: new Map() };
}

/** A regular file; `-rw-r--r-- root root` unless said otherwise. */
export function createFile(content: string, options: InodeOptions = {}): FileNode {
  return { type: 'file', ...inode(options, 0o644), content };
}

export function createSymlink(target: string, options: InodeOptions = {}): SymlinkNode {
  return { type: 'symlink', ...inode(options, 0o777), target };
}

/** An empty tree: what a driver makes for a new volume. Pass the moment of creation as `mtimeMs`: `ls -ld` shows it. */
export function createTree(options: InodeOptions = {}): FileTree<DirectoryNode> {
  return { root: createDirectory(options) };
}

/** A raw block volume of so many bytes: what a driver makes when the claim's volumeMode is Block. */
export function createBlockVolume(sizeBytes: number, options: InodeOptions = {}): FileTree<BlockDeviceNode> {
  return { root: { type: 'block-device', ...inode(options, 0o660), content: '', sizeBytes, major: 7, minor: 0 } };
}

/** The bytes of a tree once more, owners and times kept: what `cp -a` makes of them. */
export function copyOf(tree: FileTree): FileTree {
  return { root: copyNode(tree.root) };
}

function copyNode(node: FsNode): FsNode {
  if (node.type !== 'directory') return { ...node };
  return { ...node, entries: new Map([...node.entries].map(([name, entry]) => [name, copyNode(entry)])) };
}

/** Length in bytes of a text's UTF-8 form: what sizes count. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}

const GROUP_READ_WRITE = 0o660;
const GROUP_SEARCH = 0o110;
const READ_ONLY = 0o440;

/**
 * The kubelet's recursive ownership change for a pod's fsGroup: every file and directory gets the group, group read and
 * write; directories also setgid and group search. On a read-only volume only reading is granted.
 * Source: `SetVolumeOwnership`, pkg/volume/volume_linux.go, v1.35 (`drwxr-xr-x 0 0` becomes `drwxrwsr-x 0 GID`).
 * @recorded #fsgroup
 */
export function applyFsGroup(tree: FileTree, gid: number, options: { readonly readOnly?: boolean | undefined } = {}): void {
  changeGroup(tree.root, gid, options.readOnly === true ? READ_ONLY : GROUP_READ_WRITE);
}

function changeGroup(node: FsNode, gid: number, granted: number): void {
  node.gid = gid;
  if (node.type === 'symlink') return;
  node.mode |= node.type === 'directory' ? granted | SETGID | GROUP_SEARCH : granted;
  if (node.type !== 'directory') return;
  for (const child of node.entries.values()) changeGroup(child, gid, granted);
}

/**
 * Whether fsGroupChangePolicy OnRootMismatch would change the tree: its root has another group, or lacks the bits.
 * @modelled pkg/volume/volume_linux.go (requiresPermissionChange), v1.35
 */
export function fsGroupMismatch(tree: FileTree, gid: number, options: { readonly readOnly?: boolean | undefined } = {}): boolean {
  const wanted = (options.readOnly === true ? READ_ONLY : GROUP_READ_WRITE) | SETGID | GROUP_SEARCH;
  return tree.root.gid !== gid || (tree.root.mode & wanted) !== wanted;
}

/**
 * The directory at a path inside a tree, made with its parents where missing, as the kubelet does for a `subPath`
 * before it mounts that directory. Undefined when something that is no directory stands in the way.
 * @modelled pkg/volume/util/subpath (safeMakeDir), v1.35
 */
export function ensureDirectory(tree: FileTree, path: string, options: InodeOptions = {}): FileTree<DirectoryNode> | undefined {
  let node: FsNode = tree.root;
  for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
    if (node.type !== 'directory') return undefined;
    let child: FsNode | undefined = node.entries.get(name);
    if (child === undefined) {
      child = createDirectory({ mode: 0o755, ...options });
      // A setgid directory hands its group and the bit on.
      if ((node.mode & SETGID) !== 0) Object.assign(child, { gid: node.gid, mode: child.mode | SETGID });
      node.entries.set(name, child);
    }
    node = child;
  }
  return node.type === 'directory' ? { root: node } : undefined;
}

/** What stands at a path inside a tree, without following symbolic links; undefined when nothing does. */
function nodeAt(tree: FileTree, path: string): FsNode | undefined {
  let node: FsNode | undefined = tree.root;
  for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
    node = node?.type === 'directory' ? node.entries.get(name) : undefined;
  }
  return node;
}

/** One file that a Secret, ConfigMap, token or downward API volume projects. */
export interface ProjectedFile {
  readonly content: string;
  /** Permission bits; the volume's defaultMode (0644) or the item's mode. */
  readonly mode: number;
}

/** When files are written, and the random end of their directory's name. */
export interface Moment {
  readonly nowMs: number;
  readonly suffix: number | string;
}

const DATA_LINK = '..data';

/**
 * Writes the files of a Secret, ConfigMap or projected volume as the kubelet does: into a directory named after the
 * moment, `..data` swapped to it in one step, a link per top-level name. Equal content changes nothing. Returns whether
 * anything changed.
 * @modelled pkg/volume/util/atomic_writer.go, v1.35
 */
export function projectFiles(
  tree: FileTree<DirectoryNode>,
  files: ReadonlyMap<string, ProjectedFile>,
  moment: Moment,
): boolean {
  const { entries } = tree.root;
  const old = entries.get(DATA_LINK);
  const oldName = old?.type === 'symlink' ? old.target : undefined;
  if (oldName !== undefined && holdsExactly(entries.get(oldName), files)) return false;
  const name = `..${momentName(moment.nowMs)}.${moment.suffix}`;
  const directory = createDirectory({ mtimeMs: moment.nowMs });
  for (const [path, file] of files) writeProjected(directory, path, file, moment.nowMs);
  entries.set(name, directory);
  entries.set(DATA_LINK, createSymlink(name, { mtimeMs: moment.nowMs }));
  const visible = new Set([...files.keys()].map((path) => path.split('/')[0] ?? path));
  for (const link of visible) {
    if (!entries.has(link)) entries.set(link, createSymlink(`${DATA_LINK}/${link}`, { mtimeMs: moment.nowMs }));
  }
  for (const link of [...entries.keys()]) {
    if (!link.startsWith('..') && !visible.has(link)) entries.delete(link);
  }
  if (oldName !== undefined) entries.delete(oldName);
  tree.root.mtimeMs = moment.nowMs;
  return true;
}

/** A tree of projected files that is written when somebody first looks at it: most containers never do. */
export class ProjectedTree implements FileTree<DirectoryNode> {
  readonly #options: InodeOptions;
  #root: DirectoryNode | undefined;
  #waiting: { readonly files: ReadonlyMap<string, ProjectedFile>; readonly moment: Moment }[] = [];

  constructor(options: InodeOptions = {}) {
    this.#options = options;
  }

  /** As `projectFiles`. */
  project(files: ReadonlyMap<string, ProjectedFile>, moment: Moment): void {
    const last = this.#waiting.at(-1);
    if (!last) this.#waiting = [{ files, moment }];
    else if (!sameContent(last.files, files)) this.#waiting.push({ files, moment });
  }

  get root(): DirectoryNode {
    const root = (this.#root ??= createDirectory(this.#options));
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { files, moment } of waiting) projectFiles({ root }, files, moment);
    return root;
  }
}

function sameContent(a: ReadonlyMap<string, ProjectedFile>, b: ReadonlyMap<string, ProjectedFile>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [path, { content }] of b) if (a.get(path)?.content !== content) return false;
  return true;
}

function writeProjected(directory: DirectoryNode, path: string, file: ProjectedFile, nowMs: number): void {
  const parts = path.split('/').filter((part) => part !== '');
  const name = parts.pop() ?? path;
  const parent = ensureDirectory({ root: directory }, parts.join('/'), { mode: 0o755, mtimeMs: nowMs });
  parent?.root.entries.set(name, createFile(file.content, { mode: file.mode, mtimeMs: nowMs }));
}

function holdsExactly(node: FsNode | undefined, files: ReadonlyMap<string, ProjectedFile>): boolean {
  if (node?.type !== 'directory') return false;
  const same = [...files].every(([path, file]) => {
    const found = nodeAt({ root: node }, path);
    return found?.type === 'file' && found.content === file.content;
  });
  return same && countFiles(node) === files.size;
}

function countFiles(directory: DirectoryNode): number {
  let count = 0;
  for (const child of directory.entries.values()) count += child.type === 'directory' ? countFiles(child) : 1;
  return count;
}

function momentName(nowMs: number): string {
  const time = new Date(nowMs);
  const parts = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  return [String(time.getUTCFullYear()), ...parts.map((part) => String(part).padStart(2, '0'))].join('_');
}
