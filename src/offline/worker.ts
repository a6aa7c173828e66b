/** The service worker as a page sees it: whether everything is kept, and whether a new version waits. */
export type OfflineState =
  /** The browser has no service workers, or forbids them here. */
  | 'unable'
  /** The browser keeps nothing for this site: neither an offline copy nor a reader's progress. */
  | 'denied'
  /** Not asked for yet: the reader saves data. */
  | 'off'
  | 'preparing'
  | 'ready'
  | 'failed';

export interface Watch {
  readonly onState: (state: OfflineState) => void;
  /** A new version is there and waits. */
  readonly onUpdate: () => void;
}

export interface OfflineCopy {
  /** Asks for the copy, where it was not made by itself. */
  readonly make: () => void;
  /** Takes the new version and loads this page again. False while a talk is open in some window: nothing happens then. */
  readonly update: () => Promise<boolean>;
}

/** Every open talk holds this lock, shared (`src/talk/mount.tsx`). */
const TALK_LOCK = 'after-bound:talk';

/** Starts watching. `address` is the worker's, `scope` the folder of the site. */
export function watchOffline(address: string, scope: string, watch: Watch): OfflineCopy {
  if (!keepsData()) {
    watch.onState('denied');
    return { make: () => undefined, update: async () => false };
  }
  if (!('serviceWorker' in navigator)) {
    watch.onState('unable');
    return { make: () => undefined, update: async () => false };
  }
  let registration: ServiceWorkerRegistration | undefined;
  const tell = (): Promise<void> => standing(scope).then((stands) => watch.onState(stands ? 'ready' : 'failed'));
  const start = async (): Promise<void> => {
    if (!(await standing(scope))) watch.onState('preparing');
    registration = await navigator.serviceWorker.register(address, { scope });
    follow(registration, watch.onUpdate, () => void tell());
    await navigator.serviceWorker.ready;
    watch.onState('ready');
  };
  const make = (): void => void start().catch(tell);

  void standing(scope).then((stands) => {
    if (stands || !savesData()) make();
    else watch.onState('off');
  });
  return {
    make,
    async update() {
      const waiting = registration?.waiting ?? null;
      if (waiting === null || (await isTalkOpen())) return false;
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      // The message that workers made by Workbox wait for.
      waiting.postMessage({ type: 'SKIP_WAITING' });
      return true;
    },
  };
}

/** A browser that blocks all data of sites throws at the mere name of the storage. */
function keepsData(): boolean {
  try {
    return localStorage.length >= 0;
  } catch {
    return false;
  }
}

/** Calls back when a version beside the active one has been kept, and when one could not be. */
function follow(registration: ServiceWorkerRegistration, onUpdate: () => void, onFailed: () => void): void {
  const watched = new WeakSet<ServiceWorker>();
  const look = (): void => {
    const next = registration.installing;
    if (next === null || watched.has(next)) return;
    watched.add(next);
    next.addEventListener('statechange', () => {
      if (next.state === 'installed' && registration.active !== null) onUpdate();
      if (next.state === 'redundant') onFailed();
    });
  };
  if (registration.waiting !== null && registration.active !== null) onUpdate();
  registration.addEventListener('updatefound', look);
  look();
}

/** Is a whole copy kept? A worker is active only after it has kept everything. */
async function standing(scope: string): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration(scope);
  return (registration?.active ?? null) !== null;
}

/** Is everything kept already? For the presenter, before the projector is. */
export async function isOfflineReady(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !keepsData()) return false;
  const registration = await navigator.serviceWorker.getRegistration();
  return (registration?.active ?? null) !== null;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

async function isTalkOpen(): Promise<boolean> {
  const locks = await navigator.locks?.query();
  return locks?.held?.some((lock) => lock.name === TALK_LOCK) ?? false;
}
