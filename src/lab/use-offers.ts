/**
 * What can be done at the moment shown. The page carries the offers of the step it opens at; the rules that find them at
 * other steps are loaded when the reader first moves.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LabData } from './data.ts';
import { load as loadPart } from './load.ts';
import type { Offer } from './offer.ts';
import type * as all from './offers.ts';
import type * as first from './first-offers.ts';
import type { Moment } from './view.ts';

/** The rules of a run that is not stuck are a third of them all, and mostly enough after a repair. */
interface Rules {
  readonly first: typeof first;
  readonly all: typeof all | undefined;
}

/** `stale`: the rules are not there yet, and these are the offers of another moment. `failed`: they could not be loaded. */
export interface OffersNow {
  readonly offers: readonly Offer[];
  readonly state: 'fresh' | 'stale' | 'failed';
  /** Loads the rules ahead of the first move. */
  readonly prepare: () => void;
}

async function loadRules(stuck: boolean): Promise<Rules> {
  const first = await loadPart(() => import('./first-offers.ts'), 'firstOffersAt');
  return { first, all: stuck ? await loadPart(() => import('./offers.ts'), 'offersAt') : undefined };
}

const NONE: readonly Offer[] = [];

export function useOffers(data: LabData, moment: Moment, pod: string | undefined, off: boolean): OffersNow {
  const [found, setFound] = useState<Rules | 'failed'>();
  const opening = moment.trace === data.trace && moment.step === data.step && pod === undefined;
  const load = useCallback((stuck: boolean): void => {
    loadRules(stuck).then(setFound, () => setFound('failed'));
  }, []);
  const { trace, index, line } = moment;
  const usable = found === 'failed' ? undefined : found;
  const stuck = !off && !opening && usable !== undefined && usable.all === undefined && usable.first.mayBeStuck(line);
  useEffect(() => {
    if (!off && !opening && (usable === undefined || stuck)) load(stuck);
  }, [off, opening, usable, stuck, load, index]);
  const offers = useMemo(() => {
    if (off) return NONE;
    if (opening) return data.offers;
    if (usable === undefined || stuck) return undefined;
    return usable.all === undefined ? usable.first.firstOffersAt(trace, index, line) : usable.all.offersAt(trace, index, line);
  }, [off, opening, data, usable, stuck, trace, index, line]);
  const before = useRef(offers ?? NONE);
  useEffect(() => {
    if (offers !== undefined) before.current = offers;
  }, [offers]);
  const prepare = useCallback(() => {
    if (usable === undefined) load(false);
  }, [usable, load]);
  if (offers !== undefined) return { offers, state: 'fresh', prepare };
  return { offers: before.current, state: found === 'failed' ? 'failed' : 'stale', prepare };
}
