/** The talks, in their order. */
import { getCollection, type CollectionEntry } from 'astro:content';
import type { Lang } from '../i18n/langs.ts';

export interface TalkPage {
  readonly slug: string;
  readonly entry: CollectionEntry<'talks'>;
  readonly steps: number;
}

/** The talks written in a language, sorted by the order they give themselves. */
export async function talksIn(lang: Lang): Promise<TalkPage[]> {
  const all = await getCollection('talks', (entry) => entry.id.startsWith(`${lang}/`));
  return all.map((entry) => ({ slug: entry.id.slice(lang.length + 1), entry, steps: (entry.body ?? '').match(/<Step\b/g)?.length ?? 0 })).sort((a, b) => a.entry.data.order - b.entry.data.order);
}
