/** The mounts of a container: which tree stands at which path, and the rows of /proc/self/mountinfo. */
import type { DirectoryNode, FileTree } from './filesystem.ts';

/** Where a mount's bytes come from, as the fields of a mountinfo row name it. */
export interface MountSource {
  /** Major and minor number of the file system's device. */
  readonly device: string;
  /** The directory of that file system that is mounted here. */
  readonly root: string;
  readonly fsType: string;
  readonly source: string;
  /** Options of the whole file system; they stay `rw` when only this mount is read-only. */
  readonly superOptions: string;
  /** Options of the mount itself, besides rw or ro, where they are not those usual for the file system. */
  readonly flags?: string;
}

/** One mount of a container. */
export interface MountSpec {
  readonly mountPath: string;
  readonly tree: FileTree;
  /** Read-only in this container, whatever the file system allows. */
  readonly readOnly: boolean;
  readonly source: MountSource;
}

/** A directory of the node's disk: ext4 on /dev/vda. @recorded #immediate-happy, #read-only-mount */
export function hostDirectory(root: string): MountSource {
  return { device: '254:0', root, fsType: 'ext4', source: '/dev/vda', superOptions: 'rw,discard,resv_strict,resuid=65534,resgid=65534' };
}

const PAGE = 4096;

/** A tmpfs of the kubelet: Secret, token and downward API volumes, and emptyDir with medium Memory. It never swaps. @recorded #missing-secret */
export function tmpfs(sizeBytes: number): MountSource {
  return { device: '0:300', root: '/', fsType: 'tmpfs', source: 'tmpfs', superOptions: `rw,size=${Math.ceil(sizeBytes / PAGE) * 4}k,inode64,noswap` };
}

/** A mount at its place: paths in `MountTable` are absolute, without `.`, `..` or a slash at the end. */
export interface Mount extends MountSpec {
  readonly id: number;
}

const OVERLAY: MountSource = {
  device: '0:350',
  root: '/',
  fsType: 'overlay',
  source: 'overlay',
  superOptions: 'rw,lowerdir=/snapshots/1/fs,upperdir=/snapshots/2/fs,workdir=/snapshots/2/work',
};
const ROOT_ID = 1501;
const ROOT_PARENT = 1390;

/** The mounts of one container start: the image layer at `/`, the runtime's own, and those of the pod. */
export class MountTable {
  readonly #mounts: readonly Mount[];
  readonly #byPath: ReadonlyMap<string, Mount>;

  constructor(root: { readonly tree: FileTree<DirectoryNode>; readonly readOnly: boolean }, runtime: readonly MountSpec[], volumes: readonly MountSpec[]) {
    const mounts: Mount[] = [];
    const byPath = new Map<string, Mount>();
    for (const { mountPath, tree, readOnly, source } of [{ mountPath: '/', source: OVERLAY, ...root }, ...runtime, ...volumes]) {
      const mount = { mountPath: normalize(mountPath), tree, readOnly, source, id: ROOT_ID + mounts.length };
      mounts.push(mount);
      // Of two mounts at one path the later one covers the earlier.
      byPath.set(mount.mountPath, mount);
    }
    this.#mounts = mounts;
    this.#byPath = byPath;
  }

  /** The mount of the image layer. */
  get root(): Mount {
    const root = this.#byPath.get('/');
    if (root === undefined) throw new Error('a mount table without a root');
    return root;
  }

  /** The mount whose root stands exactly at this path. */
  at(path: string): Mount | undefined {
    return this.#byPath.get(path);
  }

  /** All mounts, in the order they were made. */
  list(): readonly Mount[] {
    return this.#mounts;
  }

  /** The text of /proc/self/mountinfo. Source: proc_pid_mountinfo(5). @recorded #immediate-happy, #read-only-mount, #read-only-one-container */
  mountinfo(): string {
    return this.#mounts.map((mount) => `${this.#row(mount)}\n`).join('');
  }

  /** The text of /proc/mounts. */
  mountsText(): string {
    return this.#mounts
      .map((mount) => `${mount.source.source} ${escapePath(mount.mountPath)} ${mount.source.fsType} ${combinedOptions(mount)} 0 0\n`)
      .join('');
  }

  #row(mount: Mount): string {
    const parent = mount.mountPath === '/' ? ROOT_PARENT : this.#parentOf(mount).id;
    const { device, root, fsType, source, superOptions } = mount.source;
    return `${mount.id} ${parent} ${device} ${escapePath(root)} ${escapePath(mount.mountPath)} ${mountOptions(mount)} - ${fsType} ${source} ${superOptions}`;
  }

  /** The mount that holds the mount point: the longest path above it. */
  #parentOf(mount: Mount): Mount {
    let path = parentPath(mount.mountPath);
    while (path !== '/' && !this.#byPath.has(path)) path = parentPath(path);
    return this.#byPath.get(path) ?? this.root;
  }
}

/** Options of this mount alone: the sixth field of a row. */
function mountOptions(mount: Mount): string {
  return `${mount.readOnly ? 'ro' : 'rw'},${mount.source.flags ?? SPECIAL_OPTIONS[mount.source.fsType] ?? 'relatime'}`;
}

const SPECIAL_OPTIONS: Readonly<Record<string, string>> = {
  proc: 'nosuid,nodev,noexec,relatime',
  sysfs: 'nosuid,nodev,noexec,relatime',
  devpts: 'nosuid,noexec,relatime',
  mqueue: 'nosuid,nodev,noexec,relatime',
  cgroup: 'nosuid,nodev,noexec,relatime',
};

/** /proc/mounts shows one list: the mount's own options, then the file system's but its own rw or ro. */
function combinedOptions(mount: Mount): string {
  const rest = mount.source.superOptions.split(',').slice(1);
  return [mountOptions(mount), ...rest].join(',');
}

/** Blanks, tabs, line feeds and backslashes stand as octal escapes. */
function escapePath(path: string): string {
  return path.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Names that begin with a dot are left to the slow way. */
const NORMAL_PATH = /^(?:\/[^/.][^/]*)+$/;

/** An absolute path without `.`, `..`, doubled slashes or a slash at the end. */
export function normalize(path: string): string {
  if (path === '/' || NORMAL_PATH.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export function parentPath(path: string): string {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
}

export function joinPath(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}
