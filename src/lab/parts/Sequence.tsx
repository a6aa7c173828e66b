/** Who spoke to whom, up to the step shown. Mermaid's idea of a sequence diagram, drawn with the lab's own lines. */
import { useState, type ReactNode } from 'react';
import { inActorOrder, messages, type Actor, type Message } from '../../trace-view/actors.ts';
import { clock } from '../../trace-view/times.ts';
import { actorName } from '../actor-name.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';

const RECENT = 12;

export function Sequence({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  const [all, setAll] = useState(false);
  const whole = messages(moment.trace, moment.index);
  const shown = all ? whole : whole.slice(-RECENT);
  const actors = inActorOrder(whole.flatMap((message) => [message.from, message.to]));
  return (
    <>
      {whole.length > shown.length && (
        <p className="same">
          <button className="link" type="button" onClick={() => setAll(true)}>
            {say('showAll', { n: whole.length })}
          </button>
        </p>
      )}
      <div className="seq-box" tabIndex={0} role="group" aria-label={say('sequence')}>
        <table className="seq" style={{ '--actors': actors.length } as React.CSSProperties}>
          <thead>
            <tr>
              <th scope="col">
                <span className="vh">{say('timeAxis')}</span>
              </th>
              {actors.map((actor) => (
                <th key={actor} scope="col">
                  {actorName(actor, say)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((message) => (
              <Row key={message.index} message={message} actors={actors} now={message.index === moment.index} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Row({ message, actors, now }: { readonly message: Message; readonly actors: readonly Actor[]; readonly now: boolean }): ReactNode {
  const say = useSay();
  const from = actors.indexOf(message.from);
  const to = actors.indexOf(message.to);
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <tr className={now ? 'now' : ''}>
      <th scope="row">{clock(message.t)}</th>
      {actors.slice(0, left).map((actor) => (
        <td key={actor} className="life" />
      ))}
      <td className={`msg ${to > from ? 'right' : 'left'}${message.ok ? '' : ' bad'}`} colSpan={right - left + 1} style={{ '--span': right - left + 1 } as React.CSSProperties}>
        <span className="vh">{`${actorName(message.from, say)} → ${actorName(message.to, say)}: `}</span>
        <span className="words">{message.what}</span>
        <i aria-hidden="true" />
      </td>
      {actors.slice(right + 1).map((actor) => (
        <td key={actor} className="life" />
      ))}
    </tr>
  );
}
