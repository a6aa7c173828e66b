/**
 * Compares one run with all recordings of its scenario.
 *
 * A difference is what every recording has and the run lacks (missing), what the run has and no recording has (extra), or
 * an order that counts, reversed (order). How often a fact stands counts too: fewer than in any recording is missing, more
 * than in any is extra, except where a loop or a race decides it (`often`).
 */
import { causeRules, orderOf } from './causes.ts';
import type { CauseRule, Moments } from './causes.ts';
import type { Fact, FactKind } from './fact.ts';
import { factKinds, keyOf } from './fact.ts';
import { pairUp } from './pairing.ts';

export interface Difference {
  /** `altered` is one missing and one extra that are plainly the same thing. */
  readonly type: 'missing' | 'extra' | 'altered' | 'order' | 'value';
  readonly kind: FactKind;
  readonly subject: string;
  /** What the recordings have; empty where they have nothing of the kind. */
  readonly expected: string;
  /** What the run has; empty where it has nothing of the kind. */
  readonly found: string;
  /** Why it matters: one sentence. */
  readonly why: string;
  /** Seconds in the run or, for what is missing, in the first recording. */
  readonly t: number;
}

export interface KindScore {
  readonly matched: number;
  readonly missing: number;
  readonly extra: number;
}

export interface Verdict {
  readonly differences: readonly Difference[];
  readonly score: Readonly<Record<FactKind, KindScore>>;
}

const why: Readonly<Record<FactKind, string>> = {
  step: 'The reader must have done the same things, or the rest compares two different stories.',
  object: 'A write that a real cluster makes (or never makes) is what every other component acts on.',
  event: 'Events are what the reader will search for; a text, type or component that no cluster sends teaches a wrong symptom.',
  count: 'All recordings agree on how often this event was counted, so the number says how often it happened.',
  csi: 'The driver was asked something else, or answered otherwise, than the real one.',
  state: 'A component went through another state than its own log shows.',
  exec: 'The process in the container saw or wrote other bytes than in the real one.',
  output: 'The command would print something else on a real cluster.',
  cause: 'An effect came before its cause.',
  choice: 'No recording put the pod or the volume there, so a filter or a topology rule decided wrongly.',
  end: 'A step timed out in one and not in the other, so something waited for never came.',
};
const whyOrder = 'Every recording has these two in the other order, so one is the cause or the precondition of the other.';

interface Counted {
  readonly fact: Fact;
  count: number;
  /** How many of them came after the last step. */
  late: number;
}

/** What of a trace is compared. */
export interface Comparable {
  readonly facts: readonly Fact[];
  /** Time of the first log line of each component that has a log here. */
  readonly shownFrom: ReadonlyMap<string, number>;
  readonly moments: Moments;
}

export function compare(run: Comparable, recordings: readonly Comparable[]): Verdict {
  const runCounts = countsOf(run.facts);
  const recordedCounts = recordings.map(recording => countsOf(recording.facts));
  const score = Object.fromEntries(factKinds.map(kind => [kind, { matched: 0, missing: 0, extra: 0 }])) as Record<FactKind, { matched: number; missing: number; extra: number }>;
  const differences: Difference[] = [];
  const keys = new Set([...runCounts.keys(), ...recordedCounts.flatMap(counts => [...counts.keys()])]);
  for (const key of keys) {
    const inRun = runCounts.get(key);
    const fact = inRun?.fact ?? recordedCounts.map(counts => counts.get(key)?.fact).find(found => found !== undefined);
    if (fact === undefined) continue;
    const recorded = recordedCounts.flatMap((counts, index) => {
      const counted = counts.get(key);
      return counted !== undefined || canShow(recordings[index], fact) ? [{ all: counted?.count ?? 0, due: (counted?.count ?? 0) - (counted?.late ?? 0) }] : [];
    });
    if (recorded.length === 0 || (inRun === undefined && run.shownFrom.size > 0 && !canShow(run, fact))) continue;
    const least = Math.min(...recorded.map(({ due }) => due));
    const most = Math.max(...recorded.map(({ all }) => all));
    const count = inRun?.count ?? 0;
    const tally = score[fact.kind];
    tally.matched += Math.min(count, most);
    if (count < least) {
      tally.missing += least - count;
      differences.push({ type: 'missing', kind: fact.kind, subject: fact.subject, expected: times(fact, least), found: count === 0 ? '' : times(fact, count), why: why[fact.kind], t: fact.t });
    }
    if (count > most && inRun?.fact.optional !== true) {
      tally.extra += count - most;
      differences.push({ type: 'extra', kind: fact.kind, subject: fact.subject, expected: most === 0 ? '' : times(fact, most), found: times(fact, count), why: why[fact.kind], t: fact.t });
    }
    const value = valueDifference(inRun?.fact, recordedCounts.map(counts => counts.get(key)?.fact));
    if (value !== undefined) {
      tally.missing += 1;
      tally.matched -= 1;
      differences.push(value);
    }
  }
  const causes = causeVerdict(run.moments, recordings.map(recording => recording.moments));
  score.cause.matched = causes.matched;
  const reversed = [...orderDifferences(run.facts, recordings.map(recording => recording.facts)), ...causes.differences];
  for (const difference of reversed) score[difference.kind].missing += 1;
  return { differences: [...joined(differences), ...reversed].sort((a, b) => a.t - b.t), score };
}

