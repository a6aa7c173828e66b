/** The line, lying: nine stations, and between `node` and `published` one track for each volume of the pod. */
import { Fragment, type CSSProperties, type ReactNode } from 'react';
import { stationText } from '../../i18n/stations.ts';
import type { Lang } from '../../i18n/langs.ts';
import { STATIONS, type StationName } from '../../trace-view/station-names.ts';
import type { Line as LineView, Station, Track } from '../../trace-view/stations.ts';
import { clock } from '../../trace-view/times.ts';
import { drawn, isReached, MARK_ICON, MARK_WORD, type DrawnMark } from '../marks.ts';
import { useSay, type Say } from '../text.tsx';
import { tracksInOrder } from '../view.ts';

const ATTACHED = STATIONS.indexOf('attached');
const PUBLISHED = STATIONS.indexOf('published');
const NODE = STATIONS.indexOf('node');

interface Props {
  readonly lang: Lang;
  readonly line: LineView;
  readonly open: StationName | undefined;
  readonly onOpen: (station: StationName) => void;
  readonly panelId: string;
  /** A plan of the stop hangs below: no room is kept for tracks. */
  readonly withPlan: boolean;
  /** A picture only: its stations do not open. */
  readonly still?: boolean;
}

export function Line({ lang, line, open, onOpen, panelId, withPlan, still }: Props): ReactNode {
  const say = useSay();
  const tracks = tracksInOrder(line);
  const rows = Math.max(0, tracks.length - 1);
  return (
    <div className={`line${withPlan ? ' zm' : ''}`} style={vars({ rows })}>
      <ol aria-label={say('stations')}>
        {STATIONS.map((name, i) => (
          <li key={name} className={`stop${line.stations[name].mark === 'not-run' || line.stations[name].mark === 'passed-through' || line.stations[name].mark === 'ended' ? ' no' : ''}`} style={vars({ i })}>
            {still === true ? (
              <StationHead lang={lang} station={line.stations[name]} line={line} />
            ) : (
              <button type="button" data-station={name} aria-expanded={open === name} aria-controls={open === name ? panelId : undefined} onClick={() => onOpen(name)}>
                <StationHead lang={lang} station={line.stations[name]} line={line} />
              </button>
            )}
          </li>
        ))}
      </ol>
      <div aria-hidden="true">
        <Tracks line={line} tracks={tracks} />
      </div>
      {tracks.map((track, row) => (
        <p key={track.volume} className="cap-t" style={vars({ from: NODE, r: row })}>
          <code>{track.volume}</code>
          {say('sep')}
          {say(kindOf(track))}
        </p>
      ))}
      {tracks.map((track, row) => (
        <Call key={track.volume} track={track} row={row} say={say} />
      ))}
    </div>
  );
}

/** What the segments and markers of the picture are. Tracks first, so that markers lie on top. */
export function Tracks({ line, tracks }: { readonly line: LineView; readonly tracks: readonly Track[] }): ReactNode {
  const main = mainMarks(line, tracks[0]);
  const branches = tracks.slice(1);
  return (
    <>
      {branches.map((track, i) => (
        <Branch key={track.volume} track={track} row={i + 1} />
      ))}
      {segments(main).map(({ from, to, travelled }) => (
        <i key={from} className={`trk${travelled ? '' : ' todo'}`} style={vars({ from, to, r: 0 })} />
      ))}
      {tracks.length > 0 && <i className="cap" style={vars({ i: PUBLISHED })} />}
      {main.map((mark, i) =>
        mark === 'passed-through' ? <i key={i} className="thru" style={vars({ i, r: 0 })} /> : <MarkAt key={i} mark={mark} i={i} row={0} />,
      )}
      {branches.map((track, i) => (
        <BranchMarks key={track.volume} line={line} track={track} row={i + 1} />
      ))}
    </>
  );
}

/** The marks of the main line: the pod's, and between attach and publish those of its first volume alone. */
function mainMarks(line: LineView, first: Track | undefined): DrawnMark[] {
  return STATIONS.map((name) => {
    const own = first !== undefined && (name === 'attached' || name === 'staged' || name === 'published');
    return drawn(line, name, own ? first[name] : line.stations[name].mark);
  });
}

