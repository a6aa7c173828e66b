/** A command that the kubelet has the runtime run inside a container while time passes for both (CRI ExecSync). */
import { timings } from '../../kernel/timings.ts';
import type { ExecResult, ExecSession } from '../../process/process.ts';
import type { NodeClock, NodeTimer } from './node-clock.ts';

export type ExecOutcome =
  /** It ended. `output` is its standard output and then its standard error. */
  | { readonly type: 'exited'; readonly code: number; readonly output: string; readonly stderr: string }
  | { readonly type: 'timedOut' }
  /** The runtime did not run it, or the kubelet gave it up. */
  | { readonly type: 'failed'; readonly message: string };

export interface ExecRequest {
  readonly argv: readonly string[];
  /** Undefined: as long as it takes. */
  readonly timeoutMs: number | undefined;
}

/** What a run of a container gives to the commands beside it. */
export interface ExecHost {
  readonly clock: NodeClock;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  begin(argv: readonly string[]): ExecSession;
  /** The command may have signalled the container's own process. */
  touched(): void;
  /** A name for the runtime's record of the command. */
  newId(): string;
}

/** @modelled github.com/containerd/containerd, internal/cri/server/container_execsync.go */
export const EXITED: ExecOutcome = { type: 'failed', message: 'rpc error: code = Unknown desc = failed to exec in container: container is in CONTAINER_EXITED state' };
export const CANCELLED: ExecOutcome = { type: 'failed', message: 'rpc error: code = Canceled desc = context canceled' };
const KILLED = 137;
/** Seconds that a command gets which never sleeps and has no timeout: a limit of this simulation. */
const MOST_BUSY_SECONDS = 20;

export class ExecSync {
  private readonly host: ExecHost;
  private readonly done: (outcome: ExecOutcome) => void;
  private session: ExecSession | undefined;
  private wake: NodeTimer | undefined;
  private readonly timeout: NodeTimer | undefined;
  private busySeconds = 0;
  private over = false;

  /** `done` is called once, never before this returns. */
  constructor(host: ExecHost, { argv, timeoutMs }: ExecRequest, done: (outcome: ExecOutcome) => void) {
    this.host = host;
    this.done = done;
    this.timeout = timeoutMs === undefined ? undefined : host.clock.after(timeoutMs, () => this.finish({ type: 'timedOut' }));
    this.wake = host.clock.after(timings.execStart, () => {
      this.session = host.begin(argv);
      this.follow();
    });
  }

  /** The kubelet does not wait for it any longer. */
  cancel(): void {
    this.finish(CANCELLED);
  }

  /** The container ended, and all that ran in it. */
  containerEnded(): void {
    const result = this.session?.result;
    this.finish(result ? outcomeOf(result, this.host) : { type: 'exited', code: KILLED, output: '', stderr: '' });
  }

  private follow(): void {
    if (this.over || !this.session) return;
    this.host.touched();
    const { result, nextWakeMs } = this.session;
    if (result) this.finish(outcomeOf(result, this.host));
    else if (nextWakeMs !== undefined && nextWakeMs !== Infinity) this.wake = this.host.clock.after(nextWakeMs - this.host.nowMs, () => this.advance());
  }

  private advance(): void {
    const { session } = this;
    if (!session) return;
    session.advance(this.host.nowMs);
    this.busySeconds = session.busy ? this.busySeconds + 1 : 0;
    if (this.busySeconds > MOST_BUSY_SECONDS) session.abandon(this.host.nowMs, 'a command that does not end is not modelled by this simulation\n');
    this.follow();
  }

  private finish(outcome: ExecOutcome): void {
    if (this.over) return;
    this.over = true;
    this.wake?.cancel();
    this.timeout?.cancel();
    this.done(outcome);
  }
}

/** What `kubectl exec` says before the reason why the runtime did not start the command. */
const REFUSAL = 'failed to start exec: ';

/** @modelled github.com/containerd/containerd, internal/cri/server/container_execsync.go */
function outcomeOf({ stdout, stderr, code, refused }: ExecResult, host: ExecHost): ExecOutcome {
  if (refused !== true) return { type: 'exited', code, output: stdout + stderr, stderr };
  const at = stderr.indexOf(REFUSAL);
  if (at < 0) return EXITED;
  const reason = stderr.slice(at + REFUSAL.length).trimEnd();
  return { type: 'failed', message: `rpc error: code = Unknown desc = failed to exec in container: failed to start exec "${host.newId()}": ${reason}` };
}
