/** The facilitator's table: who has passed what, found out by doing again what each file says was done. */
import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Lang } from '../i18n/langs.ts';
import { workshopText } from '../i18n/workshop.ts';
import type { Addresses } from './addresses.ts';
import type { WorkshopData } from './data.ts';
import type { FileFault, Progress } from './progress.ts';
import { readFile } from './read-file.ts';
import type { Replay } from './replay.ts';
import { LONGEST, openReplayer, type Replayer } from './replayer.ts';
import { useAlive } from './use-alive.ts';

interface Props {
  readonly lang: Lang;
  readonly workshop: WorkshopData;
  readonly addresses: Addresses;
}

interface Row {
  readonly id: number;
  readonly file: string;
  readonly name: string;
  /** Tells a file dropped again from another one of the same name. */
  readonly content: string;
  readonly cells: Readonly<Record<string, CellData>>;
}

interface CellData {
  readonly replay: Replay;
  readonly hints: number;
  readonly solution: boolean;
}

interface Refusal {
  readonly file: string;
  readonly fault: FileFault;
}

interface Stand {
  readonly rows: readonly Row[];
  readonly refusals: readonly Refusal[];
}
const NOTHING: Stand = { rows: [], refusals: [] };

/** The table is drawn again after so long, milliseconds, and not for each of a thousand files. */
const PAUSE = 300;
/** So many refused files are named. */
const MOST_REFUSED = 30;

export default function Board({ lang, workshop, addresses }: Props): ReactNode {
  const text = workshopText[lang];
  const tasks = workshop.parts.filter((part) => part.kind === 'task');
  const [{ rows, refusals }, setStand] = useState<Stand>(NOTHING);
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const queue = useRef(Promise.resolve());
  const replayer = useRef<Replayer>(undefined);
  const stopped = useRef(false);
  useEffect(() => () => replayer.current?.close(), []);

  const take = async (files: readonly File[]): Promise<void> => {
    replayer.current ??= openReplayer(tasks, addresses.labFiles);
    let found: Stand = NOTHING;
    let drawn = performance.now();
    const draw = (): void => {
      const { rows: more, refusals: refused } = found;
      setStand((old) => ({ rows: withRows(old.rows, more), refusals: [...old.refusals, ...refused] }));
      found = NOTHING;
      drawn = performance.now();
    };
    let at = 0;
    try {
      for (const file of files) {
        if (at === 0 || performance.now() - drawn > PAUSE) draw();
        setSaid(text.replaying(at + 1, files.length, file.name));
        // What is said is painted, and a click on "stop" heard.
        if (found === NOTHING) await new Promise((resolve) => setTimeout(resolve));
        const read = await readFile(file, workshop.id);
        if (stopped.current) break;
        if (read.ok) found = { ...found, rows: [...found.rows, rowOf(file.name, read.progress, await replayer.current.replay(read.progress))] };
        else found = { ...found, refusals: [...found.refusals, { file: file.name, fault: read.fault }] };
        at++;
      }
    } catch (error) {
      if (!stopped.current) throw error;
    } finally {
      draw();
      setSaid(stopped.current ? text.stopped(at, files.length) : '');
    }
  };
  /** One drop after the other. */
  const drop = (files: Iterable<File>): void => {
    // A list that the browser empties once the event is over.
    const all = [...files];
    queue.current = queue.current.then(async () => {
      stopped.current = false;
      setFailed(false);
      setBusy(true);
      await take(all).catch(() => setFailed(true));
      setBusy(false);
    });
  };
  const stop = (): void => {
    stopped.current = true;
    replayer.current?.close();
  };
  return (
    <>
      <Drop lang={lang} onFiles={drop} />
      <p role="status">
        {said}
        {busy && (
          <>
            {' '}
            <button className="btn plain" type="button" onClick={stop}>
              {text.stop}
            </button>
          </>
        )}
      </p>
      {failed && <p role="alert">{text.couldNotLoad}</p>}
      {rows.length > 0 && <Table lang={lang} workshop={workshop} rows={rows} />}
      {refusals.length > 0 && (
        <section className="refused-files">
          <h3>{text.refusedFiles}</h3>
          <ul>
            {refusals.slice(0, MOST_REFUSED).map(({ file, fault }, i) => (
              <li key={i}>
                <code>{file}</code>: {text.fault(fault)}
              </li>
            ))}
            {refusals.length > MOST_REFUSED && <li>{text.moreRefused(refusals.length - MOST_REFUSED)}</li>}
          </ul>
        </section>
      )}
      {!busy && (rows.length > 0 || refusals.length > 0) && (
        <button className="btn plain" type="button" onClick={() => setStand(NOTHING)}>
          {text.clear}
        </button>
      )}
    </>
  );
}

