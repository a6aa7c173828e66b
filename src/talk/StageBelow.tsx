/** The one thing below the line on the stage: what lies open, or what the step did. */
import type { CSSProperties, ReactNode } from 'react';
import type { AnyObject } from '../../machines/model/objects.ts';
import type { TraceRecord, WatchRecord } from '../../machines/trace/format.ts';
import { stationText } from '../i18n/stations.ts';
import { SourceMark, type Source } from '../lab/parts/Events.tsx';
import { saidBy } from '../lab/parts/Sentence.tsx';
import { stepAt } from '../lab/step-at.ts';
import { printedBy } from '../lab/parts/Output.tsx';
import { whatHappened } from '../lab/what-happened.ts';
import { typedText } from '../lab/parts/Written.tsx';
import type { LabState } from '../lab/state.ts';
import { Icon, Rich, useSay } from '../lab/text.tsx';
import type { Run } from '../lab/use-run.ts';
import { momentOf, type Moment } from '../lab/view.ts';
import { actorName } from '../lab/actor-name.ts';
import { messages } from '../trace-view/actors.ts';
import { plainLines, shownLines } from '../trace-view/diff.ts';
import { eventsAt, fromOf, isEventWrite, type EventRow } from '../trace-view/events.ts';
import { kindName, shortName, titleOf } from '../trace-view/names.ts';
import { planAt, type Plan } from '../trace-view/plan.ts';
import type { Station } from '../trace-view/stations.ts';
import { clock } from '../trace-view/times.ts';
import { objectKey, worldAt } from '../trace-view/world.ts';
import { StageLine } from './StageLine.tsx';
import { COLUMNS, narrowed, shortIds } from './terminal.ts';
import { useLang, useText } from './TalkWords.tsx';

interface Props {
  readonly moment: Moment;
  readonly state: LabState;
  readonly run: Run;
  readonly sourceOf: (row: EventRow) => Source;
}

export function Below({ moment, state, run, sourceOf }: Props): ReactNode {
  const world = worldAt(moment.trace, moment.index);
  const object = state.object === undefined ? undefined : world.objects.get(state.object);
  if (state.panel === 'compare' && run.without !== undefined) return <Other moment={moment} state={state} other={run.without} />;
  if (state.panel === 'output') return <Printed moment={moment} />;
  if (state.panel === 'sequence') return <Messages moment={moment} />;
  if (state.panel === 'text') return <Text moment={moment} />;
  if (object !== undefined) return <Lines title={titleOf(object.object)} lines={object.index === moment.index && object.before !== undefined ? changesOf(object.before, object.object) : fieldsOf(object.object)} />;
  if (state.station !== undefined) return <Evidence moment={moment} station={moment.line.stations[state.station]} />;
  return <Deed moment={moment} sourceOf={sourceOf} />;
}

/** Must the line above stand low, so that there is room below? */
export function needsRoom(state: LabState, moment: Moment): boolean {
  return state.panel !== undefined || state.object !== undefined || state.station !== undefined || wordsOf(moment.trace.records[moment.index]) > (moment.line.tracks.length > 3 ? WORDY : VERY_WORDY);
}

/** From so many letters on a message needs room: beside a tall line, and beside any. */
const WORDY = 150;
const VERY_WORDY = 280;

function wordsOf(record: TraceRecord | undefined): number {
  return record !== undefined && isEventWrite(record) ? record.object.message.length : 0;
}

// --- what the step did ---

/** How many lines of a change or an answer stand below the line. */
const FEW_LINES = 3;

