/** One button of a lab: what it does and what it is called. */
import type { MessageKey } from '../i18n/en.ts';
import type { Action } from './actions.ts';

/** `fault`: a switch of how the scenario begins. `repair`: answers a refusal. `act`: anything else, done at the step shown. */
export interface Offer {
  readonly kind: 'fault' | 'repair' | 'act';
  readonly action: Action;
  /** Of a fault: is it on in this run? */
  readonly pressed: boolean;
  /** Of a repair: it is needed, but something else is in the way too. */
  readonly notEnough?: true;
  readonly label: MessageKey;
  readonly params: Readonly<Record<string, string>>;
}
