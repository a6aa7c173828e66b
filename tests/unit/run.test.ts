import { describe, expect, it } from 'vitest';
import { simulate, StepError } from '../../machines/index.ts';
import { EventNames } from '../../machines/kernel/event-recorder.ts';
import { Random } from '../../machines/kernel/random.ts';
import { changeTaint, parseTaint } from '../../machines/run/taints.ts';
import { threeWayMerge } from '../../machines/run/three-way-merge.ts';
import { goDiff } from '../../machines/admission/go-diff.ts';
import { canonicalQuantity } from '../../machines/model/quantity.ts';
import { mergePatch } from '../../machines/model/values.ts';
import type { Node } from '../../machines/model/objects.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import type { StepRecord, Trace, TraceRecord, WatchRecord } from '../../machines/trace/format.ts';

function run(...steps: Step[]): Trace {
  return simulate({ id: 'a-run', title: 'a run', covers: [], namespace: 'ab-run', steps });
}
const stepsOf = (trace: Trace): StepRecord[] => trace.records.filter((r): r is StepRecord => r.type === 'step');
const writesOf = (trace: Trace, name: string): WatchRecord[] => trace.records.filter((r): r is WatchRecord => r.type === 'watch' && r.object.metadata.name === name && r.object.kind !== 'Event');
const textOf = (trace: Trace, step: number): string => {
  const record = trace.records.find((r: TraceRecord) => r.type === 'step' && r.step === step) as { text?: string } | undefined;
  return record?.text ?? '';
};

