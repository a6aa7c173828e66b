/** What a scenario is about, read off its run: the stations it lights, and the one where it is held up. */
import { linesOf } from '../trace-view/history.ts';
import { STATIONS, type StationName } from '../trace-view/station-names.ts';
import { baseRun, recordingsOf } from './runs.ts';

export interface StationsOf {
  /** Stations proven at some moment. */
  readonly reached: readonly StationName[];
  /** The first station at which anything was refused. */
  readonly blocked: StationName | undefined;
  /** Where the scenario belongs: the refused station, or the one it still works at in the end, or the last one it lights. */
  readonly stop: StationName;
}

export function stationsOf(id: string): StationsOf {
  const [recorded] = recordingsOf(id);
  const lines = linesOf(recorded ?? baseRun(id).trace, undefined);
  const reached = STATIONS.filter((name) => lines.some((line) => ['proven', 'partly'].includes(line.stations[name].mark)));
  const blocked = STATIONS.find((name) => lines.some((line) => line.stations[name].mark === 'blocked'));
  const waiting = STATIONS.find((name) => lines.at(-1)?.stations[name].mark === 'here');
  return { reached, blocked, stop: blocked ?? waiting ?? reached.at(-1) ?? 'claim' };
}
