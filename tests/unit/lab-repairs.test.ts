/** Every repair that a stuck run offers is true: simulated, it gets the pod further than leaving it alone does. */
import { describe, expect, test } from 'vitest';
import { manifestDocuments, simulate, simulateReading, type Choices } from '../../machines/index.ts';
import type { Scenario, Step } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { parseScenario, scenarioProblems } from '../../src/formats/scenario.ts';
import { isAction, momentAfter, type Action } from '../../src/lab/actions.ts';
import { cutAt } from '../../src/lab/change.ts';
import { readFilled, readManifest } from '../../src/lab/manifests.ts';
import { scenarioYaml } from '../../src/lab/save-chunk.ts';
import type { Offer } from '../../src/lab/offer.ts';
import { mayBeStuck } from '../../src/lab/first-offers.ts';
import { offersAt } from '../../src/lab/offers.ts';
import { baseRun, scenarioIds } from '../../src/site/runs.ts';
import { linesOf } from '../../src/trace-view/history.ts';
import { STATIONS } from '../../src/trace-view/station-names.ts';
import { lineAt, type Line, type Mark } from '../../src/trace-view/stations.ts';
import { steps } from '../../src/trace-view/steps.ts';
import { applyAction } from '../helpers/apply-action.ts';

/** Long enough for every back-off, detach and unmount between a repair and what it brings about, seconds. */
const LONG = 150;

interface Stuck {
  readonly trace: Trace;
  readonly choices: Choices | undefined;
  readonly index: number;
  readonly line: Line;
  readonly offers: readonly Offer[];
}

/** The repairs of a moment; the rules that find them are asked for only where a run may be stuck. */
function repairsAt(trace: Trace, index: number, line: Line): Offer[] {
  const offers = offersAt(trace, index, line).filter((offer) => offer.kind === 'repair');
  if (offers.length > 0) expect(mayBeStuck(line)).toBe(true);
  return offers;
}

/** Every step of a run at which some station is newly refused, or refused for another reason than before. */
function stuckSteps(trace: Trace, choices: Choices | undefined): Stuck[] {
  const lines = linesOf(trace, undefined);
  const refusals = (line: Line | undefined): string[] => STATIONS.flatMap((name) => (line?.stations[name].mark === 'blocked' ? [`${line.pod ?? ''} ${name} ${line.stations[name].refusal?.reason.code ?? ''}`] : []));
  return lines.flatMap((line, step) => {
    const before = refusals(lines[step - 1]);
    if (refusals(line).every((refusal) => before.includes(refusal))) return [];
    const index = steps(trace)[step]?.index ?? 0;
    return [{ trace, choices, index, line, offers: repairsAt(trace, index, line) }];
  });
}

const WEIGHT: Readonly<Partial<Record<Mark, number>>> = { proven: 1, partly: 0.5 };

/** How far the pod is in the end when the person does one thing at that moment, or nothing, and never anything more. */
function reached({ trace, choices, index, line }: Stuck, action?: Action): number {
  const cut: Scenario = { ...trace.scenario, steps: cutAt(trace.scenario.steps, momentAfter(trace, index), trace).done };
  const acted = action === undefined ? cut : applyAction(cut, action, trace);
  const rest: Step = { settle: LONG };
  const run = simulate({ ...acted, steps: [...acted.steps, rest] }, { stage: trace.stage, choices });
  expect(run.failed).toBeNull();
  const end = lineAt(run, run.records.length - 1, line.pod);
  return STATIONS.reduce((sum, name) => sum + (WEIGHT[end.stations[name].mark] ?? 0), 0);
}

/** The repairs of a moment that do not do what their label says. */
function untrue(stuck: Stuck): string[] {
  const alone = reached(stuck);
  return stuck.offers.flatMap((offer) => {
    const helps = reached(stuck, offer.action) > alone;
    return helps === (offer.notEnough !== true) ? [] : [`${offer.label} ${JSON.stringify(offer.params)}: ${helps ? 'is enough, but said not to be' : 'does not help'}`];
  });
}

describe('in the labs', () => {
  const all = scenarioIds().flatMap((id) => {
    const { trace, choices } = baseRun(id);
    return stuckSteps(trace, choices).map((stuck): [string, Stuck] => [`${id}, step ${steps(trace).findIndex((step) => step.index === stuck.index) + 1}`, stuck]);
  });

  test('many steps are stuck, and most that do not pass by themselves have a repair', () => {
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter(([, stuck]) => stuck.offers.length > 0).length).toBeGreaterThan(20);
  });

  test.each(all.filter(([, stuck]) => stuck.offers.length > 0))('%s: each repair gets the pod further, or says that it is not enough', (_where, stuck) => {
    expect(untrue(stuck)).toEqual([]);
  });

  test.each(all.filter(([, stuck]) => stuck.offers.length > 0))('%s: each repair is an action that an address can carry, and gives a scenario that can be saved', (_where, stuck) => {
    for (const { action } of stuck.offers) {
      expect([action, isAction(action)]).toEqual([action, true]);
      const next = applyAction(stuck.trace.scenario, action, stuck.trace);
      expect(scenarioProblems(next, () => undefined)).toEqual([]);
      expect(parseScenario(scenarioYaml(next), 'saved.yaml')).toEqual(next);
      for (const step of next.steps) if ('apply' in step) expect(readManifest(step.apply)).toEqual(manifestDocuments(step.apply));
      expect(simulateReading(readFilled, next, { stage: stuck.trace.stage, choices: stuck.choices })).toEqual(simulate(next, { stage: stuck.trace.stage, choices: stuck.choices }));
    }
  });
});

