/** What a reader has predicted, answered and finished, kept in this browser and nowhere else. */
type Shelf = 'predictions' | 'checks' | 'lessons';

/** What the browser did not keep, for as long as the page is open. */
const notKept = new Map<string, string>();

const key = (shelf: Shelf, id: string): string => `after-bound:${shelf}:${id}`;

/** What was kept, in a browser that keeps nothing since the page was opened; undefined where nothing was. */
export function kept(shelf: Shelf, id: string): string | undefined {
  const here = notKept.get(key(shelf, id));
  if (here !== undefined) return here;
  try {
    return localStorage.getItem(key(shelf, id)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(shelf: Shelf, id: string, value: string): void {
  try {
    localStorage.setItem(key(shelf, id), value);
    notKept.delete(key(shelf, id));
  } catch {
    // A browser that is full or keeps nothing still shows the lesson, and counts what is answered in it.
    notKept.set(key(shelf, id), value);
  }
}

/** Keeps a value unless one is there: the first answer counts. */
export function keepFirst(shelf: Shelf, id: string, value: string): void {
  if (kept(shelf, id) === undefined) keep(shelf, id, value);
}