const CLAIM = '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: disk}, spec: {storageClassName: zonal-wait, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}';
const SECRET = '{apiVersion: v1, kind: Secret, metadata: {name: token}, stringData: {token: hush}}';
const settings = (data: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: ${data}}`;

describe('kubectl apply', () => {
  it('of the same manifest a second time writes nothing', () => {
    expect(writesOf(run({ apply: settings('{a: "1"}') }, { apply: settings('{a: "1"}') }), 'settings').map((r) => r.verb)).toEqual(['ADDED']);
  });
  it('removes what the last manifest said and this one does not', () => {
    const last = writesOf(run({ apply: settings('{a: "1", b: "2"}') }, { apply: settings('{a: "1"}') }), 'settings').at(-1);
    expect(last?.object).toMatchObject({ data: { a: '1' } });
    expect((last?.object as { data?: object }).data).not.toHaveProperty('b');
  });
  it('leaves alone what somebody else has set', () => {
    const last = writesOf(run({ apply: settings('{a: "1"}') }, { patch: { target: 'configmap/settings', merge: { data: { c: '3' } } } }, { apply: settings('{a: "2"}') }), 'settings').at(-1);
    expect(last?.object).toMatchObject({ data: { a: '2', c: '3' } });
  });
  it('takes several documents, and goes on after a refused one', () => {
    const trace = run({ apply: `${settings('{a: 1}')}\n---\n${CLAIM}` });
    expect(trace.records.find((r) => r.type === 'output')).toMatchObject({ step: 0, code: 1 });
    expect(writesOf(trace, 'disk')).not.toHaveLength(0);
  });
});

describe('a merge patch', () => {
  it.each(['__proto__', 'constructor', 'toString'])('takes the key %s for a key like any other', (key) => {
    const merged = mergePatch({ a: 1 }, JSON.parse(`{"${key}": {"b": 2}}`)) as object;
    expect(JSON.stringify(merged)).toBe(`{"a":1,"${key}":{"b":2}}`);
    expect(Object.hasOwn(merged, key)).toBe(true);
    expect(mergePatch(merged, JSON.parse(`{"${key}": null}`))).toEqual({ a: 1 });
    const before = { a: 1 };
    expect(mergePatch(before, JSON.parse(`{"${key}": null}`))).toBe(before);
    expect(({} as { b?: number }).b).toBeUndefined();
  });
});

describe('kubectl apply of several documents', () => {
  it('writes one after the other, a look and a write each', () => {
    const trace = run({ apply: [1, 2, 3].map((n) => settings(`{a: "${n}"}`).replace('settings', `settings-${n}`)).join('\n---\n') });
    const times = [1, 2, 3].map((n) => writesOf(trace, `settings-${n}`)[0]?.t ?? 0);
    for (const gap of [(times[1] ?? 0) - (times[0] ?? 0), (times[2] ?? 0) - (times[1] ?? 0)]) expect(gap).toBeCloseTo(0.018, 3);
  });
});

describe('names of events', () => {
  it('tell the order of recording also within a millisecond', () => {
    const names = new EventNames(new Random(7));
    const made = Array.from({ length: 200 }, (_, i) => names.next('disk', 1_780_000_000_000 + Math.floor(i / 50)));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('kubectl patch', () => {
  it('leaves out fields that the kind does not have', () => {
    const writes = writesOf(run({ apply: CLAIM }, { patch: { target: 'pvc/disk', merge: { spec: { size: 1 }, colour: 'red' } } }, { patch: { target: 'pvc/disk', merge: { spec: { size: 1 }, metadata: { labels: { a: 'b' } } } } }), 'disk');
    expect(writes).toHaveLength(2);
    expect(writes[1]?.object).toMatchObject({ metadata: { labels: { a: 'b' } } });
    expect((writes[1]?.object as { spec?: object }).spec).not.toHaveProperty('size');
  });
  it('that changes nothing writes nothing', () => {
    expect(writesOf(run({ apply: settings('{a: "1"}') }, { patch: { target: 'cm/settings', merge: { data: { a: '1' } } } }), 'settings')).toHaveLength(1);
  });
});

describe('a Secret', () => {
  it('is shown redacted in the trace and by no record in the clear', () => {
    const trace = run({ apply: SECRET });
    expect(writesOf(trace, 'token')[0]?.object).toMatchObject({ data: { token: '(redacted)' }, type: 'Opaque' });
    expect(JSON.stringify(trace.records.filter((r) => r.type === 'watch'))).not.toContain('hush');
  });
  it('given in base64 is the same as one given in plain text', () => {
    const encoded = SECRET.replace('stringData: {token: hush}', 'data: {token: aHVzaA==}');
    expect(writesOf(run({ apply: SECRET }, { patch: { target: 'secret/token', merge: { data: { token: 'aHVzaA==' } } } }), 'token')).toHaveLength(1);
    expect(writesOf(run({ apply: encoded }), 'token')[0]?.object).toMatchObject({ data: { token: '(redacted)' } });
  });
});

describe('kubectl delete', () => {
  it('waits until the object is gone, so that the next step finds it gone', () => {
    const trace = run({ apply: CLAIM }, { delete: { target: 'pvc/disk', wait: true } }, { run: 'kubectl get pvc' });
    expect(textOf(trace, 2)).toBe('No resources found in ab-run namespace.\n');
  });
  it('of something that is not there says nothing in the trace', () => {
    const trace = run({ delete: { target: 'pvc/disk' } });
    expect(trace.records.map((r) => r.type)).toEqual(['step']);
  });
});

describe('a wait', () => {
  it('that is not met in its time ends the run there and says what it waited for', () => {
    const trace = run({ apply: CLAIM }, { wait: { for: 'pvc/disk', path: 'status.phase', equals: 'Bound', timeout: 3 } }, { run: 'kubectl get pvc' });
    expect(trace.failed).toMatchObject({ step: 1, message: expect.stringContaining('not met after 3 s') as string });
    expect(stepsOf(trace).map((r) => r.step)).toEqual([0, 1]);
  });
});

describe('a step that cannot be done', () => {
  it.each<[string, Step, string]>([
    ['names a node that is not on the stage', { node: { name: 'worker9', action: 'pause' } }, 'step 0: no node "worker9" on the stage'],
    ['has a target of no kind', { delete: { target: 'gizmo/x' } }, 'step 0: no target "gizmo/x": expected KIND/NAME with a kind of'],
    ['is no YAML', { apply: 'a: [' }, 'step 0: the manifest is no valid YAML: line 1: '],
    ['asks for the volume of a claim that has none', { apply: settings('{a: $PV_OF_disk}') }, 'step 0: $PV_OF_disk: the claim "disk" has no volume'],
    ['has an alias without anchor', { apply: 'a: *b' }, 'step 0: the manifest is no valid YAML: line 1: Unresolved alias'],
    ['has a target that every object of JavaScript knows', { patch: { target: 'constructor/x', merge: {} } }, 'step 0: no target "constructor/x"'],
    ['waits for a kind that is none', { wait: { gone: 'job/x' } }, 'step 0: no target "job/x"'],
    ['waits for an event on a kind that is none', { wait: { event: 'Pulled', on: 'toString/x' } }, 'step 0: no target "toString/x"'],
  ])('because it %s throws a plain sentence', (_what, step, message) => {
    expect(() => run(step)).toThrow(StepError);
    expect(() => run(step)).toThrow(message);
  });
});

describe('a step with nothing to do', () => {
  it.each<[string, Step, RegExp]>([
    ['a manifest without an object', { apply: '---\n---\n' }, /^error: no objects passed to apply\n$/],
    ['deleting the volume of a claim that has none', { delete: { target: 'pv-of/disk' } }, /^error: pv-of\/disk names nothing: /],
    ['patching the attachment of a claim that has none', { patch: { target: 'va-of/disk', merge: {} } }, /^error: va-of\/disk names nothing: /],
  ])('%s is answered', (_, step, text) => {
    expect(run(step).records.find((r) => r.type === 'output')).toMatchObject({ step: 0, code: 1, text: expect.stringMatching(text) as unknown });
  });
});

describe('the same scenario and seed', () => {
  it('give the same bytes, another seed other ones', () => {
    const scenario = { id: 'a-run', title: 'a run', covers: [], namespace: 'ab-run', steps: [{ apply: CLAIM }, { settle: 5 }] };
    expect(JSON.stringify(simulate(scenario, { seed: 7 }))).toBe(JSON.stringify(simulate(scenario, { seed: 7 })));
    expect(JSON.stringify(simulate(scenario, { seed: 7 }))).not.toBe(JSON.stringify(simulate(scenario, { seed: 8 })));
  });
});

describe('taints', () => {
  const node = { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } } as unknown as Node;
  it('are read as kubectl reads them', () => {
    expect(parseTaint('dedicated=batch:NoSchedule')).toEqual({ key: 'dedicated', value: 'batch', effect: 'NoSchedule' });
    expect(parseTaint('dedicated:NoExecute')).toEqual({ key: 'dedicated', effect: 'NoExecute' });
    expect(() => parseTaint('dedicated')).toThrow('invalid taint spec: dedicated');
  });
  it('come in front of those that are there, and leave no empty list behind', () => {
    expect(changeTaint(node, 'taint', 'b:NoExecute').spec.taints?.map((taint) => taint.key)).toEqual(['b', 'a']);
    expect(changeTaint(node, 'untaint', 'a:NoSchedule').spec).toEqual({});
    expect(changeTaint(node, 'untaint', 'c:NoSchedule')).toBe(node);
  });
});

describe('the three-way merge', () => {
  it('merges containers by name and volume mounts by path', () => {
    const merged = threeWayMerge(
      { containers: [{ name: 'a', image: 'x:1' }] },
      { containers: [{ name: 'a', image: 'x:2' }] },
      { containers: [{ name: 'a', image: 'x:1', imagePullPolicy: 'IfNotPresent' }, { name: 'sidecar' }] },
    );
    expect(merged).toEqual({ containers: [{ name: 'a', image: 'x:2', imagePullPolicy: 'IfNotPresent' }, { name: 'sidecar' }] });
  });
  it("puts elements in the manifest's order, and those of the server before what stood behind them", () => {
    const names = (...all: string[]): { volumes: { name: string }[] } => ({ volumes: all.map((name) => ({ name })) });
    expect(threeWayMerge(names('data'), names('data', 'more'), names('data', 'token'))).toEqual(names('data', 'more', 'token'));
    expect(threeWayMerge(names('a', 'b'), names('new', 'b', 'a'), names('a', 'b'))).toEqual(names('new', 'b', 'a'));
    expect(threeWayMerge({ finalizers: ['a'] }, { finalizers: ['a', 'b'] }, { finalizers: ['a', 'own'] })).toEqual({ finalizers: ['a', 'b', 'own'] });
  });
  it('keeps one source of a volume and one strategy, also where the other was a default', () => {
    expect(threeWayMerge({ volumes: [{ name: 'a' }] }, { volumes: [{ name: 'a', hostPath: {} }] }, { volumes: [{ name: 'a', emptyDir: {} }] })).toEqual({ volumes: [{ name: 'a', hostPath: {} }] });
    expect(threeWayMerge({}, { strategy: { type: 'Recreate' } }, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } })).toEqual({ strategy: { type: 'Recreate' } });
  });
  it('returns the stored value itself when nothing changes', () => {
    const stored = { spec: { a: 1, list: [1, 2] }, status: {} };
    expect(threeWayMerge({ spec: { a: 1 } }, { spec: { a: 1, list: [1, 2] } }, stored)).toBe(stored);
  });
});

describe('quantities', () => {
  it.each([
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['64Mi', '64Mi'],
    ['512', '512'],
    ['1e3', '1e3'],
  ])('%s is stored as %s', (given, stored) => {
    expect(canonicalQuantity(given)).toBe(stored);
  });
});

describe("Go's difference", () => {
  it('of long values starts no match from a line that stands almost everywhere, and escapes what HTML reads', () => {
    const before = { ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, { a: null }])), last: 'x' };
    const { k0: _first, ...rest } = before as Record<string, unknown>;
    expect(goDiff(before, { ...rest, last: '<&>' })).toBe(
      ['@@ -1,7 +1,4 @@', ' {', '- "k0": {', '-  "a": null', '- },', '  "k1": {', '   "a": null', '  },', '@@ -899,5 +896,5 @@', '  "k299": {', '   "a": null', '  },', '- "last": "x"', '+ "last": "\\u003c\\u0026\\u003e"', ' }', ''].join('\n'),
    );
  });
  it('shows three lines around each change and says where it stands', () => {
    const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10 };
    expect(goDiff(before, { ...before, b: 0, j: 0 })).toBe(
      ['@@ -1,6 +1,6 @@', ' {', '  "a": 1,', '- "b": 2,', '+ "b": 0,', '  "c": 3,', '  "d": 4,', '  "e": 5,', '@@ -8,5 +8,5 @@', '  "g": 7,', '  "h": 8,', '  "i": 9,', '- "j": 10', '+ "j": 0', ' }', ''].join('\n'),
    );
  });
});
