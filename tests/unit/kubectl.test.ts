/**
 * kubectl's output, held to what kubectl v1.35.4 printed in every recorded run: the same objects, at the same moment,
 * must give the same text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { ClusterView } from '../../machines/kubectl/index.ts';
import { lastAppliedConfiguration, parseKubectl, ROLLOUT_TIMED_OUT, rolloutStatusLine, runKubectl, viewOfObjects } from '../../machines/kubectl/index.ts';
import type { AnyObject, Json } from '../../machines/model/objects.ts';
import type { StepRecord, Trace } from '../../machines/trace/format.ts';

const TRACES = new URL('../../content/traces/', import.meta.url);
const FILES = readdirSync(TRACES).flatMap((scenario) =>
  readdirSync(new URL(`${scenario}/`, TRACES)).map((file) => ({ scenario, file: `${scenario}/${file}` })),
);
/** Cluster-scoped kinds that scenarios apply. */
const WITHOUT_NAMESPACE = new Set(['PersistentVolume', 'StorageClass']);

function readTrace(file: string): Trace {
  return JSON.parse(readFileSync(new URL(file, TRACES), 'utf8')) as Trace;
}

function keyOf(object: AnyObject): string {
  return `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** The objects that stood when all records up to `t` had happened. */
function objectsAt(trace: Trace, t: number): AnyObject[] {
  const objects = new Map(trace.stage.map((object) => [keyOf(object), object]));
  for (const record of trace.records) {
    if (record.type !== 'watch' || record.t > t) continue;
    if (record.verb === 'DELETED') objects.delete(keyOf(record.object));
    else objects.set(keyOf(record.object), record.object);
  }
  return [...objects.values()];
}

/** The annotation that traces leave out, from the manifests that the trace's own scenario applied up to `t`. */
function lastAppliedAt(trace: Trace, t: number): (object: AnyObject) => string | undefined {
  const texts = new Map<string, string>();
  for (const record of trace.records) {
    if (record.type !== 'step' || record.verb !== 'apply' || record.t > t) continue;
    for (const document of parseAllDocuments(String(record['manifest']))) {
      const manifest = document.toJS() as { kind: string; metadata: { name: string } } & Record<string, Json>;
      const namespace = WITHOUT_NAMESPACE.has(manifest.kind) ? undefined : trace.scenario.namespace;
      texts.set(`${manifest.kind}/${manifest.metadata.name}`, lastAppliedConfiguration(manifest, namespace));
    }
  }
  return (object) => texts.get(`${object.kind}/${object.metadata.name}`);
}

function viewAt(trace: Trace, t: number): ClusterView {
  return viewOfObjects(objectsAt(trace, t), {
    now: Date.parse(trace.recordedAt) + t * 1000,
    namespace: trace.scenario.namespace,
    lastApplied: lastAppliedAt(trace, t),
  });
}

type RunStep = StepRecord & { readonly command: string; readonly text: string; readonly code: number };

function runSteps(trace: Trace, verb: string): RunStep[] {
  const steps = trace.records.filter((record): record is StepRecord => record.type === 'step' && record.verb === 'run');
  return (steps as RunStep[]).filter((step) => parseKubectl(step.command).verb === verb);
}

/**
 * A record stands where the command ended; the command read the cluster at some moment before that, the API server and
 * kubectl each by its own look at the clock. So the text must be that of one moment within the last 0.4 s.
 */
const LONGEST_COMMAND = 0.4;
const STEP = 0.005;

function momentsBefore(end: number): number[] {
  const count = Math.round(LONGEST_COMMAND / STEP);
  return Array.from({ length: count }, (_, index) => end - index * STEP);
}

/** A list of several kinds is one request a kind: each table is of a moment of its own, the first one's first. */
function tablesOf(step: RunStep, text: string): string[] {
  return /get \S+,\S+/.test(step.command) ? text.split('\n\n') : [text];
}

/** The recorded text when some moment gives it; otherwise what the last moment gives. */
function closestText(trace: Trace, step: RunStep): string {
  const missing = new Map(tablesOf(step, step.text).entries());
  let last: string | undefined;
  for (const moment of momentsBefore(step.t)) {
    const printed = runKubectl(step.command, viewAt(trace, moment));
    last ??= printed.text;
    if (printed.code !== step.code) continue;
    for (const [index, table] of tablesOf(step, printed.text).entries()) {
      if (missing.get(index) === table) missing.delete(index);
    }
    if (missing.size === 0) return step.text;
  }
  return last ?? '';
}

describe('every recorded command', () => {
  it('is one that is modelled', () => {
    const refused = FILES.flatMap(({ file }) => runSteps(readTrace(file), 'refused').map((step) => `${file}: ${step.command}`));
    expect(refused).toEqual([]);
  });
});

describe('get and describe print what the recorded kubectl printed', () => {
  for (const { file } of FILES) {
    it(file, () => {
      const trace = readTrace(file);
      for (const step of [...runSteps(trace, 'get'), ...runSteps(trace, 'describe')]) {
        expect(closestText(trace, step), `${step.command} at ${step.t}`).toBe(step.text);
      }
    });
  }
});

/** What `rollout status` prints when it begins at `start`: a line for the state it finds, one for each write after it. */
function rolloutText(trace: Trace, step: RunStep, start: number): string {
  const command = parseKubectl(step.command);
  if (command.verb !== 'rollout-status') throw new Error(`${step.command} is no rollout status`);
  const end = command.timeoutMs === undefined ? step.t : Math.min(step.t, start + command.timeoutMs / 1000);
  const found = objectsAt(trace, start).filter((object) => object.kind === command.kind && object.metadata.name === command.name);
  const written = trace.records.flatMap((record) =>
    record.type === 'watch' && record.t > start && record.t <= end && record.object.kind === command.kind && record.object.metadata.name === command.name
      ? [record.object]
      : [],
  );
  let text = '';
  for (const object of [...found, ...written]) {
    if (object.kind !== 'Deployment') continue;
    const progress = rolloutStatusLine(object);
    text += progress.line;
    if (progress.done) return text;
  }
  return text + ROLLOUT_TIMED_OUT;
}

describe('rollout status prints a line for every state of the deployment that its watch shows', () => {
  const traces = FILES.map(({ file }) => ({ file, trace: readTrace(file) }));
  const recorded = traces.flatMap(({ file, trace }) => runSteps(trace, 'rollout-status').map((step) => ({ file, trace, step })));

  it('is recorded', () => {
    expect(recorded.length).toBeGreaterThan(0);
  });

  for (const { file, trace, step } of recorded) {
    it(`${file}: ${step.command} at ${step.t}`, () => {
      const previous = Math.max(...trace.records.filter((record) => record.type === 'step' && record.step < step.step).map((record) => record.t));
      // kubectl needs up to half a second from the step before it to its first look.
      const starts = Array.from({ length: 120 }, (_, index) => previous + index * STEP);
      const texts = starts.map((start) => rolloutText(trace, step, start));
      expect(texts).toContain(step.text);
    });
  }
});

describe('kubectl says what is wrong, or what is not modelled, with a non-zero code', () => {
  const view = viewOfObjects([], { now: 0, namespace: 'lab' });
  const cases: readonly (readonly [string, string])[] = [
    ['kubectl get pvc', 'No resources found in lab namespace.\n'],
    ['kubectl get pv', 'No resources found\n'],
    ['kubectl get pod,pv', 'No resources found\n'],
    ['kubectl get pod -A', 'No resources found\n'],
    ['kubectl describe pod', 'No resources found in lab namespace.\n'],
    ['kubectl get pod first', 'Error from server (NotFound): pods "first" not found\n'],
    ['kubectl get va/x', `error: the server doesn't have a resource type "va"\n`],
    ['kubectl get volumeattachment x', 'Error from server (NotFound): volumeattachments.storage.k8s.io "x" not found\n'],
    ['kubectl describe pvc disk', 'Error from server (NotFound): persistentvolumeclaims "disk" not found\n'],
    ['kubectl get widgets', `error: the server doesn't have a resource type "widgets"\n`],
    ['kubectl get pod -l', 'error: flag needs an argument: -l\n'],
    ['kubectl exec first', 'error: you must specify at least one command for the container\n'],
    ['kubectl exec first -- id', 'Error from server (NotFound): pods "first" not found\n'],
    ['kubectl rollout status deployment/web', 'Error from server (NotFound): deployments.apps "web" not found\n'],
    ['kubectl get pod "first', 'error: the quote " at column 17 of the command is never closed\n'],
  ];
  for (const [command, text] of cases) {
    it(command, () => {
      const outcome = runKubectl(command, view);
      expect(outcome.text).toBe(text);
      expect(outcome.code).toBe(text.startsWith('No resources') ? 0 : 1);
    });
  }

  for (const command of ['kubectl top pod', 'kubectl get pod -w', 'kubectl get pod | wc -l', 'helm list', 'kubectl', 'kubectl rollout undo deployment/web', 'kubectl get pod -o go-template=x']) {
    it(`${command}: not modelled`, () => {
      const outcome = runKubectl(command, view);
      expect(outcome.text).toMatch(/is not modelled by this simulation/);
      expect(outcome.code).not.toBe(0);
    });
  }

  it('answers any line of text without throwing', () => {
    const words = fc.constantFrom('kubectl', 'get', 'describe', 'exec', 'rollout', 'status', 'pod', 'pvc,pv', 'pod/a', '-o', '-owide', '-l', 'a=b', '--', "'", '-o=custom-columns=A:.x[0', '-o', 'jsonpath={.a[?(@.b==1)]}', '-n');
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 8 }), (parts) => {
        expect(runKubectl(parts.join(' '), view)).toHaveProperty('code');
        expect(runKubectl(['kubectl', ...parts], view)).toHaveProperty('text');
      }),
      { numRuns: 2000 },
    );
  });
});
