/** What the step shown did: an object with its changed lines, a person's command, a CSI call, a witness. */
import { useState, type ReactNode } from 'react';
import type { AnyObject } from '../../../machines/model/objects.ts';
import type { CsiRecord, StepRecord, WatchRecord } from '../../../machines/trace/format.ts';
import { diffLines, shownLines, type DiffLine } from '../../trace-view/diff.ts';
import { kindName } from '../../trace-view/names.ts';
import { objectKey, worldAt } from '../../trace-view/world.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';

export function Written({ moment }: { readonly moment: Moment }): ReactNode {
  const say = useSay();
  const record = moment.trace.records[moment.index];
  if (record === undefined) return null;
  switch (record.type) {
    case 'watch':
      return <Write moment={moment} record={record} />;
    case 'step':
      return <Did record={record} />;
    case 'csi':
      return <Call record={record} />;
    case 'output':
      return <Terminal title={say('refused')} note={say('exitCode', { code: record.code })} text={record.text} />;
    case 'log':
      return <Terminal title={say('witnessed')} note={[record.component, record.node ?? ''].filter((part) => part !== '').join(say('sep'))} text={record.text} wrap />;
    case 'state':
      return <Terminal title={say('witnessed')} note={record.machine} text={`${record.key}\n${record.from} → ${record.to}  (${record.event})`} />;
  }
}

function Write({ moment, record }: { readonly moment: Moment; readonly record: WatchRecord }): ReactNode {
  const say = useSay();
  const [whole, setWhole] = useState(false);
  const before = record.verb === 'ADDED' ? undefined : worldAt(moment.trace, moment.index - 1).objects.get(objectKey(record.object))?.object;
  const verb = record.verb === 'ADDED' ? 'asNew' : record.verb === 'DELETED' ? 'asRemoved' : 'asChanged';
  return (
    <section>
      <h2 className="part-h">
        {say('written')}{' '}
        <span>
          <code>{`${kindName(record.object.kind)} ${record.object.metadata.name}`}</code>
          {say('sep')}
          {say(verb)}
        </span>
      </h2>
      <Yaml before={record.verb === 'DELETED' ? record.object : before} after={record.object} whole={whole} onWhole={() => setWhole(!whole)} />
    </section>
  );
}

/** An object, folded to what changed unless the whole is asked for. */
export function Yaml({ before, after, whole, onWhole }: { readonly before: AnyObject | undefined; readonly after: AnyObject; readonly whole: boolean; readonly onWhole: () => void }): ReactNode {
  const say = useSay();
  const shown = shownLines(before, after);
  const all = diffLines(before, after);
  return (
    <>
      <pre className="yaml" tabIndex={0}>
        {whole
          ? all.map((line, i) => <YamlLine key={i} line={line} />)
          : shown.lines.map(({ line, folded }, i) =>
              line === undefined ? (
                <i key={i} className="fold" data-m="">
                  {'  '}
                  {say('unchangedLines', { n: folded })}
                </i>
              ) : (
                <YamlLine key={i} line={line} />
              ),
            )}
      </pre>
      {shown.hidden > 0 && (
        <p className="same">
          <button className="link" type="button" onClick={onWhole}>
            {whole ? say('fewerLines') : say('allLines', { n: all.length })}
          </button>
        </p>
      )}
    </>
  );
}

function YamlLine({ line }: { readonly line: DiffLine }): ReactNode {
  const kind = line.mark === '' ? '' : line.mark === '−' ? 'rm' : 'ch';
  return (
    <i className={kind} data-m={line.mark}>
      {line.text}
    </i>
  );
}

/** A person's step: what was typed or applied, and what came back. */
function Did({ record }: { readonly record: StepRecord }): ReactNode {
  const say = useSay();
  const typed = typedText(record);
  const answer = answerText(record);
  return (
    <section>
      <h2 className="part-h">
        {say('youDid')} <span>{record['code'] === undefined || record['code'] === 0 ? '' : say('exitCode', { code: String(record['code']) })}</span>
      </h2>
      <pre className="term typed" tabIndex={0}>
        {typed}
      </pre>
      {answer !== '' && (
        <pre className="term" tabIndex={0}>
          {answer}
        </pre>
      )}
    </section>
  );
}

/** What a person's step would be at a prompt. */
export function typedText(record: StepRecord): string {
  switch (record.verb) {
    case 'apply':
      return `$ kubectl apply -f - <<EOF\n${String(record['manifest'] ?? '').trimEnd()}\nEOF`;
    case 'delete':
      return `$ kubectl delete ${String(record['target'])}`;
    case 'patch':
      return `$ kubectl patch ${String(record['target'])} --type merge -p '${JSON.stringify(record['merge'])}'`;
    case 'run':
      return `$ ${String(record['command'])}`;
    case 'exec':
      return `$ kubectl exec ${String(record['pod'])} -- sh -c '${String(record['sh'])}'`;
    case 'node':
      return `# ${String(record['action'])} node ${String(record['node'] ?? record['name'])}${record['taint'] === undefined ? '' : ` ${String(record['taint'])}`}`;
    case 'settle':
      return `# ${String(record['seconds'])} s`;
    case 'wait':
      return `# wait: ${waitText(record)}`;
  }
}

function waitText(record: StepRecord): string {
  if (record['gone'] !== undefined) return `${String(record['gone'])} gone`;
  if (record['event'] !== undefined) return `${String(record['event'])} on ${String(record['on'])} × ${String(record['count'] ?? 1)}`;
  if (record['condition'] !== undefined) return `${String(record['for'])} condition ${String(record['condition'])}=${String(record['status'] ?? 'True')}`;
  return `${String(record['for'])} ${String(record['path'])}=${String(record['equals'])}`;
}

function answerText(record: StepRecord): string {
  return [record['text'], record['stdout'], record['stderr']]
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .map((part) => part.trimEnd())
    .join('\n');
}

function Call({ record }: { readonly record: CsiRecord }): ReactNode {
  const say = useSay();
  return (
    <section>
      <h2 className="part-h">
        {say('csiCall')}{' '}
        <span>
          <code>{record.driver}</code>
          {say('sep')}
          {record.node}
        </span>
      </h2>
      <pre className="term" tabIndex={0}>
        <b>{record.method}</b>
        {`\n${JSON.stringify(record.request, null, 2)}\n`}
        <b>{say('answered', { code: record.code })}</b>
        {record.error === '' ? '' : `\n${record.error}`}
      </pre>
    </section>
  );
}

function Terminal({ title, note, text, wrap }: { readonly title: string; readonly note: string; readonly text: string; readonly wrap?: boolean }): ReactNode {
  return (
    <section>
      <h2 className="part-h">
        {title} <span>{note}</span>
      </h2>
      <pre className={`term${wrap === true ? ' wrap' : ''}`} tabIndex={0}>
        {text.trimEnd()}
      </pre>
    </section>
  );
}
