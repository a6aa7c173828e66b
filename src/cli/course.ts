/**
 * `npm run course`: which pages changed after they were last compared with the other language; exit 1 if any did.
 * `npm run course -- checked SLUG…`: someone has compared both languages of these pages and says they are up to date.
 */
import { Command } from 'commander';
import { pagePath, readPairs } from '../course/files.ts';
import { markChecked, stalePages } from '../course/fresh.ts';
import { readText, writeText } from './files.ts';
import { runMain } from './main.ts';

const program = new Command('course')
  .description('Names the lessons that changed after they were last compared with the other language. Exits 1 if any did.')
  .showHelpAfterError()
  .action(report);
program
  .command('checked')
  .description('says that both languages of these lessons were compared and agree')
  .argument('<slugs...>', 'names of lessons (their files without .mdx)')
  .action((slugs: string[]) => { slugs.forEach(markPair); });

runMain(() => program.parse());

function report(): void {
  const stale = stalePages(readPairs());
  for (const { page, slug, other, checkedAgainst } of stale) {
    const since = checkedAgainst === undefined ? 'was never compared with' : 'has not been compared since the last change of';
    console.log(`content/lessons/${page}/${slug}.mdx ${since} content/lessons/${other}/${slug}.mdx`);
  }
  console.log(stale.length === 0 ? 'every page is up to date with its other language' : `${stale.length} to compare, then: npm run course -- checked SLUG`);
  if (stale.length > 0) process.exitCode = 1;
}

function markPair(slug: string): void {
  const [en, zh] = [pagePath('en', slug), pagePath('zh', slug)];
  const [english, chinese] = [readText(en), readText(zh)];
  // A page's version leaves its own mark out, so the order of the two writes does not matter.
  writeText(en, markChecked(english, chinese));
  writeText(zh, markChecked(chinese, english));
}
