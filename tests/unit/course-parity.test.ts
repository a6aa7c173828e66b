/** The two languages hold one course: the same pages, labs, steps, predictions, checks, diagrams, quotations. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGlossary, readPairs, slugsIn } from '../../src/course/files.ts';
import { checkedAgainst, markChecked, stalePages, versionOf } from '../../src/course/fresh.ts';
import { readTerms } from '../../src/course/glossary.ts';
import { readPage } from '../../src/course/page.ts';
import { disparities } from '../../src/course/parity.ts';

const pairs = readPairs();
const parsed = pairs.map((pair) => ({ slug: pair.slug, en: readPage(pair.slug, pair.en), zh: readPage(pair.slug, pair.zh) }));

describe('the course in two languages', () => {
  it('has the same pages in both', () => {
    expect(slugsIn('zh')).toEqual(slugsIn('en'));
  });

  it.each(parsed)('$slug: both languages hold the same parts in the same order', ({ en, zh }) => {
    expect(disparities(en, zh)).toEqual([]);
  });

  it.each(parsed.filter(({ en }) => en.front['lesson'] !== undefined))('$slug: a lesson asks for a prediction, has a lab, a check of three questions and its sources', ({ en }) => {
    const names = en.parts.map((part) => part.name);
    for (const part of ['Predict', 'Lab', 'Recorded', 'Check', 'Sources']) expect(names, `${part} in ${en.slug}`).toContain(part);
    expect(names.filter((name) => name === 'Question')).toHaveLength(3);
    expect(names.indexOf('Predict'), 'the prediction comes before the lab').toBeLessThan(names.indexOf('Lab'));
    expect(names.indexOf('Lab')).toBeLessThan(names.indexOf('Check'));
  });

  it.each(parsed.filter(({ en }) => en.front['lesson'] !== undefined))('$slug: evidence, what it does not prove, and the same on a real cluster with commands and recorded output, in this order', ({ en, zh }) => {
    const sections = { en: ['What the evidence shows', /does not prove|does not roll back/, 'On a real cluster'], zh: ['证据说明了什么', /没有证明什么|不会带走什么/, '在真实集群上'] } as const;
    for (const [lang, page] of [['en', en], ['zh', zh]] as const) {
      const places = sections[lang].map((section) => page.headings.findIndex((heading) => (typeof section === 'string' ? heading.startsWith(section) : section.test(heading))));
      expect(places, lang).not.toContain(-1);
      expect([...places].sort((a, b) => a - b), lang).toEqual(places);
      const real = page.body.slice(page.body.indexOf(`## ${sections[lang][2]}`), page.body.indexOf('<Check'));
      expect(real, lang).toMatch(/^```sh$/m);
      expect(real, lang).toContain('<Recorded ');
    }
  });

  it.each(parsed)('$slug: every question has one right answer, and every answer its reason', ({ en, zh }) => {
    for (const page of [en, zh]) {
      for (const question of page.parts.filter((part) => part.name === 'Question')) {
        const answers = question.inside.split('<Answer').slice(1);
        expect(answers.length, question.attrs['id']).toBeGreaterThanOrEqual(3);
        expect(answers.filter((answer) => /^ right[ >]/.test(answer)), question.attrs['id']).toHaveLength(1);
        for (const answer of answers) expect(answer, question.attrs['id']).toMatch(/<Why>.+<\/Why>/s);
      }
    }
  });

  it.each(parsed)('$slug: every diagram has its source in both languages', ({ en }) => {
    for (const diagram of en.parts.filter((part) => part.name === 'Diagram')) {
      for (const lang of ['en', 'zh']) expect(existsSync(join('content/diagrams', lang, `${diagram.attrs['name'] ?? ''}.mmd`)), `${lang}/${diagram.attrs['name'] ?? ''}`).toBe(true);
    }
  });

  it('introduces every word of the glossary in the lesson that the glossary names, and no other', () => {
    const shown = parsed.flatMap(({ slug, en }) => en.parts.filter((part) => part.name === 'Term').map((part) => `${part.attrs['is'] ?? ''} in ${slug}`));
    expect(shown.sort()).toEqual(readTerms(readGlossary()).map((term) => `${term.id} in ${term.lesson}`).sort());
  });

  it('would notice a part that one language lacks, has otherwise, or has elsewhere', () => {
    const pair = parsed[0];
    if (pair === undefined) throw new Error('there is no page');
    const { en, zh } = pair;
    const term = zh.parts.findIndex((part) => part.name === 'Term');
    expect(disparities(en, { ...zh, parts: zh.parts.toSpliced(term, 1) })).toHaveLength(1);
    expect(disparities(en, { ...zh, headings: zh.headings.slice(1) })).toHaveLength(2);
    const lab = zh.parts.findIndex((part) => part.name === 'Lab');
    const moved = zh.parts.map((part, i) => (i === lab ? { ...part, attrs: { ...part.attrs, scenario: 'other' } } : part));
    expect(disparities(en, { ...zh, parts: moved })).toHaveLength(2);
    expect(disparities(en, { ...zh, parts: [...zh.parts].reverse() })[0]).toMatch(/order differs/);
  });
});

describe('pages whose other language changed', () => {
  const pair = { slug: 'x', en: '---\ntitle: X\n---\nText.\n', zh: '---\ntitle: 甲\n---\n正文。\n' };
  const checked = { ...pair, en: markChecked(pair.en, pair.zh), zh: markChecked(pair.zh, pair.en) };

  it('are reported until someone says they are up to date', () => {
    expect(stalePages([pair])).toHaveLength(2);
    expect(stalePages([checked])).toEqual([]);
    const changed = { ...checked, en: checked.en.replace('Text.', 'Other text.') };
    expect(stalePages([changed]).map(({ page, other }) => [page, other])).toEqual([['zh', 'en']]);
  });

  it('keep their version when only the mark is written', () => {
    expect(versionOf(checked.en)).toBe(versionOf(pair.en));
    expect(checkedAgainst(checked.en)).toBe(versionOf(pair.zh));
    expect(markChecked(checked.en, pair.zh)).toBe(checked.en);
  });

  it('are none in the course', () => {
    expect(stalePages(pairs).map(({ page, slug }) => `${page}/${slug}`)).toEqual([]);
  });
});
