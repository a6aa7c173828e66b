/** The buttons that break and repair: faults are switches, the repair has a heavy edge; below, what a recording says of it. */
import { useState, type ReactNode } from 'react';
import { clock } from '../../trace-view/times.ts';
import type { Action } from '../actions.ts';
import type { Offer } from '../offers.ts';
import type { Outlook } from '../outlook.ts';
import type { RunStatus } from '../use-run.ts';
import { Icon, useSay } from '../text.tsx';

interface Props {
  readonly offers: readonly Offer[];
  /** What becomes of the refusal shown if nothing is done. */
  readonly outlook: Outlook | undefined;
  readonly status: RunStatus;
  readonly t: number;
  readonly canUndo: boolean;
  /** The page of what no recording covers. */
  readonly modelled: string | undefined;
  readonly onAction: (action: Action) => void;
  readonly onUndo: () => void;
}

/** How many faults and acts stand in the first row. */
const FIRST_FAULTS = 2;
const FIRST_ACTS = 1;

export function Actions({ offers, outlook, status, t, canUndo, modelled, onAction, onUndo }: Props): ReactNode {
  const say = useSay();
  const [more, setMore] = useState(false);
  const faults = offers.filter((offer) => offer.kind === 'fault');
  const repairs = offers.filter((offer) => offer.kind === 'repair');
  const acts = offers.filter((offer) => offer.kind === 'act');
  const buttons = (list: readonly Offer[]): ReactNode => list.map((offer) => <OfferButton key={offer.label + JSON.stringify(offer.params)} offer={offer} onAction={onAction} />);
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
        {status.kind === 'computing' ? (
          say('computing')
        ) : status.kind === 'failed' ? (
          <b>{status.why === undefined ? say('engineFailed') : say('runFailed', { why: sentence(status.why) })}</b>
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

export function OfferButton({ offer, onAction }: { readonly offer: Offer; readonly onAction: (action: Action) => void }): ReactNode {
  const say = useSay();
  return (
    <button
      className={`btn${offer.kind === 'repair' ? ' repair' : ''}`}
      type="button"
      aria-pressed={offer.kind === 'fault' ? offer.pressed : undefined}
      onClick={() => onAction(offer.action)}
    >
      {offer.kind === 'fault' && offer.pressed && <Icon name="i-on" />}
      {offer.kind === 'repair' && <Icon name="i-fix" />}
      {say(offer.label, offer.params)}
    </button>
  );
}

function sentence(text: string): string {
  return /[.!?。！？]$/.test(text) ? text : `${text}.`;
}