function Deed({ moment, sourceOf }: Pick<Props, 'moment' | 'sourceOf'>): ReactNode {
  const say = useSay();
  const text = useText();
  const record = moment.trace.records[moment.index];
  if (record === undefined) return <div className="ev1" />;
  if (isEventWrite(record)) return <EventDeed row={eventsAt(moment.trace, moment.index).find((row) => row.index === moment.index)} sourceOf={sourceOf} />;
  switch (record.type) {
    case 'watch':
      return <WriteDeed moment={moment} record={record} />;
    case 'step':
      return (
        <div className="ev1">
          <span className="msg typed">
            {shortTyped(record)}
            <NotShown of={answerLines(answerOf(record)).length} />
          </span>
          <Answer text={answerOf(record)} />
        </div>
      );
    case 'csi':
      return (
        <div className="ev1">
          <span>
            <b>{record.method}</b> <span className="second">{`${record.driver}, ${record.node}`}</span>
          </span>
          <span className="msg">
            {record.code} {record.error}
          </span>
        </div>
      );
    case 'output':
      return (
        <div className="ev1">
          <span>
            <b>{say('refused')}</b>
          </span>
          <span className="msg">{record.text.trim()}</span>
        </div>
      );
    case 'state':
      return (
        <div className="ev1">
          <span>
            <b>{record.machine}</b> <span className="second">{shortName(record.key)}</span>
          </span>
          <span className="msg">{`${record.from} → ${record.to}`}</span>
        </div>
      );
    case 'log':
      return (
        <div className="ev1">
          <span>
            <b>{record.component}</b> <span className="second">{text.from}</span> {record.node ?? ''}
          </span>
          <span className="msg">{record.text}</span>
        </div>
      );
  }
}

/** What was typed, in a line: of a manifest only what it makes. */
function shortTyped(record: TraceRecord & { readonly type: 'step' }): string {
  if (record.verb !== 'apply') return typedText(record);
  const made = String(record['manifest'] ?? '').split(/^---$/m).map((manifest) => `${/^kind: *(\S+)/m.exec(manifest)?.[1] ?? ''} ${/^metadata:[^]*?\bname: *([\w.-]+)/m.exec(manifest)?.[1] ?? ''}`.trim());
  return `$ kubectl apply -f -  # ${made.filter((name) => name !== '').join(', ')}`;
}

/** What a command printed: a sentence may wrap, a table may not. */
function Answer({ text }: { readonly text: string }): ReactNode {
  const lines = answerLines(text);
  if (lines.length === 1) return <span className="msg">{text}</span>;
  return (
    <span className="yaml-lines">
      {lines.slice(0, FEW_LINES).map((line, i) => (
        <span key={i} className={wrapOf(line)}>
          {line}
        </span>
      ))}
    </span>
  );
}

function answerLines(text: string): string[] {
  return narrowed(text).split('\n').filter((line) => line !== '');
}

/** How many lines of an answer the stage has no room for, behind the command. */
function NotShown({ of }: { readonly of: number }): ReactNode {
  const { more } = useText();
  return of > FEW_LINES ? <span className="second words">&ensp;{more(of - FEW_LINES)}</span> : null;
}

/** A printed line that is too long even so, a map in a column of one's own, goes on in the next line. */
function wrapOf(line: string): string | undefined {
  return line.length > COLUMNS ? 'wraps' : undefined;
}

function answerOf(record: TraceRecord & { readonly type: 'step' }): string {
  return [record['text'], record['stdout'], record['stderr']].filter((part): part is string => typeof part === 'string' && part !== '').join('\n').trimEnd();
}

function EventDeed({ row, sourceOf }: { readonly row: EventRow | undefined; readonly sourceOf: (row: EventRow) => Source }): ReactNode {
  const text = useText();
  if (row === undefined) return <div className="ev1" />;
  return (
    <div className="ev1">
      <span>
        {row.event.type === 'Warning' ? <b>Warning</b> : row.event.type}&ensp;{row.event.reason}
        {row.count > 1 && ` ×${row.count}`}&ensp;<span className="second words">{text.from}</span> {fromOf(row.event).component}
      </span>
      <SourceMark source={sourceOf(row)} />
      <span className="msg">{row.event.message}</span>
    </div>
  );
}


