/** The recordings among themselves: what the comparison calls a difference must not lie between two real runs. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/validator/judge.ts';
import { parseLogLine } from '../../src/validator/log-line.ts';
import { ignoredLines, matches, witnesses } from '../../src/validator/witness.ts';
import type { LineKind } from '../../src/validator/witness.ts';
import { asRun, recordingsOf, scenarioIds } from '../helpers/traces.ts';

/** Real runs that differ from the others of their scenario, and in what: choices and races that few recordings cannot average out. */
const disagreements: Readonly<Record<string, string>> = {
  'chosen-node-has-no-driver/1.json': 'a resync fell into the moment in which the pod was unscheduled',
  'claim-not-found/1.json': 'the kubelet asked for the claim before the node was allowed to read it',
  'default-class-local-path/2.json': 'another node',
  'delete-claim-in-use/3.json': 'the provisioner looked while the volume was still attached',
  'ephemeral-volume/1.json': 'another node and zone',
  'finished-pod/3.json': 'a container relist fell into the second in which the process lived',
  'rolling-update/1.json': 'rollout status printed one line more',
  'rolling-update/2.json': 'the Deployment controller looked at another moment',
  'statefulset-templates/1.json': 'two pods on one node or on two',
  'statefulset-templates/2.json': 'two pods on one node or on two',
  'static-volume/1.json': 'another node',
  'static-volume/2.json': 'another node',
  'wait-pod-unschedulable/1.json': 'another node and zone',
  'wait-pod-unschedulable/2.json': 'another node and zone',
};

/** Recordings whose log begins late: as runs they would lack the states of the beginning. */
const lateLogs: ReadonlySet<string> = new Set(['retain-released/3.json']);

describe('a real run is like the real runs of its scenario', () => {
  it.each(scenarioIds)('%s: each recording is found among all recordings, also when its log is written as states', id => {
    const recordings = recordingsOf(id);
    const byScenario = new Map(recordings.map(({ trace }) => [trace.scenario, asRun(trace)]));
    const { judgements } = judge(recordings, scenario => byScenario.get(scenario) ?? expect.fail('unknown scenario'));
    expect(judgements.flatMap(({ file, differences }) => differences.filter(({ kind }) => kind !== 'state' || !lateLogs.has(file)))).toEqual([]);
    expect(judgements.every(judgement => judgement.score.object.matched > 0 && judgement.score.step.matched > 0)).toBe(true);
  });

  it('left out of the comparison, a recording differs from the others only in choices and races that are known', () => {
    const differing = scenarioIds.flatMap(id =>
      judge(recordingsOf(id), 'other recordings')
        .judgements.filter(judgement => judgement.differences.length > 0)
        .map(judgement => judgement.file),
    );
    expect(differing).toEqual(Object.keys(disagreements));
  });
});

describe('every recorded log line is either a witness or on the ignored list', () => {
  it.each(scenarioIds)('%s: each line matches exactly one entry', id => {
    const table = [...witnesses, ...ignoredLines];
    const lines = recordingsOf(id).flatMap(({ trace }) => trace.records.flatMap(record => (record.type === 'log' ? [parseLogLine(record)] : [])));
    const wrong = lines.filter(line => table.filter(entry => matches(entry, line)).length !== 1);
    expect(wrong.map(line => `${line.record.component} ${line.record.source}: ${line.record.text}`)).toEqual([]);
  });

  it('and every entry is met by some recorded line, or names the source of a line that none has', () => {
    const lines = scenarioIds.flatMap(id => recordingsOf(id).flatMap(({ trace }) => trace.records.flatMap(record => (record.type === 'log' ? [parseLogLine(record)] : []))));
    const bySource = Map.groupBy(lines, line => line.record.source);
    const isMet = (entry: LineKind): boolean => (bySource.get(entry.source) ?? []).some(line => matches(entry, line));
    const wrong = [...witnesses, ...ignoredLines].filter(entry => isMet(entry) === ('unrecorded' in entry));
    expect(wrong.map(entry => `${entry.source}: ${entry.message ?? entry.prefix ?? ''}`)).toEqual([]);
  });
});
