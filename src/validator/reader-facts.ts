/** Facts of what the reader did and saw: steps, exec results, command outputs line by line, and how the run ended. */
import type { OutputRecord, StepRecord, Trace } from '../../machines/trace/format.ts';
import type { Fact } from './fact.ts';
import type { Dropped } from './ignored.ts';
import { asWritten } from './names.ts';
import type { Names } from './names.ts';
import { outputLines } from './output-lines.ts';
import { raggedTables } from './tables.ts';

const resultFields: ReadonlySet<string> = new Set(['type', 't', 'step', 'verb', 'code', 'text', 'stdout', 'stderr', 'name']);

export function readerFacts(trace: Trace, names: Names, dropped: Dropped): Fact[] {
  const facts = trace.records.flatMap((record, index) => {
    if (record.type === 'step') return stepFacts(record, index, names, dropped);
    if (record.type === 'output') return outputFacts(record, index, names, dropped);
    return [];
  });
  const failed = trace.failed === undefined || trace.failed === null ? 'every step came to its end' : `failed: ${JSON.stringify(trace.failed)}`;
  return [...facts, { kind: 'end', subject: 'run', text: failed, index: trace.records.length, t: trace.records.at(-1)?.t ?? 0 }];
}

function stepFacts(record: StepRecord, index: number, names: Names, dropped: Dropped): Fact[] {
  const place = { index, t: record.t, byClock: true };
  const subject = `step ${record.step}`;
  const asked = Object.entries(record).filter(([field]) => !resultFields.has(field)).sort(([a], [b]) => (a < b ? -1 : 1));
  const target = typeof record['name'] === 'string' ? ` on ${names.text(record['name'])}` : '';
  const text = `${record.verb}${target} ${names.text(JSON.stringify(Object.fromEntries(asked)), asWritten)}`;
  const facts: Fact[] = [{ kind: 'step', subject, text, lane: 'steps', ...place }];
  if (record.verb === 'exec') {
    for (const stream of ['stdout', 'stderr'] as const) {
      const value = typeof record[stream] === 'string' ? record[stream] : '';
      for (const [position, line] of outputLines(value, String(record['sh']), names, dropped, 'exact').entries()) {
        facts.push({ kind: 'exec', subject, text: `${stream} ${position + 1}: ${line}`, ...place });
      }
    }
    facts.push({ kind: 'exec', subject, text: `exit code ${String(record['code'])}`, ...place });
  }
  if (record.verb === 'run') facts.push(...lineFacts(subject, String(record['text'] ?? ''), record['code'], String(record['command']), index, record.t, names, dropped));
  return facts;
}

function outputFacts(record: OutputRecord, index: number, names: Names, dropped: Dropped): Fact[] {
  return lineFacts(`step ${record.step} refused`, record.text, record.code, '', index, record.t, names, dropped);
}

function lineFacts(subject: string, text: string, code: unknown, command: string, index: number, t: number, names: Names, dropped: Dropped): Fact[] {
  let inEvents = false;
  let described = '';
  const lines = outputLines(text, command, names, dropped).map(line => {
    if (line === 'Events:') inEvents = true;
    if (/^Name: /.test(line)) {
      inEvents = false;
      described = ` ${line.replace(/\s+/g, ' ')}`;
    }
    return { kind: 'output', subject, text: line, lane: laneOfLine(line, `${subject}${described}`, inEvents), index, t, byClock: true } satisfies Fact;
  });
  const odd = raggedTables(text).map(header => ({ kind: 'output', subject, text: `columns not padded as kubectl pads them: ${header}`, index, t, byClock: true }) satisfies Fact);
  return [...lines, ...odd, { kind: 'output', subject, text: `exit code ${String(code)}`, index, t, byClock: true }];
}

/**
 * Lines keep their order, but for three sorts: rows that start with a generated name (kubectl sorts by name), rows of
 * describe's event table, which it sorts by whole seconds: only those of one component keep theirs, and rows of events of
 * several objects. What describe says of several objects, which it sorts by name too, is in order object by object.
 */
function laneOfLine(line: string, subject: string, inEvents: boolean): string | undefined {
  const words = line.trim().split(' ');
  if (/-of\(/.test(words[0] ?? '')) return undefined;
  // `kubectl get events`: events of two objects are sorted by the second, or by names with times in them.
  if (words[0] === '<age>' && (words[1] === 'Normal' || words[1] === 'Warning')) return `${subject} events of ${words[3] ?? ''}`;
  if (inEvents && (words[0] === 'Normal' || words[0] === 'Warning')) return `${subject} events from ${words[3] ?? ''}`;
  return subject;
}
