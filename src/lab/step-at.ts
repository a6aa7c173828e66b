import type { Trace } from '../../machines/trace/format.ts';
import { steps } from '../trace-view/steps.ts';

/** The last step of a run that is not later than a moment. */
export function stepAt(trace: Trace, t: number): number {
  const at = steps(trace).findLastIndex((step) => step.t <= t + 1e-9);
  return Math.max(0, at);
}
