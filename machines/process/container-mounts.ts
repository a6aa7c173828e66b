/** The mounts of one start of a container: the image's writable layer, what the runtime mounts by itself, the pod's volumes. */
import { FileError } from './errno.ts';
import type { DirectoryNode, FsNode } from './filesystem.ts';
import { createDirectory, createFile, LazyTree } from './filesystem.ts';
import { createImageLayer, kubeletMounts, runtimeMounts } from './image.ts';
import type { MountsOnDemand } from './mounted-files.ts';
import type { MountSpec } from './mounts.ts';
import { hostDirectory, joinPath, MountTable, normalize, parentPath } from './mounts.ts';
import type { ContainerSpec } from './process.ts';

const LAST_WORDS_PATH = '/dev/termination-log';

export class ContainerMounts implements MountsOnDemand {
  readonly #spec: ContainerSpec;
  readonly #madeMs: number;
  #laidOut: MountTable | undefined;
  #lastWords: LazyTree<FsNode & { readonly type: 'file' }> | undefined;
  #programsHidden: boolean | undefined;

  /** `madeMs`: when the container starts, milliseconds since the epoch. */
  constructor(spec: ContainerSpec, madeMs: number) {
    this.#spec = spec;
    this.#madeMs = madeMs;
  }

  /** The mounts as they were made at the start. They are laid out when somebody first looks: most processes only sleep. */
  get table(): MountTable {
    this.#laidOut ??= this.#layOut(this.#madeMs);
    return this.#laidOut;
  }

  /** What was written at the terminationMessagePath. */
  get lastWords(): string {
    return this.#lastWords?.root.content ?? '';
  }

  /** What keeps the mounts from being made. Only mounts inside each other, devices and a working directory can fail, or leave traces in a volume. */
  whyNot(): string | undefined {
    const { mounts = [], devices = [], workingDir } = this.#spec;
    if (devices.length === 0 && workingDir === undefined && !areNested(mounts)) return undefined;
    try {
      this.#laidOut ??= this.#layOut(this.#madeMs);
      return undefined;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `error during container init: error mounting to rootfs: ${error.message.toLowerCase()}`;
    }
  }

  /** Until somebody looks, nobody changed anything; then only mounts over the programs' directories count. */
  get programsUntouched(): boolean {
    if (this.#laidOut !== undefined) return false;
    this.#programsHidden ??= (this.#spec.mounts ?? []).some((mount) => touchesPrograms(normalize(mount.mountPath)));
    return !this.#programsHidden;
  }

  #layOut(nowMs: number): MountTable {
    const layer = createImageLayer(nowMs);
    const volumes = this.#spec.mounts ?? [];
    const hostname = this.#spec.hostname ?? 'container';
    // /proc shows the very table that it is a row of.
    const made: MountTable[] = [];
    const mountinfo = (): MountTable => {
      const [table] = made;
      if (table === undefined) throw new Error('a mount table is read before it is made');
      return table;
    };
    this.#lastWords = new LazyTree(() => ({ root: createFile('', { mode: 0o666, mtimeMs: nowMs }) }));
    const own = kubeletMounts({ hostname, nowMs, lastWords: { path: normalize(this.#spec.terminationMessagePath ?? LAST_WORDS_PATH), tree: this.#lastWords } }, (path) => hostDirectory(`/var/lib/kubelet/pods/${hostname}${path}`));
    const taken = new Set(volumes.map((volume) => normalize(volume.mountPath)));
    const all = [...volumes, ...own.filter((mount) => !taken.has(mount.mountPath))];
    const table = new MountTable({ tree: layer, readOnly: this.#spec.readOnlyRoot === true }, runtimeMounts(mountinfo, nowMs), all);
    made.push(table);
    makeMountPoints(table, all, nowMs);
    for (const { devicePath, tree } of this.#spec.devices ?? []) {
      const path = normalize(devicePath);
      makePath(table, parentPath(path), nowMs).entries.set(lastName(path), tree.root);
    }
    if (this.#spec.workingDir !== undefined) makePath(table, normalize(this.#spec.workingDir), nowMs);
    return table;
  }
}

const PROGRAM_ROOTS = ['/bin', '/sbin', '/usr'];

/** Whether a mount at this path may hide the image's programs or bring others. */
function touchesPrograms(mountPath: string): boolean {
  return mountPath === '/' || PROGRAM_ROOTS.some((root) => mountPath === root || mountPath.startsWith(`${root}/`));
}

function areNested(mounts: readonly MountSpec[]): boolean {
  const paths = mounts.map((mount) => normalize(mount.mountPath));
  return paths.some((path) => paths.some((other) => path.length > other.length && path.startsWith(`${other}/`)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The runtime makes a directory (or an empty file) where a mount point is missing, whatever lies below: that may be another
 * volume. @modelled github.com/opencontainers/runc, libcontainer/rootfs_linux.go
 */
function makeMountPoints(table: MountTable, mounts: readonly MountSpec[], nowMs: number): void {
  for (const mount of mounts) {
    const path = normalize(mount.mountPath);
    if (path === '/') continue;
    const parent = makePath(table, parentPath(path), nowMs);
    const isDirectory = mount.tree.root.type === 'directory';
    if (!parent.entries.has(lastName(path))) parent.entries.set(lastName(path), isDirectory ? createDirectory({ mtimeMs: nowMs }) : createFile('', { mtimeMs: nowMs }));
  }
}

/** The directory at a path of the container, made where it is missing. Throws a FileError where it cannot be. */
function makePath(table: MountTable, path: string, nowMs: number): DirectoryNode {
  let mount = table.root;
  let at: FsNode = mount.tree.root;
  let here = '/';
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (at.type !== 'directory') throw new FileError('ENOTDIR');
    here = joinPath(here, name);
    const mounted = table.at(here);
    mount = mounted ?? mount;
    let next: FsNode | undefined = mounted?.tree.root ?? at.entries.get(name);
    if (next === undefined) {
      // The image layer turns read-only after its mounts are made; a volume is so before.
      if (mount.readOnly && mount !== table.root) throw new FileError('EROFS');
      next = createDirectory({ mtimeMs: nowMs });
      at.entries.set(name, next);
    }
    at = next;
  }
  if (at.type !== 'directory') throw new FileError('ENOTDIR');
  return at;
}
