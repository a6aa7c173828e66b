/** A station, opened: each piece of its evidence, there or not there yet, and what the station does not prove. */
import type { ReactNode } from 'react';
import type { Lang } from '../../i18n/langs.ts';
import { stationText } from '../../i18n/stations.ts';
import type { Evidence, Station } from '../../trace-view/stations.ts';
import type { Silence } from '../../trace-view/silence.ts';
import { clock } from '../../trace-view/times.ts';
import { Icon, Rich, useSay } from '../text.tsx';

interface Props {
  readonly lang: Lang;
  readonly station: Station;
  /** The node is silent, and this station hangs on what its kubelet said. */
  readonly silent: Silence | undefined;
  readonly t: number;
  readonly id: string | undefined;
  /** Goes to the step that wrote a piece of evidence. */
  readonly onRecord: (index: number) => void;
  readonly onClose: () => void;
}

export function StationPanel({ lang, station, silent, t, id, onRecord, onClose }: Props): ReactNode {
  const say = useSay();
  return (
    <section className="opened" id={id}>
      <h2 className="part-h">
        {say('stationOpened')} <span>{say('evidenceOf', { station: stationText[lang][station.name], t: clock(t) })}</span>
        <button className="link close" type="button" onClick={onClose}>
          {say('close')}
        </button>
      </h2>
      {station.evidence.length === 0 && station.refusal === undefined ? (
        <p className="same">{say(station.mark === 'passed-through' ? 'passed' : station.mark === 'ended' ? 'markEnded' : 'noEvidence')}</p>
      ) : (
        <table className="objs ev2">
          <tbody>
            {station.evidence.map((item, i) => (
              <Row key={i} item={item} silent={silent !== undefined} onRecord={onRecord} />
            ))}
            {station.refusal !== undefined && (
              <tr>
                <td>
                  <Icon name="m-block" className="mk" />
                </td>
                <td>
                  <code>{station.refusal.by}</code>
                  <code>{station.refusal.says}</code>
                </td>
                <td>
                  <At t={station.refusal.t} index={station.refusal.index} onRecord={onRecord} />
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      {silent !== undefined && (
        <p>
          <Rich text={say('heardOnly', { t: clock(silent.since), node: silent.node })} />
        </p>
      )}
      <p className="same">
        <b>{say('doesNotProve')}</b> {say(`noProof_${station.name}`)}
      </p>
    </section>
  );
}

function Row({ item, silent, onRecord }: { readonly item: Evidence; readonly silent: boolean; readonly onRecord: (index: number) => void }): ReactNode {
  const say = useSay();
  return (
    <tr>
      <td>
        <Icon name={item.held ? (silent ? 'm-heard' : 'm-lit') : 'm-no'} className="mk" />
        <span className="vh">{say(item.held ? (silent ? 'markHeard' : 'markProven') : 'markNotRun')}</span>
      </td>
      <td>
        <code>{item.what.startsWith('again_') ? say(item.what as 'again_pod') : item.what}</code>
        <code>{item.field}</code>
        {item.note !== undefined && <span className="same">{say(item.note)}</span>}
      </td>
      <td>{item.held ? item.index === undefined ? say('standsBefore') : <At t={item.t ?? 0} index={item.index} onRecord={onRecord} /> : say('notYet')}</td>
    </tr>
  );
}

function At({ t, index, onRecord }: { readonly t: number; readonly index: number; readonly onRecord: (index: number) => void }): ReactNode {
  const say = useSay();
  return (
    <button className="link" type="button" onClick={() => onRecord(index)}>
      {clock(t)} {say('seconds')}
    </button>
  );
}
