/** The image of the recordings: busybox, and little else. Each container start gets a fresh writable layer of it. */
import type { CharacterDeviceNode, DirectoryNode, FileTree, FsNode } from './filesystem.ts';
import { createDirectory, createFile, createSymlink, createTree, LazyTree } from './filesystem.ts';
import type { MountSpec, MountTable } from './mounts.ts';
import { ProgramEntries } from './program-entries.ts';

/** What a container is told about itself in files. */
export interface ContainerIdentity {
  readonly hostname: string;
  readonly nowMs: number;
  /** The file in which the container leaves its last words, and where they appear inside. */
  readonly lastWords: { readonly path: string; readonly tree: FileTree };
}

/** A fresh writable layer over the image's files. What a container writes here is gone when it stops. */
export function createImageLayer(nowMs: number): FileTree<DirectoryNode> {
  const tree = createTree({ mtimeMs: nowMs });
  const directory = (name: string, mode = 0o755): DirectoryNode => {
    const made = createDirectory({ mode, mtimeMs: nowMs });
    tree.root.entries.set(name, made);
    return made;
  };
  tree.root.entries.set('bin', { ...createDirectory({ mtimeMs: nowMs }), entries: new ProgramEntries(nowMs) });
  const etc = directory('etc');
  etc.entries.set('passwd', createFile('root:x:0:0:root:/root:/bin/sh\n', { mtimeMs: nowMs }));
  etc.entries.set('group', createFile('root:x:0:\n', { mtimeMs: nowMs }));
  for (const name of ['dev', 'home', 'proc', 'sys', 'usr', 'var']) directory(name);
  directory('root', 0o700);
  directory('tmp', 0o1777);
  return tree;
}

const DEVICES: readonly (readonly [CharacterDeviceNode['device'], number, number])[] = [
  ['null', 1, 3],
  ['zero', 1, 5],
  ['full', 1, 7],
  ['random', 1, 8],
  ['tty', 5, 0],
];

/** The container's /dev: a tmpfs with the usual devices. The pod's raw block volumes join them. */
function deviceTree(nowMs: number): FileTree<DirectoryNode> {
  const tree = createTree({ mtimeMs: nowMs });
  const { entries } = tree.root;
  for (const [device, major, minor] of DEVICES) {
    entries.set(device, { type: 'character-device', device, major, minor, uid: 0, gid: 0, mode: 0o666, mtimeMs: nowMs });
  }
  entries.set('urandom', { type: 'character-device', device: 'random', major: 1, minor: 9, uid: 0, gid: 0, mode: 0o666, mtimeMs: nowMs });
  entries.set('fd', createSymlink('/proc/self/fd', { mtimeMs: nowMs }));
  for (const [name, fd] of [['stdin', 0], ['stdout', 1], ['stderr', 2]] as const) entries.set(name, createSymlink(`/proc/self/fd/${fd}`, { mtimeMs: nowMs }));
  for (const name of ['pts', 'mqueue', 'shm']) entries.set(name, createDirectory({ mode: name === 'pts' ? 0o755 : 0o1777, mtimeMs: nowMs }));
  return tree;
}

/** /proc with the files that scripts of ours read. */
function procTree(mounts: () => MountTable, nowMs: number): FileTree<DirectoryNode> {
  const tree = createTree({ mode: 0o555, mtimeMs: nowMs });
  const generated = (read: () => string): FsNode => ({ type: 'generated', uid: 0, gid: 0, mode: 0o444, mtimeMs: nowMs, read });
  const process = createDirectory({ mode: 0o555, mtimeMs: nowMs });
  process.entries.set('mountinfo', generated(() => mounts().mountinfo()));
  process.entries.set('mounts', generated(() => mounts().mountsText()));
  tree.root.entries.set('1', process);
  tree.root.entries.set('self', process);
  tree.root.entries.set('mounts', createSymlink('self/mounts', { mtimeMs: nowMs }));
  return tree;
}

/** One mount of the runtime: as MountSpec, its tree still to be made. */
interface RuntimeMount extends Omit<MountSpec, 'tree'> {
  readonly make: (mounts: () => MountTable, nowMs: number) => FileTree;
}

const row = (device: string, fsType: string, superOptions: string, root = '/', source = fsType): MountSpec['source'] => ({ device, root, fsType, source, superOptions });
const empty = (mode = 0o755) => (_mounts: () => MountTable, nowMs: number): FileTree => createTree({ mode, mtimeMs: nowMs });
/** The cgroup v1 controllers of the recorded nodes; with the mounts before them they make the first volume the sixteenth row after the root. */
const CONTROLLERS = ['cpuset', 'cpu', 'cpuacct', 'blkio', 'memory', 'devices', 'freezer', 'pids', 'systemd'] as const;

/** The mounts that the container runtime makes by itself, in its order. Only where their rows end is recorded. @modelled github.com/containerd/containerd, oci/mounts.go 1.7 */
const RUNTIME_MOUNTS: readonly RuntimeMount[] = [
  { mountPath: '/proc', make: procTree, readOnly: false, source: row('0:351', 'proc', 'rw') },
  { mountPath: '/dev', make: (_mounts, nowMs) => deviceTree(nowMs), readOnly: false, source: row('0:352', 'tmpfs', 'rw,size=65536k,mode=755,inode64') },
  { mountPath: '/dev/pts', make: empty(), readOnly: false, source: row('0:353', 'devpts', 'rw,gid=5,mode=620,ptmxmode=666') },
  { mountPath: '/dev/mqueue', make: empty(0o1777), readOnly: false, source: row('0:340', 'mqueue', 'rw') },
  { mountPath: '/sys', make: empty(0o555), readOnly: true, source: row('0:341', 'sysfs', 'ro') },
  { mountPath: '/sys/fs/cgroup', make: empty(), readOnly: true, source: row('0:354', 'tmpfs', 'rw,mode=755,inode64') },
  ...CONTROLLERS.map((name, index): RuntimeMount => ({ mountPath: `/sys/fs/cgroup/${name}`, make: empty(0o555), readOnly: true, source: row(`0:${30 + index}`, 'cgroup', `rw,${name}`, '/kubepods', 'cgroup') })),
];
const SHM = row('0:330', 'tmpfs', 'rw,size=65536k,inode64', '/', 'shm');

export function runtimeMounts(mounts: () => MountTable, nowMs: number): MountSpec[] {
  return RUNTIME_MOUNTS.map(({ mountPath, make, readOnly, source }) => ({ mountPath, tree: new LazyTree(() => make(mounts, nowMs)), readOnly, source }));
}

/** The files that the kubelet mounts into every container, after the volumes. @modelled pkg/kubelet/kubelet_pods.go, v1.35 */
export function kubeletMounts(identity: ContainerIdentity, hostFile: (path: string) => MountSpec['source']): MountSpec[] {
  const { hostname, nowMs, lastWords } = identity;
  const file = (mountPath: string, content: string): MountSpec => ({
    mountPath,
    tree: new LazyTree(() => ({ root: createFile(content, { mtimeMs: nowMs }) })),
    readOnly: false,
    source: hostFile(mountPath),
  });
  return [
    file('/etc/hosts', `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n`),
    { mountPath: lastWords.path, tree: lastWords.tree, readOnly: false, source: hostFile(lastWords.path) },
    file('/etc/hostname', `${hostname}\n`),
    file('/etc/resolv.conf', 'nameserver 10.96.0.10\n'),
    { mountPath: '/dev/shm', tree: new LazyTree(() => createTree({ mode: 0o1777, mtimeMs: nowMs })), readOnly: false, source: SHM },
  ];
}
