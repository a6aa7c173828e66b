/**
 * Where the states of a machine stand when it is drawn: the way things go when all is well runs down the left, one state
 * under the other; what goes wrong stands to its right. Edges that skip states run along the outside.
 */
import type { ChartDrawing, ChartEdge, ChartState } from './charts.ts';

export interface ChartSource {
  readonly id: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly event: string; readonly to: string }[];
}

const HEIGHT = 30;
const GAP_Y = 22;
const GAP_X = 56;
/** Width of a character of the chart's monospace text at 13 px, and the room around it. */
const CHARACTER = 7.9;
const PADDING = 22;
const LANE = 9;

const TROUBLE = /fail|backOff|refus|lost|infeasible|unschedulable|multiAttach|notHelpful|exited|inBackground|misbound/i;

type Transition = ChartSource['transitions'][number];

export function layOut(chart: ChartSource): ChartDrawing {
  const transitions = chart.transitions.filter(({ from, to }) => from !== to);
  const main = mainPath(chart, transitions);
  const aside = sideColumn(chart, transitions, main);
  const mainWidth = Math.max(...main.map(widthOf));
  const sideWidth = Math.max(0, ...aside.map(({ name }) => widthOf(name)));
  const skips = transitions.filter(({ from, to }) => main.includes(from) && main.includes(to) && main.indexOf(to) !== main.indexOf(from) + 1);
  const lanes = assignLanes(skips, main);
  const left = LANE * (1 + Math.max(0, ...lanes.values())) + 4;
  const states: ChartState[] = [
    ...main.map((name, row) => ({ name, x: left, y: rowY(row), width: mainWidth, height: HEIGHT })),
    ...aside.map(({ name, row }) => ({ name, x: left + mainWidth + GAP_X, y: rowY(row), width: sideWidth, height: HEIGHT })),
  ];
  const box = new Map(states.map((state) => [state.name, state]));
  const edges = transitions.map((transition) => edgeOf(transition, box, main, lanes, left));
  const rows = Math.max(main.length, ...aside.map(({ row }) => row + 1));
  return {
    id: chart.id,
    width: Math.ceil(left + mainWidth + (aside.length === 0 ? 12 : GAP_X + sideWidth + 22)),
    height: rowY(rows) - GAP_Y + 8,
    states,
    edges,
  };
}

function widthOf(name: string): number {
  return Math.ceil(name.length * CHARACTER + PADDING);
}
function rowY(row: number): number {
  return 8 + row * (HEIGHT + GAP_Y);
}

/** From the initial state on, always to the first state not yet visited that is no trouble. */
function mainPath(chart: ChartSource, transitions: readonly Transition[]): string[] {
  const path = [chart.initial];
  for (;;) {
    const here = path[path.length - 1];
    const next = transitions.find(({ from, to, event }) => from === here && !path.includes(to) && !TROUBLE.test(to) && !TROUBLE.test(event));
    if (next === undefined) return path;
    path.push(next.to);
  }
}

/** The other states, each beside the first state that leads to it; taken rows push it down. */
function sideColumn(chart: ChartSource, transitions: readonly Transition[], main: readonly string[]): { name: string; row: number }[] {
  const taken = new Set<number>();
  return chart.states
    .filter((name) => !main.includes(name))
    .map((name) => ({ name, wanted: Math.min(main.length - 1, ...transitions.filter(({ to, from }) => to === name && main.includes(from)).map(({ from }) => main.indexOf(from))) }))
    .sort((a, b) => a.wanted - b.wanted)
    .map(({ name, wanted }) => {
      let row = Math.max(0, wanted);
      while (taken.has(row)) row += 1;
      taken.add(row);
      return { name, row };
    });
}

/** Edges along the outside that overlap get lanes of their own; short ones lie inside. */
function assignLanes(skips: readonly Transition[], main: readonly string[]): Map<string, number> {
  const lanes = new Map<string, number>();
  const spans: { top: number; bottom: number; lane: number }[] = [];
  const span = ({ from, to }: Transition): [number, number] => [Math.min(main.indexOf(from), main.indexOf(to)), Math.max(main.indexOf(from), main.indexOf(to))];
  for (const skip of skips.toSorted((a, b) => span(a)[1] - span(a)[0] - (span(b)[1] - span(b)[0]))) {
    const [top, bottom] = span(skip);
    let lane = 0;
    while (spans.some((other) => other.lane === lane && other.top < bottom && top < other.bottom)) lane += 1;
    spans.push({ top, bottom, lane });
    lanes.set(edgeKey(skip), lane);
  }
  return lanes;
}

function edgeKey({ from, to, event }: Transition): string {
  return `${from} ${event} ${to}`;
}

function edgeOf(transition: Transition, box: ReadonlyMap<string, ChartState>, main: readonly string[], lanes: ReadonlyMap<string, number>, left: number): ChartEdge {
  const { from, to, event } = transition;
  const a = box.get(from);
  const b = box.get(to);
  if (a === undefined || b === undefined) throw new Error(`a chart has an edge from ${from} to ${to}, which are not both its states`);
  return { from, to, event, points: pointsOf(a, b, main.includes(from), main.includes(to), lanes.get(edgeKey(transition)), left) };
}

function pointsOf(a: ChartState, b: ChartState, aMain: boolean, bMain: boolean, lane: number | undefined, left: number): [number, number][] {
  const middle = (state: ChartState): number => state.y + state.height / 2;
  if (lane !== undefined) {
    const x = left - LANE * (lane + 1);
    const down = b.y > a.y ? 1 : -1;
    return [[a.x, middle(a) + 5 * down], [x, middle(a) + 5 * down], [x, middle(b) - 5 * down], [b.x, middle(b) - 5 * down]];
  }
  if (aMain && bMain) return [[a.x + a.width / 2, a.y + a.height], [b.x + b.width / 2, b.y]];
  if (aMain) return [[a.x + a.width, middle(a) - 4], [b.x, middle(b) - 4]];
  if (bMain) return [[a.x, middle(a) + 5], [b.x + b.width, middle(b) + 5]];
  const x = a.x + Math.max(a.width, b.width);
  const apart = b.y > a.y ? 1 : -1;
  return [[x, middle(a) + 4 * apart], [x + 12, middle(a) + 4 * apart], [x + 12, middle(b) - 4 * apart], [x, middle(b) - 4 * apart]];
}