const POD = (name: string, claim: string, more = '', container = ''): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  terminationGracePeriodSeconds: 1
${more}
  containers:
  - name: app
    image: registry.local/busybox:1.36
    command: [sh, -c, "sleep 86400"]
${container === '' ? '    volumeMounts: [{name: disk, mountPath: /data}]' : container}
  volumes:
  - {name: disk, persistentVolumeClaim: {claimName: ${claim}}}`;
const CLAIM = (name: string, spec: string, mode = 'ReadWriteOnce'): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}}
spec: {accessModes: [${mode}], resources: {requests: {storage: 64Mi}}, ${spec}}`;
/** The pod with further volumes, each mounted. */
const volumes = (more: string): string => {
  const mounts = [...more.matchAll(/name: (\w+),/g)].map(([, name]) => `, {name: ${name ?? ''}, mountPath: /etc/${name ?? ''}}`).join('');
  return POD('first', 'disk').replace('mountPath: /data}]', `mountPath: /data}${mounts}]`) + more;
};

/** The offers at the last step of a run, by label with what they name. */
function stuckAt(what: readonly Step[]): { stuck: Stuck; labels: string[] } {
  const trace = simulate({ id: 'own', title: 'Own', covers: [], namespace: 'own', steps: [...what, { settle: 40 }] });
  const index = steps(trace).at(-1)?.index ?? 0;
  const line = lineAt(trace, index);
  const offers = repairsAt(trace, index, line);
  return { stuck: { trace, choices: undefined, index, line, offers }, labels: offers.map((offer) => `${offer.notEnough === true ? '+ ' : ''}${[offer.label, ...Object.values(offer.params)].join(' ')}`) };
}

