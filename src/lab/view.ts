/** What the parts of the lab draw: everything about one moment of one run, computed once a step. */
import type { Trace } from '../../machines/trace/format.ts';
import { linesOf } from '../trace-view/history.ts';
import { sentenceAt, type Sentence } from '../trace-view/sentence.ts';
import type { Line, Track } from '../trace-view/stations.ts';
import { steps, type TraceStep } from '../trace-view/steps.ts';

export interface Moment {
  readonly trace: Trace;
  readonly steps: readonly TraceStep[];
  /** From 0. */
  readonly step: number;
  /** The record the step ends at. */
  readonly index: number;
  readonly t: number;
  readonly line: Line;
  readonly sentence: Sentence;
}

export function momentOf(trace: Trace, step: number, pod: string | undefined): Moment {
  const all = steps(trace);
  const at = Math.max(0, Math.min(step, all.length - 1));
  const index = all[at]?.index ?? -1;
  const line = linesOf(trace, pod)[at] as Line;
  return { trace, steps: all, step: at, index, t: all[at]?.t ?? 0, line, sentence: sentenceAt(trace, index, line) };
}

/** The pod's volumes as tracks, claims first: the first claim's track is the main line itself. */
export function tracksInOrder(line: Line): Track[] {
  return [...line.tracks.filter((track) => track.kind === 'claim'), ...line.tracks.filter((track) => track.kind !== 'claim')];
}
