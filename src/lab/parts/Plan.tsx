/** Why no node fits: the scheduler's questions in their order, nodes by zone; inside a box the answer is yes. */
import type { CSSProperties, ReactNode } from 'react';
import { STATIONS } from '../../trace-view/station-names.ts';
import { FILTERS, type Filter, type Plan as PlanView, type Verdict } from '../../trace-view/plan.ts';
import { Icon, useSay } from '../text.tsx';
import { vars } from './Line.tsx';

export function Plan({ plan }: { readonly plan: PlanView }): ReactNode {
  const say = useSay();
  return (
    <section className="plan" style={vars({ i: STATIONS.indexOf('node') })}>
      <h2 className="part-h">
        {say('plan')} <span>{say('planNote')}</span>
      </h2>
      {plan.agrees ? <Table plan={plan} /> : <Counts plan={plan} />}
    </section>
  );
}

function Counts({ plan }: { readonly plan: PlanView }): ReactNode {
  const say = useSay();
  return (
    <>
      <p className="same">{say('planUnsure')}</p>
      <p className="same">{say('planCounts')}</p>
      <ul className="counts">
        {plan.reasons.map(({ count, says }) => (
          <li key={says}>
            <code>{`${count} ${says}`}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Nodes side by side, by zone; those of no zone last. */
function Table({ plan }: { readonly plan: PlanView }): ReactNode {
  const say = useSay();
  const zones = zonesOf(plan.nodes);
  return (
    <div className="zones" style={{ '--nodes': plan.nodes.length } as CSSProperties}>
      <div className="vh">
      <table>
        <tbody>
          {plan.nodes.map((node) => (
            <tr key={node.node}>
              <th scope="row">{`${node.node}${say('sep')}${node.zone ?? say('noZone')}`}</th>
              <td>{node.refusedBy === undefined ? '' : `${node.refusedBy}: ${node.says}. ${node.field}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      </div>
      {zones.filter(({ name }) => name !== undefined).map((zone) => (
        <i key={zone.name} className="area" style={area(1, zone.from + 2, plan.rows.length + 4, zone.to + 3)} />
      ))}
      {zones.map((zone) => (
        <div key={zone.name ?? ''} className={`zn${zone.name === undefined ? ' none' : ''}`} style={area(1, zone.from + 2, 2, zone.to + 3)} aria-hidden="true">
          {zone.name ?? say('noZone')}
        </div>
      ))}
      {plan.nodes.map((node, i) => (
        <div key={node.node} className="nd" style={area(2, i + 2, 3, i + 3)} aria-hidden="true">
          {node.node}
        </div>
      ))}
      {plan.rows.map((filter, row) => (
        <Row key={filter} plan={plan} filter={filter} row={row} />
      ))}
      {plan.nodes.map((node, i) => (
        <NodeColumn key={node.node} plan={plan} node={node} column={i} />
      ))}
    </div>
  );
}

function zonesOf(nodes: readonly Verdict[]): { name: string | undefined; from: number; to: number }[] {
  const zones: { name: string | undefined; from: number; to: number }[] = [];
  nodes.forEach((node, i) => {
    const last = zones.at(-1);
    if (last !== undefined && last.name === node.zone) last.to = i;
    else zones.push({ name: node.zone, from: i, to: i });
  });
  return zones;
}

/** A question and the boxes around the nodes that answer yes. */
function Row({ plan, filter, row }: { readonly plan: PlanView; readonly filter: Filter; readonly row: number }): ReactNode {
  const say = useSay();
  const what = plan.passes[filter];
  return (
    <>
      <div className="rowl" style={area(row + 3, 1, row + 4, 2)} aria-hidden="true">
        <b>{filter}</b>
        {say(`ask_${filter}`)}
      </div>
      {runs(plan.nodes.map((node) => saysYes(plan, node, filter))).map(({ from, to }, i) => (
        <div key={from} className="yes" style={area(row + 3, from + 2, row + 4, to + 3)} aria-hidden="true">
          {i === 0 && (
            <>
              {filter === 'VolumeBinding' && what !== undefined && <Icon name="i-pin" />}
              {filter === 'NodeAffinity' && what !== undefined && <Icon name="i-flag" />}
              <span>{(filter === 'VolumeBinding' || filter === 'NodeAffinity') && what === undefined ? '' : say(`yes_${filter}`, { what: what ?? '' })}</span>
            </>
          )}
        </div>
      ))}
    </>
  );
}

/**
 * Would this node answer yes? What a node was never asked is only drawn as yes where the objects tell: a volume fixed to a
 * zone lies inside that zone's box, also for nodes refused before.
 */
function saysYes(plan: PlanView, node: Verdict, filter: Filter): boolean {
  const refusedAt = node.refusedBy === undefined ? Infinity : FILTERS.indexOf(node.refusedBy);
  const at = FILTERS.indexOf(filter);
  if (at < refusedAt) return true;
  return at > refusedAt && filter === 'VolumeBinding' && node.zone !== undefined && plan.passes.VolumeBinding === node.zone;
}

function runs(yes: readonly boolean[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  yes.forEach((value, i) => {
    if (!value) return;
    const last = found.at(-1);
    if (last !== undefined && last.to === i - 1) last.to = i;
    else found.push({ from: i, to: i });
  });
  return found;
}

function NodeColumn({ plan, node, column }: { readonly plan: PlanView; readonly node: Verdict; readonly column: number }): ReactNode {
  const say = useSay();
  const stop = node.refusedBy === undefined ? plan.rows.length : plan.rows.indexOf(node.refusedBy);
  const last = plan.rows.length - 1;
  const c = column + 2;
  return (
    <>
      {stop > 0 && <i className="vt" style={area(3, c, Math.min(stop, last) + 4, c + 1)} />}
      {stop < last && <i className="vt todo" style={area(stop + 3, c, last + 4, c + 1)} />}
      {plan.rows.map((filter, row) => (
        <div key={filter} className="cell" style={area(row + 3, c, row + 4, c + 1)} aria-hidden="true">
          <Icon name={row < stop ? 'm-lit' : row === stop ? 'm-block' : 'm-no'} className="mk" />
        </div>
      ))}
      {node.refusedBy !== undefined && (
        <div className="why" style={area(plan.rows.length + 3, c, plan.rows.length + 4, c + 1)} aria-hidden="true">
          <span className="who">{node.node}</span>
          <b>{say(`no_${node.refusedBy}`)}</b>
          <code>{node.says.replace(/^node\(s\) /, '')}</code>
          <code className="field">{node.field}</code>
        </div>
      )}
    </>
  );
}

function area(rowStart: number, columnStart: number, rowEnd: number, columnEnd: number): CSSProperties {
  return { gridArea: `${rowStart} / ${columnStart} / ${rowEnd} / ${columnEnd}` };
}
