/** What lessons quote stands in the recordings; what they predict, the recordings answer. */
import { describe, expect, it } from 'vitest';
import type { Trace } from '../../machines/trace/format.ts';
import { readPairs, readRecording, readRuns } from '../../src/course/files.ts';
import { inlineCode, readPage } from '../../src/course/page.ts';
import { holdsWords, misquotes } from '../../src/course/quotes.ts';
import { linesOf, placeOf, recordAt } from '../../src/course/recording.ts';
import { verdictsOf } from '../../src/course/verdict.ts';
import { OTHER_VERSIONS } from './course-other-versions.ts';

const pages = readPairs().flatMap((pair) => (['en', 'zh'] as const).map((lang) => ({ name: `${lang}/${pair.slug}`, page: readPage(pair.slug, pair[lang]), source: pair[lang] })));

describe('quotations', () => {
  it.each(pages)('$name: every quoted line stands in the record named', ({ page }) => {
    expect(misquotes(page, readRecording)).toEqual([]);
  });

  it.each(pages)('$name: every quotation, time and span is from a recording that the page lists', ({ page }) => {
    const listed = page.front['recordings'] as string[] | undefined;
    const named = page.parts.flatMap((part) => [part.attrs['of'], part.name === 'Gap' ? part.attrs['from'] : undefined, part.name === 'Gap' ? part.attrs['to'] : undefined]).filter((of) => of !== undefined);
    for (const of of named) {
      const place = placeOf(of);
      expect(listed, of).toContain(place.scenario);
      const trace = readRecording(place.scenario, place.run);
      expect(trace, of).toBeDefined();
      expect(() => recordAt(trace as Trace, place), of).not.toThrow();
    }
  });

  it.each(pages)('$name: a component’s words in running text stand in a recording of the page, or are listed as another version’s', ({ page, source }) => {
    const listed = (page.front['recordings'] as string[] | undefined) ?? [];
    const said = new Set(listed.flatMap(readRuns).flatMap((run) => run.records.flatMap(linesOf)));
    const unknown = inlineCode(source).filter(isMessage).filter((text) => !OTHER_VERSIONS.has(text) && ![...said].some((line) => holdsWords(line, text)));
    expect(unknown).toEqual([]);
  });

  it('would notice a word changed, a line too many, a wrong order, a wrong command and a wrong place', () => {
    const quote = (of: string, text: string): number =>
      misquotes(readPage('x', `---\ntitle: X\n---\n<Recorded of="${of}">\n\n\`\`\`text\n${text}\n\`\`\`\n\n</Recorded>\n`), readRecording).length;
    const said = 'MountVolume.SetUp failed for volume "missing" : secret "missing" not found';
    expect(quote('missing-secret/1#107', said)).toBe(0);
    expect(quote('missing-secret/1#107', said.replace('failed', 'fails'))).toBe(1);
    expect(quote('missing-secret/1#108', said)).toBe(1);
    expect(quote('missing-secret/9#107', said)).toBe(1);
    expect(quote('missing-secret/1#99999', said)).toBe(1);
    expect(quote('missing-secret/1', said)).toBe(1);
    expect(quote('missing-secret/1#141', '$ kubectl get pod first\nNAME    READY   STATUS              RESTARTS   AGE\nfirst   0/1     ContainerCreating   0          2s')).toBe(0);
    expect(quote('missing-secret/1#141', 'first   0/1     ContainerCreating   0          2s\nNAME    READY   STATUS              RESTARTS   AGE')).toBe(1);
    expect(quote('missing-secret/1#141', '$ kubectl get pods\n…')).toBe(1);
  });
});

describe('predictions', () => {
  const predictions = pages.flatMap(({ name, page }) =>
    page.parts
      .filter((part) => part.name === 'Predict')
      .map((part) => ({ name, part, whens: [...part.inside.matchAll(/<Option when="([^"]*)"/g)].map((match) => (match[1] ?? '').replaceAll('&quot;', '"')) })),
  );

  it.each(predictions)('$name $part.attrs.id: one option holds, the same in every recording', ({ part, whens }) => {
    expect(whens.length).toBeGreaterThanOrEqual(2);
    expect(() => verdictsOf(part.attrs['id'] ?? '', readRuns(part.attrs['scenario'] ?? ''), whens, part.attrs['at'])).not.toThrow();
  });
});

/** Several words in code, that are no command, path or manifest: a message. */
function isMessage(text: string): boolean {
  return text.split(' ').length >= 4 && !/^(kubectl|sudo|grep|cat|echo|ls|id|mkdir|jq|journalctl|crictl|findmnt|lsblk|mount|dmesg|npm|npx|for|while|\{|\[)/.test(text);
}
