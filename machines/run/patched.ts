/** kubectl patch, and what else kubectl sends as a patch. */
import { DecodeError, unknownFields, withoutUnknownFields } from '../admission/decode.ts';
import { wireIn } from '../admission/wire-in.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { AnyObject, Json, Kind, Patch } from '../model/objects.ts';
import { mergePatch } from '../model/values.ts';
import { asUpdate } from './as-request.ts';
import { applyJsonPatch } from './json-patch.ts';
import { strategicMerge } from './three-way-merge.ts';

/** Kinds that no person has reason to write. */
const RECORDS_OF_THE_CLUSTER: ReadonlySet<Kind> = new Set(['Event', 'Lease', 'ControllerRevision']);

/**
 * kubectl patch: the same object where nothing changes, and then no write. Throws ApiError where the object could not be
 * decoded any more. The API server's text shows the whole object; here it shows the patch.
 * @modelled apiserver pkg/endpoints/handlers/patch.go, v1.35
 */
export function patched<T extends AnyObject>(object: T, patch: Patch): T {
  if (RECORDS_OF_THE_CLUSTER.has(object.kind)) throw new ApiError('BadRequest', `patching a ${object.kind} is not modelled by this simulation`);
  const changed = changedBy(object, patch) as T;
  if (changed === object) return object;
  try {
    return asUpdate(object, wireIn(changed));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ApiError('Invalid', `patch: Invalid value: ${JSON.stringify(JSON.stringify(patch.type === 'json' ? patch.operations : patch.merge))}: ${error.message}`);
  }
}

function changedBy(object: AnyObject, patch: Patch): unknown {
  if (patch.type === 'json') {
    const changed = applyJsonPatch(object as unknown as Json, patch.operations);
    return unknownFields(object.kind, changed as object).length === 0 ? changed : withoutUnknownFields(object.kind, changed as object);
  }
  const { merge } = patch;
  if (merge === null || typeof merge !== 'object' || Array.isArray(merge)) throw new ApiError('BadRequest', `a merge patch is an object; this one is ${JSON.stringify(merge)}`);
  const known = unknownFields(object.kind, merge).length === 0 ? merge : withoutUnknownFields(object.kind, merge);
  return patch.type === 'strategic' ? strategicMerge(known, object) : mergePatch(object, known);
}
