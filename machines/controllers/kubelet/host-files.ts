/** The file system of a node, as far as hostPath and local volumes look at it. */
import { createFile, createTree, type FileTree } from '../../process/filesystem.ts';

/** Directories that every node has. */
const DIRECTORIES = ['/', '/bin', '/boot', '/dev', '/etc', '/etc/kubernetes', '/home', '/mnt', '/opt', '/proc', '/root', '/run', '/sbin', '/srv', '/sys', '/tmp', '/usr', '/usr/local', '/var', '/var/lib', '/var/lib/kubelet', '/var/local', '/var/log', '/var/tmp'];

type Kind = 'directory' | 'file';

export class HostFiles {
  private readonly kinds = new Map<string, Kind>(DIRECTORIES.map((path) => [path, 'directory']));
  private readonly trees = new Map<string, FileTree>();

  /** What a path is, or undefined when it does not exist. */
  kind(path: string): Kind | undefined {
    return this.kinds.get(clean(path));
  }

  create(path: string, kind: Kind): void {
    if (!this.kinds.has(clean(path))) this.kinds.set(clean(path), kind);
  }

  /** The content of a directory or file of the node. It outlives every pod. */
  tree(path: string): FileTree {
    const key = clean(path);
    const tree = this.trees.get(key) ?? (this.kind(path) === 'file' ? { root: createFile('') } : createTree());
    this.trees.set(key, tree);
    return tree;
  }

  /**
   * The check that a hostPath type asks for; creates what the OrCreate types name (pkg/volume/hostpath checkType, v1.35).
   * Returns the error text, or undefined. Without a type nothing is checked: the container runtime makes the directory.
   * @modelled ref 7.2
   */
  checkType(path: string, type: string): string | undefined {
    const failed = (what: string): string => `hostPath type check failed: ${path} is not ${what}`;
    if (type === '') {
      this.create(path, 'directory');
      return undefined;
    }
    if (type === 'DirectoryOrCreate') this.create(path, 'directory');
    if (type === 'FileOrCreate') this.create(path, 'file');
    const kind = this.kind(path);
    if (type.startsWith('Directory')) return kind === 'directory' ? undefined : failed('a directory');
    if (type.startsWith('File')) return kind === 'file' ? undefined : failed('a file');
    if (type === 'Socket') return failed('a socket file');
    if (type === 'CharDevice') return failed('a character device');
    if (type === 'BlockDevice') return failed('a block device');
    return `unsupported hostPath type ${type}`;
  }
}

function clean(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}
