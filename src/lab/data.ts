/** What a page carries for a lab, made when the site is built. */
import type { Choices } from '../../machines/index.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { ChartDrawing } from '../trace-view/charts.ts';
import type { RecordedIndex } from '../trace-view/recorded.ts';
import type { ReadManifests } from './manifests.ts';
import type { Offer } from './offer.ts';

export interface LabData {
  /** The run of the scenario: simulated at build, or a recording where the simulation cannot run it yet. */
  readonly trace: Trace;
  /** 0: simulated; n: the n-th recording. */
  readonly source: number;
  /** What the real system leaves free, chosen as the first recording chose; runs with actions keep it. */
  readonly choices: Choices | undefined;
  /** The scenario's manifests, read: the engine needs no YAML for them. */
  readonly manifests: ReadManifests;
  readonly recorded: RecordedIndex;
  /** How many differences the validator found between the run and its recordings; undefined if it did not judge it. */
  readonly differences: number | undefined;
  readonly charts: readonly ChartDrawing[];
  /** For a state record of the run: the recorded log line that witnesses it, and in how many recordings one stands. */
  readonly witnesses: Readonly<Record<number, StoredWitness>>;
  /** What can be done at the step the lab opens at. */
  readonly offers: readonly Offer[];
  /** The step the lab opens at, from 0. */
  readonly step: number;
}

export interface StoredWitness {
  readonly run: number;
  readonly record: number;
  readonly runs: number;
  readonly t: number;
  readonly source: string;
  readonly text: string;
}

/** Addresses that the lab needs; they hang on where the site stands. */
export interface LabPaths {
  /** `/BASE/recordings/` */
  readonly recordings: string;
  /** The page of what no recording covers; undefined where the lab stands apart from the site's pages. */
  readonly modelled?: string | undefined;
}
