/** The line, standing, for narrow labs: one row a station, one rail a volume, the opened station inside its row. */
import type { ReactNode } from 'react';
import { stationText } from '../../i18n/stations.ts';
import type { Lang } from '../../i18n/langs.ts';
import { STATIONS, type StationName } from '../../trace-view/station-names.ts';
import type { Line, Track } from '../../trace-view/stations.ts';
import { clock } from '../../trace-view/times.ts';
import { drawn, isReached, MARK_ICON, MARK_WORD, type DrawnMark } from '../marks.ts';
import { useSay } from '../text.tsx';
import { tracksInOrder } from '../view.ts';
import { stationWords, vars } from './Line.tsx';

interface Props {
  readonly lang: Lang;
  readonly line: Line;
  readonly open: StationName | undefined;
  readonly onOpen: (station: StationName) => void;
  readonly panel: ReactNode;
}

export function StandingLine({ lang, line, open, onOpen, panel }: Props): ReactNode {
  const say = useSay();
  const tracks = tracksInOrder(line);
  const rails = Math.max(1, tracks.length);
  return (
    <ol className="vline" aria-label={say('stations')} style={{ '--rail': `${12 + rails * 24}px` } as React.CSSProperties}>
      {STATIONS.map((name, i) => {
        const station = line.stations[name];
        const words = stationWords(station, line, say);
        const dim = station.mark === 'not-run' || station.mark === 'passed-through' || station.mark === 'ended';
        const branching = tracks.length > 1;
        return (
          <li key={name} className={`${dim ? 'no' : ''}${name === 'published' && branching ? ' pub' : ''}`}>
            <div className="rails" aria-hidden="true">
              <Rails line={line} tracks={tracks} at={i} />
            </div>
            <button type="button" className="row" data-station={name} aria-expanded={open === name} onClick={() => onOpen(name)}>
              <span className="nm">
                {stationText[lang][name]}
                <span className="vh">: {say(MARK_WORD[drawn(line, name, station.mark)])}</span>
              </span>
              {words.word === undefined ? <span className="at">{words.at}</span> : <span className={`word ${station.mark === 'blocked' ? 'block' : 'no'}`}>{words.word}</span>}
            </button>
            {words.evidence !== undefined && <div className="ev">{words.evidence}</div>}
            {station.mark === 'blocked' && !(name === 'published' && branching) && <div className="ev">{station.refusal?.short}</div>}
            {open === name && panel}
            {name === 'published' && branching && <Subs line={line} tracks={tracks} />}
          </li>
        );
      })}
    </ol>
  );
}

/** The rails beside one station. */
function Rails({ line, tracks, at }: { readonly line: Line; readonly tracks: readonly Track[]; readonly at: number }): ReactNode {
  const marks = mainMarks(line, tracks[0]);
  const branching = tracks.length > 1;
  const name = STATIONS[at] as StationName;
  const between = branching && (name === 'attached' || name === 'staged' || name === 'published');
  const up = at > 0 && isReached(marks[at - 1] ?? 'not-run') && isReached(marks[at] ?? 'not-run');
  const down = at + 1 < marks.length && isReached(marks[at] ?? 'not-run') && isReached(marks[at + 1] ?? 'not-run');
  const mark = marks[at] ?? 'not-run';
  return (
    <>
      {at > 0 && <i className={`sg up${up ? '' : ' todo'}`} style={vars({ k: 0 })} />}
      {at + 1 < marks.length && <i className={`sg dn${down ? '' : ' todo'}`} style={vars({ k: 0 })} />}
      {name === 'node' && branching && tracks.slice(1).map((track, i) => <i key={track.volume} className={`fan${begun(track) ? '' : ' todo'}`} style={vars({ k: i + 1 })} />)}
      {between && tracks.slice(1).map((track, i) => <i key={track.volume} className={`sg all${begun(track) ? '' : ' todo'}`} style={vars({ k: i + 1 })} />)}
      {between && name !== 'published' && tracks.slice(1).map((track, i) => <BranchMark key={track.volume} mark={drawn(line, name, track[name as 'attached' | 'staged'])} k={i + 1} />)}
      {(name !== 'published' || !branching) && (mark === 'passed-through' ? <i className="tick" style={vars({ k: 0 })} /> : <MarkOn mark={mark} k={0} />)}
    </>
  );
}

function mainMarks(line: Line, first: Track | undefined): DrawnMark[] {
  return STATIONS.map((name) => drawn(line, name, first !== undefined && (name === 'attached' || name === 'staged' || name === 'published') ? first[name] : line.stations[name].mark));
}

function begun(track: Track): boolean {
  return isReached(track.published) || (track.kind === 'claim' && isReached(track.attached));
}

function BranchMark({ mark, k }: { readonly mark: DrawnMark; readonly k: number }): ReactNode {
  return mark === 'passed-through' ? <i className="tick" style={vars({ k })} /> : <MarkOn mark={mark} k={k} />;
}

function MarkOn({ mark, k }: { readonly mark: DrawnMark; readonly k: number }): ReactNode {
  return (
    <svg className="mk" style={vars({ k })} aria-hidden="true">
      <use href={`#${MARK_ICON[mark]}`} />
    </svg>
  );
}

/** The stops inside `published`: each volume's own end, in one capsule. */
function Subs({ line, tracks }: { readonly line: Line; readonly tracks: readonly Track[] }): ReactNode {
  const say = useSay();
  return (
    <ol className="subs">
      {tracks.map((track, row) => (
        <li key={track.volume} className={track.published === 'not-run' ? 'no' : track.published === 'blocked' ? 'block' : ''}>
          <div className="rails" aria-hidden="true">
            {tracks.map((other, k) => {
              const ends = k > 0 && k < row;
              if (ends) return null;
              const last = k > 0 && k === row;
              const solid = k === 0 ? isReached(other.published) && row <= 0 : begun(other);
              return <i key={other.volume} className={`sg ${last ? 'up' : 'all'}${solid || (k > 0 && begun(other)) ? '' : ' todo'}`} style={vars({ k })} />;
            })}
            <MarkOn mark={drawn(line, 'published', track.published)} k={row} />
          </div>
          <div className="row">
            <span className="nm">
              <code>{track.volume}</code>
            </span>
            {track.published === 'blocked' ? (
              <span className="word block">{say('blocked')}</span>
            ) : track.published === 'ended' ? (
              <span className="word no">{say('ended')}</span>
            ) : track.published === 'not-run' ? (
              <span className="word no">{say('notRun')}</span>
            ) : (
              <span className="at">{line.silent !== undefined ? say('asOf', { t: clock(line.silent.since) }) : track.since === undefined ? say(MARK_WORD[track.published]) : `${clock(track.since)} ${say('seconds')}`}</span>
            )}
          </div>
          {track.refusal !== undefined && track.published === 'blocked' && <div className="ev">{track.refusal.short}</div>}
          {track.published === 'not-run' && track.kind === 'claim' && <div className="ev quiet-sans">{say(track.attached === 'proven' ? 'waitsForStaged' : 'waitsForAttach')}</div>}
          {track.published === 'here' && track.since !== undefined && <div className="ev quiet-sans">{say('settingUp')}</div>}
        </li>
      ))}
    </ol>
  );
}
