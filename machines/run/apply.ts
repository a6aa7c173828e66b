/** kubectl apply and kubectl patch --type merge, as far as the store sees them. */
import { wireForm } from '../admission/wire-form.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { ApiServer, Draft } from '../kernel/api-server.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject, Json, Kind } from '../model/objects.ts';
import { mergePatch } from '../model/values.ts';

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
  const draft = wireForm({ ...object, metadata } as AnyObject) as unknown as Draft<Kind>;
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
