/** What is loaded at the first action: the simulated cluster. */
import { machineCatalogue } from '../../machines/catalogue.ts';
import { isSeldom } from '../../machines/kubectl/common.ts';
import type { SeldomCommands } from '../../machines/run/seldom-commands.ts';
import { simulateReading } from '../../machines/run/simulate.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import { momentOf, type Action } from './actions.ts';
import { applyAction } from './change.ts';
import type { LabData } from './data.ts';
import { know, readFilled, readManifest, type ReadManifests } from './manifests.ts';
import { scenarioKey } from './scenario-key.ts';
import { layOut } from '../trace-view/chart-layout.ts';
import type { ChartDrawing } from '../trace-view/charts.ts';

/** What a run with actions starts from. */
export type Base = Pick<LabData, 'trace' | 'choices' | 'manifests'>;

const runs = new Map<string, Trace>();
let seldom: SeldomCommands | undefined;

/** Whether a scenario may hold a kubectl command that `provideSeldom` has to bring. */
export function needsSeldom({ steps }: Scenario): boolean {
  return seldom === undefined && steps.some((step) => 'run' in step && isSeldom(step.run));
}

export function provideSeldom(commands: SeldomCommands): void {
  seldom = commands;
}

/** The run of a base run's scenario after the actions, each done to the run that the ones before it made. */
export function runWith(base: Base, actions: readonly Action[]): Trace {
  know(base.manifests);
  let trace = base.trace;
  actions.forEach((action, i) => {
    const key = JSON.stringify([base.trace.scenario.id, actions.slice(0, i + 1)]);
    let next = runs.get(key);
    if (next === undefined) {
      next = simulateReading(readFilled, applyAction(trace.scenario, action, trace), { stage: base.trace.stage, choices: base.choices, seldom });
      runs.set(key, next);
    }
    trace = next;
  });
  return trace;
}

/** Until when a run with these actions is the base run: milliseconds; 0 if it begins another way. */
export function sharedUntil(actions: readonly Action[]): number {
  return Math.min(...actions.map((action) => momentOf(action) ?? 0));
}

/** The run of a scenario that a reader opened. */
export function runOf(scenario: Scenario, manifests: ReadManifests): Trace {
  know(manifests);
  return simulateReading(readFilled, scenario, { seldom });
}

/** The key under which the site knows the recordings of a scenario that a reader made by actions. */
export function keyOf(scenario: Scenario): string {
  return scenarioKey(scenario, readManifest);
}

/** Every machine of the cluster as it is drawn: a changed run may move some that the page's own run did not. */
export function allCharts(): ChartDrawing[] {
  return [...machineCatalogue.values()].map(layOut);
}
