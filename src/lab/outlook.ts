/** What becomes of a refusal in the run as it stands: read from the steps that follow, nothing is simulated for it. */
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { linesOf } from '../trace-view/history.ts';
import { STATIONS, type StationName } from '../trace-view/station-names.ts';
import type { Line } from '../trace-view/stations.ts';
import { steps } from '../trace-view/steps.ts';

/** `itself`: no step of the scenario comes between. `script`: the scenario does something before it passes. `never`: not in this run. */
export type Outlook = { readonly kind: 'itself' | 'script'; readonly step: number } | { readonly kind: 'never' };

const ACTS: ReadonlySet<string> = new Set(['apply', 'delete', 'patch', 'node']);

/** Does a person's step do anything about a station? That a pod is made does nothing for a claim that was refused before. */
function actsOn(record: TraceRecord, station: StationName): boolean {
  if (record.type !== 'step' || !ACTS.has(record.verb)) return false;
  if (record.verb !== 'apply' || (station !== 'claim' && station !== 'volume')) return true;
  const kinds = [...String(record['manifest']).matchAll(/^\s*kind:\s*["']?(\w+)/gm)].map(([, kind]) => kind);
  return kinds.length === 0 || kinds.some((kind) => kind !== 'Pod');
}

/** What becomes of the first blocked station at a step; undefined where none is blocked. */
export function outlookAt(trace: Trace, step: number, pod: string | undefined): Outlook | undefined {
  const lines = linesOf(trace, pod);
  const now = lines[step];
  const blocked = STATIONS.find((name) => now?.stations[name].mark === 'blocked');
  return now === undefined || blocked === undefined ? undefined : becomesOf(trace, lines, step, now.pod, blocked);
}

/** Does a station pass after a step although nobody does anything about it? `pod` is the pod of the line. */
export function passesByItself(trace: Trace, step: number, pod: string | undefined, station: StationName): boolean {
  return becomesOf(trace, linesOf(trace, pod), step, pod, station).kind === 'itself';
}

/** What holds before there is a pod is the claims' own affair: the line of whichever pod comes tells how it went on. */
function becomesOf(trace: Trace, lines: readonly Line[], step: number, pod: string | undefined, station: StationName): Outlook {
  const passed = lines.findIndex((line, i) => i > step && (pod === undefined || line.pod === pod) && line.stations[station].mark === 'proven');
  if (passed === -1) return { kind: 'never' };
  const from = steps(trace)[step]?.index ?? 0;
  const acted = trace.records.slice(from + 1, steps(trace)[passed]?.index).some((record) => actsOn(record, station));
  return { kind: acted ? 'script' : 'itself', step: passed };
}
