/** What is loaded when a reader saves a scenario: YAML. */
import { stringify } from 'yaml';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';

/** The manifests of a scenario as one YAML file, in the order in which they are applied. */
export function manifestsOf(scenario: Scenario): string {
  const objects = scenario.steps.flatMap((step) => ('apply' in step ? manifestObjects(step.apply) : []));
  return objects.map((object) => stringify(object)).join('---\n');
}

/** A scenario as the YAML file that the command line reads. */
export function scenarioYaml(scenario: Scenario): string {
  return stringify(scenario, { lineWidth: 0 });
}
