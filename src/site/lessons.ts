/** The lessons of the course, in their order. */
import { getCollection, type CollectionEntry } from 'astro:content';
import type { Lang } from '../i18n/langs.ts';

export type Lesson = CollectionEntry<'docs'> & { data: { lesson: number } };

function isLesson(entry: CollectionEntry<'docs'>): entry is Lesson {
  return entry.data.lesson !== undefined;
}

/** The lessons written in a language, sorted by their number. */
export async function lessonsIn(lang: Lang): Promise<Lesson[]> {
  const all = await getCollection('docs', (entry) => entry.id.startsWith(`${lang}/`));
  return all.filter(isLesson).sort((a, b) => a.data.lesson - b.data.lesson);
}

/** How many lessons the course has in a language. */
export async function lessonCount(lang: Lang): Promise<number> {
  return (await lessonsIn(lang)).length;
}
