/** What every controller of one simulated cluster gets: the API server, virtual time, the trace, the drivers. */
import type { AnyObject } from '../model/objects.ts';
import type { CsiDriver } from '../drivers/driver.ts';
import { ApiServer } from './api-server.ts';
import { Clock } from './clock.ts';
import { EventNames, EventRecorder, SeriesRecorder } from './event-recorder.ts';
import { Lanes, type Chart } from './machine.ts';
import { PausedNodes } from './paused-nodes.ts';
import { Random } from './random.ts';
import { timings } from './timings.ts';
import { TraceLog } from './trace-log.ts';

/** Choices that the real system leaves free; a recorded run may hand its own in (`--like`). */
export interface Choices {
  /** `namespace/pod` → the node that the scheduler chose first. Used only where that node fits. */
  readonly nodeOfPod: Readonly<Record<string, string>>;
  /** `namespace/claim` → the zone of the claim's volume. Used only where the driver may choose it. */
  readonly zoneOfVolume: Readonly<Record<string, string>>;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}
/** A running container, as `kubectl exec` sees it. */
export interface ExecTarget {
  exec(argv: readonly string[], nowMs: number): ExecResult;
}

/** One run of a container, as its log shows it. */
export interface LogSource {
  readonly output: string;
}

/** The log of a container of the pod with this uid. */
export interface ContainerLog {
  readonly uid: string;
  readonly last: LogSource;
  readonly before: LogSource | undefined;
}

export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly api: ApiServer;
  readonly trace: TraceLog;
  readonly choices: Choices;
  readonly drivers: ReadonlyMap<string, CsiDriver>;
  recorder(component: string, host?: string): EventRecorder;
  seriesRecorder(controller: string, instance: string): SeriesRecorder;
  lanes<S extends string, E extends string>(definition: Chart<S, E>): Lanes<S, E>;
  /** Running containers by `namespace/pod/container`; the kubelet puts them here, `kubectl exec` finds them. */
  readonly containers: Map<string, ExecTarget>;
  /** What containers printed, by `namespace/pod/container`, until their pod is gone: the last run and the one before. */
  readonly logs: Map<string, ContainerLog>;
  /** Nodes whose processes stand still (a paused kind node): nothing on them runs until it returns. */
  readonly pausedNodes: PausedNodes;
}

export interface WorldOptions {
  readonly stage: readonly AnyObject[];
  readonly choices: Choices;
  readonly seed: number;
  readonly drivers: (world: World) => ReadonlyMap<string, CsiDriver>;
}

/**
 * Virtual time 0 on the calendar: a minute after the newest time that the stage mentions, so that nothing on the stage
 * is younger than the run.
 */
function epochOf(stage: readonly AnyObject[]): number {
  const newest = stage.reduce((latest, object) => {
    const created = Date.parse(object.metadata.creationTimestamp);
    return Number.isNaN(created) ? latest : Math.max(latest, created);
  }, Date.UTC(2026, 0, 1));
  return newest + 60_000;
}

export function createWorld(options: WorldOptions): World {
  const clock = new Clock();
  const random = new Random(options.seed);
  const trace = new TraceLog(clock);
  const api = new ApiServer({ clock, random, trace, epoch: epochOf(options.stage), watchLatency: timings.watchLatency });
  const deps = { clock, api, names: new EventNames(random) };
  let drivers: ReadonlyMap<string, CsiDriver> = new Map();
  const world: World = {
    clock,
    random,
    api,
    trace,
    choices: options.choices,
    get drivers() {
      return drivers;
    },
    recorder: (component, host) => new EventRecorder(deps, component, host),
    seriesRecorder: (controller, instance) => new SeriesRecorder(deps, controller, instance),
    lanes: (definition) => new Lanes(definition, trace),
    containers: new Map(),
    logs: new Map(),
    pausedNodes: new PausedNodes(),
  };
  drivers = options.drivers(world);
  for (const object of options.stage) api.seed(object);
  return world;
}
