/** How a step of mounting ended. */
import type { GrpcCode } from '../../drivers/driver.ts';

/**
 * `transient`: nothing was tried, the state stays as it is; `final`: tried and not done; `uncertain`: tried, and nobody
 * knows whether it was done (pkg/volume/util/types NewUncertainProgressError; ref 7.2).
 */
export type FailureKind = 'transient' | 'final' | 'uncertain';
export type Outcome = 'done' | { readonly error: string; readonly kind: FailureKind };
/** A call that takes so many milliseconds; when they are over, `answer` tells how it ended. */
export interface Call {
  readonly ms: number;
  readonly answer: () => Outcome;
}
/** One step: done or failed at once, or a call. */
export type Step = Outcome | Call;
/** Work of several calls: it lets time pass, in milliseconds, where it yields. */
export type Steps<T> = Generator<number, T, void>;

export function isCall(step: Step): step is Call {
  return typeof step === 'object' && 'ms' in step;
}

/** The step as part of work of several. */
export function* stepsOf(step: Step): Steps<Outcome> {
  if (!isCall(step)) return step;
  yield step.ms;
  return step.answer();
}

/** The same step, going on with `next` when it is done. */
export function whenDone(step: Step, next: () => Outcome): Step {
  if (isCall(step)) return { ms: step.ms, answer: () => goOn(step.answer(), next) };
  return goOn(step, next);
}
function goOn(outcome: Outcome, next: () => Outcome): Outcome {
  return outcome === 'done' ? next() : outcome;
}

/** gRPC codes after which the call may have worked all the same (csi_client.go isFinalError). */
const UNCERTAIN_CODES: ReadonlySet<string> = new Set<GrpcCode>(['Canceled', 'DeadlineExceeded', 'Unavailable', 'ResourceExhausted', 'Aborted']);

/** @modelled ref 7.2 */
export function failureKind(code: string): FailureKind {
  return UNCERTAIN_CODES.has(code) ? 'uncertain' : 'final';
}
