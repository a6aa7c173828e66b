/** A talk as the page gives it: steps in their order, and how the keys move over them. */
import type { LabState } from '../lab/state.ts';
import type { Command } from './keys.ts';
import type { TalkState } from './state.ts';

/** A step of text, a drawing or quoted words. */
export interface TextFace {
  readonly kind: 'text';
  /** The site's own HTML: it was on the page. */
  readonly html: string;
  /** `say`: few words, large. `read`: a lesson's paragraph, list or table. `lines`: a terminal's or a log's words. `drawing`: a diagram. */
  readonly look: 'say' | 'read' | 'lines' | 'drawing';
  /** What it stands under; empty for none. */
  readonly heading: string;
}

/** A step that shows a lab. */
export interface LabFace {
  readonly kind: 'lab';
  readonly state: LabState;
  /** The speaker's own sentence, as HTML; the lab's where undefined. */
  readonly headline: string | undefined;
  /** Does "on" first go through the run, stop by stop, before it leaves the step? */
  readonly walk: boolean;
}

export interface DeckStep {
  /** Plain words, for lists. */
  readonly title: string;
  /** For the presenter, as HTML; empty for none. */
  readonly notes: string;
  readonly face: TextFace | LabFace;
}

export interface Deck {
  /** Names the talk; windows that show the same deck stay in step. */
  readonly id: string;
  readonly title: string;
  readonly steps: readonly DeckStep[];
}

/** The run of the step shown, as far as moving needs it. */
export interface Walk {
  /** The steps of the run at which it tells something new. */
  readonly stops: readonly number[];
  /** How many steps the run has. */
  readonly count: number;
}

/** A deck that is one run: its steps are the run's. */
export function isRun(deck: Deck): boolean {
  const [first] = deck.steps;
  return deck.steps.length === 1 && first?.face.kind === 'lab' && first.face.walk;
}

/** The step of a deck that a state shows. */
export function stepOf(deck: Deck, state: TalkState): DeckStep {
  const found = deck.steps[Math.min(state.step, deck.steps.length - 1)];
  if (found === undefined) throw new Error(`the talk ${deck.id} has no steps`);
  return found;
}

/** The lab's state on the stage; undefined where the step shows none. */
export function labOf(deck: Deck, state: TalkState): LabState | undefined {
  const { face } = stepOf(deck, state);
  if (face.kind !== 'lab') return undefined;
  return state.lab ?? face.state;
}

/**
 * The state after a command that moves. `walk` is the run of the lab that the state shows; undefined where there is none
 * or it could not be had. What lies open is closed by every move: a step shows one thing.
 */
export function moved(deck: Deck, state: TalkState, command: Command, walk: Walk | undefined): TalkState {
  const lab = labOf(deck, state);
  const walking = lab !== undefined && walk !== undefined && walks(deck, state);
  const last = deck.steps.length - 1;
  const inRun = (step: number): TalkState => ({ ...state, lab: lab === undefined ? undefined : closed({ ...lab, step }) });
  const to = (step: number): TalkState => ({ ...state, step: Math.max(0, Math.min(step, last)), lab: undefined });
  switch (command.do) {
    case 'next': {
      const stop = walking ? walk.stops.find((at) => at > lab.step) : undefined;
      if (stop !== undefined) return inRun(stop);
      return state.step < last ? to(state.step + 1) : state;
    }
    case 'back': {
      const stop = walking ? walk.stops.findLast((at) => at < lab.step) : undefined;
      if (stop !== undefined) return inRun(stop);
      return state.step > 0 ? to(state.step - 1) : state;
    }
    case 'first':
      return isRun(deck) ? inRun(0) : to(0);
    case 'last':
      return isRun(deck) ? inRun((walk?.count ?? 1) - 1) : to(last);
    case 'go':
      return isRun(deck) ? inRun(clamp(command.to - 1, walk)) : to(command.to - 1);
    case 'runOn':
      return lab === undefined ? state : inRun(clamp(lab.step + 1, walk));
    case 'runBack':
      return lab === undefined ? state : inRun(clamp(lab.step - 1, walk));
    default:
      return state;
  }
}

function walks(deck: Deck, state: TalkState): boolean {
  const { face } = stepOf(deck, state);
  return face.kind === 'lab' && face.walk;
}

function closed(lab: LabState): LabState {
  return { ...lab, station: undefined, object: undefined, panel: undefined };
}

function clamp(step: number, walk: Walk | undefined): number {
  return Math.max(0, Math.min(step, (walk?.count ?? 1) - 1));
}
