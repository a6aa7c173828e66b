/** Objects of manifests, and what to say where a change of them makes no sense. */

/** One object of a manifest, as YAML gives it. */
export type Doc = Record<string, unknown> & { kind?: string; metadata?: { name?: string; [key: string]: unknown }; spec?: Record<string, unknown> };

/** A change that makes no sense for this run, in words for the reader. */
export class ChangeError extends Error {}