/** A segment is travelled when both its ends were reached; neighbours of one kind are one stroke. */
export function segments(marks: readonly DrawnMark[]): { from: number; to: number; travelled: boolean }[] {
  const cut: { from: number; to: number; travelled: boolean }[] = [];
  for (let i = 0; i + 1 < marks.length; i++) {
    const travelled = reachedAt(marks, i) && reachedAt(marks, i + 1);
    const last = cut.at(-1);
    if (last !== undefined && last.travelled === travelled) last.to = i + 1;
    else cut.push({ from: i, to: i + 1, travelled });
  }
  return cut;
}

/** A stop without a stage of its own counts as reached only if something behind it was. */
function reachedAt(marks: readonly DrawnMark[], i: number): boolean {
  const mark = marks[i] ?? 'not-run';
  if (mark !== 'passed-through') return isReached(mark);
  return marks.slice(i + 1).some((later) => isReached(later) && later !== 'passed-through');
}

function Branch({ track, row }: { readonly track: Track; readonly row: number }): ReactNode {
  const marks: DrawnMark[] = ['proven', track.attached, track.staged, track.published];
  const [elbow, ...rest] = splitEach(marks);
  return (
    <>
      <i className={`brn${elbow === true ? '' : ' todo'}`} style={vars({ from: NODE, to: ATTACHED, r: row })} />
      {rest.map((travelled, i) => (
        <i key={i} className={`trk${travelled ? '' : ' todo'}`} style={vars({ from: ATTACHED + i, to: ATTACHED + i + 1, r: row })} />
      ))}
    </>
  );
}

function splitEach(marks: readonly DrawnMark[]): boolean[] {
  return marks.slice(1).map((_, i) => reachedAt(marks, i) && reachedAt(marks, i + 1));
}

function BranchMarks({ line, track, row }: { readonly line: LineView; readonly track: Track; readonly row: number }): ReactNode {
  return (
    <>
      {[track.attached, drawn(line, 'staged', track.staged)].map((mark, i) =>
        mark === 'passed-through' ? (
          <i key={i} className="thru" style={vars({ i: ATTACHED + i, r: row })} />
        ) : (
          <MarkAt key={i} mark={mark} i={ATTACHED + i} row={row} />
        ),
      )}
      <MarkAt mark={drawn(line, 'published', track.published)} i={PUBLISHED} row={row} />
    </>
  );
}

function MarkAt({ mark, i, row }: { readonly mark: DrawnMark; readonly i: number; readonly row: number }): ReactNode {
  return (
    <svg className={`mk${mark === 'blocked' ? ' big' : ''}`} style={vars({ i, r: row })} aria-hidden="true">
      <use href={`#${MARK_ICON[mark]}`} />
    </svg>
  );
}

/** Beside the capsule: what each volume is waiting for, in the words of who said it. */
function Call({ track, row, say }: { readonly track: Track; readonly row: number; readonly say: Say }): ReactNode {
  if (track.published === 'blocked' && track.refusal !== undefined && row > 0) {
    const { refusal } = track;
    return (
      <p className="call" style={vars({ i: PUBLISHED, r: row })}>
        <span className="word block">{say('blocked')}</span> &ensp;<code>{refusal.short}</code>
        <br />
        <span className="second">
          {refusal.node === undefined ? say('saidBy', { by: refusal.by }) : say('saidByOn', { by: refusal.by, node: refusal.node })}
          {track.retryAfter !== undefined && `; ${say('triesAgain', { after: spaced(track.retryAfter) })}`}
        </span>
      </p>
    );
  }
  if (track.published === 'here' && track.since !== undefined && row > 0) {
    return (
      <p className="call" style={vars({ i: PUBLISHED, r: row })}>
        <b>{say('settingUp')}</b> &ensp;<span className="second">{say('settingUpSince', { t: clock(track.since) })}</span>
      </p>
    );
  }
  if (track.published === 'not-run' && track.kind === 'claim') {
    const waits = track.attached === 'proven' ? 'waitsForStaged' : 'waitsForAttach';
    return (
      <p className="cap-t" style={{ ...vars({ from: PUBLISHED, r: row }), '--dx': '30px' } as CSSProperties}>
        {say(waits)}
      </p>
    );
  }
  return null;
}

