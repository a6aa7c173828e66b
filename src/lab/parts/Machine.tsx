/** The state machine that moved last, drawn from the machine that ran: its states, who stands where, the move just made. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { instancesAt, machinesAt, shortKey, type ChartDrawing, type ChartEdge, type Instance } from '../../trace-view/charts.ts';
import { Icon, Rich, useSay } from '../text.tsx';
import type { Moment } from '../view.ts';

/** A line of a recorded log that witnesses a state. */
export interface WitnessLine {
  readonly run: number;
  readonly runs: number;
  readonly of: number;
  readonly t: number;
  readonly source: string;
  readonly text: string;
  readonly href: string;
}

interface Props {
  readonly moment: Moment;
  readonly charts: readonly ChartDrawing[];
  /** The recorded line beside a state record of the run, by the record's index; `modelled` where no recording covers the run. */
  readonly witnessOf: (index: number) => WitnessLine | 'modelled' | undefined;
}

export function Machine({ moment, charts, witnessOf }: Props): ReactNode {
  const say = useSay();
  const [chosen, setChosen] = useState<string>();
  const moved = machinesAt(moment.trace, moment.index).filter((id) => charts.some((chart) => chart.id === id));
  const id = chosen !== undefined && moved.includes(chosen) ? chosen : moved[0];
  const chart = charts.find((entry) => entry.id === id);
  if (chart === undefined) return null;
  const instances = instancesAt(moment.trace, chart.id, moment.index);
  const last = tellingInstance(moment, instances);
  return (
    <section className="machine">
      <h2 className="part-h">
        {say('machine')}
        {moved.length > 1 ? (
          <select value={chart.id} onChange={(event) => setChosen(event.currentTarget.value)} aria-label={say('machine')}>
            {moved.map((machine) => (
              <option key={machine}>{machine}</option>
            ))}
          </select>
        ) : (
          <span>{chart.id}</span>
        )}
      </h2>
      <Drawing chart={chart} instances={instances} last={last} />
      <ul className="tokens">
        {instances.map((item) => (
          <li key={item.key} className={item === last ? 'now' : ''}>
            <span title={item.key}>{shortKey(item.key)}</span> <code>{item.state}</code>
          </li>
        ))}
      </ul>
      {last !== undefined && <Witness state={last.state} line={witnessOf(last.index)} />}
    </section>
  );
}

const TROUBLE = /fail|backOff|unschedulable|multiAttach|notHelpful|lost/i;

/** An event follows what it tells of within this time, seconds. */
const SOON = 0.3;

/** The instance that the step is about: the one that moved last; at a Warning the last one that just went wrong. */
function tellingInstance(moment: Moment, instances: readonly Instance[]): Instance | undefined {
  const newest = instances.toSorted((a, b) => b.index - a.index);
  const record = moment.trace.records[moment.index];
  if (record?.type !== 'watch' || record.object.kind !== 'Event' || record.object.type !== 'Warning') return newest[0];
  return newest.find((item) => moment.t - item.last.t < SOON && TROUBLE.test(item.state)) ?? newest[0];
}

function Drawing({ chart, instances, last }: { readonly chart: ChartDrawing; readonly instances: readonly Instance[]; readonly last: Instance | undefined }): ReactNode {
  const taken = last?.last;
  const box = useRef<HTMLDivElement>(null);
  // A chart wider than its place shows the state the step is about; the page itself stays where it is.
  useEffect(() => {
    const place = box.current;
    const state = chart.states.find((entry) => entry.name === last?.state);
    const drawing = place?.querySelector('svg');
    if (place === null || state === undefined || drawing === null || drawing === undefined || place.scrollWidth <= place.clientWidth) return;
    const scale = drawing.getBoundingClientRect().width / chart.width;
    place.scrollLeft = (state.x + state.width / 2) * scale - place.clientWidth / 2;
  }, [chart, last?.state]);
  const at = (name: string): readonly Instance[] => instances.filter((item) => item.state === name);
  return (
    <div className="chart-box" tabIndex={0} ref={box}>
      <svg className="chart" viewBox={`0 0 ${chart.width} ${chart.height}`} width={chart.width} height={chart.height} role="img" aria-label={`${chart.id}: ${instances.map((item) => `${item.key} ${item.state}`).join(', ')}`}>
        {chart.edges.map((edge, i) => (
          <Edge key={i} edge={edge} near={last !== undefined && edge.from === last.state} hot={taken !== undefined && edge.from === taken.from && edge.to === taken.to && edge.event === taken.event} />
        ))}
        {chart.states.map((state) => {
          const here = at(state.name);
          const on = last !== undefined && here.includes(last);
          return (
            <g key={state.name}>
              <rect className={on ? 'on' : 'box'} x={state.x} y={state.y} width={state.width} height={state.height} rx="6" />
              <text className={on ? 'on-t' : ''} x={state.x + state.width / 2} y={state.y + state.height / 2 + 4.5} textAnchor="middle">
                {state.name}
              </text>
              {here.slice(0, MOST_TOKENS).map((item, i) => (
                <circle key={item.key} className={`tok${item === last ? ' on' : ''}`} cx={state.x + 8 + i * 11} cy={state.y - 1} r="4" />
              ))}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
const MOST_TOKENS = 6;

function Edge({ edge, near, hot }: { readonly edge: ChartEdge; readonly near: boolean; readonly hot: boolean }): ReactNode {
  const [end, before] = [edge.points.at(-1), edge.points.at(-2)];
  if (end === undefined || before === undefined) return null;
  const angle = (Math.atan2(end[1] - before[1], end[0] - before[0]) * 180) / Math.PI;
  return (
    <>
      <path className={`arr${hot ? ' hot' : near ? ' near' : ''}`} d={`M${edge.points.map(([x, y]) => `${x} ${y}`).join('L')}`}>
        <title>{edge.event}</title>
      </path>
      {(hot || near || edge.points.length === 2) && <path className={`tip${hot ? ' hot' : near ? ' near' : ''}`} d="M0 0l-8-4.500v9z" transform={`translate(${end[0]} ${end[1]}) rotate(${angle.toFixed(1)})`} />}
    </>
  );
}

function Witness({ state, line }: { readonly state: string; readonly line: WitnessLine | 'modelled' | undefined }): ReactNode {
  const say = useSay();
  const [whole, setWhole] = useState(false);
  if (line === 'modelled') {
    return (
      <p className="same">
        <span className="src model">
          <Icon name="i-mod" />
          {say('modelled')}
        </span>
      </p>
    );
  }
  if (line === undefined) {
    return (
      <p className="same">
        <Rich text={say('noWitness', { state })} />
      </p>
    );
  }
  const cut = line.text.length > SHORT_LINE && !whole;
  return (
    <>
      <div className="log-h">
        <span>
          <b>
            <Rich text={say('witnessOf', { state })} />
          </b>{' '}
          {line.source}
          {say('sep')}
          {say('inRecording', { n: line.run, t: line.t.toFixed(3) })}
        </span>
        <a className="src" href={line.href}>
          <Icon name="i-rec" />
          {say('recordedIn', { n: line.runs, of: line.of })}
        </a>
      </div>
      <p className="log">
        {cut ? `${line.text.slice(0, SHORT_LINE)}… ` : line.text}
        {cut && (
          <button className="link" type="button" onClick={() => setWhole(true)}>
            {say('wholeLine')}
          </button>
        )}
      </p>
    </>
  );
}
const SHORT_LINE = 420;
