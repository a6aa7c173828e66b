/** Where a run is written down, in the order in which it happens. */
import { redacted } from '../model/redacted.ts';
import type { AnyObject } from '../model/objects.ts';
import type { CsiRecord, TraceRecord, WatchRecord } from '../trace/format.ts';
import type { Clock } from './clock.ts';
import type { TransitionSink } from './machine.ts';

export class TraceLog implements TransitionSink {
  readonly records: TraceRecord[] = [];
  /** Controller transitions so far; the benchmark's unit of work. */
  transitions = 0;
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Seconds since the first step, as traces count time. */
  get t(): number {
    return this.clock.now / 1000;
  }

  /** One write of an object; a Node's only when it says something new of its taints, conditions or volume lists, as the recorder has it. */
  watch(verb: WatchRecord['verb'], object: AnyObject, old?: AnyObject): void {
    if (verb === 'MODIFIED' && object.kind === 'Node' && old?.kind === 'Node' && !hasNews(old, object)) return;
    this.records.push({ t: this.t, type: 'watch', verb, object: object.kind === 'Secret' ? redacted(object) : object });
  }

  csi(call: Omit<CsiRecord, 't' | 'type'>): void {
    const { driver, node, method, request, code, error } = call;
    this.records.push({ t: this.t, type: 'csi', driver, node, method, request, code, error });
  }

  transition(machine: string, key: string, event: string, from: string, to: string): void {
    this.transitions++;
    this.records.push({ t: this.t, type: 'state', machine, key, event, from, to });
  }

  /** What the person did. `at` is the time the record stands for, if it is not now (milliseconds). */
  step(step: number, verb: string, fields: Readonly<Record<string, unknown>>, at?: number): void {
    this.records.push({ t: (at ?? this.clock.now) / 1000, type: 'step', step, verb: verb as 'apply', ...fields });
  }

  output(step: number, code: number, text: string): void {
    this.records.push({ t: this.t, type: 'output', step, code, text });
  }
}

type NodeObject = AnyObject & { kind: 'Node' };

function hasNews(old: NodeObject, node: NodeObject): boolean {
  return (
    differ(old.spec.taints, node.spec.taints) ||
    differ(old.status.conditions, node.status.conditions) ||
    differ(old.status.volumesInUse, node.status.volumesInUse) ||
    differ(old.status.volumesAttached, node.status.volumesAttached)
  );
}

function differ(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  if (a === b) return false;
  return (a?.length ?? 0) !== (b?.length ?? 0) || JSON.stringify(a ?? []) !== JSON.stringify(b ?? []);
}
