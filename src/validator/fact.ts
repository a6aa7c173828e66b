/** What the comparison compares: one statement about a run, free of what two runs of one scenario do not share. */

export const factKinds = ['step', 'object', 'event', 'count', 'csi', 'state', 'exec', 'output', 'choice', 'cause', 'end'] as const;
export type FactKind = (typeof factKinds)[number];

export interface Fact {
  readonly kind: FactKind;
  /** Whose history it belongs to, e.g. `pvc/disk`, `step 7`. */
  readonly subject: string;
  /** What happened, in canonical words. Two facts are the same when kind, subject and text are. */
  readonly text: string;
  /** Facts of one lane happened one after the other; their order may count. */
  readonly lane?: string | undefined;
  /** How often is free (a periodic loop or a race decides): one occurrence is as good as many. */
  readonly often?: boolean | undefined;
  /** Right without any recording that has it. */
  readonly optional?: boolean | undefined;
  /** Happened after the last step had ended: right, but nothing that a run must have. */
  readonly late?: boolean | undefined;
  /** The component whose log shows it; a recording without that log says nothing of it. */
  readonly source?: string | undefined;
  /** A number that must agree when all recordings agree on it. */
  readonly value?: number | undefined;
  /** Index of the record in the trace. */
  readonly index: number;
  /** Seconds. */
  readonly t: number;
  /** Placed by the machine's clock (csi, log, step) and not by the store's own order (watch). */
  readonly byClock?: boolean | undefined;
}

export function keyOf(fact: Fact): string {
  return `${fact.kind}|${fact.subject}|${fact.text}`;
}
