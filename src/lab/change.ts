/**
 * How an action changes a scenario. Every change is a function from scenario to scenario; the run is then simulated anew
 * from the start. An action at a moment keeps what was done before it, ends the wait it falls into, and acts.
 */
import type { Step, Scenario } from '../../machines/trace/scenario.ts';
import type { StepRecord, Trace } from '../../machines/trace/format.ts';
import { begunBy, momentOf, type Action } from './actions.ts';
import { ChangeError, type Doc } from './doc.ts';
import { claimAnew, claimManifest, contentManifest, podAnew, restoredVolume, volumeByHand, writeAndRead } from './repair-manifests.ts';
import { manifestObjects, writeManifest } from './manifests.ts';
import { FAULTY_DRIVER, OUT_OF_SERVICE, READER_TAINT } from './known-names.ts';

export { ChangeError };

/**
 * The scenario with an action done to it. `trace` is the run of `scenario`: what an action at a moment finds there is read
 * from it. Throws {@link ChangeError} where there is nothing to change.
 */
export function applyAction(scenario: Scenario, action: Action, trace: Trace): Scenario {
  const at = momentOf(action);
  const steps = at === undefined ? fromStart(scenario.steps, action, trace) : fromMoment(scenario.steps, action, at, trace);
  return { ...scenario, steps };
}

// --- how it begins ---

function fromStart(steps: readonly Step[], action: Action, trace: Trace): Step[] {
  switch (action.do) {
    case 'secret':
      return withContent(steps, 'Secret', action.name, action.there);
    case 'configMap':
      return withContent(steps, 'ConfigMap', action.name, action.there);
    case 'zone':
      return patient(editDocs(steps, 'Pod', action.pod, (doc) => withZone(doc, action.zone)));
    case 'mode':
      return patient(editClaim(steps, action.claim, (spec) => ({ ...spec, accessModes: [action.mode] })));
    case 'class':
      return patient(withClass(steps, action.claim, action.class, trace));
    case 'fail':
      return patient(withFailingMethod(steps, action.claim, action.method, action.on, trace));
    default:
      throw new ChangeError(`"${action.do}" needs a moment of the run`);
  }
}

/** A Secret or ConfigMap made just before the first pod that mounts it, or nowhere. */
function withContent(steps: readonly Step[], kind: 'Secret' | 'ConfigMap', name: string, there: boolean): Step[] {
  const without = dropDocs(steps, kind, name);
  if (!there) return patient(without);
  const first = without.findIndex((step) => docsOf(step).some((doc) => JSON.stringify(doc).includes(`"${name}"`) && doc.kind !== kind));
  if (first === -1) throw new ChangeError(`nothing in this scenario refers to ${kind} ${name}`);
  return patient([...without.slice(0, first), { apply: contentManifest(kind, name, steps.flatMap(docsOf)) }, ...without.slice(first)]);
}

function withZone(doc: Doc, zone: string | null): Doc {
  const { 'topology.kubernetes.io/zone': _old, ...rest } = (doc.spec?.['nodeSelector'] ?? {}) as Record<string, string>;
  const selector = zone === null ? rest : { ...rest, 'topology.kubernetes.io/zone': zone };
  const { nodeSelector: _selector, ...spec } = doc.spec ?? {};
  return { ...doc, spec: Object.keys(selector).length === 0 ? spec : { ...spec, nodeSelector: selector } };
}

/** The claim with another class. Nobody waits for a claim to be bound before its pod is there, if the class itself waits for the pod. */
function withClass(steps: readonly Step[], claim: string, className: string, trace: Trace): Step[] {
  const changed = editClaim(steps, claim, (spec) => ({ ...spec, storageClassName: className }));
  if (!waitsForConsumer(steps, className, trace)) return changed;
  return changed.filter((step) => !('wait' in step && step.wait.for === `pvc/${claim}` && step.wait.equals === 'Bound'));
}

function waitsForConsumer(steps: readonly Step[], className: string, trace: Trace): boolean {
  const made = steps.flatMap(docsOf).find((doc) => doc.kind === 'StorageClass' && doc.metadata?.name === className);
  const standing = trace.stage.find((object) => object.kind === 'StorageClass' && object.metadata.name === className);
  const mode = made?.['volumeBindingMode'] ?? (standing?.kind === 'StorageClass' ? standing.volumeBindingMode : undefined);
  return mode === 'WaitForFirstConsumer';
}

/** How often a failing method fails before it succeeds. */
const FAILURES = 3;

