/** One run: a scenario on a stage, from the first step to the end of the last. */
import { CONTROLLERS } from '../controllers/index.ts';
import { installAdmission } from '../admission/index.ts';
import { createDrivers } from '../drivers/index.ts';
import { createWorld, type Choices, type World } from '../kernel/world.ts';
import type { AnyObject } from '../model/objects.ts';
import { TRACE_FORMAT, type ClusterVersions, type Trace } from '../trace/format.ts';
import type { Scenario } from '../trace/scenario.ts';
import type { FillingReader } from './manifest-document.ts';
import { Person } from './person.ts';
import type { SeldomCommands } from './seldom-commands.ts';
import { defaultStage } from './stage.ts';

export interface SimulateOptions {
  /** What stands before the first step; without it the cluster of the recordings. */
  readonly stage?: readonly AnyObject[] | undefined;
  /** Choices that the real system leaves free. */
  readonly choices?: Choices | undefined;
  /** Same scenario, stage, choices and seed: same bytes. Default `DEFAULT_SEED`. */
  readonly seed?: number | undefined;
  /** The kubectl commands that are seldom typed; a scenario that holds one cannot be simulated without. */
  readonly seldom?: SeldomCommands | undefined;
}

/**
 * The seed decides the phases of the periodic loops (traces' README: free). With this one they fall as in most
 * recordings: a mount waits some seconds for the node status, and no pod sync comes just after a pod became ready.
 */
export const DEFAULT_SEED = 7;

export const NO_CHOICES: Choices = { nodeOfPod: {}, zoneOfVolume: {} };

/** The versions that the rules are written for; the recordings were made on them. */
export const CLUSTER: ClusterVersions = {
  name: 'ab',
  producer: 'simulated',
  kubernetes: 'v1.35.4',
  kind: 'v0.33.0',
  csi: {
    'hostpath.csi.k8s.io': 'csi-driver-host-path v1.18.0',
    'disk.csi.after-bound.dev': "this project's zonal driver, with faults by StorageClass parameters",
    'external-provisioner': 'v6.3.0',
    'external-attacher': 'v4.12.0',
    'external-resizer': 'v2.1.0',
    'node-driver-registrar': 'v2.17.0',
  },
};

/** A cluster that stands still at time 0, all controllers started. */
export function startCluster(options: SimulateOptions = {}): World {
  const world = createWorld({
    stage: options.stage ?? defaultStage(),
    choices: options.choices ?? NO_CHOICES,
    seed: options.seed ?? DEFAULT_SEED,
    drivers: createDrivers,
  });
  installAdmission(world);
  for (const start of CONTROLLERS) start(world);
  return world;
}

/**
 * Simulates a scenario, its manifests read by `readManifest`. Throws StepError for a step that cannot be done at all (a manifest that is no YAML, a target
 * that names nothing); what a real cluster would refuse or wait for is part of the trace.
 */
export function simulateReading(readManifest: FillingReader, scenario: Scenario, options: SimulateOptions = {}): Trace {
  const stage = options.stage ?? defaultStage();
  const world = startCluster({ ...options, stage });
  const failed = new Person(world, scenario, readManifest, options.seldom).takeAll();
  return {
    format: TRACE_FORMAT,
    scenario,
    recordedAt: new Date(world.api.unixMs - world.clock.now).toISOString(),
    cluster: CLUSTER,
    failed,
    stage,
    records: orderedByTime(world),
  };
}

/** A wait or settle record stands where it began, so records may be written down late; the sort is stable. */
function orderedByTime(world: World): Trace['records'] {
  return world.trace.records.toSorted((a, b) => a.t - b.t);
}
