/** Recordings for tests: read once, and copies with records taken out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';

const traces = new Map<string, Trace>();

/** A recorded run of `content/traces`. */
export function recording(scenario: string, run = 1): Trace {
  const file = join(import.meta.dirname, '../../content/traces', scenario, `${run}.json`);
  let trace = traces.get(file);
  if (trace === undefined) traces.set(file, (trace = JSON.parse(readFileSync(file, 'utf8')) as Trace));
  return trace;
}

/** The same trace without the records that match. */
export function without(trace: Trace, matches: (record: TraceRecord) => boolean): Trace {
  const records = trace.records.filter((record) => !matches(record));
  if (records.length === trace.records.length) throw new Error('no record of the trace matches');
  return { ...trace, records };
}

/** The same trace with records rewritten; a record returned as it came stays. */
export function rewritten(trace: Trace, rewrite: (record: TraceRecord) => TraceRecord): Trace {
  return { ...trace, records: trace.records.map(rewrite) };
}
