/**
 * How much the text of a page counts in the search. A reader who looks for a symptom wants the method or the lesson about it;
 * what only names it (lists, talks, a facilitator's guide) comes after.
 */

/** First match holds; a page that none names counts 1, as Pagefind counts what has no weight. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^lessons\/finding-the-first-gap$/, 2],
  // A lab says little in words, which alone would bring it up.
  [/^labs\/./, 0.2],
  [/^workshops\/[^/]+/, 0.1],
  [/^(|talks|workshops)$/, 0.1],
  [/^talks\/|^(labs|lessons|lessons\/course-check|modelled|ignored)$/, 0.3],
];

/** The weight of the page whose address behind the language is `path`: `lessons/zones`; '' is the home page. */
export function searchWeight(path: string): number {
  return WEIGHTS.find(([pattern]) => pattern.test(path))?.[1] ?? 1;
}
