/** The progress kept in this browser. What is there but cannot be read is left alone, and counts as nothing. */
import { emptyProgress, fileText, readProgress, type Progress } from './progress.ts';

/** What the browser did not keep, by workshop, for as long as the page is open. */
const notKept = new Map<string, Progress>();

const key = (workshop: string): string => `after-bound:workshop:${workshop}`;

export function keptProgress(workshop: string): Progress {
  const here = notKept.get(workshop);
  if (here !== undefined) return here;
  try {
    const read = readProgress(localStorage.getItem(key(workshop)) ?? '', workshop);
    return read.ok ? read.progress : emptyProgress(workshop);
  } catch {
    return emptyProgress(workshop);
  }
}

/** Does this browser keep anything for the site? One that blocks all site data throws at the mere name. */
export function canKeep(): boolean {
  try {
    localStorage.setItem('after-bound:try', '');
    localStorage.removeItem('after-bound:try');
    return true;
  } catch {
    return false;
  }
}

/** Keeps the progress. False where the browser is full or keeps nothing: then the page alone knows it. */
export function keepProgress(progress: Progress): boolean {
  try {
    localStorage.setItem(key(progress.workshop), fileText(progress));
    notKept.delete(progress.workshop);
    return true;
  } catch {
    notKept.set(progress.workshop, progress);
    return false;
  }
}
