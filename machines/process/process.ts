/**
 * The process of a container: its command on virtual time over the container's own mounts, and the commands that `exec`
 * runs beside it. The kubelet makes one for each start of a container; the writable layer begins anew with each.
 */
import type { AppletRun } from './applet.ts';
import { complain, NOT_MODELLED_STATUS } from './applet.ts';
import { ContainerMounts } from './container-mounts.ts';
import type { FileTree } from './filesystem.ts';
import type { Credentials, ProcessClock } from './mounted-files.ts';
import { MountedFiles } from './mounted-files.ts';
import type { MountSpec } from './mounts.ts';
import { normalize } from './mounts.ts';
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
  /** Made at the start. */
  #mounts: ContainerMounts | undefined;
  #task: Task | undefined;
  #lastPid = 1;
  #variables: Map<string, string> | undefined;

  /** Why the runtime could not start it (the container never ran); undefined when it could. */
  startError: string | undefined;

  constructor(spec: ContainerSpec) {
    this.#spec = spec;
    this.#who = { uid: spec.uid ?? 0, gid: spec.gid ?? 0, groups: spec.groups ?? [] };
  }

  /** Begins to run: mounts are made, the command runs up to its first wait. */
  start(nowMs: number): void {
    if (this.#mounts !== undefined) throw new Error('a container process starts once; make another for a restart');
    const mounts = (this.#mounts = new ContainerMounts(this.#spec, nowMs));
    const { command, args = [] } = this.#spec;
    const words = [...(command ?? (args.length === 0 ? ['sh'] : [])), ...args];
    const files = this.#files(mounts, nowMs);
    const missing = mounts.whyNot() ?? this.#whyNotExecutable(words[0] ?? '', files);
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
    return this.#mounts?.lastWords.slice(-MOST_LAST_WORDS) ?? '';
  }

  /** The rows of its mounts. */
  get mountinfo(): string {
    return this.#mounts?.table.mountinfo() ?? '';
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
    if (this.#mounts === undefined || this.#task === undefined || this.#task.exited !== undefined) return 'error: the container does not run\n';
    const files = this.#files(this.#mounts, nowMs);
    const missing = this.#whyNotExecutable(argv[0] ?? '', files);
    if (missing !== undefined) {
      return `error: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${missing}: unknown\n`;
    }
    return new Task(this.#hostFor(this.#nextPid()), files.clock, (host) => this.#program(argv, host, files, open));
  }

  #files(mounts: ContainerMounts, nowMs: number): MountedFiles {
    const files = new MountedFiles(mounts, this.#who, { nowMs });
    const { workingDir } = this.#spec;
    if (workingDir !== undefined) files.cwd = normalize(workingDir);
    return files;
  }

  #whyNotExecutable(argv0: string, files: MountedFiles): string | undefined {
    const found = findProgram(argv0, files, this.#environment().get('PATH') ?? '');
    if (found.type === 'denied') return `exec: "${argv0}": permission denied`;
    if (found.type !== 'missing') return undefined;
    return `exec: "${argv0}": ${argv0.includes('/') ? `stat ${argv0}: no such file or directory` : 'executable file not found in $PATH'}`;
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

}

function* refuse(run: AppletRun): Steps<number> {
  complain(run, 'not modelled by this simulation');
  return 127;
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