/** Missing and extra of one subject that are alike become one difference that shows both. */
function joined(differences: readonly Difference[]): Difference[] {
  const of = (type: Difference['type']) => differences.filter(difference => difference.type === type);
  const pairs = pairUp(of('missing'), of('extra'), one => `${one.kind}|${one.subject}`, one => (one.type === 'missing' ? one.expected : one.found));
  const paired = new Set(pairs.flatMap(pair => [pair.missing, pair.extra]));
  return [
    ...differences.filter(difference => !paired.has(difference)),
    ...pairs.map(({ missing, extra }): Difference => ({ ...extra, type: 'altered', expected: missing.expected })),
  ];
}

/** Seconds by which a run may be ahead of a recording. */
const head = 1;

/** Whether a recording could show a fact of this source and time at all. */
function canShow(recording: Comparable | undefined, fact: Fact): boolean {
  if (fact.source === undefined) return true;
  const from = recording?.shownFrom.get(fact.source);
  return from !== undefined && from - head <= fact.t;
}

function times(fact: Fact, count: number): string {
  return count === 1 ? fact.text : `${fact.text} ×${count}`;
}

function countsOf(facts: readonly Fact[]): Map<string, Counted> {
  const counts = new Map<string, Counted>();
  for (const fact of facts) {
    const key = keyOf(fact);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { fact, count: 1, late: fact.late === true ? 1 : 0 });
    else if (fact.often !== true) {
      known.count += 1;
      if (fact.late === true) known.late += 1;
    }
  }
  return counts;
}

function valueDifference(run: Fact | undefined, recorded: readonly (Fact | undefined)[]): Difference | undefined {
  if (run?.value === undefined) return undefined;
  const values = new Set(recorded.map(fact => fact?.value));
  const [value] = values;
  if (values.size !== 1 || value === undefined || value === run.value) return undefined;
  return { type: 'value', kind: run.kind, subject: run.subject, expected: `${value} times: ${run.text}`, found: `${run.value} times`, why: why[run.kind], t: run.t };
}

/** The k-th occurrence of a fact in its lane. */
interface Occurrence {
  readonly key: string;
  readonly fact: Fact;
  readonly position: number;
}

/** Pairs of one lane that every recording has in one order and the run has reversed; for each fact the nearest such pair only. */
function orderDifferences(run: readonly Fact[], recordings: readonly (readonly Fact[])[]): Difference[] {
  const runLanes = lanesOf(run);
  const recordedLanes = recordings.map(lanesOf);
  const differences: Difference[] = [];
  for (const [lane, occurrences] of runLanes) {
    const positions = recordedLanes.map(lanes => new Map((lanes.get(lane) ?? []).map(occurrence => [occurrence.key, occurrence.position])));
    const common = occurrences.filter(occurrence => positions.every(known => known.has(occurrence.key)));
    common.forEach((late, index) => {
      const early = common.slice(0, index).findLast(candidate => positions.every(known => (known.get(candidate.key) ?? 0) > (known.get(late.key) ?? 0)) && !mayRace(candidate.fact, late.fact));
      if (early === undefined) return;
      differences.push({
        type: 'order',
        kind: late.fact.kind,
        subject: late.fact.subject,
        expected: `${late.fact.text} BEFORE ${early.fact.text}`,
        found: 'the other way round',
        why: whyOrder,
        t: late.fact.t,
      });
    });
  }
  return differences;
}

