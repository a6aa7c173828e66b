/**
 * What can be done at the moment shown. The page carries the offers of the step it opens at; the rules that find them at
 * other steps are loaded when the reader first moves.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LabData } from './data.ts';
import { load as loadPart } from './load.ts';
import type { Offer } from './offer.ts';
import type * as rules from './offers.ts';
import type { Moment } from './view.ts';

type Rules = typeof rules;

/** `stale`: the rules are not there yet, and these are the offers of another moment. `failed`: they could not be loaded. */
export interface OffersNow {
  readonly offers: readonly Offer[];
  readonly state: 'fresh' | 'stale' | 'failed';
  /** Loads the rules ahead of the first move. */
  readonly prepare: () => void;
}

const NONE: readonly Offer[] = [];

export function useOffers(data: LabData, moment: Moment, pod: string | undefined, off: boolean): OffersNow {
  const [found, setFound] = useState<Rules | 'failed'>();
  const opening = moment.trace === data.trace && moment.step === data.step && pod === undefined;
  const load = useCallback((): void => {
    loadPart(() => import('./offers.ts'), 'offersAt').then(
      (loaded) => setFound(() => loaded),
      () => setFound('failed'),
    );
  }, []);
  const usable = found === 'failed' ? undefined : found;
  useEffect(() => {
    if (!off && !opening && usable === undefined) load();
  }, [off, opening, usable, load, moment.index]);
  const { trace, index, line } = moment;
  const offers = useMemo(() => (off ? NONE : opening ? data.offers : usable?.offersAt(trace, index, line)), [off, opening, data, usable, trace, index, line]);
  const before = useRef(offers ?? NONE);
  useEffect(() => {
    if (offers !== undefined) before.current = offers;
  }, [offers]);
  const prepare = useCallback(() => {
    if (usable === undefined) load();
  }, [usable, load]);
  if (offers !== undefined) return { offers, state: 'fresh', prepare };
  return { offers: before.current, state: found === 'failed' ? 'failed' : 'stale', prepare };
}
