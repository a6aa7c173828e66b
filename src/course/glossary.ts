/** The words of the field, each with the field of the API that holds it, and the lesson that needs it first. */
import { parse } from 'yaml';
import { z } from 'zod';

const saying = z.strictObject({ term: z.string().min(1), text: z.string().min(1) });

const termSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** The API field, annotation, command or file that shows it. */
  field: z.string().min(1),
  lesson: z.string().min(1),
  en: saying,
  zh: saying,
});

export type GlossaryTerm = z.infer<typeof termSchema>;

/** Reads the glossary. Throws on a wrong entry, and on two entries of one id. */
export function readTerms(source: string): GlossaryTerm[] {
  const terms = z.array(termSchema).parse(parse(source));
  const ids = new Set<string>();
  for (const { id } of terms) {
    if (ids.has(id)) throw new Error(`the glossary has two entries "${id}"`);
    ids.add(id);
  }
  return terms;
}

/** One entry. Throws where there is none, naming those that there are. */
export function termOf(terms: readonly GlossaryTerm[], id: string): GlossaryTerm {
  const found = terms.find((term) => term.id === id);
  if (found === undefined) throw new Error(`the glossary has no "${id}"; it has ${terms.map((term) => term.id).join(', ')}`);
  return found;
}
