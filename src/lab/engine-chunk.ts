/** What is loaded at the first action: the simulated cluster, and YAML. */
import { machineCatalogue, simulate, type Choices } from '../../machines/index.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import { momentOf, type Action } from './actions.ts';
import { applyAction, ChangeError, manifestsOf, scenarioYaml } from './change.ts';
import { scenarioKey } from './scenario-key.ts';
import { layOut } from '../trace-view/chart-layout.ts';
import type { ChartDrawing } from '../trace-view/charts.ts';

export { ChangeError, manifestsOf, scenarioKey, scenarioYaml };

const runs = new Map<string, Trace>();

/** The run of a base run's scenario after the actions, each done to the run that the ones before it made. */
export function runWith(base: Trace, choices: Choices | undefined, actions: readonly Action[]): Trace {
  let trace = base;
  actions.forEach((action, i) => {
    const key = JSON.stringify([base.scenario.id, actions.slice(0, i + 1)]);
    let next = runs.get(key);
    if (next === undefined) {
      next = simulate(applyAction(trace.scenario, action, trace), { stage: base.stage, choices });
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
export function runOf(scenario: Scenario): Trace {
  return simulate(scenario);
}

/** Every machine of the cluster as it is drawn: a changed run may move some that the page's own run did not. */
export function allCharts(): ChartDrawing[] {
  return [...machineCatalogue.values()].map(layOut);
}
