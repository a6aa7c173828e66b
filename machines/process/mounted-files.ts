/**
 * Files as one process sees them: paths through the container's mounts, with the kernel's permission checks.
 *
 * The superuser passes every permission check but not a read-only mount. Order of the checks as in Linux (fs/namei.c): for a
 * file to be truncated the read-only mount speaks first, for one to be appended to the permission bits do.
 */
import { type Errno, FileError } from './errno.ts';
import type { DirectoryNode, FsNode } from './filesystem.ts';
import { byteLength, createDirectory, createFile, createSymlink, SETGID, STICKY } from './filesystem.ts';
import type { Mount, MountTable } from './mounts.ts';
import { joinPath } from './mounts.ts';

/** Who a process is. `groups` are the supplementary groups. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

const READ = 4;
const WRITE = 2;
const SEARCH = 1;
const MOST_LINKS = 40;
const LONGEST_PATH = 4095;
const LONGEST_NAME = 255;
/** Largest text that reading a block device gives; a whole volume of zeros is of no use to anyone. */
const LONGEST_DEVICE_READ = 1024 * 1024;

/** A node where a path led to. */
export interface Located {
  /** Without symbolic links. */
  readonly path: string;
  readonly node: FsNode;
  readonly mount: Mount;
}

interface Walked {
  /** The directory that holds, or would hold, the last name. */
  readonly directory: Located;
  readonly name: string;
  readonly target: Located | undefined;
}

/** What `ls -l` and `test` want to know of a node. */
export interface FileStatus {
  readonly node: FsNode;
  readonly links: number;
  readonly size: number;
  /** Disk space in KiB. */
  readonly blocks: number;
}

/** An open file to write to. */
export interface Writable {
  write(text: string): void;
}

/** The virtual time of a process and of all that it starts. Milliseconds since the epoch. */
export interface ProcessClock {
  nowMs: number;
}

/** The mounts of a container, laid out when a path is first followed: most processes only sleep and never need them. */
export interface MountsOnDemand {
  readonly table: MountTable;
  /** Whether every program of the image is where the image has it, and nothing else is. */
  readonly programsUntouched: boolean;
}

/** The files of a container for one process. `cwd` and `umask` are the process's own and may change. */
export class MountedFiles {
  readonly #source: MountsOnDemand;
  readonly who: Credentials;
  /** Gives the modification time of what is written. */
  readonly clock: ProcessClock;
  cwd = '/';
  umask = 0o022;

  constructor(source: MountsOnDemand, who: Credentials, clock: ProcessClock) {
    this.#source = source;
    this.who = who;
    this.clock = clock;
  }

  get mounts(): MountTable {
    return this.#source.table;
  }

  /** Whether every program of the image is where the image has it, and nothing else is. */
  get programsUntouched(): boolean {
    return this.#source.programsUntouched;
  }

  /** Virtual time, milliseconds since the epoch. */
  get nowMs(): number {
    return this.clock.nowMs;
  }

