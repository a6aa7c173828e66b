/** The facilitator's table: who has passed what, found out by doing again what each file says was done. */
import { useRef, useState, type ReactNode } from 'react';
import type { Lang } from '../i18n/langs.ts';
import { workshopText } from '../i18n/workshop.ts';
import type { LabData } from '../lab/data.ts';
import { loadEngine } from '../lab/engine.ts';
import type { Addresses } from './addresses.ts';
import type { TaskData, WorkshopData } from './data.ts';
import { MOST_BYTES, readProgress, type FileFault, type Progress, type TaskProgress } from './progress.ts';
import { replay, type Replay } from './replay.ts';

interface Props {
  readonly lang: Lang;
  readonly workshop: WorkshopData;
  readonly addresses: Addresses;
}

interface Row {
  readonly file: string;
  readonly progress: Progress;
  readonly replays: Readonly<Record<string, Replay>>;
}

interface Refusal {
  readonly file: string;
  readonly fault: FileFault;
}

export default function Board({ lang, workshop, addresses }: Props): ReactNode {
  const text = workshopText[lang];
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [busy, setBusy] = useState<{ readonly n: number; readonly of: number }>();
  const [failed, setFailed] = useState(false);
  const tasks = workshop.parts.filter((part) => part.kind === 'task');
  const labs = useRef(new Map<string, Promise<LabData>>());

  const take = async (files: readonly File[]): Promise<void> => {
    setFailed(false);
    for (const [i, file] of files.entries()) {
      setBusy({ n: i + 1, of: files.length });
      const read = file.size > MOST_BYTES ? { ok: false as const, fault: { what: 'size' as const, bytes: file.size } } : readProgress(await file.text(), workshop.id);
      if (!read.ok) {
        setRefusals((old) => [...old, { file: file.name, fault: read.fault }]);
        continue;
      }
      const replays = await replayAll(tasks, read.progress, (lab) => labOf(labs.current, addresses, lab));
      // A file dropped again replaces what it said before.
      setRows((old) => [...old.filter((row) => row.file !== file.name), { file: file.name, progress: read.progress, replays }]);
    }
    setBusy(undefined);
  };
  const drop = (files: Iterable<File>): void => {
    take([...files]).catch(() => {
      setBusy(undefined);
      setFailed(true);
    });
  };
  return (
    <>
      <Drop lang={lang} onFiles={drop} />
      <p role="status">{busy === undefined ? '' : text.replaying(busy.n, busy.of)}</p>
      {failed && <p role="alert">{text.couldNotLoad}</p>}
      {rows.length > 0 && (
        <div className="board" tabIndex={0} role="group" aria-label={text.whoPassed}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.person}</th>
                {tasks.map((task) => (
                  <th key={task.task} scope="col">
                    {task.title[lang]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.file}>
                  <th scope="row">
                    {row.progress.name === '' ? row.file : row.progress.name}
                    {row.progress.name !== '' && <small>{row.file}</small>}
                  </th>
                  {tasks.map((task) => (
                    <Cell key={task.task} lang={lang} replay={row.replays[task.task]} entry={row.progress.tasks[task.task]} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {refusals.length > 0 && (
        <section className="refused-files">
          <h3>{text.refusedFiles}</h3>
          <ul>
            {refusals.map(({ file, fault }, i) => (
              <li key={i}>
                <code>{file}</code>: {text.fault(fault)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(rows.length > 0 || refusals.length > 0) && (
        <button
          className="btn plain"
          type="button"
          onClick={() => {
            setRows([]);
            setRefusals([]);
          }}
        >
          {text.clear}
        </button>
      )}
    </>
  );
}

async function replayAll(tasks: readonly TaskData[], progress: Progress, lab: (scenario: string) => Promise<LabData>): Promise<Record<string, Replay>> {
  const engine = await loadEngine();
  const replays: Record<string, Replay> = {};
  for (const task of tasks) {
    replays[task.task] = replay(task, progress.tasks[task.task], await lab(task.lab), engine);
    // The page stays alive between two runs.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return replays;
}

function labOf(labs: Map<string, Promise<LabData>>, addresses: Addresses, scenario: string): Promise<LabData> {
  let found = labs.get(scenario);
  if (found === undefined) {
    found = fetch(`${addresses.labFiles}${scenario}.json`).then((answer) => {
      if (!answer.ok) throw new Error(`${scenario}.json: HTTP ${answer.status}`);
      return answer.json() as Promise<LabData>;
    });
    labs.set(scenario, found);
    found.catch(() => labs.delete(scenario));
  }
  return found;
}

const ICONS = { passed: 'm-lit', claimed: 'm-block', tried: 'm-part', untried: 'm-no' } as const;

function Cell({ lang, replay: result, entry }: { readonly lang: Lang; readonly replay: Replay | undefined; readonly entry: TaskProgress | undefined }): ReactNode {
  const text = workshopText[lang];
  const outcome = result?.outcome ?? 'untried';
  return (
    <td data-outcome={outcome}>
      <span className="outcome">
        <svg className="mk" aria-hidden="true">
          <use href={`#${ICONS[outcome]}`} />
        </svg>
        {outcome === 'untried' || outcome === 'tried' ? text.outcome[outcome] : <b>{text.outcome[outcome]}</b>}
      </span>
      {outcome === 'claimed' && <small>{text.claimedNote}</small>}
      {result?.why !== undefined && <small>{text.cannotReplay(result.why)}</small>}
      {entry !== undefined && entry.hints > 0 && <small>{text.hintsUsed(entry.hints)}</small>}
      {entry?.solution === true && <small>{text.withSolution}</small>}
    </td>
  );
}

function Drop({ lang, onFiles }: { readonly lang: Lang; readonly onFiles: (files: Iterable<File>) => void }): ReactNode {
  const text = workshopText[lang];
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div
      className={`drop${over ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer.files);
      }}
    >
      <p>
        <b>{text.dropHere}</b>
      </p>
      <p className="second">{text.dropNote}</p>
      <button className="btn" type="button" onClick={() => input.current?.click()}>
        {text.chooseFiles}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={text.chooseFiles}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          onFiles(files);
        }}
      />
    </div>
  );
}
