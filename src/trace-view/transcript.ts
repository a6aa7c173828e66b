/** A record as one entry of a plain transcript: who, and what. */
import type { Trace } from '../../machines/trace/format.ts';
import { messageOf } from './actors.ts';
import { shownLines } from './diff.ts';
import { kindName } from './names.ts';
import { objectKey, worldAt } from './world.ts';

export interface TranscriptLine {
  readonly who: string;
  readonly text: string;
}

/** What record `index` says, whole; of a changed object the changed lines. */
export function transcriptLine(trace: Trace, index: number): TranscriptLine {
  const record = trace.records[index];
  if (record === undefined) throw new Error(`${trace.scenario.id} has no record ${index}`);
  switch (record.type) {
    case 'log':
      return { who: [record.component, record.node ?? ''].filter((part) => part !== '').join(' '), text: `${record.severity} ${record.source} ${record.text}` };
    case 'csi':
      return { who: record.driver, text: `${record.method} on ${record.node}: ${record.code} ${record.error}\n${JSON.stringify(record.request)}` };
    case 'output':
      return { who: 'kubectl', text: record.text };
    case 'state':
      return { who: record.machine, text: `${record.key}: ${record.from} → ${record.to}` };
    case 'step': {
      const { t: _t, type: _type, step, verb, text, stdout, stderr, manifest, ...fields } = record;
      const printed = [manifest, text, stdout, stderr].filter((part): part is string => typeof part === 'string' && part !== '');
      return { who: `step ${step}`, text: [`${verb} ${JSON.stringify(fields)}`, ...printed].join('\n').trimEnd() };
    }
    case 'watch': {
      const { object } = record;
      const who = messageOf(trace, index)?.from ?? '';
      if (object.kind === 'Event') return { who, text: `Event ${record.verb} ${object.type} ${object.reason} ${object.involvedObject.kind ?? ''}/${object.involvedObject.name ?? ''}: ${object.message}` };
      const before = worldAt(trace, index - 1).objects.get(objectKey(object))?.object;
      const lines = record.verb === 'MODIFIED' ? shownLines(before, object).lines.flatMap(({ line }) => (line === undefined ? [] : [`${line.mark === '' ? ' ' : line.mark} ${line.text}`])) : [];
      return { who, text: [`${record.verb} ${kindName(object.kind)} ${object.metadata.name}`, ...lines].join('\n') };
    }
  }
}