  /** A view of the same files for a child process. */
  fork(): MountedFiles {
    const child = new MountedFiles(this.#source, this.who, this.clock);
    child.cwd = this.cwd;
    child.umask = this.umask;
    return child;
  }

  /** Follows a path to what exists there. Throws a FileError. */
  locate(path: string, options: { readonly followLast?: boolean } = {}): Located {
    const { target } = this.#walk(path, options.followLast ?? true);
    if (target === undefined) throw new FileError('ENOENT');
    return target;
  }

  /** A program that may be run: what stands at the path, or why nothing does. Looking along PATH fails more often than not, so that is no exception. */
  lookForProgram(path: string): Located | Errno {
    const found = this.#find(path, true);
    if (typeof found === 'string') return found;
    return found.target ?? 'ENOENT';
  }

  /** Whether the process may run what was found. */
  mayRun({ node }: Located): boolean {
    return this.#permits(node, SEARCH);
  }

  /** Whether something exists at a path, links followed. */
  exists(path: string): boolean {
    try {
      this.locate(path);
      return true;
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  status(path: string, options: { readonly followLast?: boolean } = {}): FileStatus {
    const found = this.locate(path, options);
    return statusOf(found.node, found.mount);
  }

  /** The text of a file. `limit`: how many characters the caller wants at most; needed for devices without end. */
  read(path: string, limit?: number): string {
    return this.openForReading(path)(limit);
  }

  /** Opens a file for reading. What comes back gives its text as it is at the time of asking. */
  openForReading(path: string): (limit?: number) => string {
    const { node } = this.locate(path);
    this.#demand(node, READ);
    if (node.type === 'directory') throw new FileError('EISDIR');
    return (limit) => textOf(node, limit);
  }

  /** Opens a file for writing, and makes it where it is missing: `>` (truncate) or `>>` (append). @recorded #read-only-mount, #fsgroup */
  openForWriting(path: string, append: boolean): Writable {
    const { directory, name, target } = this.#walk(path, true);
    if (target === undefined) return this.#writerTo(this.#create(directory, name, createFile('', { mode: 0o666 & ~this.umask })));
    const { node, mount } = target;
    if (node.type === 'directory') throw new FileError('EISDIR');
    if (node.type === 'character-device') {
      this.#demand(node, WRITE);
      return { write: () => undefined };
    }
    if (node.type === 'generated') throw new FileError(this.who.uid === 0 ? 'EINVAL' : 'EACCES');
    const truncates = !append && node.type === 'file';
    if (truncates && mount.readOnly) throw new FileError('EROFS');
    this.#demand(node, WRITE);
    if (mount.readOnly) throw new FileError('EROFS');
    if (truncates) this.#setContent(node, '');
    return this.#writerTo(node);
  }

  makeDirectory(path: string, mode = 0o777): void {
    const { directory, name, target } = this.#walk(path, false);
    if (target !== undefined) throw new FileError('EEXIST');
    this.#create(directory, name, createDirectory({ mode: mode & ~this.umask }));
  }

  makeSymlink(content: string, path: string): void {
    const { directory, name, target } = this.#walk(path, false);
    if (target !== undefined) throw new FileError('EEXIST');
    this.#create(directory, name, createSymlink(content));
  }

  /** `touch`: makes an empty file, or sets the modification time of what is there. */
  touch(path: string): void {
    const { directory, name, target } = this.#walk(path, true);
    if (target === undefined) {
      this.#create(directory, name, createFile('', { mode: 0o666 & ~this.umask }));
      return;
    }
    if (target.mount.readOnly) throw new FileError('EROFS');
    if (target.node.uid !== this.who.uid) this.#demand(target.node, WRITE);
    target.node.mtimeMs = this.nowMs;
  }

  removeFile(path: string): void {
    const { directory, name, target } = this.#walk(path, false);
    if (target === undefined) throw new FileError('ENOENT');
    this.#demandRemoval(directory, target);
    if (target.node.type === 'directory') throw new FileError('EISDIR');
    this.#detach(directory, name);
  }

  removeDirectory(path: string): void {
    const { directory, name, target } = this.#walk(path, false);
    if (target === undefined) throw new FileError('ENOENT');
    if (target.node.type !== 'directory') throw new FileError('ENOTDIR');
    this.#demandRemoval(directory, target);
    if (target.node.entries.size > 0) throw new FileError('ENOTEMPTY');
    this.#detach(directory, name);
  }

  /** Moves within one mount; between two it fails with EXDEV, and the caller copies. */
  rename(from: string, to: string): void {
    const source = this.#walk(from, false);
    const destination = this.#walk(to, false);
    if (source.target === undefined) throw new FileError('ENOENT');
    if (source.target.mount !== destination.directory.mount) throw new FileError('EXDEV');
    this.#demandRemoval(source.directory, source.target);
    if (`${destination.directory.path}/`.startsWith(`${source.target.path}/`)) throw new FileError('EINVAL');
    this.#demandWritableDirectory(destination.directory);
    if (destination.target?.node === source.target.node) return;
    if (destination.target?.node.type === 'directory') {
      if (source.target.node.type !== 'directory') throw new FileError('EISDIR');
      if (destination.target.node.entries.size > 0) throw new FileError('ENOTEMPTY');
    }
    this.#detach(source.directory, source.name);
    directoryOf(destination.directory).entries.set(destination.name, source.target.node);
    destination.directory.node.mtimeMs = this.nowMs;
  }

  changeMode(path: string, change: (node: FsNode) => number): void {
    const { node, mount } = this.locate(path);
    if (mount.readOnly) throw new FileError('EROFS');
    if (this.who.uid !== 0 && this.who.uid !== node.uid) throw new FileError('EPERM');
    node.mode = change(node);
  }

  changeOwner(path: string, owner: { readonly uid?: number | undefined; readonly gid?: number | undefined }): void {
    const { node, mount } = this.locate(path);
    if (mount.readOnly) throw new FileError('EROFS');
    const keepsUser = node.uid === this.who.uid && (owner.uid === undefined || owner.uid === node.uid);
    const ownGroup = owner.gid === undefined || owner.gid === node.gid || this.#isMember(owner.gid);
    if (this.who.uid !== 0 && !(keepsUser && ownGroup)) throw new FileError('EPERM');
    node.uid = owner.uid ?? node.uid;
    node.gid = owner.gid ?? node.gid;
  }

  /** Names in a directory, in byte order, and what stands there: the roots of mounts where there are mounts. */
  list(path: string): { readonly name: string; readonly located: Located }[] {
    const here = this.locate(path);
    if (here.node.type !== 'directory') throw new FileError('ENOTDIR');
    this.#demand(here.node, READ);
    const names = [...here.node.entries.keys()].toSorted(compareBytes);
    return names.flatMap((name) => {
      const located = this.#child(here, name);
      return located === undefined || typeof located === 'string' ? [] : [{ name, located }];
    });
  }

  /** Makes a directory the working directory. */
  changeDirectory(path: string): void {
    const here = this.locate(path);
    if (here.node.type !== 'directory') throw new FileError('ENOTDIR');
    this.#demand(here.node, SEARCH);
    this.cwd = here.path;
  }

  /** `test -r`, `-w`, `-x`: what access(2) answers. */
  mayAccess(path: string, wanted: 'read' | 'write' | 'execute'): boolean {
    try {
      const { node, mount } = this.locate(path);
      const device = node.type === 'block-device' || node.type === 'character-device';
      if (wanted === 'write' && mount.readOnly && !device) return false;
      return this.#permits(node, wanted === 'read' ? READ : wanted === 'write' ? WRITE : SEARCH);
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  #isMember(gid: number): boolean {
    return this.who.gid === gid || this.who.groups.includes(gid);
  }

  /** Owner, else group, else others; never the better of two. */
  #permits(node: FsNode, wanted: number): boolean {
    if (this.who.uid === 0) return wanted !== SEARCH || node.type === 'directory' || (node.mode & 0o111) !== 0;
    const shift = node.uid === this.who.uid ? 6 : this.#isMember(node.gid) ? 3 : 0;
    return ((node.mode >> shift) & wanted) === wanted;
  }

  #demand(node: FsNode, wanted: number): void {
    if (!this.#permits(node, wanted)) throw new FileError('EACCES');
  }

  #demandWritableDirectory(directory: Located): void {
    if (directory.mount.readOnly) throw new FileError('EROFS');
    this.#demand(directory.node, WRITE);
    this.#demand(directory.node, SEARCH);
  }

  #demandRemoval(directory: Located, target: Located): void {
    if (this.mounts.at(target.path) !== undefined) throw new FileError('EBUSY');
    this.#demandWritableDirectory(directory);
    const sticky = (directory.node.mode & STICKY) !== 0;
    if (sticky && this.who.uid !== 0 && this.who.uid !== target.node.uid && this.who.uid !== directory.node.uid) throw new FileError('EPERM');
  }

  /** A new node belongs to the process; in a setgid directory its group is the directory's, and directories stay setgid. */
  #create<N extends FsNode>(directory: Located, name: string, node: N): N {
    this.#demandWritableDirectory(directory);
    const inherits = (directory.node.mode & SETGID) !== 0;
    node.uid = this.who.uid;
    node.gid = inherits ? directory.node.gid : this.who.gid;
    if (inherits && node.type === 'directory') node.mode |= SETGID;
    node.mtimeMs = this.nowMs;
    directoryOf(directory).entries.set(name, node);
    directory.node.mtimeMs = this.nowMs;
    return node;
  }

