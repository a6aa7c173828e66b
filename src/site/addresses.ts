/** The addresses that a workshop leads to, on a page of a language. */
import type { Lang } from '../i18n/langs.ts';
import type { Addresses } from '../workshop/addresses.ts';
import { filePath, pagePath } from './paths.ts';

export function workshopAddresses(lang: Lang): Addresses {
  return { lessons: pagePath(lang, 'lessons'), labs: pagePath(lang, 'labs'), workshops: pagePath(lang, 'workshops'), workshopFiles: filePath('workshops/'), labFiles: filePath('labs/') };
}
