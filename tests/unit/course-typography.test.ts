/** The prose of both languages is set as a careful typesetter would set it. */
import { describe, expect, it } from 'vitest';
import { readGlossary, readPairs } from '../../src/course/files.ts';
import { readTerms } from '../../src/course/glossary.ts';
import { blots } from '../../src/course/typography.ts';

const pages = readPairs().flatMap((pair) => (['en', 'zh'] as const).map((lang) => ({ name: `${lang}/${pair.slug}`, lang, source: pair[lang] })));

describe('typography', () => {
  it.each(pages)('$name', ({ source, lang }) => {
    expect(blots(source, lang)).toEqual([]);
  });

  it('of the glossary', () => {
    const entries = readTerms(readGlossary());
    for (const lang of ['en', 'zh'] as const) expect(entries.flatMap((entry) => blots(`${entry[lang].term}\n${entry[lang].text}`, lang))).toEqual([]);
  });

  it('is judged: spacing, marks and quotation marks of either language', () => {
    for (const wrong of ['第1课', '看PVC的事件', '用 `df`看', '好,的', '（ 一）', '「站」']) expect(blots(wrong, 'zh'), wrong).not.toEqual([]);
    for (const right of ['第 1 课，看 PVC 的事件：用 `df` 看。', '“选点”这一站', '`df`，`ls`']) expect(blots(right, 'zh'), right).toEqual([]);
    expect(blots('He said "no" .', 'en')).not.toEqual([]);
    expect(blots('He said “no”, twice.', 'en')).toEqual([]);
  });
});
