/** An entry of the glossary as a lesson in one language shows it. */
import { langOf, pagePath } from '../site/paths.ts';
import type { Lang } from '../i18n/langs.ts';
import { readGlossary } from './files.ts';
import { readTerms, termOf, type GlossaryTerm } from './glossary.ts';

export interface Entry {
  readonly term: GlossaryTerm;
  readonly lang: Lang;
  /** Where the glossary has it. */
  readonly address: string;
}

/** Throws for an id that the glossary does not hold. */
export function entryOf(id: string, locale: string | undefined): Entry {
  const lang = langOf(locale);
  const term = termOf(readTerms(readGlossary()), id);
  return { term, lang, address: `${pagePath(lang, 'lessons/glossary')}#${term.id}` };
}
