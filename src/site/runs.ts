/**
 * The scenarios, their recordings and their simulated runs, read and made when the site is built. Nothing here reaches
 * the browser but what a page asks for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulate } from '../../machines/index.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Choices } from '../../machines/index.ts';
import { choicesFrom } from '../formats/like.ts';
import { parseScenario } from '../formats/scenario.ts';
import { compare } from '../validator/compare.ts';
import { factsOf } from '../validator/facts.ts';

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
  /** The choices that the real system leaves free, made as the first recording made them. */
  readonly choices: Choices | undefined;
  /** Differences from all recordings, as `validate` counts them; undefined where there is nothing to compare. */
  readonly differences: number | undefined;
}

const runs = new Map<string, BaseRun>();

/** The run a lab opens with: simulated on the stage of the first recording, and held to all of them. */
export function baseRun(id: string): BaseRun {
  let found = runs.get(id);
  if (found === undefined) {
    found = makeRun(id);
    runs.set(id, found);
  }
  return found;
}

function makeRun(id: string): BaseRun {
  const [first] = recordingsOf(id);
  try {
    if (first === undefined) return { trace: simulate(scenarioOf(id)), source: 0, choices: undefined, differences: undefined };
    const like = choicesFrom(first);
    const trace = simulate(scenarioOf(id), like);
    const verdict = compare(factsOf(trace), recordingsOf(id).map((recording) => factsOf(recording)));
    return { trace, source: 0, choices: like.choices, differences: verdict.differences.length };
  } catch (error) {
    if (first === undefined) throw error;
    process.emitWarning(`${id}: shown as recorded, since it cannot be simulated: ${error instanceof Error ? error.message : String(error)}`);
    return { trace: first, source: 1, choices: undefined, differences: undefined };
  }
}
