/** The steps of a run: what one press of "Step" moves over. */
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { witnesses } from './witness.ts';

/** The lanes of the time line, by the kind of a step's main record. */
export type Lane = 'you' | 'object' | 'event' | 'csi' | 'state';

export interface TraceStep {
  /** The step's main record. */
  readonly index: number;
  /** Its first record: the log lines and states that came before the main one belong to it. */
  readonly from: number;
  readonly t: number;
  readonly lane: Lane;
  /** Log lines and states between the step before and this one. */
  readonly beside: number;
}

const cache = new WeakMap<Trace, readonly TraceStep[]>();

/**
 * One step for each thing a person did, each write, each event, each CSI call and each refusal. Log lines and machine
 * states ride along with the step after them, but for those that alone witness a stage or a publish: they are steps.
 */
export function steps(trace: Trace): readonly TraceStep[] {
  let found = cache.get(trace);
  if (found === undefined) {
    found = cut(trace);
    cache.set(trace, found);
  }
  return found;
}

function cut(trace: Trace): TraceStep[] {
  const soleWitness = soleWitnesses(trace);
  const found: TraceStep[] = [];
  let from = 0;
  let beside = 0;
  trace.records.forEach((record, index) => {
    const lane = soleWitness.has(index) ? 'state' : laneOf(record);
    if (lane === undefined) {
      beside += 1;
      return;
    }
    found.push({ index, from, t: record.t, lane, beside });
    from = index + 1;
    beside = 0;
  });
  return found;
}

function laneOf(record: TraceRecord): Lane | undefined {
  switch (record.type) {
    case 'step':
    case 'output':
      return 'you';
    case 'watch':
      return record.object.kind === 'Event' ? 'event' : 'object';
    case 'csi':
      return 'csi';
    case 'log':
    case 'state':
      return undefined;
  }
}

/** Records that say of a volume what no CSI call and no event in the trace says. A repeat of the same is no news. */
function soleWitnesses(trace: Trace): ReadonlySet<number> {
  const sole = new Set<number>();
  const lastOf = new Map<string, string>();
  const calls = new Set(witnesses(trace).filter((w) => trace.records[w.index]?.type === 'csi').map((w) => nameOf(w.volume[0], w.deed)));
  for (const witness of witnesses(trace)) {
    if (trace.records[witness.index]?.type === 'csi' || witness.deed === 'start' || witness.deed === 'back-off') continue;
    if (witness.volume.some((name) => calls.has(nameOf(name, witness.deed)))) continue;
    const about = `${witness.pod ?? witness.node ?? ''}/${witness.volume[0] ?? ''}/${witness.deed.replace('un', '')}`;
    if (lastOf.get(about) === witness.deed) continue;
    lastOf.set(about, witness.deed);
    sole.add(witness.index);
  }
  return sole;
}

function nameOf(volume: string | undefined, deed: string): string {
  return `${volume ?? ''} ${deed}`;
}

/** The step that shows a record: the first one that ends at or after it. */
export function stepOfRecord(trace: Trace, index: number): number {
  const all = steps(trace);
  const at = all.findIndex((step) => step.index >= index);
  return at === -1 ? all.length - 1 : at;
}

/** The number of the next step on a lane, or undefined. */
export function nextOnLane(trace: Trace, after: number, lane: Lane): number | undefined {
  const at = steps(trace).findIndex((step, i) => i > after && step.lane === lane);
  return at === -1 ? undefined : at;
}
