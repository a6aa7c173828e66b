/** The annotation that `kubectl apply` leaves on what it made. */
import type { Json } from '../model/objects.ts';
import { goJson } from './go-format.ts';

type JsonObject = { readonly [key: string]: Json };

/**
 * The value of `kubectl.kubernetes.io/last-applied-configuration` for a manifest applied in a namespace (none for a kind
 * without one): the manifest as one line of JSON, with the namespace and an empty annotation map filled in.
 * Source: `util.GetModifiedConfiguration`, k8s.io/kubectl/pkg/util/apply.go, v0.35.
 */
export function lastAppliedConfiguration(manifest: JsonObject, namespace: string | undefined): string {
  const metadata = asObject(manifest['metadata']);
  const annotations = asObject(metadata['annotations']);
  const placed = namespace === undefined ? metadata : { namespace, ...metadata };
  return `${goJson({ ...manifest, metadata: { ...placed, annotations } })}\n`;
}

function asObject(value: Json | undefined): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}
