/** The line at stage size: names, tracks, what is blocked. Evidence and times are for the lab. */
import type { CSSProperties, ReactNode } from 'react';
import { stationText } from '../i18n/stations.ts';
import { drawn, MARK_ICON, MARK_WORD } from '../lab/marks.ts';
import { Tracks, vars } from '../lab/parts/Line.tsx';
import { Icon, useSay } from '../lab/text.tsx';
import { tracksInOrder } from '../lab/view.ts';
import { STATIONS, type StationName } from '../trace-view/station-names.ts';
import type { Line, Track } from '../trace-view/stations.ts';
import { useLang, useText } from './TalkWords.tsx';

interface Props {
  readonly line: Line;
  /** The station whose evidence lies open below. */
  readonly open: StationName | undefined;
  /** Less height: something else needs the room. One track stands for the pod. */
  readonly low: boolean;
}

const PUBLISHED = STATIONS.indexOf('published');
const NODE = STATIONS.indexOf('node');
/** More branches than these are not told apart from the last row. */
const MOST_BRANCHES = 3;

export function StageLine({ line, open, low }: Props): ReactNode {
  const say = useSay();
  const lang = useLang();
  const text = useText();
  const found = shownTracks(line, low);
  const rows = Math.max(0, found.length - 1);
  // Without branches the stations themselves are drawn, as they stand for the whole pod.
  const tracks = rows === 0 ? [] : found;
  const blockedHere = STATIONS.find((name) => line.stations[name].mark === 'blocked' && !(name === 'published' && rows > 0));
  return (
    <div className={`line${blockedHere === undefined ? '' : ' worded'}${low ? ' low' : ''}`} style={{ ...vars({ rows }), '--gap': gapOf(rows) } as CSSProperties}>
      <ol aria-label={say('stations')}>
        {STATIONS.map((name, i) => {
          const mark = drawn(line, name, line.stations[name].mark);
          return (
            <li key={name} className={`stop${mark === 'not-run' || mark === 'passed-through' || mark === 'ended' ? ' no' : ''}${open === name ? ' open' : ''}`} style={vars({ i })}>
              <Icon name={MARK_ICON[mark]} className="mk own" />
              <span className="nm">
                {stationText[lang][name]}
                <span className="vh">: {say(MARK_WORD[mark])}</span>
              </span>
              {name === blockedHere && <span className="word block">{say('blocked')}</span>}
            </li>
          );
        })}
      </ol>
      <div aria-hidden="true">
        <Tracks line={line} tracks={tracks} />
      </div>
      {tracks.map((track, row) => (
        <p key={track.volume} className="cap-t" style={vars({ from: NODE, r: row })}>
          <code>{track.volume}</code>
          {say('sep')}
          {text.kinds[track.kind]}
        </p>
      ))}
      {tracks.map((track, row) =>
        row > 0 && track.published === 'blocked' ? (
          <p key={track.volume} className="call" style={vars({ i: PUBLISHED, r: row })}>
            <span className="word block">{say('blocked')}</span>
          </p>
        ) : null,
      )}
    </div>
  );
}

/** The claim's track, then those that hold the pod up, then the others, as many as there is room for. */
function shownTracks(line: Line, low: boolean): Track[] {
  const [main, ...branches] = tracksInOrder(line);
  if (main === undefined) return [];
  if (low) return [main];
  // What the kubelet adds to every pod by itself tells nothing, unless it holds the pod up.
  const own = branches.filter((track) => track.kind !== 'projected' || track.published === 'blocked');
  const telling = own.sort((a, b) => Number(b.published === 'blocked') - Number(a.published === 'blocked')).slice(0, MOST_BRANCHES);
  return [main, ...telling];
}

/** How many branches the line has on the stage. */
export function rowsOf(line: Line): number {
  return Math.max(0, shownTracks(line, false).length - 1);
}

function gapOf(rows: number): string {
  return `calc(${rows <= 1 ? 112 : rows === 2 ? 84 : 66} * var(--u))`;
}
