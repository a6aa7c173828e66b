/** Reads a scenario file (YAML) and checks it: what a person does to a cluster, step by step. */
import { LineCounter, parseDocument, Scalar } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';
import { FAULTY_DRIVER } from '../lab/known-names.ts';
import { manifestDocuments, plainValue, plainYamlError, TOO_DEEP } from '../../machines/run/manifest.ts';
import type { Scenario, Verb } from '../../machines/trace/scenario.ts';
import type { FormatProblem } from './format-error.ts';
import { FormatError, found } from './format-error.ts';
import { problemsOf } from './problems.ts';

/** A longer wait would let the simulation run for minutes, and teaches nothing that a day does not. */
const LONGEST_SECONDS = 86_400;
const secondsText = `expected seconds, more than 0 and at most ${LONGEST_SECONDS} (a day)`;
const seconds = z.number().positive(secondsText).max(LONGEST_SECONDS, secondsText);
const text = z.string().min(1, 'expected some text');
const targetText = 'expected KIND/NAME, pv-of/CLAIM or va-of/CLAIM';
const target = z.string().regex(/^[^/\s]+\/[^/\s]+$/, targetText);

const waitSchema = z
  .strictObject({
    for: target.optional(),
    path: text.optional(),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    condition: text.optional(),
    status: z.enum(['True', 'False', 'Unknown']).optional(),
    event: text.optional(),
    on: target.optional(),
    count: z.number().int().positive('expected a whole number, 1 or more').optional(),
    gone: target.optional(),
    timeout: seconds.optional(),
  })
  .check(context => {
    const wait = context.value;
    const forms = [
      wait.for !== undefined && (wait.condition !== undefined || (wait.path !== undefined && wait.equals !== undefined)),
      wait.event !== undefined && wait.on !== undefined,
      wait.gone !== undefined,
    ];
    if (forms.filter(Boolean).length !== 1) {
      context.issues.push({
        code: 'custom',
        input: wait,
        message: 'expected one of {for, path, equals}, {for, condition, status}, {event, on, count} or {gone}',
      });
    }
  });

const nodeSchema = z
  .strictObject({
    name: text,
    action: z.enum(['pause', 'unpause', 'taint', 'untaint']),
    taint: text.optional(),
  })
  .check(context => {
    const { action, taint } = context.value;
    const takesTaint = action === 'taint' || action === 'untaint';
    if (takesTaint === (taint !== undefined)) return;
    const message = takesTaint ? `expected a taint, KEY=VALUE:EFFECT, for the action ${action}` : `expected no taint for the action ${action}`;
    context.issues.push({ code: 'custom', path: ['taint'], input: taint, message });
  });

const stepSchemas = {
  apply: z.strictObject({ apply: text }),
  delete: z.strictObject({
    delete: z.strictObject({ target, wait: z.boolean().optional(), force: z.boolean().optional() }),
  }),
  patch: z.strictObject({ patch: z.strictObject({ target, merge: z.record(z.string(), z.json()) }) }),
  wait: z.strictObject({ wait: waitSchema }),
  settle: z.strictObject({ settle: seconds }),
  run: z.strictObject({ run: text }),
  exec: z.strictObject({ exec: z.strictObject({ pod: text, sh: text, container: text.optional() }) }),
  node: z.strictObject({ node: nodeSchema }),
} satisfies Record<Verb, z.ZodType>;

const verbs = Object.keys(stepSchemas) as Verb[];

/** A step is checked against the schema of its own verb, so that the message is about what the writer meant. */
const stepSchema = z.unknown().check(context => {
  const step = context.value;
  const verb = step !== null && typeof step === 'object' ? verbs.find(name => name in step) : undefined;
  if (verb === undefined) {
    context.issues.push({ code: 'custom', input: step, message: `expected a step with one of the keys ${verbs.join(', ')}` });
    return;
  }
  const result = stepSchemas[verb].safeParse(step);
  for (const issue of result.error?.issues ?? []) context.issues.push({ ...issue, input: step } as z.core.$ZodRawIssue);
});

/** The schema of a scenario, for a file of its own and inside a trace. Additional top-level fields are kept out of the way. */
const scenarioSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens'),
  title: text,
  covers: z.array(z.string()),
  namespace: z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected a namespace name'),
  steps: z.array(stepSchema).min(1, 'expected at least one step'),
});

/**
 * Reads a scenario.
 * @param text the YAML text
 * @param file the file's name, for messages only
 * @throws FormatError naming every problem with its line
 */
export function parseScenario(text: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    const problems = document.errors.map(error => ({ path: '', line: error.linePos?.[0].line, message: yamlProblem(error) }));
    const tooDeep = problems.find(problem => problem.message.endsWith(TOO_DEEP));
    throw new FormatError(file, 'scenario', tooDeep ? [tooDeep] : problems);
  }
  const { value: data, problem } = plainValue(document);
  if (problem !== undefined) throw new FormatError(file, 'scenario', [{ path: '', message: `this is no valid YAML: ${problem}` }]);
  const lineOf: LineOf = (path, inner) => lineInDocument(document, lines, path, inner);
  const problems = scenarioProblems(data, lineOf);
  if (problems.length > 0) throw new FormatError(file, 'scenario', problems);
  const faults = faultProblems(data as Scenario, lineOf);
  if (faults.length > 0) throw new FormatError(file, 'scenario', faults);
  return data as Scenario;
}

