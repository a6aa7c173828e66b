/** Events in kubectl's columns, and one column more: what the recordings say. In a narrow lab the same, stacked. */
import { Fragment, type ReactNode } from 'react';
import { ageOf, describedMessage, eventGroups, fromOf, type EventRow } from '../../trace-view/events.ts';
import { Icon, useSay } from '../text.tsx';
import { useCopy } from './use-copy.ts';
import type { Moment } from '../view.ts';

/** Where an event stands in the recordings, ready to be shown. */
export type Source =
  | { readonly kind: 'recorded'; readonly n: number; readonly of: number; readonly href: string }
  | { readonly kind: 'modelled' }
  | { readonly kind: 'differs' }
  | { readonly kind: 'itself' };

interface Props {
  readonly moment: Moment;
  readonly sourceOf: (row: EventRow) => Source;
  /** The text that Copy puts on the clipboard. */
  readonly copyText: (row: EventRow) => string;
}

export function Events({ moment, sourceOf, copyText }: Props): ReactNode {
  const say = useSay();
  const groups = eventGroups(moment.trace, moment.index);
  return (
    <section className="events">
      <h2 className="part-h">
        {say('events')} <span>{say('eventsNote')}</span>
      </h2>
      {groups.length === 0 ? (
        <p className="same">{say('noEvents')}</p>
      ) : (
        <>
          <table>
            <colgroup>
              <col style={{ width: '84px' }} />
              <col style={{ width: '194px' }} />
              <col style={{ width: '84px' }} />
              <col style={{ width: '196px' }} />
              <col />
              <col style={{ width: '206px' }} />
            </colgroup>
            <thead>
              <tr>
                {['Type', 'Reason', 'Age', 'From', 'Message'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col" className="ours">
                  {say('inRecordings')}
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Fragment key={group.about + String(group.rows[0]?.key)}>
                  <tr className="grp">
                    <td colSpan={6}>
                      {group.about} <span>{group.former ? say('formerObject') : group.command}</span>
                    </td>
                  </tr>
                  {group.rows.map((row) => (
                    <Row key={row.key} row={row} moment={moment} source={sourceOf(row)} copyText={copyText} />
                  ))}
                </Fragment>
              ))}
            </tbody>
          </table>
          <ul className="evlist">
            {groups.map((group) => (
              <Fragment key={group.about + String(group.rows[0]?.key)}>
                <li className="grp">
                  <b>{group.about}</b> {group.former ? say('formerObject') : ''}
                </li>
                {group.rows.map((row) => (
                  <Item key={row.key} row={row} moment={moment} source={sourceOf(row)} copyText={copyText} />
                ))}
              </Fragment>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface RowProps {
  readonly row: EventRow;
  readonly moment: Moment;
  readonly source: Source;
  readonly copyText: (row: EventRow) => string;
}

function Row({ row, moment, source, copyText }: RowProps): ReactNode {
  const { event } = row;
  const from = fromOf(event);
  return (
    <tr className={row.index === moment.index ? 'now' : ''}>
      <td>{event.type === 'Warning' ? <b>Warning</b> : event.type}</td>
      <td>{event.reason}</td>
      <td>{ageOf(row, moment.t)}</td>
      <td className="from">
        {from.component}
        {from.instance !== undefined && <small>{shortInstance(from.instance)}</small>}
      </td>
      <td className="msg">{describedMessage(event)}</td>
      <td>
        <SourceMark source={source} />
        <Copy text={() => copyText(row)} />
      </td>
    </tr>
  );
}

function Item({ row, moment, source, copyText }: RowProps): ReactNode {
  const say = useSay();
  const { event } = row;
  return (
    <li className={row.index === moment.index ? 'now' : ''}>
      <p className="l1">
        <b>{event.type}</b> <b>{event.reason}</b> <span>{ageOf(row, moment.t)}</span>
      </p>
      <p className="l2">{describedMessage(event)}</p>
      <p className="l3">
        <span>
          {say('from')} <b>{fromOf(event).component}</b>
        </span>
        <SourceMark source={source} />
      </p>
      <p className="l4">
        <Copy text={() => copyText(row)} />
      </p>
    </li>
  );
}

/** `_csi-hostpathplugin-0_f4570e75-…` → `_csi-hostpathplugin-0…` */
function shortInstance(instance: string): string {
  return instance.startsWith('_') && instance.length > 22 ? `${instance.slice(0, 21)}…` : instance;
}

export function SourceMark({ source }: { readonly source: Source }): ReactNode {
  const say = useSay();
  switch (source.kind) {
    case 'recorded':
      return (
        <a className="src" href={source.href}>
          <Icon name="i-rec" />
          {say('recordedIn', { n: source.n, of: source.of })}
        </a>
      );
    case 'modelled':
      return (
        <span className="src model">
          <Icon name="i-mod" />
          {say('modelled')}
        </span>
      );
    case 'differs':
      return (
        <span className="src differs">
          <Icon name="i-dif" />
          {say('differs')}
        </span>
      );
    case 'itself':
      return null;
  }
}

function Copy({ text }: { readonly text: () => string }): ReactNode {
  const say = useSay();
  const { outcome, copy } = useCopy();
  return (
    <button className="link copy" type="button" aria-label={say('copyEvent')} onClick={() => copy(text())}>
      {say(outcome ?? 'copy')}
    </button>
  );
}
