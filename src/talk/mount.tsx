/** Puts a talk over the page, and takes it away again. Loaded when a talk begins. */
import './talk.css';
import { createRoot } from 'react-dom/client';
import { onLabChange, openLabs } from '../lab/open-labs.ts';
import type { LabData, LabPaths } from '../lab/data.ts';
import type { Messages } from '../i18n/en.ts';
import type { Lang } from '../i18n/langs.ts';
import { deckOf, type PageKind } from './from-page.ts';
import { openRuns, type LabSource } from './runs.ts';
import { OPENING, type TalkState } from './state.ts';
import { Talk, type Role } from './Talk.tsx';

export interface Begin {
  readonly page: PageKind;
  readonly role: Role;
  /** The folder of the labs' files, with a slash at its end. */
  readonly files: string;
  readonly paths: LabPaths;
  readonly presenterAddress: string;
  readonly onLeave: () => void;
}

/** Begins a talk, once the labs of the page have come alive. */
export async function mountTalk({ page, role, files, paths, presenterAddress, onLeave }: Begin): Promise<void> {
  const [messages] = await Promise.all([messagesOf(page.lang), labsAlive()]);
  const deck = deckOf(page);
  const place = document.createElement('div');
  document.body.append(place);
  document.documentElement.dataset['talkView'] = role;
  holdUpdates();
  const view = createRoot(place);
  const leave = (state: TalkState): void => {
    view.unmount();
    place.remove();
    delete document.documentElement.dataset['talkView'];
    // The lab stays where the talk left it.
    if (page.kind === 'lab' && state.lab !== undefined) openLabs()[0]?.show(state.lab);
    releaseUpdates();
    onLeave();
  };
  view.render(
    <Talk
      role={role}
      lang={page.lang}
      messages={messages}
      deck={deck}
      runs={openRuns((scenario) => labOf(scenario, files, paths))}
      opening={openingOf(page)}
      presenterAddress={presenterAddress}
      onLeave={leave}
    />,
  );
}

/** A talk from a lab begins where the lab stands. */
function openingOf(page: PageKind): TalkState {
  const lab = page.kind === 'lab' ? openLabs()[0] : undefined;
  return lab === undefined ? OPENING : { ...OPENING, lab: lab.state };
}

async function messagesOf(lang: Lang): Promise<Messages> {
  return lang === 'zh' ? (await import('../i18n/zh.ts')).zh : (await import('../i18n/en.ts')).en;
}

/** Waits until every lab on the page answers. A page without labs waits for nothing. */
async function labsAlive(): Promise<void> {
  const wanted = document.querySelectorAll('.lab[data-scenario]').length;
  if (openLabs().length >= wanted) return;
  await new Promise<void>((resolve) => {
    const end = onLabChange(() => {
      if (openLabs().length < wanted) return;
      end();
      resolve();
    });
  });
}

/** A scenario's lab: the page's own, else the file that the site keeps of it. */
async function labOf(scenario: string, files: string, paths: LabPaths): Promise<LabSource> {
  const open = openLabs().find((lab) => lab.data.trace.scenario.id === scenario);
  if (open !== undefined) return { data: open.data, paths: open.paths };
  const answer = await fetch(`${files}${scenario}.json`);
  if (!answer.ok) throw new Error(`${scenario}.json: HTTP ${answer.status}`);
  return { data: (await answer.json()) as LabData, paths };
}

let release: (() => void) | undefined;

/** While a talk is open no window of the site takes a new version: see `src/offline`. */
function holdUpdates(): void {
  // A browser that keeps nothing for the site has no locks and takes no new version.
  navigator.locks?.request('after-bound:talk', { mode: 'shared' }, () => new Promise<void>((resolve) => (release = resolve))).catch(() => undefined);
}
function releaseUpdates(): void {
  release?.();
  release = undefined;
}
