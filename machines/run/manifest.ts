/** Reading the text of a manifest: YAML documents, one object each. */
import { LineCounter, parseAllDocuments } from 'yaml';
import type { AnyObject } from '../model/objects.ts';
import { nestsTooDeep } from '../model/values.ts';
import { objectsIn, type ManifestDocument } from './manifest-document.ts';

/** All documents of a manifest, those that cannot be read included. Reads whatever text it gets. */
export function manifestDocuments(manifest: string): ManifestDocument[] {
  const lines = new LineCounter();
  return parseAllDocuments(manifest, { lineCounter: lines }).map((document) => {
    const [error] = document.errors;
    if (error) return { line: error.linePos?.[0].line ?? 1, value: null, problem: plainYamlError(error.message) };
    const line = lines.linePos(document.contents?.range?.[0] ?? document.range[0]).line;
    const { value, problem } = plainValue(document);
    return { line, value, problem };
  });
}

/** The objects of a manifest, for those who look at a scenario without running it. What cannot be read is left out. */
export function manifestObjects(manifest: string): AnyObject[] {
  return objectsIn(manifestDocuments(manifest));
}

/** The value of a YAML document, or why it has none: an alias without its anchor, one inside its own value, or far too many. */
export function plainValue(document: { toJS(): unknown }): { readonly value: unknown; readonly problem?: string } {
  try {
    const value: unknown = document.toJS() ?? null;
    return nestsTooDeep(value) ? { value: null, problem: 'values lie deeper within each other than a Kubernetes object ever does, or hold themselves' } : { value };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { value: null, problem: plainYamlError(error.message) };
  }
}

/** What a parser that gave up half-way is said to have met; whatever else it tells then is of its own making. */
export const TOO_DEEP = 'it is nested too deeply';

/** The parser's sentence without its excerpt and without the place, which is told apart. */
export function plainYamlError(message: string): string {
  const [sentence = ''] = message.split('\n');
  if (sentence.startsWith('Excessive alias count')) return 'aliases (*name) repeat so much that the text would explode';
  if (/call stack|stack overflow/i.test(sentence)) return TOO_DEEP;
  return sentence.replace(/ at line \d+, column \d+:?$/, '');
}