  #detach(directory: Located, name: string): void {
    directoryOf(directory).entries.delete(name);
    directory.node.mtimeMs = this.nowMs;
  }

  #writerTo(node: FsNode): Writable {
    if (node.type === 'file') return { write: (text) => this.#setContent(node, node.content + text) };
    if (node.type !== 'block-device') throw new FileError('EINVAL');
    let offset = 0;
    return {
      write: (text) => {
        if (offset + text.length > node.sizeBytes) throw new FileError('ENOSPC');
        node.content = node.content.slice(0, offset) + text + node.content.slice(offset + text.length);
        offset += text.length;
      },
    };
  }

  #setContent(node: Extract<FsNode, { type: 'file' }>, content: string): void {
    node.content = content;
    node.mtimeMs = this.nowMs;
  }

  #child(here: Located, name: string): Located | Errno | undefined {
    const path = joinPath(here.path, name);
    const mounted = this.mounts.at(path);
    if (mounted !== undefined) return { path, node: mounted.tree.root, mount: mounted };
    const node = here.node.type === 'directory' ? here.node.entries.get(name) : undefined;
    if (node === undefined && NOT_MODELLED_INSIDE.has(here.mount.source.fsType)) return 'NOT_MODELLED';
    return node === undefined ? undefined : { path, node, mount: here.mount };
  }

  #walk(path: string, followLast: boolean): Walked {
    const found = this.#find(path, followLast);
    if (typeof found === 'string') throw new FileError(found);
    return found;
  }

  #find(path: string, followLast: boolean): Walked | Errno {
    if (path === '') return 'ENOENT';
    const mustBeDirectory = path.endsWith('/');
    let names = namesOf(path.startsWith('/') ? path : joinPath(this.cwd, path));
    if (path.length > LONGEST_PATH || names.some((name) => name.length > LONGEST_NAME)) return 'ENAMETOOLONG';
    const root: Located = { path: '/', node: this.mounts.root.tree.root, mount: this.mounts.root };
    let trail: Located[] = [root];
    let links = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] ?? '';
      const isLast = i === names.length - 1;
      const here = trail.at(-1) ?? root;
      if (here.node.type !== 'directory') return 'ENOTDIR';
      if (!this.#permits(here.node, SEARCH)) return 'EACCES';
      if (name === '..') {
        if (trail.length > 1) trail.pop();
        continue;
      }
      const found = this.#child(here, name);
      if (typeof found === 'string') return found;
      if (found === undefined) return isLast ? { directory: here, name, target: undefined } : 'ENOENT';
      if (found.node.type === 'symlink' && (!isLast || followLast || mustBeDirectory)) {
        links += 1;
        if (links > MOST_LINKS) return 'ELOOP';
        if (found.node.target.startsWith('/')) trail = [root];
        names = [...namesOf(found.node.target), ...names.slice(i + 1)];
        i = -1;
        continue;
      }
      trail.push(found);
    }
    const target = trail.at(-1) ?? root;
    if (mustBeDirectory && target.node.type !== 'directory') return 'ENOTDIR';
    return { directory: trail.at(-2) ?? root, name: target.path.slice(target.path.lastIndexOf('/') + 1), target };
  }
}

