/**
 * A manifest or a patch of a recorded scenario, with one value replaced by something that has no business there: the run
 * refuses it, or waits for it in vain, but does not break.
 */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { manifestObjects, simulate } from '../../machines/index.ts';
import type { Json } from '../../machines/model/objects.ts';
import { parseScenario } from '../../src/formats/scenario.ts';
import type { Scenario, Step } from '../../machines/trace/scenario.ts';

const FOLDER = new URL('../../content/scenarios/', import.meta.url);
const SCENARIOS = readdirSync(FOLDER).map((file) => parseScenario(readFileSync(new URL(file, FOLDER), 'utf8'), file));
const HOSTILE: readonly Json[] = [null, 5, -1, 1e30, 1.5, 'x', '', true, [], [null], ['x'], [{}], {}, { a: { b: 1 } }, parse('{__proto__: {a: 1}, constructor: null}') as Json];
const PATIENCE = 25;

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: Json): unknown {
  if (key === undefined) return by;
  const inner = replaced((value as Readonly<Record<string | number, unknown>>)[key], rest, by);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...(value as object), [key]: inner };
}

/** Every place of every manifest: scenario, step, object, path. */
const places = SCENARIOS.flatMap((scenario) =>
  scenario.steps.flatMap((step, index) => ('apply' in step ? manifestObjects(step.apply).flatMap((object, nth) => pathsOf(object).map((path) => ({ scenario, index, nth, path }))) : [])),
);

function changed(scenario: Scenario, index: number, change: (step: Step) => Step[]): Scenario {
  const impatient = (step: Step): Step => ('wait' in step ? { wait: { ...step.wait, timeout: Math.min(step.wait.timeout ?? PATIENCE, PATIENCE) } } : step);
  return { ...scenario, steps: scenario.steps.flatMap((step, i) => (i === index ? change(step) : [impatient(step)])) };
}

function withHostileManifest({ scenario, index, nth, path }: (typeof places)[number], by: Json): Scenario {
  return changed(scenario, index, (step) => ('apply' in step ? [{ apply: manifestObjects(step.apply).map((object, i) => JSON.stringify(i === nth ? replaced(object, path, by) : object)).join('\n---\n') }] : [step]));
}

function withHostilePatch({ scenario, index, nth, path }: (typeof places)[number], by: Json): Scenario {
  return changed(scenario, index, (step) => {
    const object = 'apply' in step ? manifestObjects(step.apply)[nth] : undefined;
    const merge = path.toReversed().reduce<Json>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), by);
    return object ? [step, { settle: 5 }, { patch: { target: `${object.kind.toLowerCase()}/${object.metadata.name}`, merge } }] : [step];
  });
}

it.each([
  ['manifest', withHostileManifest],
  ['patch', withHostilePatch],
])('a %s with any value in any place does not break the run, and gives the same run again', (_what, hostile) => {
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom(...HOSTILE), fc.boolean(), (place, by, twice) => {
      const scenario = hostile(place, by);
      const trace = simulate(scenario);
      if (twice) expect(JSON.stringify(simulate(scenario))).toBe(JSON.stringify(trace));
    }),
    { seed: 20_261_130, numRuns: 400 },
  );
}, 300_000);
