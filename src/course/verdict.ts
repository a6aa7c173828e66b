/** Which option of a prediction holds: the runs decide. */
import type { Trace } from '../../machines/trace/format.ts';
import { ask, limitOf } from './when.ts';

export interface Verdict {
  /** The option that holds, from 0. */
  readonly holds: number;
  /** The deciding record of the first run, and its time; undefined where something's absence decides. */
  readonly index: number | undefined;
  readonly t: number | undefined;
}

/**
 * Asks every run which of the options holds, each looking as far as `at`. Throws when a run says none or several, and
 * when two runs disagree: then the question asks for something that the system leaves free.
 */
export function verdictsOf(id: string, runs: readonly Trace[], whens: readonly string[], at: string | undefined): Verdict {
  const verdicts = runs.map((run): Verdict => {
    const limit = limitOf(run, at);
    const answers = whens.map((when) => ask(run, when, limit));
    const holding = answers.flatMap((answer, i) => (answer.holds ? [i] : []));
    const [holds] = holding;
    if (holds === undefined || holding.length > 1) {
      throw new Error(`prediction ${id}: ${holding.length === 0 ? 'no option holds' : `options ${holding.join(' and ')} hold`} in ${run.scenario.id}`);
    }
    const index = answers[holds]?.index;
    return { holds, index, t: index === undefined ? undefined : run.records[index]?.t };
  });
  const [verdict] = verdicts;
  if (verdict === undefined) throw new Error(`prediction ${id}: there is no run to ask`);
  if (verdicts.some((other) => other.holds !== verdict.holds)) throw new Error(`prediction ${id}: the runs disagree (options ${verdicts.map((v) => v.holds).join(', ')})`);
  return verdict;
}
