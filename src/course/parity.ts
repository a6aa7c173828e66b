/** Do the two languages of a page hold the same course: labs, steps, predictions, checks, diagrams, recorded words? */
import { fences, type Page, type Part } from './page.ts';

/** What both languages must share, as comparable lines: `lab missing-secret at …`. Prose is not in it. */
function outlineOf(page: Page): string[] {
  const front = ['lesson', 'station', 'recordings'].map((key) => `${key}: ${JSON.stringify(page.front[key] ?? null)}`);
  return [...front, `sections: ${page.headings.length}`, ...page.parts.flatMap(lineOf)];
}

/** How two outlines differ, each difference a sentence; empty where they are the same. */
export function disparities(en: Page, zh: Page): string[] {
  const [left, right] = [outlineOf(en), outlineOf(zh)];
  const missing = (from: readonly string[], to: readonly string[], lang: string): string[] => subtract(from, to).map((line) => `${en.slug}: ${lang} lacks "${line}"`);
  const lacks = [...missing(left, right, 'zh'), ...missing(right, left, 'en')];
  if (lacks.length > 0) return lacks;
  const swapped = left.findIndex((line, i) => line !== right[i]);
  return swapped === -1 ? [] : [`${en.slug}: the order differs from "${left[swapped] ?? ''}" on`];
}

/** Elements of `from` that `to` has fewer of. */
function subtract(from: readonly string[], to: readonly string[]): string[] {
  const rest = [...to];
  return from.filter((line) => {
    const at = rest.indexOf(line);
    if (at === -1) return true;
    rest.splice(at, 1);
    return false;
  });
}

/** Attributes that name things; the others hold words of the language. */
const NAMING = ['id', 'name', 'of', 'is', 'when', 'at', 'scenario', 'step', 'from', 'to', 'station', 'lesson', 'right'];

function lineOf(part: Part): string[] {
  // A `Word` is a link within a sentence, and goes where the sentence of its language has the word.
  if (part.name === 'Why' || part.name === 'Word') return [];
  const attrs = NAMING.filter((key) => part.attrs[key] !== undefined).map((key) => ` ${key}=${part.attrs[key] ?? ''}`);
  const quote = part.name === 'Recorded' ? ` ${JSON.stringify(fences(part.inside).map((fence) => fence.text))}` : '';
  return [`${part.name}${attrs.join('')}${quote}`];
}