function WriteDeed({ moment, record }: { readonly moment: Moment; readonly record: WatchRecord }): ReactNode {
  const say = useSay();
  const before = record.verb === 'ADDED' ? undefined : worldAt(moment.trace, moment.index - 1).objects.get(objectKey(record.object))?.object;
  const verb = record.verb === 'ADDED' ? 'asNew' : record.verb === 'DELETED' ? 'asRemoved' : 'asChanged';
  const changed = record.verb === 'MODIFIED' && before !== undefined ? changesOf(before, record.object).filter((line) => line.mark !== '') : [];
  return (
    <div className="ev1">
      <span>
        <b>{kindName(record.object.kind)}</b> {shortName(record.object.metadata.name)} <span className="second words">{say(verb)}</span>
      </span>
      <span className="msg changes-of">
        {changed.slice(0, FEW_LINES).map((line, i) => (
          <span key={i} className={line.mark === '−' ? 'rm' : 'ch'}>
            {shortIds(line.text.trim())}
          </span>
        ))}
      </span>
    </div>
  );
}

// --- what lies open ---

/** How many lines a large stage shows at once. */
const MOST_LINES = 8;

interface ShownLine {
  readonly mark: string;
  readonly text: string;
  readonly wraps?: string | undefined;
}

function changesOf(before: AnyObject, after: AnyObject): ShownLine[] {
  return shownLines(before, after).lines.flatMap(({ line }) => (line === undefined ? [] : [line]));
}

/** What an object says beside its name and labels; all of it where there is nothing else. */
function fieldsOf(object: AnyObject): ShownLine[] {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object;
  const lines = plainLines(rest as AnyObject);
  return lines.length === 0 ? plainLines(object) : lines;
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly ShownLine[] }): ReactNode {
  const text = useText();
  const shown = lines.length > MOST_LINES ? fromFirstChange(lines) : lines;
  return (
    <div className={`ev1 tall${lines.length <= FEW_LINES ? ' few' : ''}`}>
      <span>
        <b>{title}</b>
      </span>
      <span className="yaml-lines">
        {shown.map((line, i) => (
          <span key={i} className={line.mark === '' ? line.wraps : line.mark === '−' ? 'rm' : 'ch'}>
            {line.text === '' ? ' ' : line.text}
          </span>
        ))}
        {lines.length > shown.length && <span className="second words">{text.more(lines.length - shown.length)}</span>}
      </span>
    </div>
  );
}

/** As many lines as fit, the first change among them. */
function fromFirstChange(lines: readonly ShownLine[]): readonly ShownLine[] {
  const at = lines.findIndex((line) => line.mark !== '');
  const from = Math.max(0, Math.min(at - 2, lines.length - (MOST_LINES - 1)));
  return lines.slice(from, from + MOST_LINES - 1);
}

function Printed({ moment }: { readonly moment: Moment }): ReactNode {
  const text = useText();
  const last = printedBy(moment).at(-1);
  if (last === undefined) {
    return (
      <div className="ev1 tall">
        <span className="words">{text.nothingPrinted}</span>
      </div>
    );
  }
  const lines = narrowed(answerOf(last)).split('\n');
  return <Lines title={typedText(last)} lines={lines.map((line) => ({ mark: '', text: line, wraps: wrapOf(line) }))} />;
}

