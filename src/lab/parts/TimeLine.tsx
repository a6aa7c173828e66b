/** The time line: one column a step, one lane a record type; the playhead stands at the step shown. */
import { memo, useMemo, type ReactNode } from 'react';
import type { Trace } from '../../../machines/trace/format.ts';
import type { Lang } from '../../i18n/langs.ts';
import { stationText } from '../../i18n/stations.ts';
import { litMoments } from '../../trace-view/history.ts';
import { steps, type Lane, type TraceStep } from '../../trace-view/steps.ts';
import { clock, tick } from '../../trace-view/times.ts';
import { FAULTY_DRIVER } from '../known-names.ts';
import { useSay } from '../text.tsx';

interface Props {
  readonly lang: Lang;
  readonly trace: Trace;
  readonly step: number;
  readonly pod: string | undefined;
  /** The step at which the reader's last change began, if it began within the run. */
  readonly branch: number | undefined;
  /** What the step shown is, in words, for the slider. */
  readonly what: string;
  readonly onScrub: (step: number) => void;
}

/** The plot is drawn 1000 wide and stretched; strokes keep their width. */
const WIDTH = 1000;
const LANE_Y: Readonly<Record<Lane, number>> = { you: 34, object: 52, event: 74, csi: 94, state: 114 };

export function TimeLine({ lang, trace, step, pod, branch, what, onScrub }: Props): ReactNode {
  const say = useSay();
  const all = steps(trace);
  const lit = useMemo(() => litMoments(trace, pod), [trace, pod]);
  const last = Math.max(0, all.length - 1);
  const simulated = trace.records.some((record) => record.type === 'state');
  const hasCsi = all.some((entry) => entry.lane === 'csi');
  const at = column(step, all.length);
  return (
    <div className="lanes">
      <div className="names" aria-hidden="true">
        {([['laneLit', 'laneLitShort'], ['laneYou'], ['laneObjects'], ['laneEvents'], ['laneCsi', 'laneCsiShort'], [simulated ? 'laneStates' : 'laneLogs']] as const).map(([long, short]) => (
          <span key={long}>
            <span className={short === undefined ? '' : 'long'}>{say(long)}</span>
            {short !== undefined && <span className="short">{say(short)}</span>}
          </span>
        ))}
      </div>
      <div className="plot">
        {lit.map(({ station, step: litAt }, i) => {
          const room = column(litAt, all.length) - (i === 0 ? 0 : column(lit[i - 1]?.step ?? 0, all.length));
          const label = stationText[lang][station];
          return (
            <span key={`${station}${litAt}`} className={`lit${room * 9 < label.length * (lang === 'zh' ? 15 : 7.5) + 14 ? ' bare' : ''}`} style={{ left: `${column(litAt, all.length)}%` }} aria-hidden="true">
              {label}
            </span>
          );
        })}
        <Marks trace={trace} step={step} />
        {!hasCsi && !callsRecorded(trace) && <span className="none">{say('csiNotRecorded')}</span>}
        {branch !== undefined && <i className="branch" style={{ left: `${edge(branch, all.length)}%` }} title={say('branchHere')} />}
        <i className="head" style={{ left: `${at}%` }} />
        <input
          type="range"
          className="scrub"
          min={0}
          max={last}
          value={step}
          onChange={(event) => onScrub(Number(event.currentTarget.value))}
          aria-label={say('scrub')}
          aria-valuetext={say('scrubValue', { t: clock(all[step]?.t ?? 0), n: step + 1, of: all.length, what })}
          style={{ '--half': `${50 / all.length}%` } as React.CSSProperties}
        />
      </div>
      <Axis all={all} step={step} />
    </div>
  );
}

/** Are the calls of some driver that this run's claims were provisioned by recorded? Only one driver writes them down. */
function callsRecorded(trace: Trace): boolean {
  return trace.records.some((record) => record.type === 'watch' && (record.object.kind === 'PersistentVolumeClaim' ? record.object.metadata.annotations?.['volume.kubernetes.io/storage-provisioner'] : record.object.kind === 'PersistentVolume' ? record.object.spec.csi?.driver : undefined) === FAULTY_DRIVER);
}

