/** Reading the text of a manifest: YAML documents, one object each. */
import { LineCounter, parseAllDocuments } from 'yaml';
import type { AnyObject } from '../model/objects.ts';
import { nestsTooDeep } from '../model/values.ts';

/** One document of a manifest. */
export interface ManifestDocument {
  /** Line of the manifest where it begins, or where it is wrong, counted from 1. */
  readonly line: number;
  /** What it holds; null for an empty document. */
  readonly value: unknown;
  /** Why it cannot be read at all, in a sentence; then it holds nothing. */
  readonly problem?: string | undefined;
}

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
  return manifestDocuments(manifest).flatMap(({ value }) => (value !== null && typeof value === 'object' ? [value as AnyObject] : []));
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

/** The parser's sentence without its excerpt and without the place, which is told apart. */
export function plainYamlError(message: string): string {
  const [sentence = ''] = message.split('\n');
  if (sentence.startsWith('Excessive alias count')) return 'aliases (*name) repeat so much that the text would explode';
  if (sentence.includes('call stack')) return 'it is nested too deeply';
  return sentence.replace(/ at line \d+, column \d+:?$/, '');
}
