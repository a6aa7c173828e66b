/**
 * What the API server's Go types leave out. A field without pointer that is empty (`""`, `false`, `0`, `[]`) is not
 * stored; a pointer field keeps an empty value, since it means something else than a missing one.
 */
import { canonicalQuantity } from '../model/quantity.ts';
import { mapFields, mapItems } from './decode.ts';
import type { AnyObject, Kind } from '../model/objects.ts';

/** Pointer fields (and numbers without omitempty) of the served kinds (k8s.io/api core/v1, storage/v1, apps/v1, v1.35) that may hold an empty value. */
const POINTER_FIELDS = new Set([
  'activeDeadlineSeconds', 'seconds', 'service',
  'allowPrivilegeEscalation', 'allowVolumeExpansion', 'attachRequired', 'automountServiceAccountToken', 'blockOwnerDeletion', 'controller', 'defaultMode', 'deletionGracePeriodSeconds', 'enableServiceLinks',
  'expirationSeconds', 'fsGroup', 'immutable', 'maxSurge', 'maxUnavailable', 'minAvailable', 'mode', 'optional', 'partition', 'podInfoOnMount', 'priority', 'privileged', 'progressDeadlineSeconds',
  'readOnlyRootFilesystem', 'replicas', 'requiresRepublish', 'revisionHistoryLimit', 'runAsGroup', 'runAsNonRoot', 'runAsUser', 'shareProcessNamespace', 'storageCapacity',
  'storageClassName', 'terminationGracePeriodSeconds', 'tolerationSeconds', 'type', 'value', 'volumeAttributesClassName',
]);
/** String-to-string maps whose emptiness is not stored. Annotations stay: kubectl apply always leaves one behind (traces' README). */
const MAP_FIELDS = new Set(['labels', 'matchLabels', 'nodeSelector', 'parameters', 'volumeAttributes']);
const QUANTITY_MAPS = new Set(['limits', 'requests', 'capacity']);

const NO_FIELDS: ReadonlySet<string> = new Set();
/** Fields that are pointers in other kinds only. */
const PLAIN_FIELDS: { readonly [K in Kind]?: ReadonlySet<string> } = { PersistentVolume: new Set(['storageClassName']) };

/**
 * An object of a manifest or a patch without what Go would leave out. Its status stays as it is.
 * @recorded #static-no-match
 */
export function wireForm<T extends AnyObject>(object: T): T {
  const plain = PLAIN_FIELDS[object.kind] ?? NO_FIELDS;
  if (!('status' in object)) return strip(object, plain) as T;
  const { status, ...rest } = object as T & { readonly status?: unknown };
  const stripped = strip(rest, plain);
  return (status === undefined ? stripped : { ...(stripped as object), status }) as T;
}

function strip(value: unknown, plain: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => strip(item, plain));
  if (value === null || typeof value !== 'object') return value;
  return mapFields(value, (key, inner) => stripField(key, inner, plain));
}

/** The field's value; undefined when it is left out. */
function stripField(key: string, inner: unknown, plain: ReadonlySet<string>): unknown {
  if (inner === null || inner === undefined) return undefined;
  if (isEmpty(inner) && (plain.has(key) || !POINTER_FIELDS.has(key) || (key === 'value' && inner === ''))) return undefined;
  if (typeof inner !== 'object') return inner;
  const isMap = QUANTITY_MAPS.has(key) || MAP_FIELDS.has(key);
  if (isMap && Object.keys(inner).length === 0) return undefined;
  if (QUANTITY_MAPS.has(key)) return mapFields(inner, (_name, quantity) => canonicalQuantity(quantity as string));
  // A string-to-string map keeps its empty values.
  return isStringMap(key) ? inner : strip(inner, plain);
}

function isStringMap(key: string): boolean {
  return MAP_FIELDS.has(key) || key === 'annotations' || key === 'data' || key === 'stringData';
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}