/** Where the middle of a step's column stands, in percent. */
function column(step: number, count: number): number {
  return ((step + 0.5) / Math.max(1, count)) * 100;
}
function edge(step: number, count: number): number {
  return (step / Math.max(1, count)) * 100;
}

/** All ticks of all lanes, as few paths: what has been and what comes later are two groups. */
const Marks = memo(function Marks({ trace, step }: { readonly trace: Trace; readonly step: number }): ReactNode {
  const all = steps(trace);
  const width = WIDTH / Math.max(1, all.length);
  return (
    <svg viewBox={`0 0 ${WIDTH} 124`} preserveAspectRatio="none" aria-hidden="true">
      <Group name="later" all={all.slice(step + 1)} first={step + 1} width={width} />
      <Group name="past" all={all.slice(0, step + 1)} first={0} width={width} />
    </svg>
  );
});

function Group({ name, all, first, width }: { readonly name: string; readonly all: readonly TraceStep[]; readonly first: number; readonly width: number }): ReactNode {
  const x = (i: number): string => ((first + i + 0.5) * width).toFixed(1);
  const dots = (lane: Lane): string => all.map((entry, i) => (entry.lane === lane ? `M${x(i)} ${LANE_Y[lane]}h.01` : '')).join('');
  const beside = all.map((entry, i) => besideTicks(entry, (first + i) * width, width)).join('');
  const fine = width < 9;
  return (
    <g className={name}>
      <path d={beside} strokeWidth="1" />
      <path className="bar3" d={all.map((entry, i) => (entry.lane === 'object' ? `M${x(i)} 46v12` : '')).join('')} strokeWidth={fine ? 2 : 3} />
      <path className="dot" d={dots('event')} strokeWidth={fine ? 6 : 10} strokeLinecap="round" />
      <path className="sq" d={dots('you')} strokeWidth={fine ? 5 : 9} strokeLinecap="square" />
      <path className="dot" d={dots('csi')} strokeWidth={fine ? 6 : 10} strokeLinecap="round" />
      <path className="hole" d={dots('csi')} strokeWidth={fine ? 3 : 5} strokeLinecap="round" />
      <path className="bar3" d={all.map((entry, i) => (entry.lane === 'state' ? `M${x(i)} 108v12` : '')).join('')} strokeWidth={fine ? 2 : 3} />
    </g>
  );
}

const MOST_TICKS = 14;

/** Log lines and states before a step fill the left part of its column, so that the step's own mark stays clear. */
function besideTicks(step: TraceStep, left: number, width: number): string {
  const count = Math.min(step.beside, MOST_TICKS);
  const room = width * 0.44;
  return Array.from({ length: count }, (_, i) => `M${(left + (room * (i + 0.5)) / count).toFixed(1)} 109v10`).join('');
}

const LABELS = 9;
/** A wait longer than this is marked on the axis, seconds. */
const LONG_WAIT = 2;

function Axis({ all, step }: { readonly all: readonly TraceStep[]; readonly step: number }): ReactNode {
  const say = useSay();
  const every = Math.max(1, Math.ceil(all.length / LABELS));
  const here = column(step, all.length);
  return (
    <div className="axis" aria-hidden="true">
      {all.map((entry, i) => {
        const x = column(i, all.length);
        if (i % every !== 0 || Math.abs(x - here) < 7 || x > 97) return null;
        return (
          <span key={i} className={i % (every * 2) === 0 ? '' : 'minor'} style={{ left: `${x}%` }}>
            {tick(entry.t)}
          </span>
        );
      })}
      <span className="unit">{say('timeAxis')}</span>
      {all.map((entry, i) => {
        const before = all[i - 1];
        return before !== undefined && entry.t - before.t > LONG_WAIT ? <span key={i} className="brk" style={{ left: `${edge(i, all.length)}%` }} /> : null;
      })}
      <span className="now" style={{ left: `${here}%` }}>
        {clock(all[step]?.t ?? 0)} {say('seconds')}
      </span>
    </div>
  );
}
