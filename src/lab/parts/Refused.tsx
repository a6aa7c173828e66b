/** Under the line: the words of the component that holds up the main line, where no track and no plan shows them. */
import type { ReactNode } from 'react';
import type { Lang } from '../../i18n/langs.ts';
import { stationText } from '../../i18n/stations.ts';
import { STATIONS } from '../../trace-view/station-names.ts';
import type { Line } from '../../trace-view/stations.ts';
import { clock } from '../../trace-view/times.ts';
import { useSay } from '../text.tsx';
import { tracksInOrder } from '../view.ts';

export function Refused({ lang, line, withPlan }: { readonly lang: Lang; readonly line: Line; readonly withPlan: boolean }): ReactNode {
  const say = useSay();
  const name = STATIONS.find((station) => line.stations[station].mark === 'blocked');
  if (name === undefined || (name === 'node' && withPlan)) return null;
  const refusal = line.stations[name].refusal;
  const ownCall = name === 'published' && tracksInOrder(line).slice(1).some((track) => track.refusal?.says === refusal?.says);
  if (refusal === undefined || ownCall) return null;
  return (
    <div className="refused">
      <p>
        <b>{stationText[lang][name]}</b> <span className="word block">{say('blocked')}</span> <code>{refusal.short}</code>
      </p>
      <p className="second">
        {refusal.node === undefined ? say('saidBy', { by: refusal.by }) : say('saidByOn', { by: refusal.by, node: refusal.node })}
        {say('sep')}
        {clock(refusal.t)} {say('seconds')}
      </p>
    </div>
  );
}
