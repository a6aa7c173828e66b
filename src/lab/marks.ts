/** How a station's state is drawn and said. */
import type { MessageKey } from '../i18n/en.ts';
import type { Mark } from '../trace-view/stations.ts';

export const MARK_ICON: Readonly<Record<Mark, string>> = {
  proven: 'm-lit',
  partly: 'm-part',
  here: 'm-here',
  blocked: 'm-block',
  'not-run': 'm-no',
  'passed-through': 'm-thru',
  ended: 'm-end',
};

export const MARK_WORD: Readonly<Record<Mark, MessageKey>> = {
  proven: 'markProven',
  partly: 'markPartly',
  here: 'markHere',
  blocked: 'markBlocked',
  'not-run': 'markNotRun',
  'passed-through': 'markPassed',
  ended: 'markEnded',
};

/** Has anything of this station been tried? Its track is drawn as travelled. */
export function isReached(mark: Mark): boolean {
  return mark !== 'not-run';
}
