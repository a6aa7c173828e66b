/** Puts a workshop's task above the lab, when the address names one: `?task=first-gap/run-it`. */
import './workshop.css';
import { createRoot } from 'react-dom/client';
import type { Lang } from '../i18n/langs.ts';
import { workshopText } from '../i18n/workshop.ts';
import { partAddress, type Addresses } from './addresses.ts';
import type { WorkshopData } from './data.ts';
import { TaskPanel } from './TaskPanel.tsx';

export interface TaskPlace {
  readonly lang: Lang;
  readonly scenario: string;
  readonly addresses: Addresses;
}

export async function showTask(place: HTMLElement, asked: string, { lang, scenario, addresses }: TaskPlace): Promise<void> {
  const text = workshopText[lang];
  const [workshopId = '', taskId = ''] = asked.split('/');
  const root = createRoot(place);
  const workshop = await workshopOf(addresses, workshopId).catch(() => undefined);
  if (workshop === undefined) {
    root.render(<p role="alert">{text.couldNotLoad}</p>);
    return;
  }
  const at = workshop.parts.findIndex((part) => part.kind === 'task' && part.task === taskId && part.lab === scenario);
  const task = workshop.parts[at];
  if (task?.kind !== 'task') {
    root.render(<p role="alert">{text.noSuchTask(asked)}</p>);
    return;
  }
  const next = workshop.parts[at + 1];
  root.render(
    <TaskPanel lang={lang} workshop={workshop} task={task} pathAddress={`${addresses.workshops}${workshop.id}/`} nextAddress={next === undefined ? undefined : partAddress(next, workshop.id, addresses)} />,
  );
}

async function workshopOf(addresses: Addresses, id: string): Promise<WorkshopData | undefined> {
  if (!/^[a-z0-9-]+$/.test(id)) return undefined;
  const answer = await fetch(`${addresses.workshopFiles}${id}.json`);
  return answer.ok ? (((await answer.json()) as WorkshopData | null) ?? undefined) : undefined;
}