describe('in a run of one’s own', () => {
  test.each<[string, readonly Step[], readonly string[]]>([
    ['a claim that does not exist', [{ apply: POD('first', 'nowhere') }], ['createClaim nowhere zonal-wait']],
    ['a claim that does not exist, for a pod that may go to one zone only', [{ apply: POD('first', 'nowhere', '  nodeSelector: {topology.kubernetes.io/zone: zone-b}') }], ['createClaim nowhere zonal-wait']],
    ['two Secrets that do not exist', [{ apply: CLAIM('disk', 'storageClassName: hostpath-immediate') }, { apply: volumes('\n  - {name: a, secret: {secretName: one}}\n  - {name: b, secret: {secretName: two}}') }], ['+ createSecretNamed one', '+ createSecretNamed two']],
    ['a key that is missing in a Secret', [{ apply: CLAIM('disk', 'storageClassName: hostpath-immediate') }, { apply: 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {other: x}' }, { apply: volumes('\n  - {name: a, secret: {secretName: s, items: [{key: token, path: token}]}}') }], ['addKey token s Secret']],
    ['a key that a variable needs', [{ apply: CLAIM('disk', 'storageClassName: hostpath-immediate') }, { apply: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {other: x}' }, { apply: POD('first', 'disk').replace('    volumeMounts', '    env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: mode}}}]\n    volumeMounts') }], ['addKey mode c ConfigMap']],
    ['a Secret of which a certain key is asked', [{ apply: CLAIM('disk', 'storageClassName: hostpath-immediate') }, { apply: volumes('\n  - {name: a, secret: {secretName: s, items: [{key: password, path: p}]}}') }], ['createSecret']],
    ['a claim without a class that nothing fits', [{ apply: CLAIM('disk', 'storageClassName: ""') }, { apply: POD('first', 'disk') }], ['createVolume disk']],
    ['a claim that asks for a volume by a name that nothing has', [{ apply: CLAIM('disk', 'storageClassName: "", volumeName: wanted') }, { apply: POD('first', 'disk') }], ['createVolumeNamed wanted']],
    ['a claim of a class without a provisioner', [{ apply: 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: by-hand}\nprovisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: WaitForFirstConsumer' }, { apply: CLAIM('disk', 'storageClassName: by-hand') }, { apply: POD('first', 'disk') }], ['createVolume disk']],
    ['a class that does not exist', [{ apply: CLAIM('disk', 'storageClassName: gone') }, { apply: POD('first', 'disk') }], ['createClass gone']],
    ['a class whose provisioner nobody runs', [{ apply: 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: ghost}\nprovisioner: ghost.example.com' }, { apply: CLAIM('disk', 'storageClassName: ghost') }, { apply: POD('first', 'disk') }], ['recreateWaiting zonal-wait']],
    ['a taint', [{ node: { name: 'worker3', action: 'taint', taint: 'team=other:NoSchedule' } }, { apply: CLAIM('disk', 'storageClassName: zonal-wait') }, { apply: POD('first', 'disk', '  nodeSelector: {kubernetes.io/hostname: ab-worker3}') }], ['removeTaint team=other:NoSchedule ab-worker3', 'remakeAnyNode first']],
    ['a cordoned node', [{ patch: { target: 'node/ab-worker3', merge: { spec: { unschedulable: true } } } }, { apply: CLAIM('disk', 'storageClassName: zonal-wait') }, { apply: POD('first', 'disk', '  nodeSelector: {kubernetes.io/hostname: ab-worker3}') }], ['uncordon ab-worker3', 'remakeAnyNode first']],
    ['an exclusive claim that another pod has', [{ apply: CLAIM('disk', 'storageClassName: zonal-immediate', 'ReadWriteOncePod') }, { apply: POD('first', 'disk') }, { settle: 30 }, { apply: POD('second', 'disk') }], ['deletePod first']],
    ['a released volume that a new claim asks for by name', [
      { apply: 'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: hand}\nspec: {capacity: {storage: 64Mi}, accessModes: [ReadWriteOnce], storageClassName: "", persistentVolumeReclaimPolicy: Retain, hostPath: {path: /var/x, type: DirectoryOrCreate}}' },
      { apply: CLAIM('old', 'storageClassName: ""') }, { settle: 20 }, { delete: { target: 'pvc/old', wait: true } }, { apply: CLAIM('disk', 'storageClassName: "", volumeName: hand') }, { apply: POD('first', 'disk') },
    ], ['clearClaimRef hand']],
    ['a released volume that would fit', [
      { apply: 'apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: hand}\nspec: {capacity: {storage: 64Mi}, accessModes: [ReadWriteOnce], storageClassName: "", persistentVolumeReclaimPolicy: Retain, hostPath: {path: /var/x, type: DirectoryOrCreate}}' },
      { apply: CLAIM('old', 'storageClassName: ""') }, { settle: 20 }, { delete: { target: 'pvc/old', wait: true } }, { apply: CLAIM('disk', 'storageClassName: ""') }, { apply: POD('first', 'disk') },
    ], ['clearClaimRef hand', 'createVolume disk']],
    ['a claim that is being deleted', [{ apply: CLAIM('disk', 'storageClassName: zonal-immediate') }, { apply: POD('first', 'disk') }, { settle: 30 }, { delete: { target: 'pvc/disk', wait: false } }, { apply: POD('second', 'disk') }], ['recreateWaiting zonal-immediate']],
    ['a claim of no known class and a Secret that is not there', [{ apply: CLAIM('disk', 'storageClassName: gone') }, { apply: volumes('\n  - {name: a, secret: {secretName: s}}') }], ['createClass gone']],
    ['two claims of which neither exists', [{ apply: POD('first', 'one').replace('mountPath: /data}]', 'mountPath: /data}, {name: more, mountPath: /more}]') + '\n  - {name: more, persistentVolumeClaim: {claimName: two}}' }], ['+ createClaim one zonal-wait', '+ createClaim two zonal-wait']],
    ['a taint and a node that takes no more', [{ node: { name: 'worker3', action: 'taint', taint: 'team=other:NoSchedule' } }, { patch: { target: 'node/ab-worker3', merge: { spec: { unschedulable: true } } } }, { apply: CLAIM('disk', 'storageClassName: zonal-wait') }, { apply: POD('first', 'disk', '  nodeSelector: {kubernetes.io/hostname: ab-worker3}') }], ['remakeAnyNode first']],
  ])('%s', (_what, script, expected) => {
    const { stuck, labels } = stuckAt(script);
    expect(labels).toEqual(expected);
    expect(untrue(stuck)).toEqual([]);
  });

  test('a pod that runs has nothing to repair', () => {
    expect(stuckAt([{ apply: CLAIM('disk', 'storageClassName: zonal-wait') }, { apply: POD('first', 'disk') }]).labels).toEqual([]);
  });

  test('the Secret that is made has the very key that the pod asks for', () => {
    const { stuck } = stuckAt([{ apply: CLAIM('disk', 'storageClassName: hostpath-immediate') }, { apply: volumes('\n  - {name: a, secret: {secretName: s, items: [{key: password, path: p}]}}') }]);
    const [offer] = stuck.offers;
    const made = applyAction(stuck.trace.scenario, offer?.action as Action, stuck.trace).steps.find((step) => 'apply' in step && step.apply.includes('kind: Secret'));
    expect(made).toMatchObject({ apply: expect.stringContaining('password: example') as string });
  });
});