/** `500ms` → `500 ms` */
function spaced(duration: string): string {
  return duration.replace(/(\d)([a-z])/g, '$1 $2').trim();
}

export function kindOf(track: Track): 'kindClaim' | 'kindClaimNoAttach' | 'kindSecret' | 'kindConfigMap' | 'kindProjected' | 'kindEmptyDir' | 'kindHostPath' | 'kindOther' {
  switch (track.kind) {
    case 'claim':
      return track.staged === 'passed-through' ? 'kindClaimNoAttach' : 'kindClaim';
    case 'secret':
      return 'kindSecret';
    case 'configMap':
      return 'kindConfigMap';
    case 'projected':
      return 'kindProjected';
    case 'emptyDir':
      return 'kindEmptyDir';
    case 'hostPath':
      return 'kindHostPath';
    case 'csi':
    case 'other':
      return 'kindOther';
  }
}

/** A station's name and the two small lines under it. */
function StationHead({ lang, station, line }: { readonly lang: Lang; readonly station: Station; readonly line: LineView }): ReactNode {
  const say = useSay();
  const words = stationWords(station, line, say);
  return (
    <>
      <span className="nm">
        {stationText[lang][station.name]}
        <span className="vh">: {say(MARK_WORD[drawn(line, station.name, station.mark)])}</span>
      </span>
      {words.word !== undefined && <span className={`word ${station.mark === 'blocked' ? 'block' : 'no'}`}>{words.word}</span>}
      {words.evidence !== undefined && <span className="ev">{atParts(words.evidence)}</span>}
      {words.at !== undefined && <span className="at">{words.at}</span>}
    </>
  );
}

/** A long name may go on in the next line where one of its parts begins: `NodeStage`, `Volume: OK`. */
function atParts(name: string): ReactNode[] {
  return name.split(/(?<=[a-z])(?=[A-Z])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

export interface Words {
  readonly word: string | undefined;
  readonly evidence: string | undefined;
  readonly at: string | undefined;
}

/** What stands under a station: its evidence and time, or the word for its state. */
export function stationWords(station: Station, line: LineView, say: Say): Words {
  const time = station.t === undefined ? undefined : `${clock(station.t)} ${say('seconds')}`;
  const held = station.evidence.filter((item) => item.held).length;
  const count = volumesCount(station, line, say);
  const detail = station.detail.startsWith('again_') ? say(station.detail as 'again_pod') : station.detail;
  if (line.silent !== undefined && drawn(line, station.name, station.mark) === 'heard') return { word: undefined, evidence: detail === '' ? count : detail, at: say('asOf', { t: clock(line.silent.since) }) };
  switch (station.mark) {
    case 'not-run':
      return { word: say('notRun'), evidence: undefined, at: detail === '' ? undefined : detail };
    case 'ended':
      return { word: say('ended'), evidence: undefined, at: detail === '' ? undefined : detail };
    case 'passed-through':
      return { word: say('passed'), evidence: undefined, at: undefined };
    case 'blocked':
      return { word: say('blocked'), evidence: undefined, at: count ?? (station.name === 'node' && station.refusal?.says.startsWith('0/') === true ? say('noNodes', { of: nodesIn(station.refusal.says) }) : time) };
    case 'here':
      return { word: undefined, evidence: detail === '' ? undefined : detail, at: say('here') };
    case 'partly':
      if (count !== undefined) return { word: undefined, evidence: count, at: time };
      return { word: undefined, evidence: detail === '' ? undefined : detail, at: [say('of', { n: held, of: station.evidence.length }), time].filter((part) => part !== undefined).join(say('sep')) };
    case 'proven':
      return { word: undefined, evidence: detail === '' ? count : detail, at: station.name === 'volume' ? `Bound${say('sep')}${time ?? ''}` : time };
  }
}

function volumesCount(station: Station, line: LineView, say: Say): string | undefined {
  if (station.name !== 'published' || line.tracks.length === 0) return undefined;
  return say('ofVolumes', { n: line.tracks.filter((track) => track.published === 'proven').length, of: line.tracks.length });
}

function nodesIn(message: string): string {
  return /^0\/(\d+)/.exec(message)?.[1] ?? '';
}

function vars(values: Readonly<Record<string, number>>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]));
}
export { vars };