/** Trees of the kernel of which the simulation holds a few files only. */
const NOT_MODELLED_INSIDE: ReadonlySet<string> = new Set(['proc', 'sysfs', 'cgroup']);

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function directoryOf(located: Located): DirectoryNode {
  if (located.node.type !== 'directory') throw new FileError('ENOTDIR');
  return located.node;
}

/** Byte order of UTF-8, in which `ls` sorts in the C locale. */
export function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Sizes as ext4 and tmpfs show them. A directory of ext4 takes one block; one of tmpfs counts 20 bytes an entry. */
export function statusOf(node: FsNode, mount: Mount): FileStatus {
  const inMemory = mount.source.fsType === 'tmpfs';
  if (node.type === 'directory') {
    const children = [...node.entries.values()];
    const links = 2 + children.filter((child) => child.type === 'directory').length;
    return { node, links, size: inMemory ? 20 * (children.length + 2) : 4096, blocks: inMemory ? 0 : 4 };
  }
  if (node.type === 'file') {
    const size = byteLength(node.content);
    return { node, links: 1, size, blocks: Math.ceil(size / 4096) * 4 };
  }
  return { node, links: 1, size: node.type === 'symlink' ? byteLength(node.target) : 0, blocks: 0 };
}

function textOf(node: FsNode, limit: number | undefined): string {
  switch (node.type) {
    case 'file':
      return node.content;
    case 'generated':
      return node.read();
    case 'block-device':
      return readDevice(node.content, node.sizeBytes, limit);
    case 'character-device':
      return readCharacterDevice(node.device, limit);
    default:
      throw new FileError('EISDIR');
  }
}

function readDevice(content: string, sizeBytes: number, limit: number | undefined): string {
  const wanted = Math.min(limit ?? sizeBytes, sizeBytes);
  if (wanted > LONGEST_DEVICE_READ) throw new FileError('NOT_MODELLED');
  return content.slice(0, wanted).padEnd(wanted, '\0');
}

function readCharacterDevice(device: string, limit: number | undefined): string {
  if (device === 'null' || device === 'tty') return '';
  if (device !== 'zero' || limit === undefined || limit > LONGEST_DEVICE_READ) throw new FileError('NOT_MODELLED');
  return '\0'.repeat(limit);
}
