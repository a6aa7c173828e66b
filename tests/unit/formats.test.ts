import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/formats/scenario.ts';
import { parseTrace } from '../../src/formats/trace.ts';
import { recordingsOf } from '../helpers/traces.ts';

const scenarios = new URL('../../content/scenarios/', import.meta.url);

/** The message of the error that reading throws. */
function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no error';
}

const scenario = (steps: string) => `id: one\ntitle: One\ncovers: []\nnamespace: ns\nsteps:\n${steps}`;

describe('a scenario file', () => {
  it.each(readdirSync(scenarios))('%s is read', name => {
    expect(parseScenario(readFileSync(new URL(name, scenarios), 'utf8'), name)).toMatchObject({ id: name.replace('.yaml', '') });
  });

  it('that is no YAML is named with the line', () => {
    expect(messageOf(() => parseScenario('id: [\nx', 'bad.yaml'))).toMatch(/^bad\.yaml is not a valid scenario:\n {2}bad\.yaml:\d+: this is no valid YAML/);
  });

  it('that is no object is told what it should be', () => {
    expect(messageOf(() => parseScenario('- 1', 'bad.yaml'))).toContain('expected an object with id, title, covers, namespace and steps, found a list');
  });

  it.each([
    ['- fly: 1', 'bad.yaml:6: at steps[0]: expected a step with one of the keys apply, delete, patch, wait, settle, run, exec, node, found an object with fly'],
    ['- settle: long', 'bad.yaml:6: at steps[0].settle: expected a number, found "long"'],
    ['- settle: 3\n  extra: 4', 'bad.yaml:7: at steps[0].extra: the format has no field "extra" here'],
    ['- node: {name: worker, action: kill}', 'expected "pause" or "unpause" or "taint" or "untaint", found "kill"'],
    ['- wait: {for: pod/a}', 'expected one of {for, path, equals}, {for, condition, status}, {event, on, count} or {gone}'],
    ['- delete: {target: first}', 'bad.yaml:6: at steps[0].delete.target: expected KIND/NAME, pv-of/CLAIM or va-of/CLAIM, found "first"'],
    ['- exec: {pod: first}', 'at steps[0].exec.sh: expected a string, found nothing'],
    ['- apply: "kind: Pod"', 'at steps[0].apply: expected apiVersion in the manifest, found nothing'],
    ['- apply: "a: [1"', 'at steps[0].apply: the manifest is no valid YAML'],
    ['- apply: hello', 'expected an object with apiVersion, kind and metadata in the manifest, found "hello"'],
    ['- apply: "---"', 'at steps[0].apply: the manifest is empty'],
    ['- apply: |\n    kind: Pod\n    apiVersion: v1\n    metadata: {name: a, name: b}', 'bad.yaml:9: at steps[0].apply: the manifest is no valid YAML: Map keys must be unique'],
    ['- apply: |\n    kind: Pod\n    apiVersion: v1\n    metadata: {name: *a}', 'the manifest is no valid YAML: Unresolved alias'],
    ['- apply: |\n    &a\n    kind: Pod\n    apiVersion: v1\n    metadata: {name: x, labels: *a}', 'or hold themselves'],
    ['- patch: &a {target: pod/x, merge: *a}', 'or hold themselves'],
    ['- exec: *nowhere', 'this is no valid YAML: Unresolved alias'],
    ['- patch: {target: pod/x, merge: [1]}', 'at steps[0].patch.merge: expected an object, found a list'],
    ['- settle: .nan', 'expected a number, found NaN'],
    ['- settle: 100000', 'at steps[0].settle: expected seconds, more than 0 and at most 86400 (a day), found 100000'],
    ['- wait: {gone: pod/a, timeout: -1}', 'at steps[0].wait.timeout: expected seconds, more than 0 and at most 86400 (a day), found -1'],
    ['- wait: {event: A, on: pod/a, count: 0}', 'at steps[0].wait.count: expected a whole number, 1 or more, found 0'],
    ['- node: {name: worker, action: taint}', 'at steps[0].node.taint: expected a taint, KEY=VALUE:EFFECT, for the action taint, found nothing'],
    ['- node: {name: worker, action: pause, taint: "a=b:NoExecute"}', 'at steps[0].node.taint: expected no taint for the action pause, found "a=b:NoExecute"'],
  ])('with the step %s gets the message "%s"', (step, message) => {
    expect(messageOf(() => parseScenario(scenario(step), 'bad.yaml'))).toContain(message);
  });
});

