import { expect, test } from 'vitest';
import { searchWeight } from '../../src/site/search-weight.ts';

test('a lesson counts as it is, the method page more, a lab less', () => {
  expect(searchWeight('lessons/zones')).toBe(1);
  expect(searchWeight('labs/multi-attach')).toBeLessThan(1);
  expect(searchWeight('lessons/finding-the-first-gap')).toBeGreaterThan(1);
});

test.each(['', 'labs', 'lessons', 'talks', 'workshops', 'talks/five-minutes', 'workshops/first-gap', 'workshops/first-gap/guide', 'modelled', 'ignored'])('what only names a symptom counts less than a lesson: "%s"', (path) => {
  expect(searchWeight(path)).toBeLessThan(1);
  expect(searchWeight(path)).toBeGreaterThan(0);
});
