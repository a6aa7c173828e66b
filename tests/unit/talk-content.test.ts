/** The talks: both languages are the same talk, every step can be spoken to, and what is quoted was recorded. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../../src/course/files.ts';
import { readPage, type Page } from '../../src/course/page.ts';
import { misquotes } from '../../src/course/quotes.ts';
import { fileScenarios } from '../../src/site/lab-files.ts';

const folder = join(process.cwd(), 'content/talks');
const slugs = readdirSync(join(folder, 'en')).map((file) => file.replace(/\.mdx$/, '')).sort();
const read = (lang: 'en' | 'zh', slug: string): Page => readPage(`${lang}/${slug}`, readFileSync(join(folder, lang, `${slug}.mdx`), 'utf8'));
const stepsOf = (page: Page): Page['parts'] => page.parts.filter((part) => part.name === 'Step');

test('there are a talk of 20 minutes and one of 5, in both languages', () => {
  expect(readdirSync(join(folder, 'zh')).map((file) => file.replace(/\.mdx$/, '')).sort()).toEqual(slugs);
  expect(slugs.map((slug) => read('en', slug).front['minutes']).sort()).toEqual([20, 5]);
});

describe.each(slugs)('the talk %s', (slug) => {
  const [en, zh] = [read('en', slug), read('zh', slug)];

  test('has the same steps, labs, moments and drawings in both languages', () => {
    const outline = (page: Page): string[] => page.parts.filter((part) => part.name !== 'Notes').map((part) => `${part.name} ${JSON.stringify(part.attrs)}`);
    expect(outline(zh)).toEqual(outline(en));
    expect(outline(en).length).toBeGreaterThan(6);
    for (const field of ['order', 'minutes']) expect(zh.front[field]).toBe(en.front[field]);
  });

  test.each([['en', en], ['zh', zh]] as const)('gives every step words for the audience and notes for the presenter (%s)', (_lang, page) => {
    for (const step of stepsOf(page)) {
      expect(step.inside, `line ${step.line}`).toMatch(/<Notes>\s*\S/);
      expect(step.inside.replace(/<Notes>[^]*<\/Notes>/, '').replace(/<[^>]*>/g, '').trim(), `line ${step.line}`).not.toBe('');
    }
  });

  test('quotes nothing that was not recorded', () => {
    expect([...misquotes(en, readRecording), ...misquotes(zh, readRecording)]).toEqual([]);
  });

  test('has its labs kept as files', async () => {
    const kept = await fileScenarios();
    for (const step of stepsOf(en)) if (step.attrs['lab'] !== undefined) expect(kept).toContain(step.attrs['lab']);
  });
});
