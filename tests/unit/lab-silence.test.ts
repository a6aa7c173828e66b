/** A pod on a node that no longer answers: what its kubelet said is shown as last heard, not as so. */
import { describe, expect, test } from 'vitest';
import type { Trace } from '../../machines/trace/format.ts';
import { drawn } from '../../src/lab/marks.ts';
import { saidBy } from '../../src/lab/parts/Sentence.tsx';
import { en } from '../../src/i18n/en.ts';
import { fill } from '../../src/i18n/text.ts';
import { sentenceAt } from '../../src/trace-view/sentence.ts';
import { lineAt } from '../../src/trace-view/stations.ts';
import { STATIONS } from '../../src/trace-view/station-names.ts';
import { recording, without } from '../helpers/recordings.ts';

const trace = recording('node-down');

function at(run: Trace, when: (record: Trace['records'][number]) => boolean): number {
  return run.records.findIndex(when);
}
const paused = at(trace, (record) => record.type === 'step' && record['action'] === 'pause');
const evicted = at(trace, (record) => record.type === 'watch' && record.object.kind === 'Event' && record.object.reason === 'TaintManagerEviction');
const woken = at(trace, (record) => record.type === 'step' && record['action'] === 'unpause');

function heard(run: Trace, index: number, pod: string): string[] {
  const line = lineAt(run, index, pod);
  return STATIONS.filter((name) => drawn(line, name, line.stations[name].mark) === 'heard');
}

describe('a pod whose node was silenced', () => {
  test('what the kubelet alone bears witness to is as last heard; what the API server and the controllers say is not', () => {
    expect(heard(trace, paused - 1, 'first')).toEqual([]);
    expect(heard(trace, evicted, 'first')).toEqual(['staged', 'published', 'process']);
    const { stations } = lineAt(trace, evicted, 'first');
    for (const name of ['claim', 'volume', 'node', 'attached'] as const) expect([name, stations[name].mark]).toEqual([name, 'proven']);
  });

  test('the moment is the one at which the node was silenced', () => {
    expect(lineAt(trace, evicted, 'first').silent).toEqual({ node: 'ab-worker2', since: trace.records[paused]?.t });
  });

  test('a pod on another node is as it was', () => {
    expect(lineAt(trace, woken - 1, 'second').silent).toBeUndefined();
  });

  test('once the node is woken it speaks for itself', () => {
    expect(heard(trace, woken, 'first')).toEqual([]);
  });

  test('the sentence of the step says so', () => {
    const line = lineAt(trace, evicted, 'first');
    const text = saidBy(sentenceAt(trace, evicted, line), 'en', (key, params) => fill(en, key, params));
    expect(text).toContain('`ab-worker2` has been silent since');
  });
});

test('without the person’s step the node’s own condition tells: it was last heard at its last heartbeat', () => {
  const unseen = without(trace, (record) => record.type === 'step' && record.verb === 'node');
  const unknown = at(unseen, (record) => record.type === 'watch' && record.object.kind === 'Node' && record.object.status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'Unknown') === true);
  expect(lineAt(unseen, unknown - 1, 'first').silent).toBeUndefined();
  const silent = lineAt(unseen, unknown, 'first').silent;
  expect(silent?.since).toBeGreaterThan(0);
  expect(silent?.since).toBeLessThan(unseen.records[unknown]?.t ?? 0);
});