function Messages({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  const shown = messages(moment.trace, moment.index).slice(-(MOST_LINES - 2));
  return (
    <div className="ev1 tall">
      <span>
        <b className="words">{say('sequence')}</b>
      </span>
      <span className="yaml-lines">
        {shown.map((message) => (
          <span key={message.index} className={message.index === moment.index ? 'ch' : ''}>
            <span className="words">
              {actorName(message.from, say)} → {actorName(message.to, say)}
            </span>{' '}
            {message.what}
          </span>
        ))}
      </span>
    </div>
  );
}

function Text({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  const shown = moment.steps.slice(Math.max(0, moment.step - 4), moment.step + 1);
  return (
    <div className="ev1 tall">
      <span>
        <b className="words">{say('textLine')}</b>
      </span>
      <span className="yaml-lines">
        {shown.map((step) => (
          <span key={step.index} className={step.index === moment.index ? 'ch' : ''}>
            {clock(step.t)} {whatHappened(moment, step.index, say)}
          </span>
        ))}
      </span>
    </div>
  );
}

/** The same moment without the last change. */
function Other({ moment, state, other }: { readonly moment: Moment; readonly state: LabState; readonly other: Run['trace'] }): ReactNode {
  const say = useSay();
  const lang = useLang();
  const twin = momentOf(other, stepAt(other, moment.t), state.pod);
  return (
    <div className="ev1 tall other">
      <span className="words">
        <b>{say('otherRun')}</b>
        {say('sep')}
        {clock(twin.t)} {say('seconds')}
      </span>
      <span className="words">
        <Rich text={saidBy(twin.sentence, lang, say)} />
      </span>
      <StageLine line={twin.line} open={undefined} low />
    </div>
  );
}

/** How many pieces of evidence the stage shows at once. */
const MOST_EVIDENCE = 4;

function Evidence({ moment, station }: { readonly moment: Moment; readonly station: Station }): ReactNode {
  const say = useSay();
  const lang = useLang();
  const plan = station.name === 'node' && station.refusal !== undefined && moment.line.pod !== undefined ? planAt(moment.trace, station.refusal.index, moment.line.pod) : undefined;
  if (plan?.agrees === true) return <PlanTable plan={plan} />;
  return (
    <div className="ev1 tall">
      <span className="words">
        <b>{stationText[lang][station.name]}</b>
      </span>
      <ul className="evidence">
        {station.evidence.slice(0, MOST_EVIDENCE).map((item, i) => (
          <li key={i} className={item.held ? '' : 'no'}>
            <Icon name={item.held ? 'm-lit' : 'm-no'} className="mk" />
            <span className="vh">{say(item.held ? 'markProven' : 'markNotRun')}</span>
            <span>
              <span className="second">{item.what.startsWith('again_') ? say(item.what as 'again_pod') : item.what}</span> {item.field}
            </span>
          </li>
        ))}
        {station.refusal !== undefined && (
          <li>
            <Icon name="m-block" className="mk" />
            <span>
              <span className="second">{station.refusal.by}</span> {station.refusal.says}
            </span>
          </li>
        )}
        {station.evidence.length === 0 && station.refusal === undefined && <li className="words">{say(station.mark === 'passed-through' ? 'passed' : 'noEvidence')}</li>}
      </ul>
      <span className="words second">
        {say('doesNotProve')} {say(`noProof_${station.name}`)}
      </span>
    </div>
  );
}

/** The scheduler's questions, node by node. */
function PlanTable({ plan }: { readonly plan: Plan }): ReactNode {
  const say = useSay();
  const text = useText();
  return (
    <div className="ev1 tall">
      <span className="words">
        <b>{text.plan}</b>
      </span>
      <table className="plan-table" style={{ '--nodes': plan.nodes.length } as CSSProperties}>
        <thead>
          <tr>
            <td />
            {plan.nodes.map((node) => (
              <th key={node.node} scope="col">
                <code>{node.node.replace(/^ab-/, '')}</code>
                <span className="second">{node.zone ?? say('noZone')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plan.rows.map((filter, row) => (
            <tr key={filter}>
              <th scope="row">
                <code>{filter}</code>
              </th>
              {plan.nodes.map((node) => {
                const stop = node.refusedBy === undefined ? plan.rows.length : plan.rows.indexOf(node.refusedBy);
                return (
                  <td key={node.node}>
                    <Icon name={row < stop ? 'm-lit' : row === stop ? 'm-block' : 'm-no'} className="mk" />
                    <span className="vh">{say(row < stop ? 'markProven' : row === stop ? 'markBlocked' : 'markNotRun')}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
