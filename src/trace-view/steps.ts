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

/** Witnesses of the same moment, in seconds, are one step: nothing tells which came first. */
const SAME_MOMENT = 0.002;

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
    const last = found.at(-1);
    if (lane === 'state' && last?.lane === 'state' && record.t - last.t < SAME_MOMENT) found[found.length - 1] = { ...last, index, beside: last.beside + beside };
    else found.push({ index, from, t: record.t, lane, beside });
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

/** A driver's answer and the kubelet's own word for it lie this close together, seconds. */
const SAME_CALL = 0.05;

/** Records that say of a volume what no CSI call in the trace says. A repeat of the same is no news. */
function soleWitnesses(trace: Trace): ReadonlySet<number> {
  const sole = new Set<number>();
  const lastOf = new Map<string, string>();
  const all = witnesses(trace);
  const calls = all.filter((witness) => trace.records[witness.index]?.type === 'csi');
  for (const witness of all) {
    if (trace.records[witness.index]?.type === 'csi' || witness.deed === 'start' || witness.deed === 'back-off') continue;
    const about = `${witness.pod ?? witness.node ?? ''}/${witness.volume[0] ?? ''}/${witness.deed.replace('un', '')}`;
    if (lastOf.get(about) === witness.deed) continue;
    lastOf.set(about, witness.deed);
    if (calls.some((call) => call.deed === witness.deed && Math.abs(call.t - witness.t) < SAME_CALL)) continue;
    sole.add(witness.index);
  }
  return sole;
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