/** The rules of cause and effect between objects: where every recording has both in one order, the run must not reverse them. */
function causeVerdict(run: Moments, recordings: readonly Moments[]): { readonly matched: number; readonly differences: readonly Difference[] } {
  let matched = 0;
  const differences: Difference[] = [];
  for (const rule of causeRules) {
    for (const [name, moment] of run) {
      if (!name.startsWith(`${rule.effect}|`)) continue;
      const instance = name.slice(rule.effect.length + 1);
      const cause = `${rule.cause}|${instance}`;
      const recorded = new Set(recordings.map(moments => orderOf(moments, cause, name)));
      const [order] = recorded;
      const inRun = orderOf(run, cause, name);
      if (recorded.size !== 1 || order === undefined || order === 0 || inRun === 0) continue;
      if (inRun === order) matched += 1;
      else differences.push(causeDifference(rule, instance, order, moment.t));
    }
  }
  return { matched, differences };
}

function causeDifference(rule: CauseRule, instance: string, order: number, t: number): Difference {
  const [first, second] = order === 1 ? [rule.cause, rule.effect] : [rule.effect, rule.cause];
  return { type: 'order', kind: 'cause', subject: instance, expected: `${first} BEFORE ${second}`, found: 'the other way round', why: rule.why, t };
}

/**
 * What does not wait for each other, although few recordings may agree on its order: writes of independent controllers to one
 * object, pods that a ReplicaSet makes or gives up side by side, containers that are stopped at once, what befell two volumes
 * of one pod, and what is done on two nodes or undone for them: the one knows nothing of the other.
 */
function mayRace(a: Fact, b: Fact): boolean {
  if (a.kind === 'csi') {
    const nodes = [a, b].map(fact => (/^Node\w+ on (\S+) /.exec(fact.text) ?? /^ControllerUnpublishVolume .*"node_id":"([^"]+)"/.exec(fact.text))?.[1]);
    return nodes[0] !== undefined && nodes[1] !== undefined && nodes[0] !== nodes[1];
  }
  const volumes = [a, b].map(fact => (fact.kind === 'event' || fact.kind === 'output' ? /\bvolume "([^"]+)"/.exec(fact.text)?.[1] : undefined));
  if (volumes[0] !== undefined && volumes[1] !== undefined && volumes[0] !== volumes[1]) return true;
  const sideBySide = [a, b].map(fact => (fact.kind === 'event' ? /\b(?:(?:Created|Deleted) pod|Killing from kubelet): /.exec(fact.text)?.[0] : undefined));
  if (sideBySide[0] !== undefined && sideBySide[0] === sideBySide[1]) return true;
  const finalizers = [a, b].map(fact => /^changed -?metadata\.finalizers\[(.*)\]/.exec(fact.text)?.[1]);
  if (finalizers[0] !== undefined && finalizers[1] !== undefined) return finalizers[0] !== finalizers[1];
  const other = finalizers[0] === undefined ? a : b;
  return (finalizers[0] ?? finalizers[1]) !== undefined && other.text.includes('status.');
}

function lanesOf(facts: readonly Fact[]): Map<string, Occurrence[]> {
  const lanes = new Map<string, Occurrence[]>();
  const seen = new Map<string, number>();
  for (const fact of [...facts].sort((a, b) => a.index - b.index)) {
    if (fact.lane === undefined) continue;
    const key = keyOf(fact);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    if (ordinal > 1 && fact.often === true) continue;
    const lane = lanes.get(fact.lane) ?? [];
    lanes.set(fact.lane, lane);
    lane.push({ key: `${key}#${ordinal}`, fact, position: lane.length });
  }
  return lanes;
}
