/** The buttons that break and repair: faults are switches, the repair has a heavy edge; below, what a recording says of it. */
import { useState, type ReactNode } from 'react';
import { clock } from '../../trace-view/times.ts';
import type { Action } from '../actions.ts';
import type { Offer } from '../offer.ts';
import type { Outlook } from '../outlook.ts';
import type { OffersNow } from '../use-offers.ts';
import type { RunStatus } from '../use-run.ts';
import { Icon, useSay } from '../text.tsx';

interface Props {
  readonly offers: readonly Offer[];
  /** Are these the offers of the moment shown? */
  readonly offersState: OffersNow['state'];
  /** What becomes of the refusal shown if nothing is done. */
  readonly outlook: Outlook | undefined;
  readonly status: RunStatus;
  readonly t: number;
  readonly canUndo: boolean;
  /** The page of what no recording covers. */
  readonly modelled: string | undefined;
  readonly onAction: (action: Action) => void;
  /** Tries once more to make the run that could not be made. */
  readonly onAgain: () => void;
  readonly onUndo: () => void;
}

/** How many faults and acts stand in the first row. */
const FIRST_FAULTS = 2;
const FIRST_ACTS = 1;

export function Actions({ offers, offersState, outlook, status, t, canUndo, modelled, onAction, onAgain, onUndo }: Props): ReactNode {
  const say = useSay();
  const [more, setMore] = useState(false);
  const faults = offers.filter((offer) => offer.kind === 'fault');
  const repairs = offers.filter((offer) => offer.kind === 'repair');
  const acts = offers.filter((offer) => offer.kind === 'act');
  const buttons = (list: readonly Offer[]): ReactNode => list.map((offer) => <OfferButton key={offer.label + JSON.stringify(offer.params)} offer={offer} disabled={offersState !== 'fresh'} onAction={onAction} />);
  const group = (some: readonly Offer[], now: readonly Offer[]): ReactNode => (
    <>
      {some.length > 0 && <span className="second">{say('fromStart')}</span>}
      {buttons(some)}
      {now.length > 0 && <span className="second">{say('actNow', { t: clock(t) })}</span>}
      {buttons(now)}
    </>
  );
  const hidden = faults.length > FIRST_FAULTS || acts.length > FIRST_ACTS;
  return (
    <>
      <div className="acts" role="group" aria-label={say('actions')}>
        {group(faults.slice(0, FIRST_FAULTS), acts.slice(0, FIRST_ACTS))}
        {hidden && (
          <button className="btn plain" type="button" aria-expanded={more} onClick={() => setMore(!more)}>
            {say(more ? 'less' : 'more')}
          </button>
        )}
        {repairs.length > 0 && <span className="sep" />}
        {buttons(repairs)}
        {canUndo && (
          <button className="btn plain" type="button" onClick={onUndo}>
            {say('undo')}
          </button>
        )}
      </div>
      {more && (
        <div className="acts" role="group" aria-label={say('more')}>
          {group(faults.slice(FIRST_FAULTS), acts.slice(FIRST_ACTS))}
        </div>
      )}
      <p className="acts-note" role="status">
        {offersState === 'failed' ? (
          <b>{say('offersFailed')}</b>
        ) : status.kind === 'computing' ? (
          say('computing')
        ) : status.kind === 'failed' ? (
          <Failed why={status.why} onAgain={onAgain} />
        ) : (
          <>
            {outlook !== undefined && (outlook.kind !== 'never' || repairs.length === 0) && (
              <span>{outlook.kind === 'never' ? say('heals_never') : say(`heals_${outlook.kind}`, { n: outlook.step + 1 })}</span>
            )}
            <span>
              {say('nextModelled')}{' '}
              <a className="src model" href={modelled}>
                <Icon name="i-mod" />
                {say('modelled')}
              </a>
            </span>
          </>
        )}
      </p>
    </>
  );
}

/** Why there is no run of the last change. What could not be loaded can be asked for again; a change that makes no sense cannot. */
export function Failed({ why, onAgain }: { readonly why: string | undefined; readonly onAgain: () => void }): ReactNode {
  const say = useSay();
  if (why !== undefined) return <b>{say('runFailed', { why: sentence(why) })}</b>;
  return (
    <>
      <b>{say('engineFailed')}</b>{' '}
      <button className="link" type="button" onClick={onAgain}>
        {say('tryAgain')}
      </button>
    </>
  );
}

export function OfferButton({ offer, disabled = false, onAction }: { readonly offer: Offer; readonly disabled?: boolean; readonly onAction: (action: Action) => void }): ReactNode {
  const say = useSay();
  return (
    <button
      className={`btn${offer.kind === 'repair' ? ' repair' : ''}`}
      type="button"
      aria-disabled={disabled || undefined}
      aria-pressed={offer.kind === 'fault' ? offer.pressed : undefined}
      onClick={() => !disabled && onAction(offer.action)}
    >
      {offer.kind === 'fault' && offer.pressed && <Icon name="i-on" />}
      {offer.kind === 'repair' && <Icon name="i-fix" />}
      {offer.notEnough === true ? say('notEnough', { what: say(offer.label, offer.params) }) : say(offer.label, offer.params)}
    </button>
  );
}

function sentence(text: string): string {
  return /[.!?。！？]$/.test(text) ? text : `${text}.`;
}
