/** Reads a trace file (JSON, `after-bound/trace@1`), recorded or simulated, from anywhere. */
import { z } from 'zod';
import type { Trace } from '../../machines/trace/format.ts';
import { TRACE_FORMAT } from '../../machines/trace/format.ts';
import { decode, DecodeError } from '../../machines/admission/decode.ts';
import type { FormatProblem } from './format-error.ts';
import { FormatError, found } from './format-error.ts';
import { problemsOf } from './problems.ts';
import { scenarioProblems } from './scenario.ts';

const time = z.number().nonnegative('expected seconds, 0 or more');

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1), uid: z.string().optional() }),
});

const stepVerbs = ['apply', 'delete', 'patch', 'wait', 'settle', 'run', 'exec', 'node'] as const;

const recordSchema = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('step'), t: time, step: z.number().int().nonnegative(), verb: z.enum(stepVerbs) }),
    z.looseObject({ type: z.literal('output'), t: time, step: z.number().int().nonnegative(), code: z.number(), text: z.string() }),
    z.looseObject({ type: z.literal('watch'), t: time, verb: z.enum(['ADDED', 'MODIFIED', 'DELETED']), object: objectSchema }),
    z.looseObject({
      type: z.literal('csi'),
      t: time,
      driver: z.string(),
      node: z.string(),
      method: z.string(),
      request: z.record(z.string(), z.unknown()),
      code: z.string(),
      error: z.string(),
    }),
    z.looseObject({
      type: z.literal('log'),
      t: time,
      component: z.string(),
      node: z.string().nullish(),
      severity: z.string(),
      source: z.string(),
      text: z.string(),
    }),
    z.looseObject({ type: z.literal('state'), t: time, machine: z.string(), key: z.string(), event: z.string(), from: z.string(), to: z.string() }),
  ],
  { error: 'expected a record of type step, output, watch, csi, log or state' },
);

const traceSchema = z.looseObject({
  format: z.literal(TRACE_FORMAT),
  scenario: z.unknown(),
  recordedAt: z.string(),
  cluster: z.looseObject({}),
  failed: z.unknown().optional(),
  stage: z.array(objectSchema),
  // A run begins with what its person did first; whoever shows one stands at a record.
  records: z.array(recordSchema).min(1, 'expected at least one record'),
});

/**
 * Reads a trace. Fields that the format does not name are kept.
 * @param text the JSON text
 * @param file the file's name, for messages only
 * @throws FormatError naming every problem with its path
 */
export function parseTrace(text: string, file: string): Trace {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new FormatError(file, 'trace', [{ path: '', line: lineOfJsonError(text, error), message: `this is no valid JSON: ${error instanceof Error ? error.message : String(error)}` }]);
  }
  return checkTrace(data, file);
}

/**
 * Checks data that claims to be a trace.
 * @throws FormatError naming every problem with its path
 */
function checkTrace(data: unknown, file: string): Trace {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    throw new FormatError(file, 'trace', [{ path: '', message: `expected an object with format "${TRACE_FORMAT}", found ${found(data)}` }]);
  }
  const noLine = () => undefined;
  const result = traceSchema.safeParse(data);
  if (!result.success) throw new FormatError(file, 'trace', problemsOf(result.error.issues, data, noLine));
  const inScenario = scenarioProblems((data as { scenario: unknown }).scenario, noLine);
  if (inScenario.length > 0) {
    throw new FormatError(file, 'trace', inScenario.map(problem => ({ ...problem, path: problem.path === '' ? 'scenario' : `scenario.${problem.path}` })));
  }
  const inObjects = objectProblems(data as Trace);
  if (inObjects.length > 0) throw new FormatError(file, 'trace', inObjects);
  return data as Trace;
}

const BOTH = ['spec', 'status'] as const;
/** Parts that an object of a kind never lacks: whoever reads a trace relies on them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  PersistentVolumeClaim: BOTH, PersistentVolume: BOTH, Pod: BOTH, Node: BOTH, VolumeAttachment: BOTH, Deployment: BOTH, ReplicaSet: BOTH, StatefulSet: BOTH,
  CSINode: ['spec'], CSIDriver: ['spec'], Event: ['involvedObject'],
};

/** The objects of a trace came out of an API server, so they decode as its objects do. */
function objectProblems({ stage, records }: Trace): FormatProblem[] {
  const standing = stage.map((object, i) => ({ object: object as object, path: `stage[${i}]` }));
  const written = records.flatMap((record, i) => (record.type === 'watch' ? [{ object: record.object as object, path: `records[${i}].object` }] : []));
  return [...standing, ...written].flatMap(({ object, path }) => {
    const fields = object as Readonly<Record<string, unknown>> & { readonly kind: string };
    const wrong = decodeProblem(fields.kind, object);
    if (wrong !== undefined) return [{ path, message: wrong }];
    const parts = Object.hasOwn(PARTS, fields.kind) ? (PARTS[fields.kind] ?? []) : [];
    const wanting = parts.filter(part => !isObject(fields[part]));
    if (fields.kind === 'Pod' && wanting.length === 0) return listProblems(fields, path);
    return wanting.map(part => ({ path: `${path}.${part}`, message: `expected an object, as every ${fields.kind} has, found ${found(fields[part])}` }));
  });
}

/** A pod's lists hold objects; decoding leaves a null as it is, and says nothing of a status. */
function listProblems(pod: Readonly<Record<string, unknown>>, path: string): FormatProblem[] {
  return ([['spec', 'containers', true], ['spec', 'initContainers', false], ['spec', 'volumes', false], ['status', 'conditions', false], ['status', 'containerStatuses', false], ['status', 'initContainerStatuses', false]] as const).flatMap(([part, name, always]) => {
    const list = (pod[part] as Readonly<Record<string, unknown>>)[name];
    if (list === undefined && !always) return [];
    return Array.isArray(list) && list.every(isObject) ? [] : [{ path: `${path}.${part}.${name}`, message: `expected a list of objects, found ${found(list)}` }];
  });
}

function decodeProblem(kind: string, object: object): string | undefined {
  try {
    decode(kind, object);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function isObject(value: unknown): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** V8 names the position in the text for most errors. */
function lineOfJsonError(text: string, error: unknown): number | undefined {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
}