/** The claim's class replaced by one like it, with the method failing; switched off, the parameter goes again. */
function withFailingMethod(steps: readonly Step[], claim: string, method: string, on: boolean, trace: Trace): Step[] {
  const named = String(claimSpec(steps, claim)?.['storageClassName'] ?? '');
  const inManifest = (name: string): Doc | undefined => steps.flatMap(docsOf).find((entry) => entry.kind === 'StorageClass' && entry.metadata?.name === name);
  // A class that the scenario makes itself is changed in place; one of the cluster gets a copy beside it.
  const faulty = named.endsWith(FAULTY) || inManifest(named) !== undefined ? named : `${named}${FAULTY}`;
  const made = inManifest(faulty);
  const standing = trace.stage.find((object) => object.kind === 'StorageClass' && object.metadata.name === named);
  if (made === undefined && standing?.kind !== 'StorageClass') throw new ChangeError(`the claim ${claim} has no class of ${FAULTY_DRIVER}`);
  const old = (made?.['parameters'] ?? (standing?.kind === 'StorageClass' ? standing.parameters : undefined) ?? {}) as Record<string, string>;
  const { [`fail.${method}`]: _was, ...rest } = old;
  const parameters = on ? { ...rest, [`fail.${method}`]: `Internal x${FAILURES}: made to fail by the reader` } : rest;
  const base = made ?? {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: faulty },
    provisioner: FAULTY_DRIVER,
    volumeBindingMode: standing?.kind === 'StorageClass' ? standing.volumeBindingMode : 'Immediate',
  };
  const others = dropDocs(steps, 'StorageClass', faulty);
  const renamed = editClaim(others, claim, (spec) => ({ ...spec, storageClassName: faulty }));
  return [{ apply: writeManifest({ ...base, parameters }) }, ...renamed];
}
const FAULTY = '-faulty';

/** Longest wait of a changed scenario for something that may never come, seconds. */
const PATIENCE = 30;

/** How long a run goes on after the reader's last act, seconds. */
const AFTERMATH = 20;

/** A changed scenario does not wait for the faults it no longer has, and for nothing as long as a recorder would. */
function patient(steps: readonly Step[]): Step[] {
  return steps.map((step) => (waitsForTrouble(step) ? { settle: AFTERMATH } : 'wait' in step ? { wait: { ...step.wait, timeout: Math.min(step.wait.timeout ?? PATIENCE, PATIENCE) } } : step));
}

function waitsForTrouble(step: Step): boolean {
  return 'wait' in step && step.wait.event !== undefined && /Fail|BackOff|Lost|NotReady/.test(step.wait.event);
}

// --- at a moment ---

function fromMoment(steps: readonly Step[], action: Action, at: number, trace: Trace): Step[] {
  const { done, rest } = cutAt(steps, at, trace);
  switch (action.do) {
    case 'create': {
      const made = contentManifest(action.kind, action.name, steps.flatMap(docsOf));
      return [...done, { apply: made }, ...goOn(dropDocs(rest, action.kind, action.name))];
    }
    case 'createClaim':
      return [...done, { apply: claimManifest(action.name, action.class, steps.flatMap(docsOf)) }, ...goOn(dropDocs(rest, 'PersistentVolumeClaim', action.name))];
    case 'addKey':
      return [...done, { patch: { target: `${action.kind.toLowerCase()}/${action.name}`, merge: { [action.kind === 'Secret' ? 'stringData' : 'data']: { [action.key]: 'example' } } } }, ...goOn(dropDocs(rest, action.kind, action.name))];
    case 'createVolume':
      return [...done, { apply: writeManifest(volumeByHand(action.claim, at, trace)) }, ...goOn(rest)];
    case 'restoreVolume':
      return [...done, { apply: writeManifest(restoredVolume(action.claim, at, trace)) }, ...goOn(rest)];
    case 'clearNode':
      return [...done, { patch: { target: `pvc/${action.claim}`, merge: { metadata: { annotations: { 'volume.kubernetes.io/selected-node': null } } } } }, ...goOn(rest)];
    case 'clearClaimRef':
      return [...done, { patch: { target: action.target, merge: { spec: { claimRef: null } } } }, ...goOn(rest)];
    case 'remake':
      return [...done, ...claimAnew(action.claim, action.class, at, trace, docsApplied(done)), ...goOn(rest)];
    case 'remakePod':
      return [...done, ...podAnew(action.pod, action.how, at, trace, docsApplied(done)), ...goOn(rest)];
    case 'untaint':
      return [...done, { node: { name: shortNode(action.node), action: 'untaint', taint: action.taint } }, ...goOn(rest)];
    case 'strategy':
      return [...done, { patch: { target: `deployment/${action.deployment}`, merge: { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } } } }, ...goOn(rest)];
    case 'uncordon':
      return [...done, { patch: { target: `node/${action.node}`, merge: { spec: { unschedulable: null } } } }, ...goOn(rest)];
    case 'createClass':
      return [
        ...done,
        { apply: writeManifest({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: action.name }, provisioner: FAULTY_DRIVER, volumeBindingMode: 'Immediate' }) },
        ...goOn(dropDocs(rest, 'StorageClass', action.name)),
      ];
    case 'second':
      return [...done, { apply: secondPod(steps, action.pod) }, { settle: AFTERMATH }];
    case 'recreate':
      return [...done, ...recreate(steps, action.pod, action.claim, action.class), ...goOn(rest)];
    case 'delete':
      return [...done, { delete: { target: action.target, wait: false } }, ...(isRepair(action.target, rest) ? goOn(rest) : [{ settle: AFTERMATH }])];
    case 'taint':
      return [...done, { node: { name: shortNode(action.node), action: action.on ? 'taint' : 'untaint', taint: `${READER_TAINT}=reader:NoExecute` } }, { settle: AFTERMATH }];
    case 'outOfService':
      return [...done, { node: { name: shortNode(action.node), action: 'taint', taint: `${OUT_OF_SERVICE}=nodeshutdown:NoExecute` } }, { settle: NODE_SILENCE }];
    case 'pause':
      return [...done, { node: { name: shortNode(action.node), action: action.on ? 'pause' : 'unpause' } }, { settle: action.on ? NODE_SILENCE : AFTERMATH }];
    case 'exec':
      return [...done, { exec: { pod: action.pod, sh: commandOf(action.what, action.path) } }, { settle: 1 }];
    case 'wait':
      return [...done, { settle: action.seconds }];
    default:
      throw new ChangeError(`"${action.do}" changes how the scenario begins`);
  }
}

