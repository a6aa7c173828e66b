/** Judges simulated runs against recordings: for each recorded trace, the run of the scenario it carries, like it. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { choicesFrom } from '../formats/like.ts';
import type { Like } from '../formats/like.ts';
import type { Charts } from './chart-facts.ts';
import { compare } from './compare.ts';
import type { Comparable, Verdict } from './compare.ts';
import { factsOf } from './facts.ts';
import type { TraceFacts } from './facts.ts';
import { Dropped, ignored } from './ignored.ts';
import type { IgnoredId } from './ignored.ts';
import { notSupported } from './support.ts';
import type { Supported } from './support.ts';

export interface NamedTrace {
  readonly file: string;
  readonly trace: Trace;
}

/** Makes a run of a scenario, like a recorded one. Throws when a step cannot be done at all. Without `seed`, the default one. */
export type Simulate = (scenario: Scenario, like: Like, seed?: number) => Trace;

/**
 * A recording does not say in which phases the cluster's periodic loops ran, and a resync or a heartbeat that falls a
 * moment earlier makes another write or another event (the traces' README leaves phases free). So a recording that the
 * default phases do not explain is held against runs in these others; one of them has to explain the whole of it.
 */
export const OTHER_SEEDS: readonly number[] = [1, 2, 3, 4];

export interface Judgement extends Verdict {
  readonly file: string;
  readonly scenario: string;
  /** What of the scenario the engine does not support yet. */
  readonly notSupported: readonly string[];
  /** The seed of the run, if it was not the default one. */
  readonly seed?: number | undefined;
}

export interface Judged {
  readonly judgements: readonly Judgement[];
  /** Fields of the recordings that each entry of the ignored list dropped. */
  readonly dropped: Readonly<Record<IgnoredId, number>>;
}

/**
 * Judges one run per recorded trace against all recordings of the same scenario.
 * @param simulate makes the run; with 'other recordings' each recording is itself the run and judged against the others
 * @param charts of the engine that makes the runs
 * @param otherSeeds tried in turn for a recording that the default run differs from, until a run of one does not
 */
export function judge(recorded: readonly NamedTrace[], simulate: Simulate | 'other recordings', supported?: Supported, charts?: Charts, otherSeeds: readonly number[] = []): Judged {
  const facts = new Map<NamedTrace, TraceFacts>(recorded.map(named => [named, factsOf(named.trace)]));
  const byScenario = Map.groupBy(recorded, named => named.trace.scenario.id);
  const judgements = recorded.map(named => {
    const family = byScenario.get(named.trace.scenario.id) ?? [];
    const factsOfAll = (members: readonly NamedTrace[]) => members.flatMap(member => facts.get(member) ?? []);
    const place = { file: named.file, scenario: named.trace.scenario.id, notSupported: supported === undefined ? [] : notSupported(named.trace.scenario, supported) };
    if (simulate !== 'other recordings') return { ...place, ...judgeInAnyPhase(named, factsOfAll(family), simulate, charts, otherSeeds) };
    const others = family.length === 1 ? family : family.filter(member => member !== named);
    return { ...place, ...compare(facts.get(named) ?? nothing, factsOfAll(others)) };
  });
  const total = new Dropped();
  const ids = Object.keys(ignored) as IgnoredId[];
  for (const { dropped } of facts.values()) for (const id of ids) total.add(id, dropped.of(id));
  return { judgements, dropped: Object.fromEntries(ids.map(id => [id, total.of(id)])) as Record<IgnoredId, number> };
}

const nothing: Comparable = { facts: [], shownFrom: new Map(), moments: new Map() };

/** The verdict on the default run, or on the first run in other phases that has no difference. */
function judgeInAnyPhase(named: NamedTrace, recordings: readonly TraceFacts[], simulate: Simulate, charts: Charts | undefined, otherSeeds: readonly number[]): Verdict & { readonly seed?: number } {
  const first = judgeOne(named, recordings, simulate, charts);
  if (first.differences.length === 0) return first;
  for (const seed of otherSeeds) {
    const verdict = judgeOne(named, recordings, simulate, charts, seed);
    if (verdict.differences.length === 0) return { ...verdict, seed };
  }
  return first;
}

function judgeOne(named: NamedTrace, recordings: readonly TraceFacts[], simulate: Simulate, charts: Charts | undefined, seed?: number): Verdict {
  let run: Trace;
  try {
    run = simulate(named.trace.scenario, choicesFrom(named.trace), seed);
  } catch (error) {
    return stopped(recordings, error);
  }
  return compare(factsOf(run, charts), recordings);
}

/** A run that could not be made lacks everything; the reason is named once. */
function stopped(recordings: readonly TraceFacts[], error: unknown): Verdict {
  const verdict = compare(nothing, recordings);
  const { extra, ...rest } = verdict.score.end;
  const reason = error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  return {
    score: { ...verdict.score, end: { ...rest, extra: extra + 1 } },
    differences: [
      { type: 'extra', kind: 'end', subject: 'run', expected: 'a run', found: `the simulation stopped: ${reason}`, why: 'Nothing after this point can be compared.', t: 0 },
      ...verdict.differences,
    ],
  };
}
