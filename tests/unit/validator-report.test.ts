import { describe, expect, it } from 'vitest';
import { choicesFrom } from '../../src/formats/like.ts';
import { judge } from '../../src/validator/judge.ts';
import { jsonReport, textReport } from '../../src/validator/report.ts';
import { notSupported } from '../../src/validator/support.ts';
import { asRun, recordingsOf } from '../helpers/traces.ts';

const recordings = recordingsOf('zone-class-forbids');
const first = recordings[0]?.trace ?? expect.fail();
const withoutEvents = () => {
  const run = asRun(first);
  return { ...run, records: run.records.filter(record => record.type !== 'watch' || record.object.kind !== 'Event') };
};

describe('judging', () => {
  it('simulates the scenario that the trace itself carries, like it', () => {
    const asked: unknown[] = [];
    judge(recordings, (scenario, like) => {
      asked.push([scenario, like]);
      return asRun(first);
    });
    expect(asked).toEqual(recordings.map(({ trace }) => [trace.scenario, choicesFrom(trace)]));
  });

  it('compares with the recordings of the same scenario only', () => {
    const others = recordingsOf('provision-quota');
    const { judgements } = judge([...recordings, ...others], scenario => asRun(scenario.id === 'provision-quota' ? (others[0]?.trace ?? first) : first));
    expect(judgements.flatMap(({ differences }) => differences)).toEqual([]);
  });

  it('asks nothing of the states of a component whose log the recording does not have', () => {
    const silent = recordings.map(named => ({ ...named, trace: { ...named.trace, records: named.trace.records.filter(record => record.type !== 'log' || record.component !== 'scheduler') } }));
    const { judgements } = judge(silent, () => asRun(first));
    expect(judgements.flatMap(({ differences }) => differences)).toEqual([]);
    expect(judgements[0]?.score.state.matched).toBeGreaterThan(0);
  });

  it('of a run that cannot be made is one difference that says why, beside all that is missing', () => {
    const { judgements } = judge(recordings, () => {
      throw new Error('step 2 names no object');
    });
    expect(judgements[0]?.differences[0]).toMatchObject({ type: 'extra', kind: 'end', found: expect.stringContaining('step 2 names no object') as unknown });
    expect(judgements[0]?.score.object).toMatchObject({ matched: 0 });
    expect(judgements[0]?.score.object.missing).toBeGreaterThan(0);
  });
});

describe('the phases of periodic loops, which no recording names', () => {
  const inPhase = (good: number | undefined) => judge(recordings, (_scenario, _like, seed) => (seed === good ? asRun(first) : withoutEvents()), undefined, undefined, [1, 2]);

  it('are the default ones where those explain the recording', () => {
    expect(inPhase(undefined).judgements.map(({ seed, differences }) => [seed, differences])).toEqual(recordings.map(() => [undefined, []]));
  });

  it('are others where a run in those explains the whole of it, and the report names them', () => {
    const judged = inPhase(2);
    expect(judged.judgements.map(({ seed, differences }) => [seed, differences])).toEqual(recordings.map(() => [2, []]));
    expect(textReport(judged, false)).toMatch(/^same .* 0 extra; periodic loops in the phases of seed 2$/m);
    expect(JSON.parse(jsonReport(judged))).toMatchObject({ traces: [{ seed: 2 }, { seed: 2 }] });
  });

  it('do not excuse what no run has: the differences are those of the default run', () => {
    const judged = inPhase(3);
    expect(judged.judgements.map(({ seed }) => seed)).toEqual([undefined, undefined]);
    expect(judged.judgements[0]?.differences).toEqual(judge(recordings, withoutEvents).judgements[0]?.differences);
    expect(judged.judgements[0]?.differences.length).toBeGreaterThan(0);
  });
});

describe('the report', () => {
  const judged = judge(recordings, withoutEvents);

  it('as JSON gives each trace and the total', () => {
    const report = JSON.parse(jsonReport(judged)) as { traces: Record<string, unknown>[]; total: Record<string, number> };
    expect(report.traces.map(({ file, scenario }) => [file, scenario])).toEqual(recordings.map(({ file }) => [file, 'zone-class-forbids']));
    for (const trace of report.traces) {
      expect(trace).toMatchObject({ matched: expect.any(Number) as unknown, missing: expect.any(Number) as unknown, extra: 0, differences: expect.any(Array) as unknown });
      expect((trace['differences'] as unknown[])[0]).toMatchObject({ expected: expect.any(String) as unknown, found: expect.any(String) as unknown, why: expect.any(String) as unknown });
    }
    for (const count of ['matched', 'missing', 'extra']) {
      expect(report.total[count]).toBe(report.traces.reduce((sum, trace) => sum + Number(trace[count]), 0));
    }
  });

  it('as text names each trace, one line a difference, the score per kind and what was left out', () => {
    const lines = textReport(judged, false).split('\n');
    expect(lines[0]).toMatch(/^DIFFERS zone-class-forbids\/1\.json \(zone-class-forbids\): \d+ matched, \d+ missing, 0 extra$/);
    expect(lines.filter(line => /^ {2}missing event/.test(line)).length).toBeGreaterThan(0);
    expect(lines.some(line => /^event +\d+ +\d+ +0$/.test(line))).toBe(true);
    expect(lines.some(line => /^ +[1-9]\d* {2}the number of a resourceVersion /.test(line))).toBe(true);
    expect(lines.at(-2)).toBe('2 of 2 traces differ');
  });

  it('in full says for each difference what was expected, what was found and why it matters', () => {
    const text = textReport(judged, true);
    expect(text).toMatch(/ {4}expected: Warning FailedScheduling .*\n {4}found: {4}nothing of the kind\n {4}why: {6}Events are what the reader will search for/);
  });

  it('of equal runs says so', () => {
    expect(textReport(judge(recordings, () => asRun(first)), false)).toContain('no difference in 2 traces');
  });
});

describe('what is not supported yet', () => {
  const scenario = { ...first.scenario, steps: [{ apply: 'kind: Pod\nspec: {containers: [{name: a}], volumes: [{name: v, nfs: {server: s}}]}' }, { apply: 'kind: DaemonSet' }, { settle: 1 }] };

  it('is named by verb, kind and field, computed from the scenario', () => {
    const supported = { verbs: new Set(['apply']), kinds: new Set(['Pod']), fields: { Pod: new Set(['kind', 'spec.containers.*', 'spec.volumes.name']) } };
    expect(notSupported(scenario, supported)).toEqual(['field spec.volumes.nfs.server of Pod', 'kind DaemonSet', 'verb settle']);
  });

  it('is nothing when all is supported', () => {
    const supported = { verbs: new Set(['apply', 'settle']), kinds: new Set(['Pod', 'DaemonSet']), fields: { Pod: new Set(['*']) } };
    expect(notSupported(scenario, supported)).toEqual([]);
  });
});
