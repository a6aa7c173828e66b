/** Everything that can be done at a moment of a run: faults first, then repairs, then acts. */
import type { Trace } from '../../machines/trace/format.ts';
import type { Line } from '../trace-view/stations.ts';
import { momentAfter } from './actions.ts';
import { firstOffersAt } from './first-offers.ts';
import type { Offer } from './offer.ts';
import { repairs } from './repairs.ts';

export function offersAt(trace: Trace, index: number, line: Line): Offer[] {
  return [...firstOffersAt(trace, index, line), ...repairs(trace, index, line, momentAfter(trace, index))];
}
