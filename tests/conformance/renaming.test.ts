import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import { parseTrace } from '../../src/formats/trace.ts';
import { choicesFrom } from '../../src/formats/like.ts';
import { comparable, Renaming } from './renaming.ts';

const TRACES = new URL('../../content/traces/', import.meta.url);

describe('no rule looks at a name: the run of a scenario under other names is the renamed run', () => {
  for (const id of readdirSync(TRACES)) {
    it(id, () => {
      const file = new URL(`${id}/1.json`, TRACES);
      const trace = parseTrace(readFileSync(file, 'utf8'), file.pathname);
      const { stage, choices } = choicesFrom(trace);
      const nodes = stage.filter((object) => object.kind === 'Node').length;
      const runAs = (letter: string, shift: number): string[] => {
        const renamed = new Renaming(trace.scenario, stage, letter, shift).apply(trace.scenario, stage, choices);
        expect(JSON.stringify(renamed.scenario.steps)).not.toBe(JSON.stringify(trace.scenario.steps));
        const run = simulate(renamed.scenario, { stage: renamed.stage, choices: renamed.choices });
        expect(run.failed).toBeNull();
        return comparable(run.records, letter, shift, nodes, 2);
      };
      expect(runAs('b', 1)).toEqual(runAs('a', 0));
    });
  }
});
