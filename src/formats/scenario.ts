/** Reads a scenario file (YAML) and checks it: what a person does to a cluster, step by step. */
import { LineCounter, parseAllDocuments, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';
import type { Scenario, Verb } from '../../machines/trace/scenario.ts';
import type { FormatProblem } from './format-error.ts';
import { FormatError, found } from './format-error.ts';
import { problemsOf } from './problems.ts';

const seconds = z.number().positive();
const targetText = 'expected KIND/NAME, pv-of/CLAIM or va-of/CLAIM';
const target = z.string().regex(/^[^/\s]+\/[^/\s]+$/, targetText);

const waitSchema = z
  .strictObject({
    for: target.optional(),
    path: z.string().min(1).optional(),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    condition: z.string().min(1).optional(),
    status: z.enum(['True', 'False', 'Unknown']).optional(),
    event: z.string().min(1).optional(),
    on: target.optional(),
    count: z.number().int().positive().optional(),
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

const stepSchemas = {
  apply: z.strictObject({ apply: z.string().min(1) }),
  delete: z.strictObject({
    delete: z.strictObject({ target, wait: z.boolean().optional(), force: z.boolean().optional() }),
  }),
  patch: z.strictObject({ patch: z.strictObject({ target, merge: z.json() }) }),
  wait: z.strictObject({ wait: waitSchema }),
  settle: z.strictObject({ settle: seconds }),
  run: z.strictObject({ run: z.string().min(1) }),
  exec: z.strictObject({ exec: z.strictObject({ pod: z.string().min(1), sh: z.string().min(1), container: z.string().min(1).optional() }) }),
  node: z.strictObject({
    node: z.strictObject({
      name: z.string().min(1),
      action: z.enum(['pause', 'unpause', 'taint', 'untaint']),
      taint: z.string().min(1).optional(),
    }),
  }),
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
export const scenarioSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens'),
  title: z.string().min(1),
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
    throw new FormatError(file, 'scenario', document.errors.map(error => ({
      path: '',
      line: error.linePos?.[0].line,
      message: yamlProblem('this', error),
    })));
  }
  const data: unknown = document.toJS();
  const lineOf = (path: readonly PropertyKey[]) => lineInDocument(document, lines, path);
  const problems = scenarioProblems(data, lineOf);
  if (problems.length > 0) throw new FormatError(file, 'scenario', problems);
  return data as Scenario;
}

/** What is wrong with a scenario's data; empty when nothing is. Also used on the scenario that a trace carries. */
export function scenarioProblems(data: unknown, lineOf: (path: readonly PropertyKey[]) => number | undefined): FormatProblem[] {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    return [{ path: '', message: `expected an object with id, title, covers, namespace and steps, found ${found(data)}` }];
  }
  const result = scenarioSchema.safeParse(data);
  if (!result.success) return problemsOf(result.error.issues, data, lineOf);
  return manifestProblems(data as Scenario, lineOf);
}

/** What is wrong with YAML text, in words for whoever wrote it: the parser's own sometimes name its functions. */
function yamlProblem(what: string, error: { readonly code: string; readonly message: string }): string {
  if (error.code === 'MULTIPLE_DOCS') return 'this file holds several YAML documents; a scenario is one, so remove the lines --- between them';
  return `${what} is no valid YAML: ${error.message.split('\n')[0] ?? ''}`;
}

/** A step's manifest must be YAML, and every document in it an object with apiVersion, kind and a name. */
function manifestProblems(scenario: Scenario, lineOf: (path: readonly PropertyKey[]) => number | undefined): FormatProblem[] {
  const problems: FormatProblem[] = [];
  scenario.steps.forEach((step, index) => {
    if (!('apply' in step)) return;
    const at = (message: string): void => {
      problems.push({ path: `steps[${index}].apply`, line: lineOf(['steps', index, 'apply']), message });
    };
    const documents = parseAllDocuments(step.apply);
    if (!Array.isArray(documents)) {
      at('the manifest is empty');
      return;
    }
    for (const document of documents) {
      const error = document.errors[0];
      if (error !== undefined) {
        at(yamlProblem('the manifest', error));
        continue;
      }
      const manifest: unknown = document.toJS();
      if (manifest === null) continue;
      const { apiVersion, kind, metadata } = manifest as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown; generateName?: unknown } };
      if (typeof apiVersion !== 'string') at(`expected apiVersion in the manifest, found ${found(apiVersion)}`);
      if (typeof kind !== 'string') at(`expected kind in the manifest, found ${found(kind)}`);
      if (typeof metadata?.name !== 'string' && typeof metadata?.generateName !== 'string') at(`expected metadata.name in the manifest, found ${found(metadata?.name)}`);
    }
  });
  return problems;
}

/** The line of a path, or of the nearest parent that the file has. */
export function lineInDocument(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = node !== null && typeof node === 'object' && 'range' in node ? (node as { range?: readonly number[] | null }).range : undefined;
    if (range?.[0] !== undefined) return lines.linePos(range[0]).line;
  }
  return undefined;
}
