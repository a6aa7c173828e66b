/** What a talk shows at a moment: one small value, the same in every window. */
import type { LabState } from '../lab/state.ts';
import { decodeState, encodeState } from '../lab/state.ts';

export interface TalkState {
  /** From 0. */
  readonly step: number;
  /** What the presenter made of the step's lab; undefined: as the step says. */
  readonly lab: LabState | undefined;
  /** Is the stage blacked out? */
  readonly black: boolean;
  /** When the talk began, milliseconds since 1970; undefined before its first move. */
  readonly started: number | undefined;
}

export const OPENING: TalkState = { step: 0, lab: undefined, black: false, started: undefined };

/** The state as plain data: for other windows, and for a window that is loaded again. */
export function packState(state: TalkState): unknown {
  return { step: state.step, lab: state.lab === undefined ? null : encodeState(state.lab), black: state.black, started: state.started ?? null };
}

/** Reads what {@link packState} made; undefined for anything else. */
export function readState(value: unknown): TalkState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { step, lab, black, started } = value as Record<string, unknown>;
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 0 || typeof black !== 'boolean') return undefined;
  if (started !== null && typeof started !== 'number') return undefined;
  if (lab !== null && typeof lab !== 'string') return undefined;
  const decoded = lab === null ? undefined : decodeState(lab);
  if (decoded?.ok === false) return undefined;
  return { step, lab: decoded?.state, black, started: started ?? undefined };
}
