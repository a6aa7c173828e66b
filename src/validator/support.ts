/** What of a scenario the engine does not support yet: computed from its verbs, kinds and fields. */
import { parseKubectl } from '../../machines/kubectl/index.ts';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { Scenario } from '../../machines/trace/scenario.ts';

/** What the engine says of itself. A field path is dotted, lists left out: `spec.volumes.nfs`. */
export interface Supported {
  readonly verbs: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** Per kind, the field paths that rules read or that the API server stores without effect; a path covers all below it when it ends in `.*`. */
  readonly fields: Readonly<Record<string, ReadonlySet<string>>>;
  /** Per kind and field path, values that no rule answers. */
  readonly valuesLeftOut?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Why a container of this image is not what it would be in a real cluster. */
  readonly imageLeftOut?: (image: string, policy: string | undefined) => string | undefined;
}

/** One entry a thing, e.g. `verb node`, `kind DaemonSet`, `field spec.volumes.nfs of Pod`; empty when all is supported. */
export function notSupported(scenario: Scenario, supported: Supported): string[] {
  const missing = new Set<string>();
  for (const step of scenario.steps) {
    const verb = Object.keys(step)[0] ?? '';
    if (!supported.verbs.has(verb)) missing.add(`verb ${verb}`);
    if ('run' in step && isLeftOut(step.run)) missing.add(`command ${step.run}`);
    if (!('apply' in step)) continue;
    for (const manifest of manifestObjects(step.apply)) addManifest(manifest as unknown as Record<string, unknown>, supported, missing);
  }
  return [...missing].sort();
}

/** A command that the printers answer with a text that says so. */
function isLeftOut(command: string): boolean {
  const parsed = parseKubectl(command);
  return parsed.verb === 'refused' && parsed.text.includes('is not modelled by this simulation');
}

function addManifest(manifest: Record<string, unknown>, supported: Supported, missing: Set<string>): void {
  const kind = String(manifest['kind']);
  if (!supported.kinds.has(kind)) {
    missing.add(`kind ${kind}`);
    return;
  }
  const known = supported.fields[kind];
  if (known === undefined) return;
  for (const [path, values] of Object.entries(supported.valuesLeftOut?.[kind] ?? {})) {
    const value = valueAt(manifest, path);
    if (values.includes(String(value))) missing.add(`value ${String(value)} of ${path} of ${kind}`);
  }
  if (supported.imageLeftOut) for (const { image, imagePullPolicy } of containersOf(manifest)) addImage(image, imagePullPolicy, supported.imageLeftOut, missing);
  for (const path of pathsOf(manifest, '')) if (!covers(known, path)) missing.add(`field ${path} of ${kind}`);
}

function addImage(image: unknown, policy: unknown, leftOut: NonNullable<Supported['imageLeftOut']>, missing: Set<string>): void {
  if (typeof image !== 'string') return;
  const why = leftOut(image, typeof policy === 'string' ? policy : undefined);
  if (why !== undefined) missing.add(`image ${image}: ${why}`);
}

/** Of a pod, or of the template of a workload. */
function containersOf(manifest: Record<string, unknown>): Record<string, unknown>[] {
  return ['spec', 'spec.template.spec'].flatMap(spec => ['initContainers', 'containers'].flatMap(list => {
    const containers = valueAt(manifest, `${spec}.${list}`);
    return Array.isArray(containers) ? containers.filter((container): container is Record<string, unknown> => typeof container === 'object' && container !== null) : [];
  }));
}

function valueAt(manifest: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], manifest);
}

function covers(known: ReadonlySet<string>, path: string): boolean {
  if (known.has(path)) return true;
  const parts = path.split('.');
  return parts.some((_, length) => known.has([...parts.slice(0, length), '*'].join('.')));
}

/** Paths of all leaves; an empty object or list is a leaf. */
function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [path] : value.flatMap(element => pathsOf(element, path));
  if (value === null || typeof value !== 'object') return [path];
  const entries = Object.entries(value);
  return entries.length === 0 ? [path] : entries.flatMap(([key, child]) => pathsOf(child, path === '' ? key : `${path}.${key}`));
}
