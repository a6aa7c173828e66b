/** What a trace must not show. */
import type { Secret } from './objects.ts';

const REDACTED = '(redacted)';

/** The secret as a trace shows it. */
export function redacted(secret: Secret): Secret {
  if (!secret.data) return secret;
  return { ...secret, data: Object.fromEntries(Object.keys(secret.data).map((key) => [key, REDACTED])) };
}
