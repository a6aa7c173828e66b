/** How a station's state is drawn and said. */
import type { MessageKey } from '../i18n/en.ts';
import type { StationName } from '../trace-view/station-names.ts';
import type { Line, Mark } from '../trace-view/stations.ts';

/** `heard`: the kubelet said so, and its node has been silent since. */
export type DrawnMark = Mark | 'heard';

/** What the kubelet alone bears witness to. */
const KUBELETS: ReadonlySet<StationName> = new Set<StationName>(['staged', 'published', 'process']);

/** The mark of a station, or of one volume's stop there, as it is drawn. */
export function drawn(line: Pick<Line, 'silent'>, name: StationName, mark: Mark): DrawnMark {
  return line.silent !== undefined && KUBELETS.has(name) && (mark === 'proven' || mark === 'partly') ? 'heard' : mark;
}

export const MARK_ICON: Readonly<Record<DrawnMark, string>> = {
  proven: 'm-lit',
  partly: 'm-part',
  here: 'm-here',
  blocked: 'm-block',
  'not-run': 'm-no',
  'passed-through': 'm-thru',
  ended: 'm-end',
  heard: 'm-heard',
};

export const MARK_WORD: Readonly<Record<DrawnMark, MessageKey>> = {
  proven: 'markProven',
  partly: 'markPartly',
  here: 'markHere',
  blocked: 'markBlocked',
  'not-run': 'markNotRun',
  'passed-through': 'markPassed',
  ended: 'markEnded',
  heard: 'markHeard',
};

/** Has anything of this station been tried? Its track is drawn as travelled. */
export function isReached(mark: DrawnMark): boolean {
  return mark !== 'not-run';
}
