/** What kubectl prints when the API server refuses (k8s.io/kubectl pkg/cmd/util/helpers.go and pkg/cmd/apply, v0.35). */
import type { ApiError } from '../kernel/api-error.ts';
import { KINDS } from '../model/kinds.ts';
import type { AnyObject } from '../model/objects.ts';

/** The name that kubectl gives to a manifest that comes through a pipe. */
const SOURCE = '"STDIN"';

/**
 * The text for a refused request, line feed included. `wrap` puts what kubectl was doing before the server's message; an
 * Invalid answer names its object and fields itself and is not wrapped.
 * @modelled k8s.io/kubectl pkg/cmd/util/helpers.go, v0.35
 */
export function refusalText(error: ApiError, wrap: (message: string) => string = (message) => message): string {
  if (error.reason === 'Invalid' && !error.subject) return `The request is invalid: ${error.message}\n`;
  if (error.reason !== 'Invalid' || !error.subject) return `Error from server (${error.reason}): ${wrap(error.message)}\n`;
  const head = `The ${error.subject.kind} "${error.subject.name}" is invalid`;
  const causes = [...new Set(error.causes.map(({ field, message }) => `${field}: ${message}`))];
  if (causes.length === 1) return `${head}: ${causes[0] ?? ''}\n`;
  return `${head}: \n${causes.map((cause) => `* ${cause}\n`).join('')}`;
}

/** kubectl apply, object not there yet. */
export function whenCreating(message: string): string {
  return `error when creating ${SOURCE}: ${message}`;
}

/** kubectl apply, object there: the patch, the object, the source. @modelled k8s.io/kubectl pkg/cmd/apply/apply.go, v0.35 */
export function whenPatching(object: AnyObject, patch: unknown): (message: string) => string {
  return (message) => `error when applying patch:\n${JSON.stringify(patch)}\nto:\n${describeResource(object)}\nfor: ${SOURCE}: error when patching ${SOURCE}: ${message}`;
}

/** kubectl knows no such resource type. */
export function noMatchText(name: string, kind: string, apiVersion: string): string {
  return `error: resource mapping not found for name: "${name}" namespace: "" from ${SOURCE}: no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first\n`;
}

function describeResource(object: AnyObject): string {
  const { plural, apiVersion } = KINDS[object.kind];
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `Resource: "${version}, Resource=${plural}", GroupVersionKind: "${version}, Kind=${object.kind}"\nName: "${object.metadata.name}", Namespace: "${object.metadata.namespace ?? ''}"`;
}

/** Several errors of one command, each a line: none of them says `error:` then. @modelled k8s.io/kubectl pkg/cmd/util/helpers.go (MultipleErrors), v0.35 */
export function severalLines(errors: readonly string[]): string {
  return errors.length < 2 ? errors.join('') : errors.map((line) => line.replace(/^error: /, '')).join('');
}

/** How an aggregate of errors reads, the same text once. @modelled apimachinery pkg/util/errors/errors.go, v1.35 */
export function severalErrors(messages: readonly string[]): string {
  const different = [...new Set(messages)];
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`;
}
