/**
 * Is a task passed? Its facts are asked of the whole run, to its end: what counts is how the cluster stands then, not how
 * it got there. Facts are those of the lessons (`src/course/when.ts`), and two more:
 *
 *     station bytes = proven [for first]      a station's mark at the end (for the pod created last, or the one named)
 *     untouched pvc/disk                      never deleted, and its spec as in the run that the task began with
 */
import type { AnyObject } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { ask, kindOf } from '../course/when.ts';
import { linesOf } from '../trace-view/history.ts';
import { STATIONS } from '../trace-view/station-names.ts';

export interface FactState {
  readonly fact: string;
  readonly holds: boolean;
}

/** How each fact stands at the end of a run. `begun` is the run that the task began with. Throws on a fact it cannot read. */
export function factsOf(passes: readonly string[], run: Trace, begun: Trace): FactState[] {
  return passes.map((fact) => ({ fact, holds: holds(fact, run, begun) }));
}

export function isPassed(passes: readonly string[], run: Trace, begun: Trace): boolean {
  return factsOf(passes, run, begun).every((state) => state.holds);
}

function holds(fact: string, run: Trace, begun: Trace): boolean {
  return untouched(fact, run, begun) ?? stationIs(fact, run) ?? ask(run, fact, run.records.length - 1).holds;
}

function untouched(fact: string, run: Trace, begun: Trace): boolean | undefined {
  const found = /^untouched ([\w-]+)\/([\w.-]+)$/.exec(fact);
  if (found === null) return undefined;
  const is = (object: AnyObject): boolean => object.kind === kindOf(found[1] ?? '') && object.metadata.name === found[2];
  const specs = (trace: Trace): string[] => trace.records.flatMap((record) => (record.type === 'watch' && record.verb === 'ADDED' && is(record.object) ? [asked(record.object)] : []));
  const deleted = run.records.some((record) => record.type === 'watch' && record.verb === 'DELETED' && is(record.object));
  const leaving = run.records.some((record) => record.type === 'watch' && is(record.object) && record.object.metadata.deletionTimestamp !== undefined);
  return !deleted && !leaving && JSON.stringify(specs(run)) === JSON.stringify(specs(begun));
}

/** What was asked for, without the one name that every pod gets by chance. */
function asked(object: AnyObject): string {
  return JSON.stringify('spec' in object ? object.spec : null).replace(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access');
}

function stationIs(fact: string, run: Trace): boolean | undefined {
  const found = /^station (\w+) = ([\w-]+)(?: for ([\w.-]+))?$/.exec(fact);
  if (found === null) return undefined;
  const station = STATIONS.find((name) => name === found[1]);
  if (station === undefined) throw new Error(`"${fact}" names no station; there are ${STATIONS.join(', ')}`);
  return linesOf(run, found[3]).at(-1)?.stations[station].mark === found[2];
}
