import { describe, expect, it } from 'vitest';
import { machineCatalogue } from '../../machines/index.ts';
import { Evidence } from '../../src/validator/evidence.ts';
import { tellings } from '../../src/validator/state-facts.ts';
import { unwitnessed, witnesses } from '../../src/validator/witness.ts';
import { asRun, recordingsOf } from '../helpers/traces.ts';

describe('the witness table', () => {
  const states = [...machineCatalogue.values()].flatMap(chart => chart.states.map(state => [chart.id, state] as const));

  it.each(states)('%s.%s has a line that witnesses it, or says that none does', (machine, state) => {
    const line = tellings.has(`${machine}.${state}`);
    const reason = unwitnessed[machine]?.[state] ?? unwitnessed[machine]?.['*'];
    expect({ machine, state, line, reason: reason !== undefined }).toEqual({ machine, state, line, reason: !line });
  });

  it('names no state that no machine has', () => {
    const named = [...tellings.keys(), ...Object.entries(unwitnessed).flatMap(([machine, list]) => Object.keys(list).filter(state => state !== '*').map(state => `${machine}.${state}`))];
    const known = new Set(states.map(([machine, state]) => `${machine}.${state}`));
    expect(named.filter(name => !known.has(name))).toEqual([]);
  });

  it('tells of one state in one way: counted or only shown', () => {
    const ways = new Map<string, Set<string>>();
    for (const { telling } of witnesses) {
      for (const [state, how] of Object.entries(telling)) if (how !== 'details') ways.set(state, (ways.get(state) ?? new Set()).add(how));
    }
    expect([...ways].filter(([, how]) => how.size > 1).map(([state]) => state)).toEqual([]);
  });
});

describe('beside a simulated record', () => {
  const recordings = recordingsOf('missing-secret').map(({ trace }) => trace);
  const run = asRun(recordings[0] ?? expect.fail());
  const evidence = new Evidence(run, recordings);

  it('stand the recorded lines that witness the same state of the same thing', () => {
    const index = run.records.findIndex(record => record.type === 'state' && record.machine === 'attach' && record.to === 'attached');
    const lines = recordings.map((_, recording) => evidence.witnessLines(index, recording).map(({ line }) => line.text.slice(0, 40)));
    expect(lines).toEqual(recordings.map(() => ['AttachVolume.Attach succeeded for volume']));
  });

  it('stand the lines of the same visit where the state was entered more than once', () => {
    const failures = run.records.flatMap((record, index) => (record.type === 'state' && record.to === 'publishFailed' && record.key.endsWith('/missing') ? [index] : []));
    const lines = failures.map(index => evidence.witnessLines(index, 0).map(at => at.index));
    expect(failures.length).toBeGreaterThan(1);
    expect(new Set(lines.flat()).size).toBe(lines.flat().length);
  });

  it('of an event stands in how many recordings it is, and where', () => {
    const index = run.records.findIndex(record => record.type === 'watch' && record.object.kind === 'Event' && record.object.reason === 'FailedMount');
    const places = evidence.recordingsOfEvent(index);
    expect(places.map(({ recording }) => recording)).toEqual([0, 1, 2]);
    for (const { recording, index: at } of places) {
      const record = recordings[recording]?.records[at];
      expect(record).toMatchObject({ type: 'watch', object: { kind: 'Event', reason: 'FailedMount' } });
    }
  });

  it('that no recording has stands nothing', () => {
    const index = run.records.findIndex(record => record.type === 'watch' && record.object.kind === 'Event' && record.object.reason === 'Started');
    const record = run.records[index] ?? expect.fail();
    const text = JSON.stringify(record).replace('Container started', 'Container flew away');
    const other = new Evidence({ ...run, records: run.records.with(index, JSON.parse(text) as typeof record) }, recordings);
    expect(other.recordingsOfEvent(index)).toEqual([]);
    expect(other.witnessLines(index, 0)).toEqual([]);
  });
});
