/** What a step wrote, in few words, for the time line's own value; the run as text says it in full, with who spoke to whom. */
import { typedText } from './parts/Written.tsx';
import type { Moment } from './view.ts';

export function brief(moment: Pick<Moment, 'trace'>, index: number): string {
  const record = moment.trace.records[index];
  switch (record?.type) {
    case 'step':
      return typedText(record).replace(/^[$#] /, '').split('\n').slice(0, 4).join(' ');
    case 'watch': {
      const { object } = record;
      if (object.kind === 'Event') return `${object.reportingComponent}: ${object.type} ${object.reason}: ${object.message}`;
      return `${record.verb} ${object.kind} ${object.metadata.name}`;
    }
    case 'state':
      return `${record.machine}, ${record.key}: ${record.from} → ${record.to}`;
    case 'csi':
      return `${record.driver}: ${record.method} ${record.code} ${record.error}`;
    case 'log':
      return `${record.component}: ${record.text.slice(0, 200)}`;
    default:
      return '';
  }
}
