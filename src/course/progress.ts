/** What a reader has predicted, answered and finished, kept in this browser and nowhere else. */
type Shelf = 'predictions' | 'checks' | 'lessons';

const key = (shelf: Shelf, id: string): string => `after-bound:${shelf}:${id}`;

/** What was kept; undefined where nothing was, or the browser keeps nothing. */
export function kept(shelf: Shelf, id: string): string | undefined {
  try {
    return localStorage.getItem(key(shelf, id)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(shelf: Shelf, id: string, value: string): void {
  try {
    localStorage.setItem(key(shelf, id), value);
  } catch {
    // A browser that keeps nothing still shows the lesson.
  }
}

/** Keeps a value unless one is there: the first answer counts. */
export function keepFirst(shelf: Shelf, id: string, value: string): void {
  if (kept(shelf, id) === undefined) keep(shelf, id, value);
}
