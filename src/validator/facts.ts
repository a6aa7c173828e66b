/** All facts of a trace. */
import type { StepRecord, Trace } from '../../machines/trace/format.ts';
import { momentsOf } from './causes.ts';
import type { Moments } from './causes.ts';
import { csiFacts } from './csi-facts.ts';
import { eventFacts } from './event-facts.ts';
import { chartFacts } from './chart-facts.ts';
import type { Charts } from './chart-facts.ts';
import type { Fact } from './fact.ts';
import { Dropped } from './ignored.ts';
import { namesOf } from './names.ts';
import type { Names } from './names.ts';
import { objectFacts } from './object-facts.ts';
import { orderFacts } from './order-facts.ts';
import { readerFacts } from './reader-facts.ts';
import { shownFrom, stateFacts } from './state-facts.ts';

export interface TraceFacts {
  readonly facts: readonly Fact[];
  readonly shownFrom: ReadonlyMap<string, number>;
  readonly moments: Moments;
  readonly names: Names;
  readonly dropped: Dropped;
}

/** @param charts of the engine that made the trace; its states are then held to them too */
export function factsOf(trace: Trace, charts?: Charts): TraceFacts {
  const dropped = new Dropped();
  const names = namesOf(trace, dropped);
  const end = endOf(trace);
  const facts = [
    ...readerFacts(trace, names, dropped),
    ...objectFacts(trace, names, dropped),
    ...eventFacts(trace, names, dropped),
    ...csiFacts(trace, names, dropped),
    ...stateFacts(trace, names, dropped),
    ...choiceFacts(names),
    ...orderFacts(trace, names),
    ...(charts === undefined ? [] : chartFacts(trace, charts)),
  ].map(fact => {
    if (fact.t <= end || fact.kind === 'end') return fact;
    dropped.add('afterEnd');
    return { ...fact, late: true };
  });
  return { facts, shownFrom: shownFrom(trace), moments: momentsOf(trace, names), names, dropped };
}

/** What the real system chose freely, named once; everywhere else nodes and zones are called by their role. */
function choiceFacts(names: Names): Fact[] {
  const pods = names.pods.filter(pod => pod.node !== undefined).map(pod => [`pod/${pod.alias}`, `runs on ${pod.node ?? ''}`] as const);
  const volumes = names.volumes.filter(volume => volume.zone !== undefined).map(volume => [`pv/${volume.alias}`, `is in ${volume.zone ?? ''}`] as const);
  return [...pods, ...volumes].map(([subject, text]) => ({ kind: 'choice', subject, text, index: 0, t: 0 }));
}

/** Clock and store may differ by this much. */
const slack = 0.05;

/** When the last step ended; a wait's end is not written down, so then nothing counts as after it. */
function endOf(trace: Trace): number {
  const last = trace.records.findLast((record): record is StepRecord => record.type === 'step');
  if (last === undefined || last.verb === 'wait') return Infinity;
  return last.t + (typeof last['seconds'] === 'number' ? last['seconds'] : 0) + slack;
}
