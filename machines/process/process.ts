/**
 * The process of a container: its command on virtual time over the container's own mounts, and the commands that `exec`
 * runs beside it. The kubelet makes one for each start of a container; the writable layer begins anew with each.
 */
import type { AppletRun } from './applet.ts';
import { complain, NOT_MODELLED_STATUS } from './applet.ts';
import { FileError } from './errno.ts';
import type { DirectoryNode, FileTree, FsNode } from './filesystem.ts';
import { createDirectory, createFile, LazyTree } from './filesystem.ts';
import { createImageLayer, kubeletMounts, runtimeMounts } from './image.ts';
import type { Credentials, ProcessClock } from './mounted-files.ts';
import { MountedFiles } from './mounted-files.ts';
import type { MountSpec } from './mounts.ts';
import { hostDirectory, joinPath, MountTable, normalize, parentPath } from './mounts.ts';
import { isModelledApplet } from './not-modelled.ts';
import { DEFAULT_PATH, findProgram, runProgram, runShell } from './shell.ts';
import type { Descriptors } from './streams.ts';
import { Capture, descriptors, Tail, TextInput } from './streams.ts';
import type { ProcessHost, SignalName, Steps } from './task.ts';
import { COMMANDS_PER_SECOND, KilledBySignal, SIGNALS } from './task.ts';

/** A raw block volume of the container. */
export interface DeviceSpec {
  readonly devicePath: string;
  readonly tree: FileTree;
}

/** Everything a container start needs. */
export interface ContainerSpec {
  /** The manifest's `command`; without one the image's `sh` runs. */
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The pod's volumes in this container, in the order of volumeMounts. */
  readonly mounts?: readonly MountSpec[] | undefined;
  readonly devices?: readonly DeviceSpec[] | undefined;
  /** runAsUser; 0 unless set. */
  readonly uid?: number | undefined;
  /** runAsGroup; 0 unless set. */
  readonly gid?: number | undefined;
  /** supplementalGroups and fsGroup. */
  readonly groups?: readonly number[] | undefined;
  readonly workingDir?: string | undefined;
  /** The pod's name, which is the container's host name. */
  readonly hostname?: string | undefined;
  /** readOnlyRootFilesystem. */
  readonly readOnlyRoot?: boolean | undefined;
  /** terminationMessagePath; the usual place unless set. */
  readonly terminationMessagePath?: string | undefined;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** Virtual milliseconds that it took. */
  readonly durationMs: number;
  /** The command was never started: `stderr` holds the runtime's reason. */
  readonly refused?: true;
}

/** How a process ended: its exit code, and when (milliseconds since the epoch). */
export interface ProcessExit {
  readonly code: number;
  readonly atMs: number;
}

/** A running `exec`, driven like the container's own process. */
export interface ExecSession {
  /** When it wants to go on; undefined when it is over. Infinity when only a signal could wake it. */
  readonly nextWakeMs: number | undefined;
  /** Lets it run to the given moment. */
  advance(nowMs: number): void;
  /** What it printed and its code; undefined while it runs. */
  readonly result: ExecResult | undefined;
  /** It waits because it ran too many commands at one moment, not because it sleeps. */
  readonly busy: boolean;
  /** Commands that it has run so far. */
  readonly commands: number;
  /** Gives it up: it ends with code 127 and the reason on its standard error. */
  abandon(nowMs: number, reason: string): void;
}

/** Longest virtual time that `exec` waits for a command, a day. */
const LONGEST_EXEC_MS = 86_400_000;
/** Seconds that `exec` grants a command that never sleeps. */
const LONGEST_BUSY_EXEC = 20;
/** Commands that `exec` grants in all, however much it sleeps between them. */
const MOST_EXEC_COMMANDS = LONGEST_BUSY_EXEC * COMMANDS_PER_SECOND;
const LAST_WORDS_PATH = '/dev/termination-log';
/** Bytes of them that the kubelet reads. */
const MOST_LAST_WORDS = 4096;
/** Characters of a container's output that are kept. */
const KEPT_OUTPUT = 64 * 1024;
/** How the runtime's refusals begin. @modelled github.com/containerd/containerd 1.7 and github.com/opencontainers/runc */
const NOT_STARTED = 'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process';

