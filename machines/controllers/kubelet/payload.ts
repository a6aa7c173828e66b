/** The files of Secret, ConfigMap, projected and downward API volumes (pkg/volume/{secret,configmap,projected,downwardapi}, v1.35; ref 7.3). */
import { itemValue, type DownwardItem } from './downward.ts';
import type { ApiServer } from '../../kernel/api-server.ts';
import type { ProjectedFile } from '../../process/filesystem.ts';
import type { Json, KeyToPath, Pod, ProjectedSource, StringMap, Volume } from '../../model/objects.ts';

/** By path in the volume. */
export type Files = Map<string, ProjectedFile>;
export type Payload = { readonly files: Files } | { readonly error: string };

/** Every namespace has it; the root CA publisher of the controller manager keeps it there. */
const ROOT_CA = 'kube-root-ca.crt';
const ROOT_CA_DATA: StringMap = { 'ca.crt': '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n' };
const DEFAULT_MODE = 0o644;

/** The files that a volume shows now, or why it cannot be set up. @recorded #missing-secret, #configmap-key-missing, #secret-removed */
export function payloadOf(api: ApiServer, pod: Pod, entry: Volume): Payload {
  const files: Files = new Map();
  const error = fill(files, api, pod, entry);
  return error === undefined ? { files } : { error };
}

/** The same files, in the same order. */
export function areSame(a: Files, b: Files): boolean {
  if (a.size !== b.size) return false;
  const paths = b.keys();
  for (const [path, { content, mode }] of a) {
    const other = b.get(path);
    if (paths.next().value !== path || other?.content !== content || other.mode !== mode) return false;
  }
  return true;
}

/** Puts the files in; returns what is wrong. */
function fill(files: Files, api: ApiServer, pod: Pod, { secret, configMap, projected, downwardAPI }: Volume): string | undefined {
  const namespace = pod.metadata.namespace ?? 'default';
  if (secret) return secretFiles(files, api, namespace, { name: secret.secretName, items: secret.items, optional: secret.optional, mode: secret.defaultMode });
  if (configMap) return configMapFiles(files, api, namespace, { ...configMap, mode: configMap.defaultMode });
  if (projected) return projectedFiles(files, api, pod, namespace, projected.sources, projected.defaultMode);
  if (downwardAPI !== undefined) {
    const { items = [], defaultMode = DEFAULT_MODE } = downwardAPI as { readonly items?: readonly Json[]; readonly defaultMode?: number };
    downwardFiles(files, api, pod, items, defaultMode);
  }
  return undefined;
}

interface Reference {
  readonly name: string;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly mode?: number | undefined;
}

/** A missing Secret or key fails the mount, unless it is optional: then the volume is mounted without it. @recorded #missing-secret */
function secretFiles(files: Files, api: ApiServer, namespace: string, reference: Reference): string | undefined {
  const stored = api.get('Secret', namespace, reference.name);
  if (!stored && reference.optional !== true) return `secret "${reference.name}" not found`;
  return project(files, stored?.data ?? {}, reference, 'references non-existent secret key');
}

/** @recorded #configmap-key-missing */
function configMapFiles(files: Files, api: ApiServer, namespace: string, reference: Reference): string | undefined {
  const stored = api.get('ConfigMap', namespace, reference.name);
  const data = stored?.data ?? (reference.name === ROOT_CA ? ROOT_CA_DATA : undefined);
  if (!stored && data === undefined && reference.optional !== true) return `configmap "${reference.name}" not found`;
  return project(files, data ?? {}, reference, 'configmap references non-existent config key');
}

function project(files: Files, data: StringMap, { items, optional, mode = DEFAULT_MODE }: Reference, missing: string): string | undefined {
  if (!items || items.length === 0) {
    for (const [key, content] of Object.entries(data)) files.set(key, { content, mode });
    return undefined;
  }
  for (const { key, path, mode: own } of items) {
    const content = data[key];
    if (content !== undefined) files.set(path, { content, mode: own ?? mode });
    else if (optional !== true) return `${missing}: ${key}`;
  }
  return undefined;
}

/** Several sources in one directory. Several errors are told together, `[e1, e2]` (utilerrors.NewAggregate). @modelled ref 7.3 */
function projectedFiles(files: Files, api: ApiServer, pod: Pod, namespace: string, sources: readonly ProjectedSource[], mode = DEFAULT_MODE): string | undefined {
  const errors = new Set<string>();
  for (const source of sources) {
    const error = sourceFiles(files, api, pod, namespace, source, mode);
    if (error !== undefined) errors.add(error);
  }
  if (errors.size === 0) return undefined;
  const distinct = [...errors];
  return distinct.length === 1 ? distinct[0] : `[${distinct.join(', ')}]`;
}

function sourceFiles(files: Files, api: ApiServer, pod: Pod, namespace: string, source: ProjectedSource, mode: number): string | undefined {
  if (source.secret) return secretFiles(files, api, namespace, { ...source.secret, mode });
  if (source.configMap) return configMapFiles(files, api, namespace, { ...source.configMap, mode });
  if (source.downwardAPI) downwardFiles(files, api, pod, source.downwardAPI.items, mode);
  else if (source.serviceAccountToken) files.set(source.serviceAccountToken.path, { content: `token-of-${pod.spec.serviceAccountName ?? 'default'}`, mode });
  return undefined;
}

function downwardFiles(files: Files, api: ApiServer, pod: Pod, items: readonly Json[], mode: number): void {
  for (const item of items as unknown as readonly DownwardItem[]) files.set(item.path, { content: itemValue(api, pod, item), mode: item.mode ?? mode });
}
