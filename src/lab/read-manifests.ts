/** Reads the manifests of a scenario as YAML: when the site is built, and for a scenario that a reader brings. */
import { manifestDocuments } from '../../machines/run/manifest.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { ReadManifests } from './manifests.ts';

export function readManifests(scenario: Scenario): ReadManifests {
  return Object.fromEntries(scenario.steps.flatMap((step) => ('apply' in step ? [[step.apply, manifestDocuments(step.apply)]] : [])));
}
