/** Reads the course's files: pages in both languages, recordings, glossary. For the build, the command line and the tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trace } from '../../machines/trace/format.ts';
import type { Pair } from './fresh.ts';

/** The project's own directory: builds, tests and commands start there. */
const root = process.cwd();
const lessons = join(root, 'content/lessons');

export function pagePath(lang: 'en' | 'zh', slug: string): string {
  return join(lessons, lang, `${slug}.mdx`);
}

/** The slugs of all pages that a language has. */
export function slugsIn(lang: 'en' | 'zh'): string[] {
  return readdirSync(join(lessons, lang)).filter((file) => file.endsWith('.mdx')).map((file) => file.replace(/\.mdx$/, '')).sort();
}

/** Every page that both languages have. */
export function readPairs(): Pair[] {
  const zh = new Set(slugsIn('zh'));
  return slugsIn('en')
    .filter((slug) => zh.has(slug))
    .map((slug) => ({ slug, en: readFileSync(pagePath('en', slug), 'utf8'), zh: readFileSync(pagePath('zh', slug), 'utf8') }));
}

const traces = new Map<string, Trace>();

/** A recorded run; undefined where there is none. */
export function readRecording(scenario: string, run: number): Trace | undefined {
  const file = join(root, 'content/traces', scenario, `${run}.json`);
  if (!existsSync(file)) return undefined;
  const kept = traces.get(file);
  if (kept !== undefined) return kept;
  const trace = JSON.parse(readFileSync(file, 'utf8')) as Trace;
  traces.set(file, trace);
  return trace;
}

/** All recorded runs of a scenario, in their order. */
export function readRuns(scenario: string): Trace[] {
  const runs: Trace[] = [];
  for (let run = 1; ; run++) {
    const trace = readRecording(scenario, run);
    if (trace === undefined) return runs;
    runs.push(trace);
  }
}

export function readGlossary(): string {
  return readFileSync(join(root, 'content/glossary/terms.yaml'), 'utf8');
}

export function readDiagram(lang: 'en' | 'zh', name: string): string {
  return readFileSync(join(root, 'content/diagrams', lang, `${name}.mmd`), 'utf8');
}
