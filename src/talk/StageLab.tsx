/** A lab at stage size: one sentence, the line, and below it one thing more. Everything follows from the moment and the lab's state. */
import type { CSSProperties, ReactNode } from 'react';
import type { LabData, LabPaths } from '../lab/data.ts';
import { sourceAt } from '../lab/source.ts';
import type { LabState } from '../lab/state.ts';
import { Rich, useSay } from '../lab/text.tsx';
import type { Run } from '../lab/use-run.ts';
import { momentOf } from '../lab/view.ts';
import { saidBy } from '../lab/parts/Sentence.tsx';
import { clock } from '../trace-view/times.ts';
import { didText } from './did.ts';
import { Below, needsRoom } from './StageBelow.tsx';
import { rowsOf, StageLine } from './StageLine.tsx';
import { sayScale, widthOf } from './scale.ts';
import { useLang, useText } from './TalkWords.tsx';

interface Props {
  readonly data: LabData;
  readonly paths: LabPaths;
  readonly state: LabState;
  /** The run to show; while the one that the state asks for is computed, the one before. */
  readonly run: Run;
  /** The speaker's own sentence, as HTML; it holds for the state that the talk planned. */
  readonly headline: string | undefined;
  /** `20 / 38`, or what the talk counts. */
  readonly count: ReactNode;
}

export function StageLab({ paths, state, run, headline, count }: Props): ReactNode {
  const say = useSay();
  const lang = useLang();
  const text = useText();
  const moment = momentOf(run.trace, state.step, state.pod);
  const low = needsRoom(state, moment);
  const sentence = saidBy(moment.sentence, lang, say);
  const size = { '--k': sayScale(widthOf(headline === undefined ? sentence : plain(headline)), low) } as CSSProperties;
  return (
    <div className="on-stage lab-step" data-rows={low ? 0 : rowsOf(moment.line)}>
      {headline === undefined ? (
        <p className="say" style={size}>
          <Rich text={sentence} />
        </p>
      ) : (
        <div className="say" style={size} dangerouslySetInnerHTML={{ __html: headline }} />
      )}
      <StageLine line={moment.line} open={state.station} low={low} />
      <Below moment={moment} state={state} run={run} sourceOf={(row) => sourceAt(row, state.recording, run, paths)} />
      <p className="stage-foot">
        <span>
          {clock(moment.t)} {say('seconds')}
          {state.actions.length > 0 && (
            <span className="changes">
              {text.changed} {state.actions.map((action) => didText(action, text)).join(say('sep'))}
            </span>
          )}
        </span>
        <span>{count}</span>
      </p>
    </div>
  );
}

function plain(html: string): string {
  return html.replace(/<[^>]*>/g, ' ');
}
