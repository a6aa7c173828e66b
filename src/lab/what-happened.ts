import { messageOf } from '../trace-view/actors.ts';
import { actorName } from './actor-name.ts';
import { typedText } from './parts/Written.tsx';
import type { Say } from './text.tsx';
import type { Moment } from './view.ts';

/** One record in one line of text. */
export function whatHappened(moment: Pick<Moment, 'trace'>, index: number, say: Say): string {
  const record = moment.trace.records[index];
  if (record === undefined) return '';
  if (record.type === 'step') return `${say('actor_person')}: ${typedText(record).replace(/^[$#] /, '').split('\n').slice(0, 4).join(' ')}`;
  if (record.type === 'watch' && record.object.kind === 'Event') {
    return `${actorName(messageOf(moment.trace, index)?.from ?? 'other controller', say)}: ${record.object.type} ${record.object.reason}: ${record.object.message}`;
  }
  if (record.type === 'state') return `${record.machine}, ${record.key}: ${record.from} → ${record.to}`;
  if (record.type === 'log') return `${record.component}: ${record.text.slice(0, 200)}`;
  const message = messageOf(moment.trace, index);
  if (message === undefined) return '';
  return `${actorName(message.from, say)} → ${actorName(message.to, say)}: ${message.what}${record.type === 'csi' ? ` ${record.code} ${record.error}` : ''}`;
}
