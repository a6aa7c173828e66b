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

/** A page of the course as others name it. */
export interface CoursePage {
  readonly slug: string;
  readonly title: string;
  readonly description: string | undefined;
}

function pageOf(entry: CollectionEntry<'docs'>): CoursePage {
  return { slug: entry.id.split('/').at(-1) ?? '', title: entry.data.title, description: entry.data.description };
}

/** The pages after the lessons, in their order: the method, the check of it all. */
const AFTER_LESSONS = ['finding-the-first-gap', 'course-check'];

async function pagesNamed(lang: Lang, slugs: readonly string[]): Promise<CoursePage[]> {
  const all = await getCollection('docs', (entry) => entry.id.startsWith(`${lang}/`));
  return slugs.flatMap((slug) => all.filter((entry) => entry.id === `${lang}/lessons/${slug}`).map(pageOf));
}

/** The way through the course: all lessons, then what follows them. */
export async function courseOrder(lang: Lang): Promise<CoursePage[]> {
  return [...(await lessonsIn(lang)).map(pageOf), ...(await pagesNamed(lang, AFTER_LESSONS))];
}

/** The pages that stand beside the lessons. */
export async function pagesBeside(lang: Lang): Promise<CoursePage[]> {
  return pagesNamed(lang, [...AFTER_LESSONS, 'glossary']);
}
