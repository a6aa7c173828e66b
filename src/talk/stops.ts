/** Where a run says something new: what "on" goes to when a talk walks through a run. */
import type { Trace } from '../../machines/trace/format.ts';
import { linesOf } from '../trace-view/history.ts';
import { sentenceAt } from '../trace-view/sentence.ts';
import { STATIONS } from '../trace-view/station-names.ts';
import type { Line } from '../trace-view/stations.ts';
import { steps } from '../trace-view/steps.ts';

/**
 * The first step, every step at which the sentence or a station changes, every new warning, every refusal, every command
 * run in a pod, and the last step.
 */
export function stopsOf(trace: Trace, pod: string | undefined): number[] {
  const all = steps(trace);
  const lines = linesOf(trace, pod);
  const told = (at: number): string => {
    const line = lines[at] as Line;
    return JSON.stringify([sentenceAt(trace, all[at]?.index ?? -1, line), STATIONS.map((name) => line.stations[name].mark), line.pod]);
  };
  return all.flatMap((step, at) => (at === 0 || at === all.length - 1 || isNews(trace, step.index) || told(at) !== told(at - 1) ? [at] : []));
}

function isNews(trace: Trace, index: number): boolean {
  const record = trace.records[index];
  switch (record?.type) {
    case 'watch':
      return record.verb === 'ADDED' && record.object.kind === 'Event' && record.object.type === 'Warning';
    case 'csi':
      return record.code !== 'OK';
    case 'step':
      return record.verb === 'exec';
    case 'output':
      return true;
    default:
      return false;
  }
}
