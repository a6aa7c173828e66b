/** What the commands of the run printed, up to the step shown. */
import type { ReactNode } from 'react';
import type { StepRecord } from '../../../machines/trace/format.ts';
import { clock } from '../../trace-view/times.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';
import { typedText } from './Written.tsx';

/** The commands that have printed something by now. */
export function printedBy(moment: Moment): StepRecord[] {
  return moment.trace.records
    .slice(0, moment.index + 1)
    .filter((record): record is StepRecord => record.type === 'step' && (record.verb === 'run' || record.verb === 'exec'));
}

export function Output({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  return (
    <div className="outputs">
      {printedBy(moment).map((record) => (
        <div key={record.step}>
          <p className="log-h">
            <span>
              {clock(record.t)} {say('seconds')}
            </span>
            {record['code'] !== 0 && <span>{say('exitCode', { code: String(record['code']) })}</span>}
          </p>
          <pre className="term" tabIndex={0}>
            <b>{typedText(record)}</b>
            {`\n${[record['text'], record['stdout'], record['stderr']].filter((part): part is string => typeof part === 'string').join('').trimEnd()}`}
          </pre>
        </div>
      ))}
    </div>
  );
}
