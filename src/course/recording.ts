/** A place in a recording, as lessons name it: `missing-secret/1#107` is record 107 (from 0) of the first run of that scenario. */
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';

export interface Place {
  readonly scenario: string;
  readonly run: number;
  readonly record: number;
}

/** Reads `scenario/run#record`. Throws a plain sentence on anything else. */
export function placeOf(text: string): Place {
  const found = /^([a-z0-9-]+)\/(\d+)#(\d+)$/.exec(text);
  if (found === null) throw new Error(`"${text}" names no place in a recording; expected scenario/run#record, as in missing-secret/1#107`);
  return { scenario: found[1] ?? '', run: Number(found[2]), record: Number(found[3]) };
}

/** The record at a place of its trace. Throws where the recording ends before it. */
export function recordAt(trace: Trace, place: Place): TraceRecord {
  const record = trace.records[place.record];
  if (record === undefined) throw new Error(`${place.scenario}/${place.run} has ${trace.records.length} records, none with number ${place.record}`);
  return record;
}

/** The lines that a record says, as a terminal or a log shows them. */
export function linesOf(record: TraceRecord): string[] {
  return says(record).split('\n').map((line) => line.trimEnd());
}

function says(record: TraceRecord): string {
  switch (record.type) {
    case 'log':
    case 'output':
      return record.text;
    case 'csi':
      return [record.method, record.code, record.error, JSON.stringify(record.request)].join('\n');
    case 'state':
      return `${record.from} ${record.event} ${record.to}`;
    case 'step':
      return ['text', 'stdout', 'stderr'].map((field) => record[field]).filter((part) => typeof part === 'string').join('\n');
    case 'watch':
      return record.object.kind === 'Event' ? `${record.object.reason}\n${record.object.message ?? ''}` : yamlLines(record.object).join('\n');
  }
}

/** An object as lines of YAML-like `key: value`, so that a lesson can quote single fields of it. */
function yamlLines(value: unknown, indent = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = yamlLines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) =>
      typeof item === 'object' && item !== null ? [`${indent}${key}:`, ...yamlLines(item, `${indent}  `)] : [`${indent}${key}: ${String(item)}`],
    );
  }
  return [`${indent}${String(value)}`];
}

/** The command that a record answers, as typed; undefined where it is no command. */
export function commandOf(record: TraceRecord): string | undefined {
  if (record.type !== 'step') return undefined;
  const typed = record['command'] ?? record['sh'];
  return typeof typed === 'string' ? typed : undefined;
}
