/**
 * Whatever people do to a cluster, in whatever order: the simulation does not break, and what must hold holds.
 * 20,000 steps by default; PROPERTY_STEPS=200000 takes more, PROPERTY_SEED=n draws others. A failing run is shrunk, printed
 * with its seed, and written to tests/properties/found/, where it stays as a test.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { simulate } from '../../machines/index.ts';
import { violationsOf } from '../../machines/trace/invariants.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Scenario, Verb } from '../../machines/trace/scenario.ts';
import { verbOf } from '../../machines/run/person.ts';
import { lineAt, podsAt } from '../../src/trace-view/stations.ts';
import { STATIONS, type StationName } from '../../src/trace-view/station-names.ts';
import { FAILURE_TEXTS, REASONS } from './reasons.ts';
import { anyScenario } from './steps.ts';

const FOUND = new URL('found/', import.meta.url);
const STEPS = Number(process.env['PROPERTY_STEPS'] ?? 20_000);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_130);
/** Steps of a scenario on average, rounded down. */
const STEPS_A_RUN = 18;
/** Every how many runs a run is made twice. */
const TWICE = 12;

/** Throws with the first violation of an invariant. */
function holdInvariants(trace: Trace): void {
  const [violation] = violationsOf(trace.records);
  if (violation) throw new Error(`at ${violation.t} s: ${violation.rule}: ${violation.what}`);
}

function fingerprint(trace: Trace): string {
  return createHash('sha256').update(JSON.stringify(trace)).digest('hex');
}

/** What the runs have reached so far. */
class Reached {
  steps = 0;
  runs = 0;
  readonly verbs = new Set<Verb>();
  readonly reasons = new Set<string>();
  readonly texts = new Set<RegExp>();
  readonly stations = new Set<StationName>();

  note(trace: Trace): void {
    this.runs++;
    for (const record of trace.records) {
      if (record.type === 'step') this.steps++;
      if (record.type !== 'watch' || record.object.kind !== 'Event' || record.verb !== 'ADDED') continue;
      this.reasons.add(`${record.object.involvedObject.kind ?? ''} ${record.object.reason}`);
      for (const text of FAILURE_TEXTS) if (!this.texts.has(text) && text.test(record.object.message)) this.texts.add(text);
    }
    for (const step of trace.scenario.steps) this.verbs.add(verbOf(step));
    if (this.stations.size < STATIONS.length) this.noteStations(trace);
  }

  private noteStations(trace: Trace): void {
    const end = trace.records.length - 1;
    for (const pod of podsAt(trace, end)) {
      const { stations } = lineAt(trace, end, pod);
      for (const name of STATIONS) if (stations[name].mark === 'proven' || stations[name].mark === 'partly') this.stations.add(name);
    }
  }
}

function keep(scenario: Scenario, seed: number): string {
  const text = `# Found by tests/properties/any-run.test.ts, simulated with seed ${seed}.\n${stringify({ ...scenario, seed })}`;
  const file = new URL(`${createHash('sha256').update(text).digest('hex').slice(0, 12)}.yaml`, FOUND);
  writeFileSync(file, text);
  return `${file.pathname}\n\n${text}`;
}

describe('any run', () => {
  const reached = new Reached();

  it(`keeps the invariants and gives the same bytes again, over ${STEPS} steps`, () => {
    const property = fc.property(anyScenario, fc.integer({ min: 1, max: 1_000_000 }), (scenario, seed) => {
      const trace = simulate(scenario, { seed });
      holdInvariants(trace);
      if (reached.runs % TWICE === 0 && fingerprint(simulate(scenario, { seed })) !== fingerprint(trace)) throw new Error('the same scenario and seed gave other bytes');
      reached.note(trace);
    });
    const result = fc.check(property, { seed: SEED, numRuns: Math.ceil(STEPS / STEPS_A_RUN), endOnFailure: false });
    if (result.failed) {
      const [scenario, seed] = result.counterexample ?? [];
      const where = scenario === undefined || seed === undefined ? '' : keep(scenario, seed);
      const error = result.errorInstance instanceof Error ? (result.errorInstance.stack ?? result.errorInstance.message) : '';
      throw new Error(`PROPERTY_SEED=${result.seed} fails after ${result.numRuns} runs, shrunk ${result.numShrinks} times: ${error}\n\nThe scenario is kept in ${where}`);
    }
    expect(reached.steps).toBeGreaterThanOrEqual(STEPS);
  }, 1_800_000);

  it('has drawn on every verb', () => {
    expect([...reached.verbs].toSorted()).toEqual(['apply', 'delete', 'exec', 'node', 'patch', 'run', 'settle', 'wait']);
  });
  it('has reached every station', () => {
    expect(STATIONS.filter((station) => !reached.stations.has(station))).toEqual([]);
  });
  it('has reached every event reason', () => {
    expect(REASONS.filter((reason) => !reached.reasons.has(reason))).toEqual([]);
  });
  it('has reached every reason for a failure', () => {
    expect(FAILURE_TEXTS.filter((text) => !reached.texts.has(text)).map(String)).toEqual([]);
  });
});

describe('a run that once failed', () => {
  const files = readdirSync(FOUND).filter((file) => file.endsWith('.yaml'));
  it.for(files)('%s', (file) => {
    const { seed, ...scenario } = parse(readFileSync(new URL(file, FOUND), 'utf8')) as Scenario & { seed: number };
    holdInvariants(simulate(scenario, { seed }));
  });
  it('is kept in a folder that is there', () => {
    expect(files).toEqual(files.toSorted());
  });
});
