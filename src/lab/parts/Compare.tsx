/** Two runs at the same moment: with the reader's last change and without it. */
import type { ReactNode } from 'react';
import type { Trace } from '../../../machines/trace/format.ts';
import type { Lang } from '../../i18n/langs.ts';
import { eventKey } from '../../trace-view/recorded.ts';
import { eventsAt, type EventRow } from '../../trace-view/events.ts';
import { stepAt } from '../step-at.ts';
import { Rich, useSay } from '../text.tsx';
import { momentOf, type Moment } from '../view.ts';
import { Line } from './Line.tsx';
import { saidBy } from './Sentence.tsx';

interface Props {
  readonly lang: Lang;
  readonly moment: Moment;
  readonly other: Trace;
  readonly pod: string | undefined;
}

export function Compare({ lang, moment, other, pod }: Props): ReactNode {
  const say = useSay();
  const twin = momentOf(other, stepAt(other, moment.t), pod);
  const mine = eventsAt(moment.trace, moment.index);
  const theirs = eventsAt(other, twin.index);
  return (
    <div className="pair">
      <Side lang={lang} title={say('otherRun')} moment={twin} only={onlyIn(theirs, mine)} />
      <Side lang={lang} title={say('thisRun')} moment={moment} only={onlyIn(mine, theirs)} />
    </div>
  );
}

function onlyIn(rows: readonly EventRow[], others: readonly EventRow[]): EventRow[] {
  const known = new Set(others.map((row) => eventKey(row.event)));
  return rows.filter((row) => !known.has(eventKey(row.event)));
}

function Side({ lang, title, moment, only }: { readonly lang: Lang; readonly title: string; readonly moment: Moment; readonly only: readonly EventRow[] }): ReactNode {
  const say = useSay();
  return (
    <section className="side">
      <h3 className="part-h">{title}</h3>
      <p className="side-say">
        <Rich text={saidBy(moment.sentence, lang, say)} />
      </p>
      <Line lang={lang} line={moment.line} open={undefined} onOpen={() => {}} panelId="" withPlan={false} still />
      <h3 className="part-h">{say('onlyHere')}</h3>
      {only.length === 0 ? (
        <p className="same">{say('nothingOnly')}</p>
      ) : (
        <ul className="only">
          {only.map((row) => (
            <li key={row.key}>
              <code>{`${row.event.type} ${row.event.reason}`}</code> <code className="second">{row.event.message}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
