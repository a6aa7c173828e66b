/**
 * What of a person's object the API server takes over: its own fields stay its own, and the status of a kind that has a
 * status subresource is written through that only (apiserver pkg/registry/rest, pkg/endpoints/handlers, v1.35).
 */
import { FieldErrors } from '../admission/field-errors.ts';
import { validatePodSpecUpdate } from '../admission/validate-pod.ts';
import { ApiError } from '../kernel/api-error.ts';
import { resourceName } from '../kernel/api-server.ts';
import type { AnyObject, Kind, ObjectMeta, Pod } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';

const WITH_STATUS_SUBRESOURCE: ReadonlySet<Kind> = new Set(['PersistentVolumeClaim', 'PersistentVolume', 'Pod', 'Node', 'VolumeAttachment', 'Deployment', 'ReplicaSet', 'StatefulSet', 'PodDisruptionBudget']);

const SERVER_FIELDS: readonly (keyof ObjectMeta)[] = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** A new object without what only the API server says. @modelled apiserver pkg/registry/rest/create.go (BeforeCreate), v1.35 */
export function asNew<T extends AnyObject>(object: T): T {
  if (!SERVER_FIELDS.some((field) => field in object.metadata)) return withoutStatus(object);
  const { uid: _uid, resourceVersion: _version, generation: _generation, creationTimestamp: _created, deletionTimestamp: _deleted, deletionGracePeriodSeconds: _grace, ...metadata } = object.metadata;
  return withoutStatus({ ...object, metadata } as T);
}

/**
 * The object that a patch or an apply makes of the stored one; the stored one itself where nothing of it changes. Throws
 * ApiError where the patch would make another object of it, or change what never changes.
 * @modelled apiserver pkg/endpoints/handlers/patch.go (checkName), pkg/registry/rest/update.go (BeforeUpdate), apimachinery pkg/api/validation/objectmeta.go, v1.35
 */
export function asUpdate<T extends AnyObject>(old: T, next: T): T {
  checkSameObject(old, next);
  const metadata = next.metadata as Partial<ObjectMeta> | undefined;
  const errors = new FieldErrors();
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    if (isSet(metadata?.[field])) errors.immutable(`metadata.${field}`, old.metadata[field], metadata?.[field]);
  }
  const more = (metadata?.finalizers ?? []).filter((finalizer) => !old.metadata.finalizers?.includes(finalizer));
  if (old.metadata.deletionTimestamp !== undefined && more.length > 0) {
    errors.forbidden('metadata.finalizers', `no new finalizers can be added if the object is being deleted, found new finalizers []string{${more.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`);
  }
  errors.throwFor(old);
  const kept = withServerFields(old, next, metadata);
  if (old.kind === 'Pod') validatePodSpecUpdate(old, kept as Pod);
  return deepEqual(kept, old) ? old : kept;
}

function checkSameObject(old: AnyObject, next: AnyObject): void {
  const { name, namespace, resourceVersion } = (next.metadata as Partial<ObjectMeta> | undefined) ?? {};
  if (next.kind !== old.kind || next.apiVersion !== old.apiVersion) throw new ApiError('BadRequest', `the API version and kind in the data (${String(next.apiVersion)}, ${String(next.kind)}) do not match the expected ones (${old.apiVersion}, ${old.kind})`);
  if (isSet(namespace) && namespace !== old.metadata.namespace) throw new ApiError('BadRequest', `the namespace of the object (${String(namespace)}) does not match the namespace on the request (${old.metadata.namespace ?? ''})`);
  if (isSet(name) && name !== old.metadata.name) throw new ApiError('BadRequest', `the name of the object (${String(name)}) does not match the name on the URL (${old.metadata.name})`);
  if (isSet(resourceVersion) && resourceVersion !== old.metadata.resourceVersion) {
    throw new ApiError('Conflict', `Operation cannot be fulfilled on ${resourceName(old.kind)} "${old.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`);
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Only labels, annotations, finalizers and owners are the client's. */
function withServerFields<T extends AnyObject>(old: T, next: T, metadata: Partial<ObjectMeta> | undefined): T {
  const { labels, annotations, finalizers, ownerReferences } = metadata ?? {};
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ownerReferences: _owners, ...own } = old.metadata;
  const clients = Object.fromEntries(Object.entries({ labels, annotations, finalizers, ownerReferences }).filter(([, value]) => value !== undefined));
  const merged = { ...next, metadata: { ...own, ...clients } };
  if (!WITH_STATUS_SUBRESOURCE.has(old.kind)) return merged;
  const { status } = old as { readonly status?: unknown };
  return status === undefined ? withoutStatus(merged) : { ...merged, status };
}

function withoutStatus<T extends AnyObject>(object: T): T {
  if (!('status' in object) || !WITH_STATUS_SUBRESOURCE.has(object.kind)) return object;
  const { status: _status, ...rest } = object as T & { readonly status?: unknown };
  return rest as unknown as T;
}
