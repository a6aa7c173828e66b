/** kubectl apply and kubectl patch --type merge, as far as the store sees them. */
import { ApiError } from '../kernel/api-error.ts';
import type { ApiServer, Draft } from '../kernel/api-server.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject, Json, Kind } from '../model/objects.ts';

/**
 * Creates the object, or merges it over the stored one. kubectl adds the last-applied annotation, which the recorder
 * leaves out: what stays of it is an annotations map on every applied object.
 * Throws ApiError for what is no Kubernetes object or a kind that the simulated API server does not serve.
 */
export function applyManifest(api: ApiServer, manifest: unknown, namespace: string): void {
  const object = asObject(manifest);
  const { namespaced } = KINDS[object.kind];
  const metadata = {
    ...object.metadata,
    annotations: object.metadata.annotations ?? {},
    ...(namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
  };
  const draft = { ...object, metadata } as unknown as Draft<Kind>;
  const existing = api.get(object.kind, metadata.namespace, object.metadata.name);
  if (!existing) {
    api.create(draft);
    return;
  }
  api.update(object.kind, metadata.namespace, object.metadata.name, (old) => mergePatch(old, draft as unknown as Json) as typeof old);
}

function asObject(manifest: unknown): AnyObject {
  const object = manifest as Partial<AnyObject> | null;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) throw new ApiError('BadRequest', 'the manifest is not an object: expected apiVersion, kind, metadata');
  const kind = object.kind;
  if (kind === undefined || !(kind in KINDS)) throw new ApiError('BadRequest', `resource mapping not found: no matches for kind "${String(kind)}" in the simulated API server (it serves ${Object.keys(KINDS).join(', ')})`);
  if (object.apiVersion !== KINDS[kind].apiVersion) throw new ApiError('BadRequest', `no matches for kind "${kind}" in version "${String(object.apiVersion)}": expected "${KINDS[kind].apiVersion}"`);
  if (typeof object.metadata?.name !== 'string') throw new ApiError('Invalid', `${kind} "" is invalid: metadata.name: Required value: name or generateName is required`);
  return object as AnyObject;
}

/** RFC 7386 merge patch. Returns the same value where nothing changes, so that an empty patch writes nothing. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return deepEqual(target, patch) ? target : patch;
  const before = target !== null && typeof target === 'object' && !Array.isArray(target) ? (target as Record<string, unknown>) : {};
  let after: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      if (key in before) delete (after ??= { ...before })[key];
      continue;
    }
    const merged = mergePatch(before[key], value);
    if (merged !== before[key]) (after ??= { ...before })[key] = merged;
  }
  return after ?? (before === target ? target : before);
}

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.keys(a);
  return left.length === Object.keys(b).length && left.every((key) => key in b && deepEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
