/** Which pages changed after someone last compared them with the other language. */
import { createHash } from 'node:crypto';

export const LANGS = ['en', 'zh'] as const;
type Lang = (typeof LANGS)[number];

/** A page in both languages, as source text. */
export interface Pair {
  readonly slug: string;
  readonly en: string;
  readonly zh: string;
}

/** A page whose other language has changed since. */
export interface Stale {
  readonly slug: string;
  readonly page: Lang;
  readonly other: Lang;
  /** The version it was last compared with; undefined where it never was. */
  readonly checkedAgainst: string | undefined;
  readonly now: string;
}

const MARK = /^checkedAgainst: *"?([0-9a-f]+)"?\n/m;

/** The version of a page: a short hash of all its text but the mark itself. */
export function versionOf(source: string): string {
  return createHash('sha256').update(source.replace(MARK, '')).digest('hex').slice(0, 12);
}

/** The version of the other language that a page says it was checked against. */
export function checkedAgainst(source: string): string | undefined {
  return MARK.exec(source)?.[1];
}

export function stalePages(pairs: readonly Pair[]): Stale[] {
  return pairs.flatMap((pair) =>
    LANGS.map((page): Stale => {
      const other = page === 'en' ? 'zh' : 'en';
      return { slug: pair.slug, page, other, checkedAgainst: checkedAgainst(pair[page]), now: versionOf(pair[other]) };
    }).filter((stale) => stale.checkedAgainst !== stale.now),
  );
}

/** The page's source with the mark of today: it says the same as this version of the other language. */
export function markChecked(source: string, other: string): string {
  const mark = `checkedAgainst: "${versionOf(other)}"\n`;
  if (MARK.test(source)) return source.replace(MARK, mark);
  return source.replace(/^---\n([\s\S]*?)\n---\n/, (front) => front.replace(/\n---\n$/, `\n${mark}---\n`));
}