/** Long enough to see a silent node NotReady and its pods evicted, seconds. */
const NODE_SILENCE = 90;

/** Scenario files name nodes without the cluster's prefix. */
function shortNode(node: string): string {
  return node.replace(/^ab-/, '');
}

function commandOf(what: 'writeRead' | 'mountinfo', path: string): string {
  return what === 'mountinfo' ? `grep " ${path} " /proc/self/mountinfo` : writeAndRead(path);
}

/** Deleting the pod that stands in the way is what the scenario itself would do next, or what its waits wait for. */
function isRepair(target: string, rest: readonly Step[]): boolean {
  return rest.some((step) => ('delete' in step && step.delete.target === target) || ('wait' in step && step.wait.condition === 'Ready' && step.wait.for !== target));
}

/** What the scenario would have done next, without its waits for trouble; then the run goes on for a while. */
function goOn(rest: readonly Step[]): Step[] {
  return [...patient(rest.filter((step) => !('settle' in step))), { settle: AFTERMATH }];
}

/**
 * The steps done by a moment, and those that were still to come. A wait that the moment falls into ends there; a command
 * that was not finished is still to come.
 */
export function cutAt(steps: readonly Step[], at: number, trace: Trace): { done: Step[]; rest: Step[] } {
  const begun = begunBy(trace, at);
  const last = begun.at(-1);
  if (last === undefined) return { done: [], rest: [...steps] };
  const done = steps.slice(0, last.step + 1);
  const rest = steps.slice(last.step + 1);
  const final = done.at(-1);
  if (final === undefined || !('wait' in final || 'settle' in final)) return { done, rest };
  const next = trace.records.find((record): record is StepRecord => record.type === 'step' && record.step === last.step + 1);
  const waited = Math.max(0, at / 1000 - last.t);
  if (next !== undefined && next.t * 1000 < at) return { done, rest };
  return { done: [...done.slice(0, -1), { settle: Math.round(waited * 1000) / 1000 }], rest };
}

/** A second pod like the first, under a name that is free. */
function secondPod(steps: readonly Step[], pod: string): string {
  const docs = steps.flatMap(docsOf);
  const doc = docs.findLast((entry) => entry.kind === 'Pod' && entry.metadata?.name === pod);
  if (doc === undefined) throw new ChangeError(`the scenario has no manifest of pod ${pod}`);
  const taken = new Set(docs.filter((entry) => entry.kind === 'Pod').map((entry) => entry.metadata?.name));
  const name = ['second', 'third', 'fourth', 'fifth'].find((candidate) => !taken.has(candidate)) ?? `${pod}-again`;
  return writeManifest({ ...doc, metadata: { ...doc.metadata, name } });
}

/** Pod and claim away, the claim again with another class, then the pod again. */
function recreate(steps: readonly Step[], pod: string, claim: string, className: string): Step[] {
  const docs = steps.flatMap(docsOf);
  const podDoc = docs.findLast((doc) => doc.kind === 'Pod' && doc.metadata?.name === pod);
  const claimDoc = docs.findLast((doc) => doc.kind === 'PersistentVolumeClaim' && doc.metadata?.name === claim);
  if (podDoc === undefined || claimDoc === undefined) throw new ChangeError(`the scenario has no manifest of pod ${pod} and claim ${claim}`);
  return [
    { delete: { target: `pod/${pod}`, wait: true } },
    { delete: { target: `pvc/${claim}`, wait: true } },
    { apply: writeManifest({ ...claimDoc, spec: { ...claimDoc.spec, storageClassName: className } }) },
    { apply: writeManifest(podDoc) },
    { wait: { for: `pod/${pod}`, condition: 'Ready', timeout: PATIENCE } },
  ];
}

