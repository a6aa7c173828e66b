/** What the lab shows beside a simulated record: the recorded log lines that witness a state, and where an event stands in the recordings. */
import type { KubeEvent } from '../../machines/model/objects.ts';
import type { LogRecord, StateRecord, Trace } from '../../machines/trace/format.ts';
import { eventFact } from './event-facts.ts';
import { keyOf } from './fact.ts';
import { canonicalKey } from './machine-key.ts';
import { namesOf } from './names.ts';
import type { Names } from './names.ts';
import { engineKey, statesInLog, statesInRun } from './state-facts.ts';
import type { Seen } from './state-facts.ts';

/** A recorded line and where it stands. */
export interface WitnessLine {
  /** Index among the recording's records. */
  readonly index: number;
  readonly line: LogRecord;
}

/** Where one recording has an event. */
export interface EventPlace {
  /** Which of the recordings, counted from 0. */
  readonly recording: number;
  /** Index of the event's first write among its records. */
  readonly index: number;
}

/** A simulated run beside the recordings of its scenario. Reads each trace once; ask as often as you like. */
export class Evidence {
  private readonly run: Trace;
  private readonly runNames: Names;
  private readonly runStates: readonly Seen[];
  private readonly recordings: readonly { readonly trace: Trace; readonly states: readonly Seen[]; readonly events: ReadonlyMap<string, number> }[];

  constructor(run: Trace, recordings: readonly Trace[]) {
    this.run = run;
    this.runNames = namesOf(run);
    this.runStates = statesInRun(run, this.runNames);
    this.recordings = recordings.map(trace => {
      const names = namesOf(trace);
      return { trace, states: statesInLog(trace, names), events: eventPlaces(trace, names) };
    });
  }

  /**
   * The lines of one recording that witness the state which the run's record at `index` enters: those of the same visit,
   * counted from the first; of the last visit when the recording has fewer. Empty when no line witnesses it.
   * @param index of a `state` record of the run
   * @param recording which of the recordings, counted from 0
   */
  witnessLines(index: number, recording: number): WitnessLine[] {
    const record = this.run.records[index];
    const recorded = this.recordings[recording];
    if (record?.type !== 'state' || recorded === undefined) return [];
    const key = canonicalKey(engineKey(record), index, this.runNames);
    const visit = this.visitOf(record, key, index);
    const visits = visitsOf(recorded.states.filter(seen => seen.machine === record.machine && seen.key === key), record.to);
    const seen = visits[Math.min(visit, visits.length - 1)] ?? [];
    return seen.flatMap(({ index: at }) => {
      const line = recorded.trace.records[at];
      return line?.type === 'log' ? [{ index: at, line }] : [];
    });
  }

  /**
   * In which recordings the run's event stands, and where.
   * @param index of a `watch` record of an Event in the run
   */
  recordingsOfEvent(index: number): EventPlace[] {
    const record = this.run.records[index];
    if (record?.type !== 'watch' || record.object.kind !== 'Event') return [];
    const key = keyOf(eventFact(record.object, index, record.t, this.runNames));
    return this.recordings.flatMap(({ events }, recording) => {
      const at = events.get(key);
      return at === undefined ? [] : [{ recording, index: at }];
    });
  }

  /** How often the run has been in this state before the record. */
  private visitOf(record: StateRecord, key: string, index: number): number {
    return this.runStates.filter(seen => seen.machine === record.machine && seen.key === key && seen.state === record.to && seen.index < index).length;
  }
}

/** The sightings of one state, split where the instance was seen in another state in between. */
function visitsOf(states: readonly Seen[], state: string): Seen[][] {
  const visits: Seen[][] = [];
  let inside = false;
  for (const seen of states) {
    if (seen.state !== state) {
      inside = false;
      continue;
    }
    if (!inside || seen.how === 'enters') visits.push([]);
    inside = true;
    visits.at(-1)?.push(seen);
  }
  return visits;
}

function eventPlaces(trace: Trace, names: Names): Map<string, number> {
  const places = new Map<string, number>();
  trace.records.forEach((record, index) => {
    if (record.type !== 'watch' || record.verb === 'DELETED' || record.object.kind !== 'Event') return;
    const key = keyOf(eventFact(record.object satisfies KubeEvent, index, record.t, names));
    if (!places.has(key)) places.set(key, index);
  });
  return places;
}
