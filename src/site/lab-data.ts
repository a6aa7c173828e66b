/** What a page carries for a lab: made at build from the scenario, its simulated run and its recordings. */
import type { LabData } from '../lab/data.ts';
import { keyStep } from '../trace-view/history.ts';
import { recordedIndex } from '../trace-view/recorded.ts';
import { steps } from '../trace-view/steps.ts';
import { baseRun, recordingsOf } from './runs.ts';

/** The data of a lab that opens at a step (from 1, as readers count) or at the run's key step. */
export function labData(scenario: string, step?: number): LabData {
  const { trace, source } = baseRun(scenario);
  const count = steps(trace).length;
  if (step !== undefined && (step < 1 || step > count)) throw new Error(`lab ${scenario}: step ${step} of ${count}`);
  return {
    trace,
    source,
    recorded: recordedIndex(scenario, recordingsOf(scenario)),
    differences: undefined,
    charts: [],
    witnesses: {},
    step: step === undefined ? keyStep(trace, undefined) : step - 1,
  };
}