// --- manifests ---

/** All objects that have been applied by then. */
function docsApplied(done: readonly Step[]): Doc[] {
  return done.flatMap(docsOf);
}

function docsOf(step: Step): Doc[] {
  return 'apply' in step ? (manifestObjects(step.apply) as unknown as Doc[]) : [];
}

/** Rewrites one object wherever it is applied. A manifest that does not hold it keeps its text, byte for byte. */
function editDocs(steps: readonly Step[], kind: string, name: string, edit: (doc: Doc) => Doc): Step[] {
  return steps.map((step) => {
    const docs = docsOf(step);
    if (!docs.some((doc) => doc.kind === kind && doc.metadata?.name === name)) return step;
    return { apply: writeManifest(...docs.map((doc) => (doc.kind === kind && doc.metadata?.name === name ? edit(doc) : doc))) };
  });
}

type Spec = Readonly<Record<string, unknown>>;

/** Rewrites what a claim asks for wherever that is written. A manifest that does not say it keeps its text, byte for byte. */
function editClaim(steps: readonly Step[], claim: string, edit: (spec: Spec) => Spec): Step[] {
  let found = false;
  const changed = steps.map((step) => {
    const docs = docsOf(step);
    const after = docs.map((doc) => withClaimSpec(doc, claim, edit));
    if (after.every((doc, i) => doc === docs[i])) return step;
    found = true;
    return { apply: writeManifest(...after) };
  });
  if (!found) throw new ChangeError(`the scenario has no manifest of claim ${claim}`);
  return changed;
}

/** What the claim asks for, as the scenario writes it first. */
function claimSpec(steps: readonly Step[], claim: string): Spec | undefined {
  let found: Spec | undefined;
  for (const doc of steps.flatMap(docsOf)) withClaimSpec(doc, claim, (spec) => (found ??= spec));
  return found;
}

/** A claim is written as itself, as a StatefulSet's template (`TEMPLATE-SET-0`), or in an ephemeral volume of a pod (`POD-VOLUME`). */
function withClaimSpec(doc: Doc, claim: string, edit: (spec: Spec) => Spec): Doc {
  const name = doc.metadata?.name ?? '';
  if (doc.kind === 'PersistentVolumeClaim') return name === claim ? { ...doc, spec: edit(doc.spec ?? {}) } : doc;
  if (doc.kind === 'StatefulSet') {
    const templates = (doc.spec?.['volumeClaimTemplates'] ?? []) as readonly Doc[];
    const makes = (template: Doc): boolean => claim.startsWith(`${template.metadata?.name ?? ''}-${name}-`) && /^\d+$/.test(claim.slice(`${template.metadata?.name ?? ''}-${name}-`.length));
    if (!templates.some(makes)) return doc;
    return { ...doc, spec: { ...doc.spec, volumeClaimTemplates: templates.map((template) => (makes(template) ? { ...template, spec: edit(template.spec ?? {}) } : template)) } };
  }
  if (doc.kind !== 'Pod') return doc;
  const volumes = (doc.spec?.['volumes'] ?? []) as readonly EphemeralVolume[];
  const makes = (volume: EphemeralVolume): boolean => volume.ephemeral !== undefined && `${name}-${volume.name}` === claim;
  if (!volumes.some(makes)) return doc;
  const made = (volume: EphemeralVolume): EphemeralVolume => {
    const template = volume.ephemeral?.volumeClaimTemplate ?? {};
    return { ...volume, ephemeral: { ...volume.ephemeral, volumeClaimTemplate: { ...template, spec: edit(template.spec ?? {}) } } };
  };
  return { ...doc, spec: { ...doc.spec, volumes: volumes.map((volume) => (makes(volume) ? made(volume) : volume)) } };
}

interface EphemeralVolume {
  readonly name: string;
  readonly ephemeral?: { readonly volumeClaimTemplate?: { readonly spec?: Spec } };
}

/** Takes one object out of all manifests; a manifest left empty goes. */
function dropDocs(steps: readonly Step[], kind: string, name: string): Step[] {
  return steps.flatMap((step): Step[] => {
    const docs = docsOf(step);
    const kept = docs.filter((doc) => !(doc.kind === kind && doc.metadata?.name === name));
    if (kept.length === docs.length) return [step];
    return kept.length === 0 ? [] : [{ apply: writeManifest(...kept) }];
  });
}
