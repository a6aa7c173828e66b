/** kubectl apply, as far as the store sees it. */
import { wireForm } from '../admission/wire-form.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { ApiServer, Draft } from '../kernel/api-server.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject, Kind } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { threeWayMerge } from './three-way-merge.ts';

/** The manifest that was last applied to each object, by uid: what kubectl keeps in its last-applied annotation. */
export type LastApplied = Map<string, unknown>;

/**
 * Creates the object, or merges it over the stored one: what the last manifest said and this one does not is removed,
 * the rest of the stored object stays. The annotation in which kubectl keeps the manifest is left out of the object, as
 * the recorder leaves it out; an empty annotations map is what stays of it.
 * Throws ApiError for a refusal, and for what is no Kubernetes object or a kind that the simulated API server does not serve.
 * @recorded #static-volume, #retain-reuse
 */
export function applyManifest(api: ApiServer, manifest: unknown, namespace: string, lastApplied: LastApplied = new Map()): void {
  const object = asObject(manifest);
  const { namespaced } = KINDS[object.kind];
  const metadata = {
    ...object.metadata,
    annotations: object.metadata.annotations ?? {},
    ...(namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
  };
  const wanted = wireForm({ ...object, metadata } as AnyObject);
  const existing = api.get(object.kind, metadata.namespace, object.metadata.name);
  if (!existing) {
    lastApplied.set(api.create(wanted as unknown as Draft<Kind>).metadata.uid, manifest);
    return;
  }
  const before = lastApplied.get(existing.metadata.uid) ?? {};
  // The annotation changes with the manifest, so the object is written even where nothing else changes.
  const rewritten = !deepEqual(before, manifest);
  const written = api.update(object.kind, metadata.namespace, object.metadata.name, (old) => {
    const merged = threeWayMerge(wireForm(before as AnyObject), wanted, old) as typeof old;
    return merged === old && rewritten ? { ...old } : merged;
  });
  lastApplied.set(written.metadata.uid, manifest);
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
