/** The run that answers a lesson's questions. */
import type { Trace } from '../../machines/trace/format.ts';
import { baseRun, recordingsOf } from '../site/runs.ts';

/**
 * The run that the lab of a scenario shows. Where that run is simulated and differs from the recordings, the first
 * recording answers instead: a lesson does not teach a difference.
 */
export function askedRun(scenario: string): Trace {
  const { trace, differences } = baseRun(scenario);
  const [recorded] = recordingsOf(scenario);
  return recorded === undefined || differences === 0 ? trace : recorded;
}
