/** What a run offers, and what each offer does to its scenario. */
import { describe, expect, test } from 'vitest';
import { manifestDocuments, simulate } from '../../machines/index.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { momentOf, type Action } from '../../src/lab/actions.ts';
import { cutAt } from '../../src/lab/change.ts';
import { readManifest } from '../../src/lab/manifests.ts';
import { manifestsOf, scenarioYaml } from '../../src/lab/save-chunk.ts';
import { outlookAt } from '../../src/lab/outlook.ts';
import type { Offer } from '../../src/lab/offer.ts';
import { offersAt } from '../../src/lab/offers.ts';
import { scenarioKey } from '../../src/lab/scenario-key.ts';
import { parseScenario, scenarioProblems } from '../../src/formats/scenario.ts';
import { baseRun } from '../../src/site/runs.ts';
import { keyStep, linesOf } from '../../src/trace-view/history.ts';
import { lineAt } from '../../src/trace-view/stations.ts';
import { stepOfRecord, steps } from '../../src/trace-view/steps.ts';
import { applyAction } from '../helpers/apply-action.ts';
import { recording } from '../helpers/recordings.ts';
import { parseAllDocuments } from 'yaml';

function offers(trace: Trace, step = keyStep(trace, undefined)): Offer[] {
  const index = steps(trace)[step]?.index ?? 0;
  return offersAt(trace, index, lineAt(trace, index));
}

function labels(list: readonly Offer[], kind: Offer['kind']): string[] {
  return list.filter((offer) => offer.kind === kind).map((offer) => offer.label);
}

function offered(list: readonly Offer[], label: string): Offer {
  const found = list.find((offer) => offer.label === label);
  if (found === undefined) throw new Error(`no offer ${label} among ${list.map((offer) => offer.label).join(', ')}`);
  return found;
}

function docs(scenario: Scenario): { kind: string; metadata: { name: string }; spec: Record<string, unknown> }[] {
  return parseAllDocuments(manifestsOf(scenario)).map((doc) => doc.toJS() as { kind: string; metadata: { name: string }; spec: Record<string, unknown> });
}

describe('what a run offers', () => {
  test('the missing Secret: its absence as a pressed fault, its making as the repair', () => {
    const list = offers(recording('missing-secret'));
    expect(offered(list, 'leaveOutSecret').pressed).toBe(true);
    expect(labels(list, 'repair')).toEqual(['createSecret']);
    expect(labels(list, 'act')).toContain('secondPod');
  });

  test('the repair goes once the Secret is there', () => {
    const trace = recording('missing-secret');
    expect(labels(offers(trace, steps(trace).length - 1), 'repair')).toEqual([]);
  });

  test('the zone conflict: the zone as a pressed fault, the waiting class as the repair', () => {
    const list = offers(recording('zone-mismatch-immediate'));
    expect(offered(list, 'otherZone')).toMatchObject({ pressed: true, params: { zone: 'zone-b' } });
    expect(offered(list, 'recreateWaiting').params).toEqual({ class: 'zonal-wait' });
  });

  test('the exclusive claim: the pod that has it can be deleted', () => {
    const list = offers(recording('rwop-second-pod'));
    expect(offered(list, 'readWriteOncePod').pressed).toBe(true);
    expect(list.filter((offer) => offer.kind === 'repair').map((offer) => offer.params['name'])).toEqual(['exclusive-one']);
  });

  test('methods can be made to fail on the driver that allows it, and on no other', () => {
    expect(labels(offers(recording('wait-for-first-consumer')), 'fault')).toEqual(expect.arrayContaining(['failCreate', 'failAttach', 'failStage', 'failPublish']));
    expect(labels(offers(recording('immediate-happy')), 'fault')).not.toContain('failCreate');
  });

  test('a running pod can write and read, and show its mounts', () => {
    const trace = recording('immediate-happy');
    expect(labels(offers(trace, steps(trace).length - 1), 'act')).toEqual(expect.arrayContaining(['writeRead', 'lookAtMount', 'deletePod', 'pauseNode']));
  });

  test('every recorded scenario offers something to break or to do', () => {
    for (const scenario of ['static-volume', 'statefulset-templates', 'default-class-local-path', 'claim-not-found', 'node-down', 'rolling-update']) {
      expect(offers(recording(scenario)).length, scenario).toBeGreaterThan(0);
    }
  });
});

