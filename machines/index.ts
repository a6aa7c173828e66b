/**
 * The door of the simulated cluster. Pure TypeScript and XState: no DOM, no file system, no wall clock, no chance but
 * the seed.
 */
import { manifestDocuments, manifestObjects } from './run/manifest.ts';
import { seldomCommands } from './run/seldom-commands.ts';
import { simulateReading, type SimulateOptions } from './run/simulate.ts';
import type { Scenario } from './trace/scenario.ts';
import type { Trace } from './trace/format.ts';

/** {@link simulateReading} with a reader of YAML and all of kubectl. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): Trace {
  return simulateReading((manifest, fill) => manifestDocuments(fill(manifest)), scenario, { seldom: seldomCommands, ...options });
}
export { manifestDocuments, manifestObjects, simulateReading };
export { startCluster, NO_CHOICES, CLUSTER, DEFAULT_SEED, type SimulateOptions } from './run/simulate.ts';
export { StepError, verbOf, type Failed } from './run/person.ts';
export { buildStage, defaultStage } from './run/stage.ts';
export type { Choices, World } from './kernel/world.ts';
export { Chart } from './kernel/machine.ts';
export { machineCatalogue } from './catalogue.ts';
