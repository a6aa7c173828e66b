/**
 * The operations on volumes that the attach-detach controller and the kubelet have in hand
 * (pkg/volume/util/nestedpendingoperations and pkg/util/goroutinemap/exponentialbackoff, v1.35; ref 0.5).
 * One operation at a time per key; a failed one may be tried again only after its back-off: 500 ms, doubled with each
 * failure, at most 2 m 2 s; success forgets it.
 */
import { appended } from '../model/values.ts';
import type { Clock } from './clock.ts';

const INITIAL_MS = 500;
const MAX_MS = 122_000;

/** Who works on a volume. An empty pod or node stands for any: it excludes every other operation on the volume. */
export interface Worker {
  readonly pod?: string | undefined;
  readonly node?: string | undefined;
}
/** What an operation works on. */
export interface OperationKey extends Worker {
  readonly volume: string;
}

interface Operation {
  worker: Worker;
  name: string;
  pending: boolean;
  /** Milliseconds of back-off after the last failure; 0 before the first. */
  backOffMs: number;
  failedAt: number;
}

/** How an operation began: started, or why not. `retryAt` is the first moment at which it may be tried again. */
export type Start = { readonly started: true } | { readonly started: false; readonly retryAt: number | undefined };

const STARTED: Start = { started: true };
const HELD: Start = { started: false, retryAt: undefined };
const NOTHING: readonly Operation[] = [];

/** The operations on one volume: those in hand, and those that failed last. */
export class VolumeOperations {
  private operations = NOTHING;

  /** Nothing is in hand and no failure is remembered. */
  get empty(): boolean {
    return this.operations.length === 0;
  }

  /** True while an operation of a matching worker is in hand. */
  isPending(worker: Worker): boolean {
    return this.find(worker)?.pending ?? false;
  }

  /** IsOperationSafeToRetry: nothing in hand, and the operation of this name is not in back-off. */
  retryAt(worker: Worker, name: string, now: number): number | undefined {
    const known = this.find(worker);
    return known && !known.pending && known.name === name && inBackOff(known, now) ? endOfBackOff(known) : undefined;
  }

  /**
   * Begins an operation. While the last failure's back-off runs, only an operation of another name may begin, and that
   * starts the back-off anew. Attach and detach of one volume so reset each other.
   * @recorded #detach-fails
   */
  start(worker: Worker, name: string, now: number): Start {
    const known = this.find(worker);
    if (!known) {
      const operation = { worker, name, pending: true, backOffMs: 0, failedAt: 0 };
      this.operations = this.operations.length === 0 ? [operation] : appended(this.operations, operation);
      return STARTED;
    }
    if (known.pending) return HELD;
    if (inBackOff(known, now)) {
      if (known.name === name) return { started: false, retryAt: endOfBackOff(known) };
      known.name = name;
      known.backOffMs = 0;
    }
    known.worker = worker;
    known.pending = true;
    return STARTED;
  }

  /** Ends an operation that succeeded. */
  succeed(worker: Worker): void {
    const known = this.find(worker);
    if (known) this.operations = this.operations.length === 1 ? NOTHING : this.operations.filter((operation) => operation !== known);
  }

  /** Ends an operation that failed. Returns the moment at which it may be tried again. */
  fail(worker: Worker, now: number): number {
    const known = this.find(worker);
    if (!known) throw new Error('an operation ends that is not in hand');
    known.pending = false;
    known.backOffMs = known.backOffMs === 0 ? INITIAL_MS : Math.min(known.backOffMs * 2, MAX_MS);
    known.failedAt = now;
    return endOfBackOff(known);
  }

  private find(worker: Worker): Operation | undefined {
    for (const known of this.operations) if (matches(known.worker.pod, worker.pod) && matches(known.worker.node, worker.node)) return known;
    return undefined;
  }
}

function inBackOff({ backOffMs, failedAt }: Operation, now: number): boolean {
  return backOffMs > 0 && now - failedAt <= backOffMs;
}

function endOfBackOff({ backOffMs, failedAt }: Operation): number {
  return failedAt + backOffMs + 1;
}

function matches(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** The operations on many volumes, by their names. */
export class PendingOperations {
  private readonly clock: Clock;
  private readonly volumes = new Map<string, VolumeOperations>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isPending(key: OperationKey): boolean {
    return this.volumes.get(key.volume)?.isPending(key) ?? false;
  }

  retryAt(key: OperationKey, name: string): number | undefined {
    return this.volumes.get(key.volume)?.retryAt(key, name, this.clock.now);
  }

  start(key: OperationKey, name: string): Start {
    let operations = this.volumes.get(key.volume);
    if (!operations) this.volumes.set(key.volume, (operations = new VolumeOperations()));
    return operations.start(key, name, this.clock.now);
  }

  succeed(key: OperationKey): void {
    const operations = this.volumes.get(key.volume);
    operations?.succeed(key);
    if (operations?.empty === true) this.volumes.delete(key.volume);
  }

  /** Returns the moment at which it may be tried again. */
  fail(key: OperationKey): number {
    const operations = this.volumes.get(key.volume);
    if (!operations) throw new Error(`no operation on ${key.volume} is in hand`);
    return operations.fail(key, this.clock.now);
  }
}
