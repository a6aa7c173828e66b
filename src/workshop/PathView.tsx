/** A workshop's path: its parts in their order, what of it is done, and the progress as a file. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Lang } from '../i18n/langs.ts';
import { workshopText } from '../i18n/workshop.ts';
import { partAddress, type Addresses } from './addresses.ts';
import { Coded } from './Coded.tsx';
import type { PartData, WorkshopData } from './data.ts';
import { emptyProgress, fileText, merged, type Progress } from './progress.ts';
import { readFile } from './read-file.ts';
import { canKeep, keepProgress, keptProgress } from './shelf.ts';
import { useAlive } from './use-alive.ts';

interface Props {
  readonly lang: Lang;
  readonly workshop: WorkshopData;
  readonly addresses: Addresses;
  /** Titles of lessons and labs, by their names. */
  readonly titles: Readonly<Record<string, string>>;
}

export default function PathView({ lang, workshop, addresses, titles }: Props): ReactNode {
  const text = workshopText[lang];
  const [progress, setProgress] = useState<Progress>(() => emptyProgress(workshop.id));
  const alive = useAlive();
  const [kept, setKept] = useState(true);
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>();
  useEffect(() => {
    const read = (): void => setProgress(keptProgress(workshop.id));
    read();
    setKept(canKeep());
    // Another tab goes on meanwhile, and the browser may bring this page back as it was left.
    addEventListener('storage', read);
    addEventListener('pageshow', read);
    return () => {
      removeEventListener('storage', read);
      removeEventListener('pageshow', read);
    };
  }, [workshop.id]);

  const keep = (next: Progress): void => {
    setKept(keepProgress(next));
    setProgress(next);
  };
  const take = async (file: File): Promise<void> => {
    const read = await readFile(file, workshop.id);
    if (!read.ok) return setSaid({ text: text.notImported(file.name, text.fault(read.fault)), wrong: true });
    keep(merged(keptProgress(workshop.id), read.progress));
    setSaid({ text: text.imported(Object.values(read.progress.tasks).filter((task) => task.passed).length), wrong: false });
  };
  const tasks = workshop.parts.filter((part) => part.kind === 'task');
  const passed = tasks.filter((task) => progress.tasks[task.task]?.passed === true).length;
  return (
    <>
      <ol className="path">
        {workshop.parts.map((part, i) => (
          <li key={i}>
            <span className="second">{text[part.kind]}</span>
            <div>
              <a href={partAddress(part, workshop.id, addresses)}>{titleOf(part, lang, titles)}</a>
              <p>
                <Coded text={part.say[lang]} />
              </p>
            </div>
            <span className="second">{text.minutes(part.minutes)}</span>
            <Done part={part} progress={progress} lang={lang} />
          </li>
        ))}
      </ol>
      <p>
        <b>{text.passedOf(passed, tasks.length)}</b> <span className="second">{kept ? text.keptHere : text.notKept}</span>
      </p>
      <div className="file-tools">
        <label>
          <span>{text.yourName}</span>
          <input type="text" value={progress.name} maxLength={100} autoComplete="off" disabled={!alive} onChange={(event) => keep({ ...keptProgress(workshop.id), name: event.currentTarget.value })} />
        </label>
        <button className="btn" type="button" disabled={!alive} onClick={() => saveFile(progress)}>
          {text.exportFile}
        </button>
        <FileButton label={text.importFile} alive={alive} onFile={(file) => void take(file)} />
      </div>
      <p className="second">{text.yourNameNote}</p>
      {said !== undefined && <p role={said.wrong ? 'alert' : 'status'}>{said.text}</p>}
    </>
  );
}

function titleOf(part: PartData, lang: Lang, titles: Props['titles']): string {
  if (part.kind === 'task') return part.title[lang];
  return titles[part.kind === 'lesson' ? part.lesson : part.lab] ?? '';
}

function Done({ part, progress, lang }: { readonly part: PartData; readonly progress: Progress; readonly lang: Lang }): ReactNode {
  const text = workshopText[lang];
  const entry = part.kind === 'task' ? progress.tasks[part.task] : undefined;
  if (part.kind !== 'task') return <span />;
  if (entry?.passed === true) {
    return (
      <b className="done">
        <svg className="mk" aria-hidden="true">
          <use href="#m-lit" />
        </svg>
        {entry.solution ? text.passedBySolution : text.passed}
      </b>
    );
  }
  return <span className="second">{entry === undefined || entry.actions.length === 0 ? '' : text.tried}</span>;
}

function FileButton({ label, alive, onFile }: { readonly label: string; readonly alive: boolean; readonly onFile: (file: File) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button className="btn" type="button" disabled={!alive} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}

/** Hands the progress over as a file, named after the workshop and whose it is. */
function saveFile(progress: Progress): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([fileText(progress)], { type: 'application/json' }));
  const name = progress.name.trim().replace(/[^\p{L}\p{N}]+/gu, '-');
  link.download = `${['after-bound', progress.workshop, name].filter((part) => part !== '').join('-')}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
