/** The talk button of a page: begins the talk, also when the address asks for it. Everything else is loaded then. */
import { LANGS } from '../i18n/langs.ts';
import type { LabPaths } from '../lab/data.ts';
import type { PageKind } from './from-page.ts';
import type { Role } from './Talk.tsx';

const VIEW = 'view';
const ROLES: readonly Role[] = ['stage', 'presenter'];

/** Makes a page's talk button work. */
export function readyTalk(button: HTMLElement): void {
  const { kind, name, title, files, paths } = button.dataset;
  const lang = LANGS.find((known) => known === button.dataset['lang']);
  if ((kind !== 'talk' && kind !== 'lesson' && kind !== 'lab') || name === undefined || title === undefined || files === undefined || paths === undefined || lang === undefined) throw new Error('a talk button lacks what it is for');
  const page: PageKind = { kind, name, title, lang };

  // Whoever uses the keyboard goes on where the talk began.
  const onLeave = (): void => {
    history.replaceState(history.state, '', addressOf(undefined));
    button.focus({ preventScroll: true });
  };
  const begin = async (role: Role): Promise<void> => {
    if (document.documentElement.dataset['talkView'] !== undefined) return;
    const { mountTalk } = await import('./mount.tsx');
    await mountTalk({ page, role, files, paths: JSON.parse(paths) as LabPaths, presenterAddress: addressOf('presenter'), onLeave });
  };

  button.addEventListener('click', () => {
    // A new beginning: what an earlier talk in this window kept is not taken up.
    forget(page);
    history.replaceState(history.state, '', addressOf('stage'));
    document.documentElement.requestFullscreen?.().catch(() => undefined);
    void begin('stage');
  });
  const asked = new URLSearchParams(location.search).get(VIEW);
  const role = ROLES.find((known) => known === asked);
  if (role !== undefined) void begin(role);
}

/** This page's address in another view; the page itself where undefined. */
function addressOf(view: Role | undefined): string {
  const parts = new URLSearchParams(location.search);
  parts.delete(VIEW);
  if (view !== undefined) parts.set(VIEW, view);
  const query = parts.toString();
  return `${location.pathname}${query === '' ? '' : `?${query}`}${view === 'presenter' ? '' : location.hash}`;
}

function forget(page: PageKind): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(`after-bound:${page.kind}/`)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
