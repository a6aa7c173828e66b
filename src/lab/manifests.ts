/**
 * The manifests of the scenarios that a lab runs, as objects. Those of the page's scenario come read with the page, those
 * that an action writes are known as they are written: so the first action loads the simulated cluster without YAML.
 */
import type { AnyObject } from '../../machines/model/objects.ts';
import { objectsIn, type FillingReader, type ManifestDocument, type ManifestReader } from '../../machines/run/manifest-document.ts';
import { yamlText } from '../../machines/kubectl/yaml-text.ts';

/** What each manifest of a scenario holds, by its text. */
export type ReadManifests = Readonly<Record<string, readonly ManifestDocument[]>>;

const known = new Map<string, readonly ManifestDocument[]>();

/** Takes over what manifests hold. */
export function know(manifests: ReadManifests): void {
  for (const [text, documents] of Object.entries(manifests)) known.set(text, documents);
}

/** What a manifest holds. Throws for one that nobody read before. */
export const readManifest: ManifestReader = (text) => {
  const documents = known.get(text);
  if (documents === undefined) throw new Error(`a manifest of the scenario has not been read: ${text.slice(0, 60)}`);
  return documents;
};

/** What a manifest holds, the variables in its texts filled in. */
export const readFilled: FillingReader = (text, fill) => readManifest(text).map((document) => ({ ...document, value: filled(document.value, fill) }));

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, fill)]));
}

export function manifestObjects(text: string): AnyObject[] {
  return objectsIn(readManifest(text));
}

/** Objects as a manifest, written as kubectl writes YAML. */
export function writeManifest(...objects: readonly object[]): string {
  const values = objects.map((object) => JSON.parse(JSON.stringify(object)) as unknown);
  const texts = values.map(yamlText);
  let line = 1;
  const documents = values.map((value, i) => {
    const at = line;
    line += (texts[i] ?? '').split('\n').length;
    return { line: at, value };
  });
  const text = texts.join('---\n');
  known.set(text, documents);
  return text;
}
