/**
 * The door of the simulated cluster. Pure TypeScript and XState: no DOM, no file system, no wall clock, no chance but
 * the seed.
 */
export { simulate, startCluster, NO_CHOICES, CLUSTER, DEFAULT_SEED, type SimulateOptions } from './run/simulate.ts';
export { manifestDocuments, manifestObjects } from './run/manifest.ts';
export { StepError, verbOf, type Failed } from './run/person.ts';
export { buildStage, defaultStage } from './run/stage.ts';
export type { Choices, World } from './kernel/world.ts';
export { Chart } from './kernel/machine.ts';
export { machineCatalogue } from './catalogue.ts';
