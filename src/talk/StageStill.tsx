/** A lab's step as a picture, for a talk's own page and for paper: made at build, without a script. */
import type { ReactNode } from 'react';
import type { Messages } from '../i18n/en.ts';
import type { Lang } from '../i18n/langs.ts';
import type { LabData, LabPaths } from '../lab/data.ts';
import type { LabState } from '../lab/state.ts';
import { MessagesContext } from '../lab/text.tsx';
import type { Run } from '../lab/use-run.ts';
import { StageLab } from './StageLab.tsx';
import { LangContext } from './TalkWords.tsx';

interface Props {
  readonly lang: Lang;
  readonly messages: Messages;
  readonly data: LabData;
  readonly paths: LabPaths;
  readonly state: LabState;
  readonly run: Run;
  readonly headline: string | undefined;
}

export default function StageStill({ lang, messages, ...rest }: Props): ReactNode {
  return (
    <LangContext value={lang}>
      <MessagesContext value={messages}>
        <StageLab {...rest} count={<span className="step-count" />} />
      </MessagesContext>
    </LangContext>
  );
}