describe('what is said of a refusal, and what is offered for it', () => {
  test('a failing stage passes by itself; a missing Secret passes by the scenario’s own next step; a zone conflict never', () => {
    const at = (id: string) => outlookAt(recording(id), keyStep(recording(id), undefined), undefined)?.kind;
    expect(at('stage-fails-backoff')).toBe('itself');
    expect(at('missing-secret')).toBe('script');
    expect(at('zone-mismatch-immediate')).toBe('never');
  });

  test('a volume held by a pod on a silent node: the out-of-service taint, not a delete that nobody carries out', () => {
    const trace = recording('node-down');
    const step = linesOf(trace, 'second').findIndex((line) => line.stations.attached.mark === 'blocked');
    const index = steps(trace)[step]?.index ?? 0;
    expect(labels(offersAt(trace, index, lineAt(trace, index, 'second')), 'repair')).toContain('outOfService');
    expect(labels(offersAt(trace, index, lineAt(trace, index, 'second')), 'repair')).not.toContain('deletePod');
  });

  test('a fault in the scenario’s own class can be taken off there', () => {
    const trace = recording('stage-fails-backoff');
    const off = offers(trace).find((offer) => offer.label === 'failStage');
    expect(off?.pressed).toBe(true);
    const next = applyAction(trace.scenario, (off as Offer).action, trace);
    expect(manifestsOf(next)).not.toContain('fail.NodeStageVolume');
  });
});

describe('what an offer does to the scenario', () => {
  const missing = recording('missing-secret');
  const happy = recording('immediate-happy');

  test('the Secret put there stands before the pod, and is nowhere applied again', () => {
    const next = applyAction(missing.scenario, { do: 'secret', name: 'missing', there: true }, missing);
    const kinds = docs(next).map((doc) => doc.kind);
    expect(kinds).toEqual(['PersistentVolumeClaim', 'Secret', 'Pod']);
    expect(next.steps.some((step) => 'wait' in step && step.wait.event === 'FailedMount')).toBe(false);
  });

  test('the Secret left out is nowhere', () => {
    const next = applyAction(missing.scenario, { do: 'secret', name: 'missing', there: false }, missing);
    expect(docs(next).map((doc) => doc.kind)).toEqual(['PersistentVolumeClaim', 'Pod']);
  });

  test('zone, access mode and class change one field and leave the rest', () => {
    const zoned = applyAction(happy.scenario, { do: 'zone', pod: 'first', zone: 'zone-b' }, happy);
    expect(docs(zoned).find((doc) => doc.kind === 'Pod')?.spec['nodeSelector']).toEqual({ 'topology.kubernetes.io/zone': 'zone-b' });
    const back = applyAction(zoned, { do: 'zone', pod: 'first', zone: null }, happy);
    expect(docs(back)).toEqual(docs(happy.scenario));
    const mode = applyAction(happy.scenario, { do: 'mode', claim: 'disk', mode: 'ReadWriteOncePod' }, happy);
    expect(docs(mode).find((doc) => doc.kind === 'PersistentVolumeClaim')?.spec['accessModes']).toEqual(['ReadWriteOncePod']);
    const waiting = applyAction(happy.scenario, { do: 'class', claim: 'disk', class: 'hostpath-wait' }, happy);
    expect(docs(waiting).find((doc) => doc.kind === 'PersistentVolumeClaim')?.spec['storageClassName']).toBe('hostpath-wait');
  });

  test('a failing method makes a class of its own, which goes on failing or stops', () => {
    const zonal = recording('zone-mismatch-immediate');
    const failing = applyAction(zonal.scenario, { do: 'fail', claim: 'disk', method: 'CreateVolume', on: true }, zonal);
    const made = docs(failing).find((doc) => doc.kind === 'StorageClass');
    expect(made).toMatchObject({ provisioner: 'disk.csi.after-bound.dev', parameters: { 'fail.CreateVolume': 'Internal x3: made to fail by the reader' } });
    expect(docs(failing).find((doc) => doc.kind === 'PersistentVolumeClaim')?.spec['storageClassName']).toBe(made?.metadata.name);
    const both = applyAction(failing, { do: 'fail', claim: 'disk', method: 'NodeStageVolume', on: true }, zonal);
    const stopped = applyAction(both, { do: 'fail', claim: 'disk', method: 'CreateVolume', on: false }, zonal);
    expect(docs(stopped).find((doc) => doc.kind === 'StorageClass')).toMatchObject({ parameters: { 'fail.NodeStageVolume': 'Internal x3: made to fail by the reader' } });
    expect(docs(stopped).filter((doc) => doc.kind === 'StorageClass')).toHaveLength(1);
  });

  test('an act at a moment keeps what was done before, ends the wait it falls into, and drops the waits for trouble', () => {
    const at = 803;
    const next = applyAction(missing.scenario, { do: 'create', kind: 'Secret', name: 'missing', at }, missing);
    expect(next.steps.slice(0, 3)).toEqual(missing.scenario.steps.slice(0, 3));
    expect(next.steps[3]).toEqual({ settle: 0.242 });
    expect(docs(next).filter((doc) => doc.kind === 'Secret')).toHaveLength(1);
    expect(next.steps.some((step) => 'wait' in step && step.wait.condition === 'Ready')).toBe(true);
    expect(next.steps.some((step) => 'wait' in step && step.wait.event !== undefined)).toBe(false);
  });

  test('a cut before the first step leaves all to be done; one after the last leaves nothing', () => {
    expect(cutAt(missing.scenario.steps, 0, missing)).toEqual({ done: [], rest: [...missing.scenario.steps] });
    expect(cutAt(missing.scenario.steps, 1e9, missing).rest).toEqual([]);
  });

  test('a second pod is the first under a free name', () => {
    const next = applyAction(happy.scenario, { do: 'second', pod: 'first', at: 11_000 }, happy);
    const pods = docs(next).filter((doc) => doc.kind === 'Pod');
    expect(pods.map((pod) => pod.metadata.name)).toEqual(['first', 'second']);
    expect(pods[1]?.spec).toEqual(pods[0]?.spec);
  });

  test('what cannot be done to a scenario says so', () => {
    expect(() => applyAction(happy.scenario, { do: 'second', pod: 'nobody', at: 0 }, happy)).toThrow(/no manifest of pod nobody/);
    expect(() => applyAction(happy.scenario, { do: 'secret', name: 'nothing', there: true }, happy)).toThrow(/refers to Secret nothing/);
  });
});

