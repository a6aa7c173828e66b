/**
 * The operations on volumes that the attach-detach controller and the kubelet have in hand
 * (pkg/volume/util/nestedpendingoperations and pkg/util/goroutinemap/exponentialbackoff, v1.35; ref 0.5).
 * One operation at a time per key; a failed one may be tried again only after its back-off: 500 ms, doubled with each
 * failure, at most 2 m 2 s; success forgets it.
 */
import type { Clock } from './clock.ts';

const INITIAL_MS = 500;
const MAX_MS = 122_000;

/** What an operation works on. An empty pod or node stands for any: it excludes every operation on the volume. */
export interface OperationKey {
  readonly volume: string;
  readonly pod?: string | undefined;
  readonly node?: string | undefined;
}

interface Operation {
  key: OperationKey;
  name: string;
  pending: boolean;
  /** Milliseconds of back-off after the last failure; 0 before the first. */
  backOffMs: number;
  failedAt: number;
}

/** How an operation began: started, or why not. `retryAt` is the first moment at which it may be tried again. */
export type Start = { readonly started: true } | { readonly started: false; readonly retryAt: number | undefined };

const STARTED: Start = { started: true };

export class PendingOperations {
  private readonly clock: Clock;
  private readonly operations = new Map<string, Operation[]>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** True while an operation with a matching key is in hand. */
  isPending(key: OperationKey): boolean {
    return this.find(key)?.pending ?? false;
  }

  /** IsOperationSafeToRetry: nothing in hand, and the operation of this name is not in back-off. */
  retryAt(key: OperationKey, name: string): number | undefined {
    const known = this.find(key);
    return known && !known.pending && known.name === name && this.inBackOff(known) ? known.failedAt + known.backOffMs + 1 : undefined;
  }

  /**
   * Begins an operation. While the last failure's back-off runs, only an operation of another name may begin, and that
   * starts the back-off anew. Attach and detach of one volume so reset each other.
   * @recorded #detach-fails
   */
  start(key: OperationKey, name: string): Start {
    const known = this.find(key);
    if (!known) {
      const list = this.operations.get(key.volume);
      const operation = { key, name, pending: true, backOffMs: 0, failedAt: 0 };
      if (list) list.push(operation);
      else this.operations.set(key.volume, [operation]);
      return STARTED;
    }
    if (known.pending) return { started: false, retryAt: undefined };
    if (this.inBackOff(known)) {
      if (known.name === name) return { started: false, retryAt: known.failedAt + known.backOffMs + 1 };
      known.name = name;
      known.backOffMs = 0;
    }
    known.key = key;
    known.pending = true;
    return STARTED;
  }

  /** Ends an operation that succeeded. */
  succeed(key: OperationKey): void {
    const list = this.operations.get(key.volume);
    const known = this.find(key);
    if (!list || !known) return;
    list.splice(list.indexOf(known), 1);
    if (list.length === 0) this.operations.delete(key.volume);
  }

  /** Ends an operation that failed. Returns the moment at which it may be tried again. */
  fail(key: OperationKey): number {
    const known = this.find(key);
    if (!known) throw new Error(`no operation on ${key.volume} is in hand`);
    known.pending = false;
    known.backOffMs = known.backOffMs === 0 ? INITIAL_MS : Math.min(known.backOffMs * 2, MAX_MS);
    known.failedAt = this.clock.now;
    return known.failedAt + known.backOffMs + 1;
  }

  private inBackOff(operation: Operation): boolean {
    return operation.backOffMs > 0 && this.clock.now - operation.failedAt <= operation.backOffMs;
  }

  private find(key: OperationKey): Operation | undefined {
    const list = this.operations.get(key.volume);
    if (list) for (const known of list) if (matches(known.key.pod, key.pod) && matches(known.key.node, key.node)) return known;
    return undefined;
  }
}

function matches(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}
