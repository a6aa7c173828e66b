/** The state machines of a simulated run: which instance stood in which state at a moment. */
import type { StateRecord, Trace } from '../../machines/trace/format.ts';

/** A machine as it is drawn: laid out when the site is built, from the machine itself. */
export interface ChartDrawing {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}
export interface ChartState {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface ChartEdge {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  readonly points: readonly (readonly [number, number])[];
}

export interface Instance {
  /** What the instance is about: `namespace/claim`, `namespace/pod/volume`, `node/handle`. */
  readonly key: string;
  readonly state: string;
  /** The record that brought it there. */
  readonly index: number;
  readonly last: StateRecord;
}

/** The instances of a machine after record `index`, in the order in which they first moved. */
export function instancesAt(trace: Trace, machine: string, index: number): Instance[] {
  const found = new Map<string, Instance>();
  for (let i = 0; i <= index && i < trace.records.length; i++) {
    const record = trace.records[i];
    if (record?.type === 'state' && record.machine === machine) found.set(record.key, { key: record.key, state: record.to, index: i, last: record });
  }
  return [...found.values()];
}

/** The machines that have moved by then, the one that moved last first. */
export function machinesAt(trace: Trace, index: number): string[] {
  const seen: string[] = [];
  for (let i = Math.min(index, trace.records.length - 1); i >= 0; i--) {
    const record = trace.records[i];
    if (record?.type === 'state' && !seen.includes(record.machine)) seen.push(record.machine);
  }
  return seen;
}

/** `ab-missing-secret/first/missing` → `missing`; the namespace is the scenario's own and says nothing. */
export function shortKey(key: string): string {
  return key.split('/').slice(-1)[0] ?? key;
}