/** Makes the process of a container start. Call `start` once. */
export function createContainerProcess(spec: ContainerSpec): ContainerProcess {
  return new ContainerProcess(spec);
}

/** One start of a container. */
export class ContainerProcess {
  readonly #spec: ContainerSpec;
  readonly #who: Credentials;
  readonly #output = new Tail(KEPT_OUTPUT);
  readonly #lastWords = new LazyTree(() => ({ root: createFile('', { mode: 0o666, mtimeMs: this.#startedMs ?? 0 }) }));
  #startedMs: number | undefined;
  #mounts: MountTable | undefined;
  #task: Task | undefined;
  #lastPid = 1;
  #variables: Map<string, string> | undefined;
  #programsHidden: boolean | undefined;

  /** Why the runtime could not start it (the container never ran); undefined when it could. */
  startError: string | undefined;

  constructor(spec: ContainerSpec) {
    this.#spec = spec;
    this.#who = { uid: spec.uid ?? 0, gid: spec.gid ?? 0, groups: spec.groups ?? [] };
  }

  /** Begins to run: mounts are made, the command runs up to its first wait. */
  start(nowMs: number): void {
    if (this.#startedMs !== undefined) throw new Error('a container process starts once; make another for a restart');
    this.#startedMs = nowMs;
    const { command, args = [] } = this.#spec;
    const words = [...(command ?? (args.length === 0 ? ['sh'] : [])), ...args];
    const files = this.#files(nowMs);
    const missing = this.#whyNoMounts() ?? this.#whyNotExecutable(words[0] ?? '', files);
    if (missing !== undefined) {
      this.startError = `${NOT_STARTED}: ${missing}: unknown`;
      return;
    }
    const open = descriptors(new TextInput(), this.#output, this.#output);
    this.#task = new Task(this.#hostFor(1), files.clock, (host) => this.#program(words, host, files, open));
    this.#task.advance(nowMs);
  }

  /** When the process wants to go on: milliseconds since the epoch, Infinity when only a signal could wake it, undefined when it does not run. */
  get nextWakeMs(): number | undefined {
    return this.#task?.nextWakeMs;
  }

  /** Lets the process run to the given moment. */
  advance(nowMs: number): void {
    this.#task?.advance(nowMs);
  }

  /** How it ended; undefined while it runs or when it never started. */
  get exited(): ProcessExit | undefined {
    return this.#task?.exited;
  }

  /** What it printed, the last 64 KiB. */
  get output(): string {
    return this.#output.text();
  }

  /** What it wrote at its terminationMessagePath, the end of it. */
  get lastWords(): string {
    return this.#mounts === undefined ? '' : this.#lastWords.root.content.slice(-MOST_LAST_WORDS);
  }

  /** The rows of its mounts. */
  get mountinfo(): string {
    return this.#startedMs === undefined ? '' : this.#table().mountinfo();
  }

  /**
   * A signal from outside, as the kubelet sends it. KILL always ends it (137). Any other reaches process 1 only when it
   * has a trap for it; a process 1 without one ignores it (signal(7), pid_namespaces(7)).
   * @recorded #slow-goodbye, #container-restart
   */
  signal(name: SignalName, nowMs: number): void {
    this.advance(nowMs);
    if (name === 'KILL') this.#task?.endWith('KILL', nowMs);
    else this.#task?.deliver(name, nowMs);
  }

  /** Runs a command beside the process to its end, on the same mounts. Its sleeps only add up: the process does not run meanwhile. */
  exec(argv: readonly string[], nowMs: number): ExecResult {
    const session = this.beginExec(argv, nowMs);
    let busy = 0;
    for (let at = nowMs; session.result === undefined; ) {
      const next = session.nextWakeMs ?? at;
      busy = session.busy ? busy + 1 : 0;
      if (next - nowMs > LONGEST_EXEC_MS || busy > LONGEST_BUSY_EXEC || session.commands > MOST_EXEC_COMMANDS) {
        session.abandon(at, `${argv[0] ?? ''}: a command that does not end is not modelled by this simulation\n`);
        break;
      }
      at = next;
      session.advance(at);
    }
    return session.result ?? { stdout: '', stderr: '', code: 127, durationMs: 0 };
  }

  /** Begins a command beside the process, for a caller that lets time pass for both. */
  beginExec(argv: readonly string[], nowMs: number): ExecSession {
    this.advance(nowMs);
    return new ExecTask(nowMs, (open) => this.#execTask(argv, nowMs, open));
  }

  #execTask(argv: readonly string[], nowMs: number, open: Descriptors): Task | string {
    if (this.#task === undefined || this.#task.exited !== undefined) return 'error: the container does not run\n';
    const files = this.#files(nowMs);
    const missing = this.#whyNotExecutable(argv[0] ?? '', files);
    if (missing !== undefined) {
      return `error: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${missing}: unknown\n`;
    }
    return new Task(this.#hostFor(this.#nextPid()), files.clock, (host) => this.#program(argv, host, files, open));
  }

  #files(nowMs: number): MountedFiles {
    const files = new MountedFiles({ table: () => this.#table(), programsUntouched: () => this.#programsUntouched() }, this.#who, { nowMs });
    const { workingDir } = this.#spec;
    if (workingDir !== undefined) files.cwd = normalize(workingDir);
    return files;
  }

  /** The mounts as they were made at the start. They are laid out when somebody first looks: most processes only sleep. */
  #table(): MountTable {
    this.#mounts ??= this.#makeMounts(this.#startedMs ?? 0);
    return this.#mounts;
  }

  /** Only mounts inside each other, devices and a working directory can fail, or leave traces in a volume. */
  #whyNoMounts(): string | undefined {
    const paths = (this.#spec.mounts ?? []).map((mount) => normalize(mount.mountPath));
    const nested = paths.some((path) => paths.some((other) => path.startsWith(`${other}/`)));
    if (!nested && (this.#spec.devices ?? []).length === 0 && this.#spec.workingDir === undefined) return undefined;
    try {
      this.#table();
      return undefined;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `error during container init: error mounting to rootfs: ${error.message.toLowerCase()}`;
    }
  }

  #whyNotExecutable(argv0: string, files: MountedFiles): string | undefined {
    const found = findProgram(argv0, files, this.#environment().get('PATH') ?? '');
    if (found.type === 'denied') return `exec: "${argv0}": permission denied`;
    if (found.type !== 'missing') return undefined;
    return `exec: "${argv0}": ${argv0.includes('/') ? `stat ${argv0}: no such file or directory` : 'executable file not found in $PATH'}`;
  }

  /** Until somebody looks, nobody changed anything; then only mounts over the programs' directories count. */
  #programsUntouched(): boolean {
    if (this.#mounts !== undefined) return false;
    this.#programsHidden ??= (this.#spec.mounts ?? []).some((mount) => touchesPrograms(normalize(mount.mountPath)));
    return !this.#programsHidden;
  }

  #program(words: readonly string[], host: ProcessHost, files: MountedFiles, open: Descriptors): Steps<number> {
    const [argv0 = '', ...args] = words;
    const environment = (): ReadonlyMap<string, string> => this.#environment();
    const applet = argv0.slice(argv0.lastIndexOf('/') + 1);
    const start = { host, files, open, environment, argv0, depth: 0 };
    if (findProgram(argv0, files, environment().get('PATH') ?? '').type === 'script') return runShell([argv0, ...args], { ...start, argv0: 'sh' });
    if (applet === 'sh' || applet === 'ash') return runShell(args, start);
    if (!isModelledApplet(applet)) return refuse({ name: applet, args, host, files, open, environment });
    return runProgram(applet, args, start);
  }

  #environment(): ReadonlyMap<string, string> {
    if (this.#variables) return this.#variables;
    const { env = {}, hostname = 'container' } = this.#spec;
    this.#variables = new Map([['PATH', DEFAULT_PATH], ['HOSTNAME', hostname], ['HOME', this.#who.uid === 0 ? '/root' : '/']]);
    for (const name in env) this.#variables.set(name, env[name] as string);
    return this.#variables;
  }

  #nextPid(): number {
    this.#lastPid += 1;
    return this.#lastPid;
  }

  #hostFor(pid: number): HostBase {
    return {
      pid,
      hostname: this.#spec.hostname ?? 'container',
      nextPid: () => this.#nextPid(),
      /** Process 1 from inside its own namespace: even KILL only reaches it through a trap, which KILL has none of. */
      signalMain: (name, nowMs) => {
        if (name !== 'KILL' && name !== 'STOP') this.#task?.deliver(name, nowMs);
      },
    };
  }

  #makeMounts(nowMs: number): MountTable {
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

function* refuse(run: AppletRun): Steps<number> {
  complain(run, 'not modelled by this simulation');
  return 127;
}

const PROGRAM_ROOTS = ['/bin', '/sbin', '/usr'];

/** Whether a mount at this path may hide the image's programs or bring others. */
function touchesPrograms(mountPath: string): boolean {
  return mountPath === '/' || PROGRAM_ROOTS.some((root) => mountPath === root || mountPath.startsWith(`${root}/`));
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

interface HostBase {
  readonly pid: number;
  readonly hostname: string;
  nextPid(): number;
  signalMain(name: SignalName, nowMs: number): void;
}

/** A process on virtual time: runs, waits, takes signals, ends. */
class Task implements ProcessHost {
  readonly #base: HostBase;
  readonly #clock: ProcessClock;
  readonly #steps: Steps<number>;
  #handled: ReadonlySet<SignalName> = NO_SIGNALS;
  #ignored: ReadonlySet<SignalName> = NO_SIGNALS;
  #pending: SignalName[] = [];
  #commands = 0;
  #wakeMs: number;
  /** It waits because it ran too many commands at one moment. */
  busy = false;
  /** Commands run since it began. */
  commands = 0;
  exited: ProcessExit | undefined;

  constructor(base: HostBase, clock: ProcessClock, program: (host: ProcessHost) => Steps<number>) {
    this.#base = base;
    this.#clock = clock;
    this.#wakeMs = clock.nowMs;
    this.#steps = program(this);
  }

  get pid(): number {
    return this.#base.pid;
  }

  get hostname(): string {
    return this.#base.hostname;
  }

  get nextWakeMs(): number | undefined {
    return this.exited === undefined ? this.#wakeMs : undefined;
  }

  advance(nowMs: number): void {
    while (this.exited === undefined && this.#wakeMs <= nowMs) {
      // A sleep of nothing is no rest: commands count until a second of the clock is over.
      if (Math.floor(this.#wakeMs / 1000) !== Math.floor(this.#clock.nowMs / 1000)) this.#commands = 0;
      this.#clock.nowMs = this.#wakeMs;
      this.#step(this.#wakeMs);
    }
  }

  #step(at: number): void {
    try {
      const next = this.#steps.next();
      if (next.done === true) {
        this.exited = { code: next.value & 0xff, atMs: at };
        return;
      }
      this.busy = next.value.busy === true;
      this.#wakeMs = at + next.value.ms;
    } catch (error) {
      // A script may nest deeper, or make a text longer, than JavaScript holds.
      if (error instanceof RangeError) this.exited = { code: NOT_MODELLED_STATUS, atMs: at };
      else if (error instanceof KilledBySignal) this.exited = { code: 128 + SIGNALS[error.signal], atMs: at };
      else throw error;
    }
  }

  /** A signal that the process may handle or ignore. */
  deliver(name: SignalName, nowMs: number): void {
    if (this.exited !== undefined) return;
    if (this.#handled.has(name)) {
      if (!this.#pending.includes(name)) this.#pending.push(name);
      return;
    }
    if (this.#ignored.has(name) || this.#base.pid === 1 || IGNORED_BY_DEFAULT.has(name)) return;
    this.endWith(name, nowMs);
  }

  /** Ends the process with a signal. */
  endWith(name: SignalName, nowMs: number): void {
    if (this.exited !== undefined) return;
    this.exited = { code: 128 + SIGNALS[name], atMs: nowMs };
  }

  // What its program asks of it.

  nextPid(): number {
    return this.#base.nextPid();
  }

  handleSignals(names: ReadonlySet<SignalName>, ignored: ReadonlySet<SignalName>): void {
    this.#handled = names;
    this.#ignored = ignored;
  }

  takeSignal(): SignalName | undefined {
    return this.#pending.shift();
  }

  spend(): boolean {
    this.#commands += 1;
    this.commands += 1;
    return this.#commands > COMMANDS_PER_SECOND;
  }

  kill(pid: number, signal: SignalName | undefined): boolean {
    const exists = pid === this.#base.pid || pid === 1;
    if (signal === undefined || !exists) return exists;
    if (pid === this.#base.pid) this.#sendToSelf(signal);
    else this.#base.signalMain(signal, this.#clock.nowMs);
    return true;
  }

  #sendToSelf(signal: SignalName): void {
    if (this.#handled.has(signal)) this.#pending.push(signal);
    else if (!this.#ignored.has(signal) && this.#base.pid !== 1 && !IGNORED_BY_DEFAULT.has(signal)) throw new KilledBySignal(signal);
  }
}

const NO_SIGNALS: ReadonlySet<SignalName> = new Set();
const IGNORED_BY_DEFAULT: ReadonlySet<SignalName> = new Set(['CHLD', 'CONT']);

/** A command that `exec` runs. */
class ExecTask implements ExecSession {
  readonly #stdout = new Capture();
  readonly #stderr = new Capture();
  readonly #startMs: number;
  /** The process, or undefined when the runtime did not start it. */
  readonly #task: Task | undefined;
  #abandonedMs: number | undefined;

  constructor(nowMs: number, begin: (open: Descriptors) => Task | string) {
    this.#startMs = nowMs;
    const task = begin(descriptors(new TextInput(), this.#stdout, this.#stderr));
    if (typeof task === 'string') {
      this.#stderr.write(task);
      return;
    }
    this.#task = task;
    this.#task.advance(nowMs);
  }

  get nextWakeMs(): number | undefined {
    return this.#abandonedMs === undefined ? this.#task?.nextWakeMs : undefined;
  }

  get busy(): boolean {
    return this.#task?.busy === true;
  }

  get commands(): number {
    return this.#task?.commands ?? 0;
  }

  advance(nowMs: number): void {
    if (this.#abandonedMs === undefined) this.#task?.advance(nowMs);
  }

  abandon(nowMs: number, reason: string): void {
    this.#abandonedMs = nowMs;
    this.#stderr.write(reason);
  }

  get result(): ExecResult | undefined {
    const streams = { stdout: this.#stdout.text(), stderr: this.#stderr.text() };
    if (this.#task === undefined) return { ...streams, code: 1, durationMs: 0, refused: true };
    if (this.#abandonedMs !== undefined) return { ...streams, code: 127, durationMs: this.#abandonedMs - this.#startMs };
    const exit = this.#task.exited;
    return exit === undefined ? undefined : { ...streams, code: exit.code, durationMs: exit.atMs - this.#startMs };
  }
}