/** Drawn again only when there are other rows: what is said above changes with every file. */
const Table = memo(function Table({ lang, workshop, rows }: { readonly lang: Lang; readonly workshop: WorkshopData; readonly rows: readonly Row[] }): ReactNode {
  const text = workshopText[lang];
  const tasks = workshop.parts.filter((part) => part.kind === 'task');
  return (
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
            <tr key={row.id}>
              <th scope="row">
                {row.name === '' ? row.file : row.name}
                {row.name !== '' && <small>{row.file}</small>}
              </th>
              {tasks.map((task) => (
                <Cell key={task.task} lang={lang} cell={row.cells[task.task]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

let lastId = 0;

function rowOf(file: string, progress: Progress, replays: Readonly<Record<string, Replay>>): Row {
  const cells = Object.entries(replays).map(([task, replay]): [string, CellData] => {
    const entry = progress.tasks[task];
    return [task, { replay, hints: entry?.hints ?? 0, solution: entry?.solution ?? false }];
  });
  return { id: ++lastId, file, name: progress.name, content: JSON.stringify(progress.tasks), cells: Object.fromEntries(cells) };
}

/**
 * A file that someone has exported again takes the place of what it said before. Files of people without a name are all
 * called the same: of those only the same file takes its own place.
 */
function withRows(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  const isSame = (a: Row, b: Row): boolean => a.file === b.file && a.name === b.name && (a.content === b.content || a.name !== '');
  return more.reduce<readonly Row[]>((all, row) => [...all.filter((other) => !isSame(other, row)), row], rows);
}

const ICONS = { passed: 'm-lit', claimed: 'm-block', tried: 'm-part', untried: 'm-no', late: 'm-part' } as const;

function Cell({ lang, cell }: { readonly lang: Lang; readonly cell: CellData | undefined }): ReactNode {
  const text = workshopText[lang];
  const outcome = cell?.replay.outcome ?? 'untried';
  return (
    <td data-outcome={outcome}>
      <span className="outcome">
        <svg className="mk" aria-hidden="true">
          <use href={`#${ICONS[outcome]}`} />
        </svg>
        {outcome === 'untried' || outcome === 'tried' ? text.outcome[outcome] : <b>{text.outcome[outcome]}</b>}
      </span>
      {outcome === 'claimed' && <small>{text.claimedNote}</small>}
      {outcome === 'late' && <small>{text.lateNote(LONGEST / 1000)}</small>}
      {cell?.replay.why !== undefined && <small>{text.cannotReplay(cell.replay.why)}</small>}
      {cell !== undefined && cell.hints > 0 && <small>{text.hintsUsed(cell.hints)}</small>}
      {cell?.solution === true && <small>{text.withSolution}</small>}
    </td>
  );
}

function Drop({ lang, onFiles }: { readonly lang: Lang; readonly onFiles: (files: Iterable<File>) => void }): ReactNode {
  const text = workshopText[lang];
  const input = useRef<HTMLInputElement>(null);
  const alive = useAlive();
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
      <button className="btn" type="button" disabled={!alive} onClick={() => input.current?.click()}>
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
