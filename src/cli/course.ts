/**
 * `npm run course`: which pages changed after they were last compared with the other language; exit 1 if any did.
 * `npm run course -- checked SLUG…`: someone has compared both languages of these pages and says they are up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pagePath, readPairs } from '../course/files.ts';
import { markChecked, stalePages } from '../course/fresh.ts';

const [verb, ...slugs] = process.argv.slice(2);
if (verb === undefined) report();
else if (verb === 'checked' && slugs.length > 0) slugs.forEach(markPair);
else {
  console.error('usage: npm run course [-- checked SLUG…]');
  process.exit(2);
}

function report(): void {
  const stale = stalePages(readPairs());
  for (const { page, slug, other, checkedAgainst } of stale) {
    const since = checkedAgainst === undefined ? 'was never compared with' : 'has not been compared since the last change of';
    console.log(`content/lessons/${page}/${slug}.mdx ${since} content/lessons/${other}/${slug}.mdx`);
  }
  console.log(stale.length === 0 ? 'every page is up to date with its other language' : `${stale.length} to compare, then: npm run course -- checked SLUG`);
  process.exit(stale.length === 0 ? 0 : 1);
}

function markPair(slug: string): void {
  const [en, zh] = [pagePath('en', slug), pagePath('zh', slug)];
  const [english, chinese] = [readFileSync(en, 'utf8'), readFileSync(zh, 'utf8')];
  // A page's version leaves its own mark out, so the order of the two writes does not matter.
  writeFileSync(en, markChecked(english, chinese));
  writeFileSync(zh, markChecked(chinese, english));
}
