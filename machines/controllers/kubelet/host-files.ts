/** The file system of a node, as far as hostPath and local volumes look at it. */
import { createDirectory, createFile, createTree, type CharacterDeviceNode, type DirectoryNode, type FileTree, type FsNode } from '../../process/filesystem.ts';
import { hostDirectory, type MountSource } from '../../process/mounts.ts';

/** Directories that every node has. */
const DIRECTORIES = ['/bin', '/boot', '/etc/cni/net.d', '/etc/kubernetes/manifests', '/home', '/lib/modules', '/media', '/mnt', '/opt/cni/bin', '/proc', '/root', '/run/containerd', '/sbin', '/srv', '/sys', '/tmp', '/usr/local', '/var/lib/containerd', '/var/lib/kubelet/pods', '/var/local', '/var/log/containers', '/var/log/pods', '/var/tmp'];
const FILES = ['/etc/group', '/etc/hostname', '/etc/hosts', '/etc/machine-id', '/etc/os-release', '/etc/passwd', '/etc/resolv.conf', '/etc/kubernetes/kubelet.conf', '/var/lib/kubelet/config.yaml'];
const SOCKETS = new Set(['/run/containerd/containerd.sock']);
const DEVICES: readonly (readonly [string, CharacterDeviceNode['device'], number, number])[] = [['null', 'null', 1, 3], ['zero', 'zero', 1, 5], ['full', 'full', 1, 7], ['random', 'random', 1, 8], ['urandom', 'random', 1, 9], ['tty', 'tty', 5, 0]];

type Kind = 'directory' | 'file' | 'socket' | 'character-device' | 'block-device';

export class HostFiles {
  private readonly now: () => number;
  private readonly root: DirectoryNode;
  /** The host's directory that the node sees as /var. */
  private readonly varVolume: () => string;

  /** `now` tells the time in milliseconds since the epoch. */
  constructor(node: string, now: () => number, varVolume: () => string) {
    this.varVolume = varVolume;
    this.now = now;
    this.root = createDirectory({ mtimeMs: now() });
    for (const path of DIRECTORIES) this.makeDirectory(path);
    for (const path of [...FILES, ...SOCKETS]) this.put(path, createFile(path === '/etc/hostname' ? `${node}\n` : '', { mtimeMs: now() }));
    this.makeDirectory('/dev');
    for (const [name, device, major, minor] of DEVICES) this.put(`/dev/${name}`, { type: 'character-device', device, major, minor, uid: 0, gid: 0, mode: 0o666, mtimeMs: now() });
    for (const path of ['/tmp', '/var/tmp']) Object.assign(this.find(path) ?? {}, { mode: 0o1777 });
  }

  private find(path: string): FsNode | undefined {
    let node: FsNode | undefined = this.root;
    for (const name of namesOf(path)) node = node?.type === 'directory' ? node.entries.get(name) : undefined;
    return node;
  }

  private put(path: string, node: FsNode): void {
    const names = namesOf(path);
    const parent = this.find(names.slice(0, -1).join('/'));
    if (parent?.type === 'directory') parent.entries.set(names.at(-1) ?? '', node);
  }

  /** mkdir -p. Returns the error text. */
  private makeDirectory(path: string): string | undefined {
    let node: FsNode = this.root;
    let walked = '';
    for (const name of namesOf(path)) {
      walked += `/${name}`;
      if (node.type !== 'directory') return `mkdir ${walked}: not a directory`;
      const child: FsNode = node.entries.get(name) ?? createDirectory({ mtimeMs: this.now() });
      node.entries.set(name, child);
      node = child;
    }
    return undefined;
  }

  private makeFile(path: string): string | undefined {
    const names = namesOf(path);
    const parent = this.find(names.slice(0, -1).join('/'));
    if (parent?.type !== 'directory') return `open ${path}: ${parent ? 'not a directory' : 'no such file or directory'}`;
    parent.entries.set(names.at(-1) ?? '', createFile('', { mtimeMs: this.now() }));
    return undefined;
  }

  /** What a path is, or undefined when it does not exist. */
  kind(path: string): Kind | undefined {
    if (SOCKETS.has(`/${namesOf(path).join('/')}`)) return 'socket';
    const type = this.find(path)?.type;
    return type === 'directory' || type === 'character-device' || type === 'block-device' || type === undefined ? type : 'file';
  }

  /** What stands at a path of the node, and how a mountinfo row names it. It outlives every pod. */
  at(path: string): { readonly tree: FileTree; readonly source: MountSource } {
    const root = this.find(path);
    return { tree: root ? { root } : createTree(), source: this.source(path) };
  }

  /**
   * Where the bytes at a path are: a kind node is a container whose /var is a volume of the host, whose /tmp and /run are
   * tmpfs, and whose other directories are the layers of its image.
   * @recorded #immediate-happy
   */
  source(path: string): MountSource {
    const names = namesOf(path);
    const rest = `/${names.slice(1).join('/')}`;
    if (names[0] === 'var') return hostDirectory(`${this.varVolume()}${rest === '/' ? '' : rest}`);
    if (names[0] === 'tmp' || names[0] === 'run') return { device: names[0] === 'tmp' ? '0:62' : '0:63', root: rest, fsType: 'tmpfs', source: 'tmpfs', superOptions: 'rw,inode64', flags: 'nosuid,nodev,noexec,relatime' };
    return { device: '0:52', root: `/${names.join('/')}`, fsType: 'overlay', source: 'overlay', superOptions: 'rw,lowerdir=/layers/1,upperdir=/layers/2,workdir=/layers/work' };
  }

  /**
   * The check that a hostPath type asks for; creates what the OrCreate types name (pkg/volume/hostpath checkType, v1.35).
   * Whatever is no directory counts as a file. Returns the error text, or undefined. Without a type nothing is checked: the
   * container runtime makes the directory.
   * @modelled ref 7.2
   */
  checkType(path: string, type: string): string | undefined {
    const kind = this.kind(path);
    if (kind === undefined && (type === '' || type === 'DirectoryOrCreate')) return this.makeDirectory(path);
    if (kind === undefined && type === 'FileOrCreate') return this.makeFile(path);
    if (type === '') return undefined;
    const [wanted, what] = CHECKS[type] ?? [];
    if (wanted === undefined || what === undefined) return `${type} is an invalid volume type`;
    return kind !== undefined && wanted(kind) ? undefined : `hostPath type check failed: ${path} is not ${what}`;
  }
}

const is = (wanted: Kind) => (kind: Kind) => kind === wanted;
const isNoDirectory = (kind: Kind): boolean => kind !== 'directory';
const CHECKS: Readonly<Record<string, readonly [(kind: Kind) => boolean, string]>> = {
  DirectoryOrCreate: [is('directory'), 'a directory'],
  Directory: [is('directory'), 'a directory'],
  FileOrCreate: [isNoDirectory, 'a file'],
  File: [isNoDirectory, 'a file'],
  Socket: [is('socket'), 'a socket file'],
  CharDevice: [is('character-device'), 'a character device'],
  BlockDevice: [is('block-device'), 'a block device'],
};

/** The names of a path, from the root; /var/run is a link to /run. */
function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names[0] === 'var' && names[1] === 'run' ? names.slice(1) : names;
}
