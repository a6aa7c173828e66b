/** Of a recorded run: what the components' logs said since the step before. */
import { useState, type ReactNode } from 'react';
import type { LogRecord } from '../../../machines/trace/format.ts';
import { clock } from '../../trace-view/times.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';

const FIRST_LINES = 8;

export function Logs({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  const [all, setAll] = useState(false);
  const from = moment.steps[moment.step]?.from ?? 0;
  const lines = moment.trace.records.slice(from, moment.index + 1).filter((record): record is LogRecord => record.type === 'log');
  if (!moment.trace.records.some((record) => record.type === 'log')) return null;
  const shown = all ? lines : lines.slice(-FIRST_LINES);
  return (
    <section>
      <h2 className="part-h">
        {say('logLines')} <span>{say('logLinesNote', { n: lines.length })}</span>
      </h2>
      {lines.length > shown.length && (
        <p className="same">
          <button className="link" type="button" onClick={() => setAll(true)}>
            {say('showAll', { n: lines.length })}
          </button>
        </p>
      )}
      {shown.map((line, i) => (
        <div key={i}>
          <p className="log-h">
            <span>
              <b>{line.component}</b> {line.node ?? ''}
            </span>
            <span>
              {clock(line.t)} {say('seconds')}
            </span>
          </p>
          <p className="log">{line.text}</p>
        </div>
      ))}
    </section>
  );
}
