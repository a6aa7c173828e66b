/** The lab of a lesson opens where the lesson says, offers something to break, and answers as the recordings do. */
import { describe, expect, it } from 'vitest';
import { readPairs, readRuns } from '../../src/course/files.ts';
import { askedRun } from '../../src/course/lab-run.ts';
import { readPage } from '../../src/course/page.ts';
import { verdictsOf } from '../../src/course/verdict.ts';
import { limitOf } from '../../src/course/when.ts';
import { offersAt } from '../../src/lab/offers.ts';
import { baseRun } from '../../src/site/runs.ts';
import { lineAt } from '../../src/trace-view/stations.ts';

const parts = readPairs().flatMap((pair) => readPage(pair.slug, pair.en).parts.map((part) => ({ slug: pair.slug, part })));
const labs = parts.filter(({ part }) => part.name === 'Lab').map(({ slug, part }) => ({ slug, scenario: part.attrs['scenario'] ?? '', at: part.attrs['at'] ?? '' }));
const predictions = parts
  .filter(({ part }) => part.name === 'Predict')
  .map(({ part }) => ({
    id: part.attrs['id'] ?? '',
    scenario: part.attrs['scenario'] ?? '',
    at: part.attrs['at'],
    whens: [...part.inside.matchAll(/<Option when="([^"]*)"/g)].map((match) => match[1] ?? ''),
  }));

describe('the labs of the lessons', () => {
  it.each(labs)('$slug: $scenario comes to "$at", and offers at least one fault there', ({ scenario, at }) => {
    const { trace } = baseRun(scenario);
    const index = limitOf(trace, at);
    const offers = offersAt(trace, index, lineAt(trace, index));
    expect(offers.filter((offer) => offer.kind === 'fault').length).toBeGreaterThanOrEqual(1);
    expect(offers.length).toBeGreaterThanOrEqual(2);
  });

  it.each(predictions)('$id: the lab’s run answers as every recording does', ({ id, scenario, at, whens }) => {
    const recorded = verdictsOf(id, readRuns(scenario), whens, at);
    expect(verdictsOf(id, [askedRun(scenario)], whens, at).holds).toBe(recorded.holds);
  });
});
