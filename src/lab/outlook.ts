/** What becomes of a refusal in the run as it stands: read from the steps that follow, nothing is simulated for it. */
import type { Trace } from '../../machines/trace/format.ts';
import { linesOf } from '../trace-view/history.ts';
import { STATIONS } from '../trace-view/station-names.ts';
import { steps } from '../trace-view/steps.ts';

/** `itself`: no step of the scenario comes between. `script`: the scenario does something before it passes. `never`: not in this run. */
export type Outlook = { readonly kind: 'itself' | 'script'; readonly step: number } | { readonly kind: 'never' };

const ACTS: ReadonlySet<string> = new Set(['apply', 'delete', 'patch', 'node']);

/** What becomes of the first blocked station at a step; undefined where none is blocked. */
export function outlookAt(trace: Trace, step: number, pod: string | undefined): Outlook | undefined {
  const lines = linesOf(trace, pod);
  const now = lines[step];
  const blocked = STATIONS.find((name) => now?.stations[name].mark === 'blocked');
  if (now === undefined || blocked === undefined) return undefined;
  const passed = lines.findIndex((line, i) => i > step && line.pod === now.pod && line.stations[blocked].mark === 'proven');
  if (passed === -1) return { kind: 'never' };
  const from = steps(trace)[step]?.index ?? 0;
  const acted = trace.records.slice(from + 1, steps(trace)[passed]?.index).some((record) => record.type === 'step' && ACTS.has(record.verb));
  return { kind: acted ? 'script' : 'itself', step: passed };
}
