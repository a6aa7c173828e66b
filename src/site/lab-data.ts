/** What a page carries for a lab: made at build from the scenario, its simulated run and its recordings. */
import { machineCatalogue } from '../../machines/index.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { LabData, StoredWitness } from '../lab/data.ts';
import { layOut } from '../trace-view/chart-layout.ts';
import type { ChartDrawing } from '../trace-view/charts.ts';
import { offersAt } from '../lab/offers.ts';
import { readManifests } from '../lab/read-manifests.ts';
import { keyStep } from '../trace-view/history.ts';
import { recordedIndex } from '../trace-view/recorded.ts';
import { lineAt } from '../trace-view/stations.ts';
import { steps } from '../trace-view/steps.ts';
import { Evidence } from '../validator/evidence.ts';
import { baseRun, recordingsOf } from './runs.ts';

/** The data of a lab that opens at a step (from 1, as readers count) or at the run's key step. */
export function labData(scenario: string, step?: number): LabData {
  const { trace, source, choices, differences } = baseRun(scenario);
  const count = steps(trace).length;
  if (step !== undefined && (step < 1 || step > count)) throw new Error(`lab ${scenario}: step ${step} of ${count}`);
  const opens = step === undefined ? keyStep(trace, undefined) : step - 1;
  const index = steps(trace)[opens]?.index ?? -1;
  return {
    trace,
    source,
    choices,
    manifests: readManifests(trace.scenario),
    recorded: recordedIndex(scenario, recordingsOf(scenario)),
    differences,
    charts: chartsOf(trace),
    witnesses: source === 0 ? witnessesOf(trace, recordingsOf(scenario)) : {},
    offers: source === 0 ? offersAt(trace, index, lineAt(trace, index)) : [],
    step: opens,
  };
}

/** The machines that move in a run, each drawn from itself. */
function chartsOf(trace: Trace): ChartDrawing[] {
  const moving = new Set(trace.records.flatMap((record) => (record.type === 'state' ? [record.machine] : [])));
  return [...moving].flatMap((id) => {
    const chart = machineCatalogue.get(id);
    return chart === undefined ? [] : [layOut(chart)];
  });
}

/** For each state of the run the first recorded line that witnesses it, and in how many recordings one stands. */
function witnessesOf(trace: Trace, recordings: readonly Trace[]): Record<number, StoredWitness> {
  const evidence = new Evidence(trace, recordings);
  const found: Record<number, StoredWitness> = {};
  trace.records.forEach((record, index) => {
    if (record.type !== 'state') return;
    const lines = recordings.map((_, recording) => evidence.witnessLines(index, recording)[0]);
    const run = lines.findIndex((line) => line !== undefined);
    const line = lines[run];
    if (line === undefined) return;
    found[index] = {
      run: run + 1,
      record: line.index,
      runs: lines.filter((other) => other !== undefined).length,
      t: line.line.t,
      source: [line.line.component, line.line.node ?? ''].filter((part) => part !== '').join(', '),
      text: line.line.text,
    };
  });
  return found;
}
