/** How a step of mounting ended. */
import type { GrpcCode } from '../../drivers/driver.ts';

/**
 * `transient`: nothing was tried, the state stays as it is; `final`: tried and not done; `uncertain`: tried, and nobody
 * knows whether it was done (pkg/volume/util/types NewUncertainProgressError; ref 7.2).
 */
export type FailureKind = 'transient' | 'final' | 'uncertain';
export type Outcome = 'done' | { readonly error: string; readonly kind: FailureKind };
/** Work that lets time pass, in milliseconds, where it yields. */
export type Steps<T> = Generator<number, T, void>;

/** gRPC codes after which the call may have worked all the same (csi_client.go isFinalError). */
const UNCERTAIN_CODES: ReadonlySet<string> = new Set<GrpcCode>(['Canceled', 'DeadlineExceeded', 'Unavailable', 'ResourceExhausted', 'Aborted']);

/** @modelled ref 7.2 */
export function failureKind(code: string): FailureKind {
  return UNCERTAIN_CODES.has(code) ? 'uncertain' : 'final';
}
