/** The line over a whole run: when each station was lit, where a run is worth opening. */
import type { Trace } from '../../machines/trace/format.ts';
import { STATIONS, type StationName } from './station-names.ts';
import { defaultPod, lineAt, type Line, type Mark } from './stations.ts';
import { steps } from './steps.ts';

export interface Lit {
  readonly station: StationName;
  /** The step at which it became proven. */
  readonly step: number;
}

const lines = new WeakMap<Trace, Map<string, readonly Line[]>>();

/** The line after each step, for one pod or for the one created last. */
export function linesOf(trace: Trace, pod: string | undefined): readonly Line[] {
  let byPod = lines.get(trace);
  if (byPod === undefined) lines.set(trace, (byPod = new Map()));
  const name = pod ?? '';
  let found = byPod.get(name);
  if (found === undefined) {
    found = steps(trace).map((step) => lineAt(trace, step.index, pod ?? defaultPod(trace, step.index)));
    byPod.set(name, found);
  }
  return found;
}

/** Every moment at which a station became proven; a station put out and lit again counts again. */
export function litMoments(trace: Trace, pod: string | undefined): Lit[] {
  const all = linesOf(trace, pod);
  return STATIONS.flatMap((station) =>
    all.flatMap((line, step): Lit[] => {
      const before = all[step - 1];
      const rises = line.stations[station].mark === 'proven' && (before === undefined || before.stations[station].mark !== 'proven' || before.pod !== line.pod);
      return rises && !(before?.pod === undefined && before?.stations[station].mark === 'proven') ? [{ station, step }] : [];
    }),
  ).sort((a, b) => a.step - b.step);
}

/** The next step at which some station's mark changes, or undefined. */
export function nextStation(trace: Trace, pod: string | undefined, after: number): number | undefined {
  const all = linesOf(trace, pod);
  for (let step = after + 1; step < all.length; step++) {
    if (marks(all[step]) !== marks(all[step - 1])) return step;
  }
  return undefined;
}

function marks(line: Line | undefined): string {
  return line === undefined ? '' : STATIONS.map((name): Mark => line.stations[name].mark).join();
}

/**
 * The step a run is opened at: the first one at or after `from` at which a station is newly refused; in a run without a
 * refusal the last one that lights the most.
 */
export function keyStep(trace: Trace, pod: string | undefined, from = 0): number {
  const all = linesOf(trace, pod);
  const isNew = (step: number): boolean =>
    STATIONS.some((name) => all[step]?.stations[name].mark === 'blocked' && all[step - 1]?.stations[name].mark !== 'blocked');
  for (let step = from; step < all.length; step++) if (isNew(step)) return step;
  let best = Math.min(from, Math.max(0, all.length - 1));
  for (let step = best + 1; step < all.length; step++) {
    if (marks(all[step]) !== marks(all[step - 1]) && light(all[step]) >= light(all[best])) best = step;
  }
  return best;
}

/** How much of a line is lit; half a station for part of its evidence. */
function light(line: Line | undefined): number {
  if (line === undefined) return 0;
  return STATIONS.reduce((sum, name) => sum + (line.stations[name].mark === 'proven' ? 1 : line.stations[name].mark === 'partly' ? 0.5 : 0), 0);
}
