/** What a manifest holds, apart from how its text is read: a page that has its manifests read already needs no YAML. */
import type { AnyObject } from '../model/objects.ts';

/** One document of a manifest. */
export interface ManifestDocument {
  /** Line of the manifest where it begins, or where it is wrong, counted from 1. */
  readonly line: number;
  /** What it holds; null for an empty document. */
  readonly value: unknown;
  /** Why it cannot be read at all, in a sentence; then it holds nothing. */
  readonly problem?: string | undefined;
}

/** All documents of a manifest's text, those that cannot be read included. */
export type ManifestReader = (manifest: string) => readonly ManifestDocument[];

/** The same, with the variables of the text (`$PV_OF_CLAIM`) filled in. */
export type FillingReader = (manifest: string, fill: (text: string) => string) => readonly ManifestDocument[];

/** The objects of a manifest, for those who look at a scenario without running it. What cannot be read is left out. */
export function objectsIn(documents: readonly ManifestDocument[]): AnyObject[] {
  return documents.flatMap(({ value }) => (value !== null && typeof value === 'object' ? [value as AnyObject] : []));
}
