/** The simulated cluster against the recordings: `npm run validate`, scenario by scenario. */
import { describe, expect, it } from 'vitest';
import { machineCatalogue } from '../../machines/catalogue.ts';
import { simulate } from '../../machines/index.ts';
import { judge } from '../../src/validator/judge.ts';
import { textReport } from '../../src/validator/report.ts';
import { recordingsOf, scenarioIds } from '../helpers/traces.ts';

describe('the simulated cluster does what the recorded one did', () => {
  it.each(scenarioIds)('%s', id => {
    const judged = judge(recordingsOf(id), (scenario, like) => simulate(scenario, like), undefined, machineCatalogue);
    const differing = judged.judgements.filter(({ differences }) => differences.length > 0);
    expect(differing.length === 0 ? '' : textReport({ ...judged, judgements: differing }, true)).toBe('');
    expect(judged.judgements.every(({ score }) => score.object.matched > 0 && score.step.matched > 0)).toBe(true);
  });
});
