/** An action done to a scenario as the lab does it: the scenario's manifests are read first. */
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Action } from '../../src/lab/actions.ts';
import { applyAction as apply } from '../../src/lab/change.ts';
import { know } from '../../src/lab/manifests.ts';
import { readManifests } from '../../src/lab/read-manifests.ts';

export function applyAction(scenario: Scenario, action: Action, trace: Trace): Scenario {
  know(readManifests(scenario));
  return apply(scenario, action, trace);
}
