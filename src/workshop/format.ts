/** Reads a workshop's path (YAML) and checks it: lessons to read, labs to try, tasks to pass, in their order. */
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { FormatError, found } from '../formats/format-error.ts';
import { problemsOf } from '../formats/problems.ts';
import { lineInDocument } from '../formats/scenario.ts';
import { readDeed } from '../lab/deeds.ts';
import type { Workshop } from './workshop.ts';

const id = z.string().regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and hyphens');
const said = z.strictObject({ en: z.string().min(1), zh: z.string().min(1) });
const minutes = z.number().int().positive();
const deed = z.string().check((context) => {
  try {
    readDeed(context.value);
  } catch (error) {
    context.issues.push({ code: 'custom', input: context.value, message: (error as Error).message });
  }
});

const MOST_HINTS = 3;

const partSchemas = {
  lesson: z.strictObject({ lesson: id, minutes, say: said }),
  task: z.strictObject({
    task: id,
    lab: id,
    minutes,
    title: said,
    say: said,
    start: z.array(deed).default([]),
    opens: z.string().min(1).optional(),
    passes: z.array(z.string().min(1)).min(1, 'expected at least one fact'),
    hints: z.array(said).min(1, 'expected one to three hints').max(MOST_HINTS, 'expected one to three hints'),
    solution: z.array(deed).min(1, 'expected at least one deed'),
  }),
  lab: z.strictObject({ lab: id, minutes, say: said }),
};
type PartKind = keyof typeof partSchemas;
/** In the order in which they are looked for: a task names a lab as well. */
const KINDS = Object.keys(partSchemas) as PartKind[];

const partSchema = z.unknown().transform((part, context) => {
  const kind = part !== null && typeof part === 'object' ? KINDS.find((name) => name in part) : undefined;
  if (kind === undefined) {
    context.issues.push({ code: 'custom', input: part, message: `expected a part with one of the keys ${KINDS.join(', ')}` });
    return z.NEVER;
  }
  const read = partSchemas[kind].safeParse(part);
  if (read.success) return { kind, ...read.data };
  for (const issue of read.error.issues) context.issues.push({ ...issue, input: part } as z.core.$ZodRawIssue);
  return z.NEVER;
});

const schema = z.strictObject({
  id,
  order: z.number().int().positive(),
  title: said,
  about: said,
  parts: z.array(partSchema).min(1, 'expected at least one part'),
});

/**
 * Reads a workshop.
 * @param file the file's name, for messages only
 * @throws FormatError naming every problem with its line
 */
export function parseWorkshop(text: string, file: string): Workshop {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) {
    throw new FormatError(file, 'workshop', document.errors.map((error) => ({ path: '', line: error.linePos?.[0].line, message: `this is no valid YAML: ${error.message.split('\n')[0] ?? ''}` })));
  }
  const data: unknown = document.toJS();
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    throw new FormatError(file, 'workshop', [{ path: '', message: `expected an object with id, order, title, about and parts, found ${found(data)}` }]);
  }
  const lineOf = (path: readonly PropertyKey[]): number | undefined => lineInDocument(document, lines, path);
  const read = schema.safeParse(data);
  if (!read.success) throw new FormatError(file, 'workshop', problemsOf(read.error.issues, data, lineOf));
  const workshop = read.data as Workshop;
  const tasks = workshop.parts.flatMap((part, i) => (part.kind === 'task' ? [{ task: part.task, i }] : []));
  const twice = tasks.filter(({ task, i }) => tasks.some((other) => other.task === task && other.i < i));
  if (twice.length > 0) throw new FormatError(file, 'workshop', twice.map(({ task, i }) => ({ path: `parts[${i}].task`, line: lineOf(['parts', i, 'task']), message: `there is a task "${task}" before; each needs a name of its own` })));
  return workshop;
}
