/**
 * The lab's whole state: one small serialisable value. The address carries it; a mirrored window or a saved file can too.
 * Everything shown follows from it and from the scenario it names.
 */
import type { StationName } from '../trace-view/station-names.ts';
import { STATIONS } from '../trace-view/station-names.ts';
import { isAction, type Action } from './actions.ts';

const STATE_VERSION = 1;

/** The further views below the events; one at a time is open. */
export const PANELS = ['compare', 'sequence', 'output', 'text'] as const;
export type PanelName = (typeof PANELS)[number];

export interface LabState {
  readonly scenario: string;
  /** 0: the simulated run; n: the n-th recording of the scenario. */
  readonly recording: number;
  /** What the reader did, in order. Each changes the scenario that the ones before it made. */
  readonly actions: readonly Action[];
  /** From 0. */
  readonly step: number;
  /** The pod in view; undefined: the one created last. */
  readonly pod: string | undefined;
  /** The station whose evidence lies open. */
  readonly station: StationName | undefined;
  /** The object that lies open: `Kind/namespace/name`. */
  readonly object: string | undefined;
  readonly panel: PanelName | undefined;
}

export function startState(scenario: string, step: number, recording = 0): LabState {
  return { scenario, recording, actions: [], step, pod: undefined, station: undefined, object: undefined, panel: undefined };
}

/** The state as the part of an address behind `#`. */
export function encodeState(state: LabState): string {
  const parts = new URLSearchParams();
  parts.set('lab', String(STATE_VERSION));
  parts.set('scenario', state.scenario);
  parts.set('step', String(state.step + 1));
  if (state.recording > 0) parts.set('recording', String(state.recording));
  if (state.actions.length > 0) parts.set('actions', JSON.stringify(state.actions));
  if (state.pod !== undefined) parts.set('pod', state.pod);
  if (state.station !== undefined) parts.set('station', state.station);
  if (state.object !== undefined) parts.set('object', state.object);
  if (state.panel !== undefined) parts.set('panel', state.panel);
  parts.set('check', checkOf(parts));
  return parts.toString();
}

export type Damage =
  | { readonly what: 'version'; readonly got: string }
  | { readonly what: 'check' }
  | { readonly what: 'shape'; readonly part: string };

export type Decoded =
  | { readonly ok: true; readonly state: LabState }
  | { readonly ok: false; readonly damage: Damage };

/** Is this the address of a lab's state at all? An ordinary anchor is not. */
export function carriesState(hash: string): boolean {
  return /^#?lab=/.test(hash);
}

/** Reads a state from an address. Nothing is guessed: what does not fit is named. */
export function decodeState(hash: string): Decoded {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const version = parts.get('lab') ?? '';
  if (version !== String(STATE_VERSION)) return damaged({ what: 'version', got: version });
  const check = parts.get('check');
  parts.delete('check');
  if (check !== checkOf(parts)) return damaged({ what: 'check' });
  const scenario = parts.get('scenario') ?? '';
  if (!/^[a-z0-9-]+$/.test(scenario)) return damaged({ what: 'shape', part: 'scenario' });
  const step = wholeNumber(parts.get('step'));
  if (step === undefined || step < 1) return damaged({ what: 'shape', part: 'step' });
  const recording = parts.has('recording') ? wholeNumber(parts.get('recording')) : 0;
  if (recording === undefined) return damaged({ what: 'shape', part: 'recording' });
  const actions = readActions(parts.get('actions'));
  if (actions === undefined) return damaged({ what: 'shape', part: 'actions' });
  const station = STATIONS.find((name) => name === parts.get('station'));
  if (parts.has('station') && station === undefined) return damaged({ what: 'shape', part: 'station' });
  const panel = PANELS.find((name) => name === parts.get('panel'));
  if (parts.has('panel') && panel === undefined) return damaged({ what: 'shape', part: 'panel' });
  return { ok: true, state: { scenario, recording, actions, step: step - 1, pod: parts.get('pod') ?? undefined, station, object: parts.get('object') ?? undefined, panel } };
}

function damaged(damage: Damage): Decoded {
  return { ok: false, damage };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** So many actions a state holds; the lab takes no more, so that every address it writes opens again. */
export const MOST_ACTIONS = 50;

function readActions(text: string | null): Action[] | undefined {
  if (text === null) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.length <= MOST_ACTIONS && list.every(isAction) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** FNV-1a over the parts in their order, 32 bits in base 36: enough to see that an address was cut or changed. */
function checkOf(parts: URLSearchParams): string {
  let hash = 0x811c9dc5;
  for (const character of parts.toString()) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
