/** Are the words that a page puts into a recording's mouth really there? */
import type { Trace } from '../../machines/trace/format.ts';
import { commandOf, linesOf, placeOf, recordAt } from './recording.ts';
import { fences, type Page } from './page.ts';

/** Finds a recording; undefined where there is none. */
export type Recordings = (scenario: string, run: number) => Trace | undefined;

/** A quoted line that does not stand where the page says. */
export interface Misquote {
  readonly line: number;
  readonly of: string;
  readonly says: string;
  readonly why: string;
}

/**
 * Every `<Recorded of="…">` of a page, line by line: a line must stand in that record, in the order quoted. `…` alone
 * leaves lines out; at a line's end it cuts the line; `$ ` before a line is the command that was typed.
 */
export function misquotes(page: Page, recordings: Recordings): Misquote[] {
  return page.parts
    .filter((part) => part.name === 'Recorded')
    .flatMap((part) => {
      const of = part.attrs['of'] ?? '';
      return quoteOf(part.inside)
        .split('\n')
        .map((says) => ({ line: part.line, of, says }))
        .filter(({ says }) => says.trim() !== '')
        .flatMap(checkLines(recordings));
    });
}

function quoteOf(inside: string): string {
  return fences(inside).map((fence) => fence.text).join('\n');
}

type Quoted = Pick<Misquote, 'line' | 'of' | 'says'>;

/** Checks the lines of one quotation; what is found moves on, so that order counts. */
function checkLines(recordings: Recordings): (quoted: Quoted) => Misquote[] {
  let of: string | undefined;
  let held: string[] = [];
  let command: string | undefined;
  let next = 0;
  return (quoted) => {
    if (quoted.of !== of) {
      of = quoted.of;
      next = 0;
      try {
        const place = placeOf(quoted.of);
        const trace = recordings(place.scenario, place.run);
        if (trace === undefined) return [{ ...quoted, why: `there is no recording ${place.scenario}/${place.run}` }];
        const record = recordAt(trace, place);
        held = linesOf(record);
        command = commandOf(record);
      } catch (error) {
        return [{ ...quoted, why: (error as Error).message }];
      }
    }
    const says = quoted.says.trimEnd();
    if (says.trim() === '…') return [];
    if (says.startsWith('$ ')) return says.slice(2) === command ? [] : [{ ...quoted, why: `the command recorded there is ${JSON.stringify(command)}` }];
    const found = held.findIndex((line, i) => i >= next && holdsWords(line, says));
    if (found === -1) return [{ ...quoted, why: 'no such line in that record, at or after the line quoted before it' }];
    next = found;
    return [];
  };
}

/** Does a recorded line hold the words quoted? From its middle if need be; `…` stands for words left out. */
export function holdsWords(held: string, says: string): boolean {
  const quoted = says.trim();
  const parts = quoted.split('…').map((part) => part.trim()).filter((part) => part !== '');
  let from = 0;
  return parts.every((part) => {
    const at = held.indexOf(part, from);
    from = at + part.length;
    return at !== -1;
  });
}
