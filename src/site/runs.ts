/**
 * The scenarios, their recordings and their simulated runs, read and made when the site is built. Nothing here reaches
 * the browser but what a page asks for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulate } from '../../machines/index.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { parseScenario } from '../formats/scenario.ts';

const SCENARIOS = join(process.cwd(), 'content/scenarios');
const TRACES = join(process.cwd(), 'content/traces');

/** The ids of all scenarios, sorted. */
export function scenarioIds(): string[] {
  return readdirSync(SCENARIOS)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

const scenarios = new Map<string, Scenario>();

/** A scenario of `content/scenarios`. Throws with the file's name where it is wrong or missing. */
export function scenarioOf(id: string): Scenario {
  let found = scenarios.get(id);
  if (found === undefined) {
    const file = `content/scenarios/${id}.yaml`;
    found = parseScenario(readFileSync(join(SCENARIOS, `${id}.yaml`), 'utf8'), file);
    scenarios.set(id, found);
  }
  return found;
}

const recordings = new Map<string, readonly Trace[]>();

/** All recordings of a scenario, in the order of their numbers. */
export function recordingsOf(id: string): readonly Trace[] {
  let found = recordings.get(id);
  if (found === undefined) {
    found = readdirSync(join(TRACES, id))
      .filter((name) => /^\d+\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a) - Number.parseInt(b))
      .map((name) => JSON.parse(readFileSync(join(TRACES, id, name), 'utf8')) as Trace);
    recordings.set(id, found);
  }
  return found;
}

export interface BaseRun {
  readonly trace: Trace;
  /** 0: simulated; n: the n-th recording, because the simulation could not run the scenario. */
  readonly source: number;
  /** Why it could not. */
  readonly why: string | undefined;
}

const runs = new Map<string, BaseRun>();

/** The run a lab opens with. */
export function baseRun(id: string): BaseRun {
  let found = runs.get(id);
  if (found === undefined) {
    found = makeRun(id);
    runs.set(id, found);
  }
  return found;
}

function makeRun(id: string): BaseRun {
  try {
    return { trace: simulate(scenarioOf(id)), source: 0, why: undefined };
  } catch (error) {
    const [first] = recordingsOf(id);
    if (first === undefined) throw error;
    return { trace: first, source: 1, why: error instanceof Error ? error.message : String(error) };
  }
}