/** The methods that the zonal driver fails on request (the format's own list); it ignores any other. */
const FAILING = ['CreateVolume', 'DeleteVolume', 'ControllerPublishVolume', 'ControllerUnpublishVolume', 'NodeStageVolume', 'NodePublishVolume'];

/**
 * A fault that nothing would ever come of: `fail.` with a method that the driver does not know. Asked of a scenario that
 * someone writes; a trace may carry one, since the cluster that it was recorded on took it.
 */
function faultProblems(scenario: Scenario, lineOf: LineOf): FormatProblem[] {
  return scenario.steps.flatMap((step, index) => {
    if (!('apply' in step)) return [];
    return manifestDocuments(step.apply).flatMap(({ value, line }) =>
      faultKeys(value)
        .filter((key) => !FAILING.includes(key.slice('fail.'.length)))
        .map((key) => ({
          path: `steps[${index}].apply`,
          line: lineOf(['steps', index, 'apply'], line),
          message: `the driver ${FAULTY_DRIVER} knows no method to fail by "${key}" and would ignore it; expected one of ${FAILING.map((method) => `fail.${method}`).join(', ')}`,
        })),
    );
  });
}

/** The `fail.` keys of a class or a volume of the driver that fails on request. */
function faultKeys(manifest: unknown): string[] {
  const { kind, provisioner, parameters, spec } = (manifest ?? {}) as { kind?: unknown; provisioner?: unknown; parameters?: object | null; spec?: { csi?: { driver?: unknown; volumeAttributes?: object | null } | null } | null };
  const given = kind === 'StorageClass' && provisioner === FAULTY_DRIVER ? parameters : kind === 'PersistentVolume' && spec?.csi?.driver === FAULTY_DRIVER ? spec.csi.volumeAttributes : undefined;
  return Object.keys(given ?? {}).filter((key) => key.startsWith('fail.'));
}

/** What is wrong with a scenario's data; empty when nothing is. Also used on the scenario that a trace carries. */
export function scenarioProblems(data: unknown, lineOf: LineOf): FormatProblem[] {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    return [{ path: '', message: `expected an object with id, title, covers, namespace and steps, found ${found(data)}` }];
  }
  const result = scenarioSchema.safeParse(data);
  if (!result.success) return problemsOf(result.error.issues, data, lineOf);
  return manifestProblems(data as Scenario, lineOf);
}

/** What is wrong with YAML text, in words for whoever wrote it: the parser's own sometimes name its functions. */
function yamlProblem(error: { readonly code: string; readonly message: string }): string {
  if (error.code === 'MULTIPLE_DOCS') return 'this file holds several YAML documents; a scenario is one, so remove the lines --- between them';
  return `this is no valid YAML: ${plainYamlError(error.message)}`;
}

/** A step's manifest must be YAML, and every document in it an object with apiVersion, kind and a name. */
function manifestProblems(scenario: Scenario, lineOf: LineOf): FormatProblem[] {
  return scenario.steps.flatMap((step, index) => {
    if (!('apply' in step)) return [];
    const documents = manifestDocuments(step.apply);
    if (documents.every(({ value, problem }) => value === null && problem === undefined)) return [{ path: `steps[${index}].apply`, line: lineOf(['steps', index, 'apply']), message: 'the manifest is empty' }];
    return documents.flatMap(document => {
      const place = lineOf(['steps', index, 'apply'], document.line);
      const at = (message: string): FormatProblem => ({ path: `steps[${index}].apply`, line: place, message });
      if (document.problem !== undefined) return [at(`the manifest is no valid YAML: ${document.problem}${place === undefined ? ` (line ${document.line} of the manifest)` : ''}`)];
      return document.value === null ? [] : objectProblems(document.value).map(at);
    });
  });
}

function objectProblems(manifest: unknown): string[] {
  if (typeof manifest !== 'object' || Array.isArray(manifest)) return [`expected an object with apiVersion, kind and metadata in the manifest, found ${found(manifest)}`];
  const { apiVersion, kind, metadata } = manifest as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown; generateName?: unknown } | null };
  const problems: string[] = [];
  if (typeof apiVersion !== 'string') problems.push(`expected apiVersion in the manifest, found ${found(apiVersion)}`);
  if (typeof kind !== 'string') problems.push(`expected kind in the manifest, found ${found(kind)}`);
  if (typeof metadata?.name !== 'string' && typeof metadata?.generateName !== 'string') problems.push(`expected metadata.name in the manifest, found ${found(metadata?.name)}`);
  return problems;
}

/** The line in the file where a path stands, or the `inner`-th line (from 1) of the text that stands there; undefined where the file has no lines. */
export type LineOf = (path: readonly PropertyKey[], inner?: number) => number | undefined;

/** The line of a path, or of the nearest parent that the file has. Of a text in a block (`|`), also the line of one of its lines. */
export function lineInDocument(document: Document, lines: LineCounter, path: readonly PropertyKey[], inner?: number): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = node !== null && typeof node === 'object' && 'range' in node ? (node as { range?: readonly number[] | null }).range : undefined;
    if (range?.[0] === undefined) continue;
    const { line } = lines.linePos(range[0]);
    return inner !== undefined && length === path.length && node instanceof Scalar && node.type === Scalar.BLOCK_LITERAL ? line + inner : line;
  }
  return undefined;
}
