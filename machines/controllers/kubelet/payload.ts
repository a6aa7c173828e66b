/** The files of Secret, ConfigMap, projected and downward API volumes (pkg/volume/{secret,configmap,projected,downwardapi}, v1.35; ref 7.3). */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { ProjectedFile } from '../../process/filesystem.ts';
import type { Json, KeyToPath, Pod, ProjectedSource, StringMap, Volume } from '../../model/objects.ts';

/** By path in the volume. */
export type Files = Map<string, ProjectedFile>;
export type Payload = { readonly files: Files } | { readonly error: string };

/** Every namespace has it; the root CA publisher of the controller manager keeps it there. */
const ROOT_CA = 'kube-root-ca.crt';
const DEFAULT_MODE = 0o644;

/** The files that a volume shows now, or why it cannot be set up. @recorded #missing-secret, #configmap-key-missing, #secret-removed */
export function payloadOf(api: ApiServer, pod: Pod, entry: Volume): Payload {
  const namespace = pod.metadata.namespace ?? 'default';
  const { secret, configMap, projected, downwardAPI } = entry;
  if (secret) return secretFiles(api, namespace, { name: secret.secretName, items: secret.items, optional: secret.optional, mode: secret.defaultMode });
  if (configMap) return configMapFiles(api, namespace, { ...configMap, mode: configMap.defaultMode });
  if (projected) return projectedFiles(api, pod, namespace, projected.sources, projected.defaultMode);
  if (downwardAPI !== undefined) return { files: downwardFiles(pod, (downwardAPI as { items?: readonly Json[] }).items ?? [], DEFAULT_MODE) };
  return { files: new Map() };
}

interface Reference {
  readonly name: string;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly mode?: number | undefined;
}

/** A missing Secret or key fails the mount, unless it is optional: then the volume is mounted without it. @recorded #missing-secret */
function secretFiles(api: ApiServer, namespace: string, reference: Reference): Payload {
  const data = api.get('Secret', namespace, reference.name)?.data;
  const found = api.get('Secret', namespace, reference.name) !== undefined;
  if (!found && reference.optional !== true) return { error: `secret "${reference.name}" not found` };
  return project(data ?? {}, reference, (key) => `references non-existent secret key: ${key}`);
}

/** @recorded #configmap-key-missing */
function configMapFiles(api: ApiServer, namespace: string, reference: Reference): Payload {
  const stored = api.get('ConfigMap', namespace, reference.name);
  const data = stored?.data ?? (reference.name === ROOT_CA ? { 'ca.crt': '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n' } : undefined);
  if (!stored && data === undefined && reference.optional !== true) return { error: `configmap "${reference.name}" not found` };
  return project(data ?? {}, reference, (key) => `configmap references non-existent config key: ${key}`);
}

function project(data: StringMap, { items, optional, mode = DEFAULT_MODE }: Reference, missing: (key: string) => string): Payload {
  if (!items || items.length === 0) return { files: new Map(Object.entries(data).map(([key, content]) => [key, { content, mode }])) };
  const files: Files = new Map();
  for (const { key, path, mode: own } of items) {
    const content = data[key];
    if (content !== undefined) files.set(path, { content, mode: own ?? mode });
    else if (optional !== true) return { error: missing(key) };
  }
  return { files };
}

/** Several sources in one directory. Several errors are told together, `[e1, e2]` (utilerrors.NewAggregate). @modelled ref 7.3 */
function projectedFiles(api: ApiServer, pod: Pod, namespace: string, sources: readonly ProjectedSource[], mode = DEFAULT_MODE): Payload {
  const files: Files = new Map();
  const errors: string[] = [];
  for (const source of sources) {
    const payload = sourceFiles(api, pod, namespace, source, mode);
    if ('error' in payload) errors.push(payload.error);
    else for (const [path, file] of payload.files) files.set(path, file);
  }
  if (errors.length === 0) return { files };
  const distinct = [...new Set(errors)];
  return { error: distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]` };
}

function sourceFiles(api: ApiServer, pod: Pod, namespace: string, source: ProjectedSource, mode: number): Payload {
  if (source.secret) return secretFiles(api, namespace, { ...source.secret, mode });
  if (source.configMap) return configMapFiles(api, namespace, { ...source.configMap, mode });
  if (source.downwardAPI) return { files: downwardFiles(pod, source.downwardAPI.items, mode) };
  if (source.serviceAccountToken) return { files: new Map([[source.serviceAccountToken.path, { content: `token-of-${pod.spec.serviceAccountName ?? 'default'}`, mode }]]) };
  return { files: new Map() };
}

interface DownwardItem {
  readonly path: string;
  readonly fieldRef?: { readonly fieldPath: string } | undefined;
}

function downwardFiles(pod: Pod, items: readonly Json[], mode: number): Files {
  const entries = items as unknown as readonly DownwardItem[];
  return new Map(entries.map((item) => [item.path, { content: fieldValue(pod, item.fieldRef?.fieldPath ?? ''), mode }]));
}

/** A field of the pod as a file shows it: maps as sorted `key="value"` lines (pkg/fieldpath, v1.35). @modelled ref 7.3 */
export function fieldValue(pod: Pod, path: string): string {
  const { metadata } = pod;
  if (path === 'metadata.labels') return mapLines(metadata.labels);
  if (path === 'metadata.annotations') return mapLines(metadata.annotations);
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? '';
  const values: Readonly<Record<string, string | undefined>> = { 'metadata.name': metadata.name, 'metadata.namespace': metadata.namespace, 'metadata.uid': metadata.uid };
  return values[path] ?? '';
}

function mapLines(map: StringMap | undefined): string {
  return Object.entries(map ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}
