/**
 * What someone does in a lab, written so that it fits the run it is done to: a button's name and the fact at which it is
 * pressed. Talks and workshops are written in it; the run turns it into an action.
 *
 *     createSecret at event FailedMount on pod/first
 *     deletePod exclusive-one at event FailedScheduling on pod/exclusive-two
 *     leaveOutSecret                                  a change of how the scenario begins
 *     stop at event FailedMount on pod/first          the scenario does nothing more; the cluster goes on for a while
 *     stop 60 at …                                    for 60 seconds
 */
import type { Trace } from '../../machines/trace/format.ts';
import { limitOf } from '../course/when.ts';
import { linesOf } from '../trace-view/history.ts';
import { stepOfRecord, steps } from '../trace-view/steps.ts';
import type { Action } from './actions.ts';
import type { Offer } from './offer.ts';
import { offersAt } from './offers.ts';

export interface Deed {
  /** A button's name, as the messages call it; or `stop`. */
  readonly press: string;
  /** Which of several: the value of one of its parameters. For `stop` the seconds. */
  readonly which: string | undefined;
  readonly at: string | undefined;
}

/** Reads one deed. Throws a plain sentence on anything else. */
export function readDeed(text: string): Deed {
  const found = /^(\w+)(?: (?!at )(\S+))?(?: at (.+))?$/.exec(text.trim());
  if (found === null) throw new Error(`"${text}" is no deed; expected BUTTON [WHICH] [at FACT], as in "createSecret at event FailedMount on pod/first"`);
  return { press: found[1] ?? '', which: found[2], at: found[3] };
}

/** How long a stopped scenario goes on, seconds. */
const GOES_ON = 20;

/** The action that a deed is in a run. Throws where the fact never comes or no such button is offered there. */
export function actionOf(trace: Trace, deed: Deed, pod?: string): Action {
  const index = deed.at === undefined ? trace.records.length - 1 : limitOf(trace, deed.at);
  if (deed.press === 'stop') return { do: 'wait', seconds: Number(deed.which ?? GOES_ON), at: Math.round((trace.records[index]?.t ?? 0) * 1000) };
  const step = stepOfRecord(trace, index);
  const line = linesOf(trace, pod)[step];
  const offers = line === undefined ? [] : offersAt(trace, steps(trace)[step]?.index ?? index, line);
  const found = offers.filter((offer) => offer.label === deed.press && (deed.which === undefined || names(offer).includes(deed.which)));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${trace.scenario.id}: ${found.length === 0 ? 'nothing' : 'more than one button'} called ${deed.press}${deed.which === undefined ? '' : ` ${deed.which}`} is offered ${deed.at === undefined ? 'at the end' : `at "${deed.at}"`}; offered are ${offers.map((offer) => [offer.label, ...Object.values(offer.params)].join(' ')).join(', ')}`);
  }
  return only.action;
}

function names(offer: Offer): string[] {
  return [...Object.values(offer.params), ...Object.values(offer.action).filter((value) => typeof value === 'string')];
}
