/** kubectl apply, as far as the store sees it. */
import { decode, DecodeError, strictDecodingError, unknownFields } from '../admission/decode.ts';
import { undecodable } from '../admission/field-errors.ts';
import { wireForm } from '../admission/wire-form.ts';
import { wireIn } from '../admission/wire-in.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { ApiServer, Draft } from '../kernel/api-server.ts';
import { goSprint } from '../kubectl/go-format.ts';
import { lastAppliedConfiguration } from '../kubectl/common.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject, Json, Kind } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { isMadeByHand } from './kinds-by-hand.ts';
import { asNew, asUpdate } from './as-request.ts';
import { noMatchText, refusalText, whenCreating, whenPatching } from './kubectl-errors.ts';
import { threeWayMerge } from './three-way-merge.ts';

/** The manifest that was last applied to each object, by uid: what kubectl keeps in its last-applied annotation. */
export type LastApplied = Map<string, unknown>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Creates the object, or merges it over the stored one: what the last manifest said and this one does not is removed,
 * the rest of the stored object stays. The annotation in which kubectl keeps the manifest is left out of the object, as
 * the recorder leaves it out; an empty annotations map is what stays of it.
 * Returns kubectl's text for a refusal, line feed included; undefined when it was done.
 * @recorded #static-volume, #retain-reuse
 */
export function applyManifest(api: ApiServer, manifest: unknown, namespace: string, lastApplied: LastApplied = new Map()): string | undefined {
  const problem = problemOf(manifest) ?? metadataProblemOf(manifest as AnyObject);
  if (problem !== undefined) return problem;
  const object = manifest as AnyObject;
  const given = KINDS[object.kind].namespaced ? object.metadata.namespace : undefined;
  if (given !== undefined && given !== '' && given !== namespace) return `error: the namespace from the provided object "${given}" does not match the namespace "${namespace}". You must pass '--namespace=${given}' to perform this operation.\n`;
  const metadata = {
    ...object.metadata,
    annotations: object.metadata.annotations ?? {},
    ...(KINDS[object.kind].namespaced ? { namespace } : {}),
  };
  const sent = { ...object, metadata } as AnyObject;
  const existing = api.get(object.kind, metadata.namespace, object.metadata.name) as AnyObject | undefined;
  if (!existing && !isMadeByHand(object.kind)) return `error: ${object.kind}/${object.metadata.name}: objects of this kind are made by the cluster itself; making one by hand is not modelled by this simulation\n`;
  const before = existing && (lastApplied.get(existing.metadata.uid) as AnyObject | undefined);
  const patch = (): unknown => existing && patchOf(existing, before ?? {}, wireForm(sent), manifest);
  return refusalOf(
    () => {
      const wanted = decoded(sent);
      const unknown = unknownFields(object.kind, object);
      if (unknown.length > 0) throw existing ? unknownInPatch(unknown, patch()) : undecodable(sent, strictDecodingError(unknown));
      const written = existing ? merge(api, existing, before, manifest, wanted) : (api.create(asNew(wanted) as unknown as Draft<Kind>) as AnyObject);
      lastApplied.set(written.metadata.uid, manifest);
    },
    existing ? whenPatching(existing, patch()) : whenCreating,
  );
}

/** A patch is decoded with the object that it makes; the answer names the patch, as Go prints it, and no object. @modelled apiserver pkg/endpoints/handlers/patch.go (applyPatchToObject), v1.35 */
function unknownInPatch(unknown: readonly string[], patch: unknown): ApiError {
  return new ApiError('Invalid', `patch: Invalid value: ${JSON.stringify(goSprint(patch))}: ${strictDecodingError(unknown)}`);
}

/** The object as the API server decodes it. Throws ApiError BadRequest where a value has the wrong type. */
function decoded(object: AnyObject): AnyObject {
  try {
    return wireIn(object);
  } catch (error) {
    throw error instanceof DecodeError ? undecodable(object, error.message) : error;
  }
}

/** kubectl reads the metadata itself before it sends anything. @modelled k8s.io/cli-runtime pkg/resource/metadata_decoder.go, v0.35 */
function metadataProblemOf({ metadata }: AnyObject): string | undefined {
  try {
    decode('ObjectMeta', metadata, 'metadata');
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return `error: unable to decode "STDIN": ${error.message}\n`;
  }
}

function refusalOf(act: () => void, wrap: (message: string) => string): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return refusalText(error, wrap);
    throw error;
  }
}

function merge(api: ApiServer, existing: AnyObject, before: AnyObject | undefined, manifest: unknown, wanted: AnyObject): AnyObject {
  // The annotation changes with the manifest, so the object is written even where nothing else changes.
  const rewritten = !deepEqual(before ?? {}, manifest);
  return api.update(existing.kind, existing.metadata.namespace, existing.metadata.name, (old) => {
    const merged = threeWayMerge(before === undefined ? {} : decoded(before), wanted, old) as typeof old;
    const next = merged === old ? old : asUpdate(old as AnyObject, merged as AnyObject);
    return (next === old && rewritten ? { ...old } : next) as typeof old;
  }) as AnyObject;
}

/** The patch as kubectl prints it when the server refuses it: what changes, its annotation first. */
function patchOf(existing: AnyObject, before: unknown, wanted: AnyObject, manifest: unknown): unknown {
  const merged = threeWayMerge(wireForm(before as AnyObject), wanted, existing) as Fields;
  const changes = changesOf(existing as unknown as Fields, merged);
  const annotation = { 'kubectl.kubernetes.io/last-applied-configuration': lastAppliedConfiguration(manifest as { readonly [key: string]: Json }, existing.metadata.namespace) };
  const { metadata = {}, ...rest } = changes as { metadata?: { annotations?: Fields } };
  return { metadata: { ...metadata, annotations: { ...annotation, ...metadata.annotations } }, ...rest };
}

function changesOf(before: Fields, after: Fields): Fields {
  const changes: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [before[key], after[key]];
    if (deepEqual(a, b)) continue;
    if (b === undefined) changes.push([key, null]);
    else changes.push([key, isFields(a) && isFields(b) ? changesOf(a, b) : b]);
  }
  return Object.fromEntries(changes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** What makes a manifest no request at all, in kubectl's words; undefined for a manifest of a kind that is served. */
function problemOf(manifest: unknown): string | undefined {
  if (!isFields(manifest)) return 'error: error validating "STDIN": error validating data: the manifest is not an object: expected apiVersion, kind, metadata\n';
  const { apiVersion, kind, metadata } = manifest as { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown } };
  const missing = [...(typeof apiVersion === 'string' ? [] : ['apiVersion not set']), ...(typeof kind === 'string' ? [] : ['kind not set'])];
  if (missing.length > 0) return `error: error validating "STDIN": error validating data: [${missing.join(', ')}]; if you choose to ignore these errors, turn validation off with --validate=false\n`;
  const name = metadata?.name;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind) || KINDS[kind as Kind].apiVersion !== apiVersion) {
    const known = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? `expected apiVersion ${KINDS[kind as Kind].apiVersion}` : `served kinds: ${Object.keys(KINDS).join(', ')}`;
    return `${noMatchText(String(name ?? ''), String(kind), String(apiVersion))}(the simulated API server serves fewer kinds than a real one; ${known})\n`;
  }
  return typeof name === 'string' && name !== '' ? undefined : 'error: error when retrieving current configuration of: resource name may not be empty\n';
}
