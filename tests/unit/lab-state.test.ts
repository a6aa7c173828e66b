/** The lab's state: one small value that goes into an address and comes back, and changes of the scenario. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAction, type Action } from '../../src/lab/actions.ts';
import { carriesState, decodeState, encodeState, startState, type LabState } from '../../src/lab/state.ts';
import { en } from '../../src/i18n/en.ts';
import { zh } from '../../src/i18n/zh.ts';
import { fill } from '../../src/i18n/text.ts';
import { STATIONS } from '../../src/trace-view/station-names.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/);
const at = fc.nat(10_000_000);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constantFrom('secret' as const, 'configMap' as const), name, there: fc.boolean() }),
  fc.record({ do: fc.constant('zone' as const), pod: name, zone: fc.option(name) }),
  fc.record({ do: fc.constant('mode' as const), claim: name, mode: fc.constantFrom('ReadWriteOnce', 'ReadWriteOncePod') }),
  fc.record({ do: fc.constant('class' as const), claim: name, class: name }),
  fc.record({ do: fc.constant('fail' as const), claim: name, method: fc.constantFrom('CreateVolume' as const, 'NodeStageVolume' as const), on: fc.boolean() }),
  fc.record({ do: fc.constant('create' as const), kind: fc.constantFrom('Secret' as const, 'ConfigMap' as const), name, at }),
  fc.record({ do: fc.constant('delete' as const), target: name.map((pod) => `pod/${pod}`), at }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 3600 }), at }),
);
const state: fc.Arbitrary<LabState> = fc.record({
  scenario: name,
  recording: fc.nat(3),
  actions: fc.array(action, { maxLength: 6 }),
  step: fc.nat(999),
  pod: fc.option(name, { nil: undefined }),
  station: fc.option(fc.constantFrom(...STATIONS), { nil: undefined }),
  object: fc.option(name.map((pod) => `Pod/ns/${pod}`), { nil: undefined }),
  panel: fc.option(fc.constantFrom('compare' as const, 'sequence' as const, 'output' as const, 'text' as const), { nil: undefined }),
});

describe('the address', () => {
  test('gives back every state exactly', () => {
    fc.assert(fc.property(state, (value) => {
      const hash = `#${encodeState(value)}`;
      expect(carriesState(hash)).toBe(true);
      expect(decodeState(hash)).toEqual({ ok: true, state: value });
    }));
  });

  test('survives JSON too: the state is a plain value', () => {
    fc.assert(fc.property(state, (value) => {
      expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(structuredClone(value))));
    }));
  });

  test('cut off anywhere, it is called damaged and nothing is guessed', () => {
    fc.assert(fc.property(state, fc.double({ min: 0, max: 0.999, noNaN: true }), (value, part) => {
      const hash = encodeState(value);
      const cut = hash.slice(0, Math.max(5, Math.floor(hash.length * part)));
      expect(decodeState(cut).ok).toBe(false);
    }));
  });

  test('with one character changed, it is called damaged', () => {
    fc.assert(fc.property(state, fc.nat(), fc.constantFrom('0', 'x', '%', '&', '='), (value, place, other) => {
      const hash = encodeState(value);
      const i = place % hash.length;
      if (hash[i] === other) return;
      const found = decodeState(hash.slice(0, i) + other + hash.slice(i + 1));
      if (found.ok) expect(found.state).toEqual(value);
    }));
  });

  test('an ordinary anchor is none of the lab’s', () => {
    for (const hash of ['', '#', '#_top', '#glossary', '#labels']) expect(carriesState(hash)).toBe(false);
  });

  test('the damage is named: version, check value, or the part that is wrong', () => {
    const hash = encodeState(startState('missing-secret', 3));
    expect(decodeState(hash.replace('lab=1', 'lab=2'))).toEqual({ ok: false, damage: { what: 'version', got: '2' } });
    expect(decodeState(hash.replace('step=4', 'step=5'))).toEqual({ ok: false, damage: { what: 'check' } });
  });

  test('an action from an address is taken only if it is one of ours, whole and with nothing beside', () => {
    fc.assert(fc.property(action, (value) => {
      expect(isAction(value)).toBe(true);
      expect(isAction({ ...value, extra: 1 })).toBe(false);
      for (const field of Object.keys(value)) expect(isAction({ ...value, [field]: { toString: 'x' } })).toBe(false);
    }));
    for (const value of [null, [], 'secret', { do: 'constructor' }, { do: 'rm' }, {}]) expect(isAction(value)).toBe(false);
  });
});

describe('the words', () => {
  test('both languages fill in the same names in every message', () => {
    const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, found]) => found ?? '').sort();
    for (const key of Object.keys(en) as (keyof typeof en)[]) expect([key, ...new Set(names(zh[key]))]).toEqual([key, ...new Set(names(en[key]))]);
  });

  test('code is set off by pairs of backticks', () => {
    for (const messages of [en, zh]) for (const text of Object.values(messages)) expect(text.split('`').length % 2).toBe(1);
  });

  test('a name without a value stays visible', () => {
    expect(fill(en, 'stepOf', { n: 3 })).toBe('step 3 of {of}');
  });

  test('Chinese uses full-width marks and a space between Chinese and Latin', () => {
    const plain = Object.entries(zh).filter(([key]) => key !== 'lang');
    for (const [key, text] of plain) {
      const bare = text.replace(/`[^`]*`/g, '').replace(/\{\w+\}/g, '');
      expect([key, /[\u4e00-\u9fff][,;:?!]|[\u4e00-\u9fff]\(/.test(bare)]).toEqual([key, false]);
      expect([key, /[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]/.test(bare)]).toEqual([key, false]);
    }
  });
});