describe('every offer of the first scenarios, taken at its moment', () => {
  const runs = ['missing-secret', 'immediate-happy', 'wait-for-first-consumer', 'rwop-second-pod', 'zone-mismatch-immediate'].map((id) => simulate(recording(id).scenario));
  const cases = runs.flatMap((trace) => offers(trace).map((offer): [string, Trace, Action] => [`${trace.scenario.id}: ${offer.label} ${JSON.stringify(offer.action)}`, trace, offer.action]));

  test.each(cases)('%s gives a scenario that reads back and runs', (_name, trace, action) => {
    const next = applyAction(trace.scenario, action, trace);
    expect(scenarioProblems(next, () => undefined)).toEqual([]);
    expect(parseScenario(scenarioYaml(next), 'saved.yaml')).toEqual(next);
    for (const step of next.steps) if ('apply' in step) expect(readManifest(step.apply)).toEqual(manifestDocuments(step.apply));
    const run = simulate(next);
    expect(run.records.length).toBeGreaterThan(5);
    const at = momentOf(action);
    if (at === undefined) return;
    const before = (t: Trace): string => JSON.stringify(t.records.filter((record) => record.type === 'watch' && record.t * 1000 < at));
    expect(before(run)).toBe(before(trace));
  });

  test('the fault of the zone holds the pod at its node, with the scheduler’s reasons', () => {
    const happy = runs[1] as Trace;
    const run = simulate(applyAction(happy.scenario, { do: 'zone', pod: 'first', zone: 'zone-b' }, happy));
    expect(linesOf(run, undefined).at(-1)?.stations.node.mark).toBe('blocked');
  });

  test('the Secret made while the pod waits lets it run', () => {
    const missing = runs[0] as Trace;
    const list = offers(missing);
    const run = simulate(applyAction(missing.scenario, offered(list, 'createSecret').action, missing));
    expect(linesOf(run, undefined).some((line) => line.stations.published.mark === 'proven')).toBe(true);
  });
});

test('with a class that waits for the pod nobody waits for the claim first, and the pod gets its node', () => {
  const { trace } = baseRun('zone-mismatch-immediate');
  const next = applyAction(trace.scenario, { do: 'class', claim: 'disk', class: 'zonal-wait' }, trace);
  const run = simulate(next, { stage: trace.stage });
  expect(run.failed).toBe(null);
  expect(lineAt(run, run.records.length - 1).stations.published.mark).toBe('proven');
});

describe('the key of a scenario', () => {
  test('does not hang on how its YAML is written, on its name or its namespace', () => {
    const { scenario } = recording('immediate-happy');
    const rewrittenYaml: Scenario = { ...scenario, id: 'other', title: 'Other', namespace: 'ns', steps: scenario.steps.map((step) => ('apply' in step ? { apply: parseAllDocuments(step.apply).map((doc) => JSON.stringify(doc.toJS())).join('\n---\n') } : step)) };
    expect(scenarioKey(rewrittenYaml, manifestDocuments)).toBe(scenarioKey(scenario, manifestDocuments));
  });

  test('tells every recorded scenario from every other', () => {
    const ids = ['missing-secret', 'immediate-happy', 'node-move', 'pod-recreate', 'zone-mismatch-immediate', 'zone-wait-follows-pod', 'wrong-path'];
    expect(new Set(ids.map((id) => scenarioKey(recording(id).scenario, manifestDocuments))).size).toBe(ids.length);
  });
});

test('the step of a record is the one that ends at or after it', () => {
  const trace = recording('missing-secret');
  steps(trace).forEach((step, i) => {
    expect(stepOfRecord(trace, step.index)).toBe(i);
    expect(stepOfRecord(trace, step.from)).toBe(i);
  });
});