describe('a YAML text made to explode or to nest', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]', ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({ length: 9 }, () => `*a${i}`).join(', ')}]`)];

  it('is refused as a scenario', () => {
    expect(messageOf(() => parseScenario(bomb.join('\n'), 'bad.yaml'))).toContain('aliases (*name) repeat so much that the text would explode');
  });
  it('is refused as a manifest', () => {
    expect(messageOf(() => parseScenario(scenario(`- apply: |\n${bomb.map(line => `    ${line}`).join('\n')}`), 'bad.yaml'))).toContain('aliases (*name) repeat so much that the text would explode');
  });
  it.each([['lists', '['.repeat(30_000)], ['objects', '{a: '.repeat(30_000)], ['lists that end', '['.repeat(250) + ']'.repeat(250)]])('of %s is refused', (_, text) => {
    expect(messageOf(() => parseScenario(scenario(`- patch: {target: pod/x, merge: ${text}}`), 'bad.yaml'))).toMatch(/^bad\.yaml is not a valid scenario:/);
  });
});

describe('a trace file', () => {
  it('that is no JSON is named', () => {
    expect(messageOf(() => parseTrace('{\n"format":\n', 'bad.json'))).toMatch(/^bad\.json is not a valid trace:\n {2}bad\.json(:\d+)?: this is no valid JSON/);
  });

  it('of another format is told which is expected', () => {
    expect(messageOf(() => parseTrace('{"format":"other/trace@9"}', 'bad.json'))).toContain('at format: expected "after-bound/trace@1", found "other/trace@9"');
  });

  const recorded = recordingsOf('zone-class-forbids')[0]?.trace;
  const changed = (change: (trace: Record<string, unknown> & { records: Record<string, unknown>[]; scenario: Record<string, unknown> }) => void): string => {
    const copy = structuredClone(recorded) as unknown as Parameters<typeof change>[0];
    change(copy);
    return JSON.stringify(copy);
  };

  const objectOf = (trace: Parameters<Parameters<typeof changed>[0]>[0], kind: string): Record<string, unknown> => {
    const record = trace.records.find(candidate => candidate['type'] === 'watch' && (candidate['object'] as { kind: string }).kind === kind);
    return record?.['object'] as Record<string, unknown>;
  };

  it.each<[string, string, Parameters<typeof changed>[0]]>([
    ['no record', 'at records: expected at least one record', trace => (trace.records = [])],
    ['a record of an unknown type', 'at records[2].type: expected a record of type step, output, watch, csi, log or state, found "fly"', trace => (trace.records[2] = { type: 'fly', t: 1 })],
    ['a record without time', 'at records[0].t: expected a number, found nothing', trace => delete trace.records[0]?.['t']],
    ['no stage', 'at stage: expected a list, found nothing', trace => delete trace['stage']],
    ['a wrong scenario inside', 'at scenario.steps: expected a list, found 3', trace => (trace.scenario['steps'] = 3)],
    ['a watch record without object', 'expected an object, found nothing', trace => (trace.records[1] = { type: 'watch', t: 1, verb: 'ADDED' })],
    ['a pod without spec', 'object.spec: expected an object, as every Pod has, found nothing', trace => delete objectOf(trace, 'Pod')['spec']],
    ['a pod whose containers are null', 'object.spec.containers: expected a list of objects, found null', trace => ((objectOf(trace, 'Pod')['spec'] as Record<string, unknown>)['containers'] = null)],
    ['a pod with a container that is null', 'object.spec.containers: expected a list of objects', trace => ((objectOf(trace, 'Pod')['spec'] as Record<string, unknown>)['containers'] = [null])],
    ['a pod whose conditions are a word', 'object.status.conditions: expected a list of objects, found "x"', trace => ((objectOf(trace, 'Pod')['status'] as Record<string, unknown>)['conditions'] = 'x')],
    ['a volume claim without status', 'object.status: expected an object, as every PersistentVolumeClaim has, found nothing', trace => delete objectOf(trace, 'PersistentVolumeClaim')['status']],
    ['an event about nothing', 'object.involvedObject: expected an object, as every Event has, found nothing', trace => delete objectOf(trace, 'Event')['involvedObject']],
    ['owners that are no list', 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.ownerReferences of type []v1.OwnerReference', trace => ((objectOf(trace, 'Pod')['metadata'] as Record<string, unknown>)['ownerReferences'] = 5)],
  ])('with %s gets the message "%s"', (_, message, change) => {
    expect(messageOf(() => parseTrace(changed(change), 'bad.json'))).toContain(message);
  });

  it('may carry fields that the format does not name', () => {
    const text = changed(trace => {
      trace['recordedBy'] = 'someone else';
      const [first] = trace.records;
      if (first !== undefined) first['comment'] = 'kept';
    });
    expect(parseTrace(text, 'other.json')).toMatchObject({ recordedBy: 'someone else', records: expect.arrayContaining([expect.objectContaining({ comment: 'kept' })]) as unknown });
  });
});
