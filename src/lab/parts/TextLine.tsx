/** The run as text: for each step its time, what happened, who did it, the sentence and the line. Nothing is left to the picture. */
import type { ReactNode } from 'react';
import type { Lang } from '../../i18n/langs.ts';
import { stationText } from '../../i18n/stations.ts';
import { linesOf } from '../../trace-view/history.ts';
import { STATIONS, type StationName } from '../../trace-view/station-names.ts';
import { clock } from '../../trace-view/times.ts';
import { drawn, MARK_WORD, type DrawnMark } from '../marks.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';
import { whatHappened } from '../what-happened.ts';

interface Props {
  readonly lang: Lang;
  readonly moment: Moment;
  readonly pod: string | undefined;
  readonly onStep: (step: number) => void;
}

export function TextLine({ lang, moment, pod, onStep }: Props): ReactNode {
  const say = useSay();
  const lines = linesOf(moment.trace, pod);
  return (
    <ol className="text-line">
      {moment.steps.map((step, i) => {
        const markAt = (at: number, name: StationName): DrawnMark => {
          const line = lines[at];
          return line === undefined ? 'not-run' : drawn(line, name, line.stations[name].mark);
        };
        const changes = STATIONS.filter((name) => markAt(i, name) !== markAt(i - 1, name));
        return (
          <li key={step.index} aria-current={i === moment.step ? 'step' : undefined}>
            <button className="link" type="button" onClick={() => onStep(i)}>
              {clock(step.t)} {say('seconds')}
            </button>{' '}
            {whatHappened(moment, step.index, say)}
            {changes.map((name) => (
              <span key={name} className="change">
                {stationText[lang][name]}: {say(MARK_WORD[markAt(i, name)])}
                {lines[i]?.stations[name].refusal === undefined ? '' : ` (${lines[i]?.stations[name].refusal?.says ?? ''})`}
              </span>
            ))}
          </li>
        );
      })}
    </ol>
  );
}
