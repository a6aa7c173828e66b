/** The addresses that a lab leads to, on a page of a language. */
import type { Lang } from '../i18n/langs.ts';
import type { LabPaths } from '../lab/data.ts';
import { filePath, pagePath } from './paths.ts';

export function labPaths(lang: Lang): LabPaths {
  return { recordings: filePath('recordings/'), modelled: pagePath(lang, 'modelled') };
}
