/**
 * A deck from what stands on the page: the steps of a talk's own page, the blocks of a lesson, the run of a lab. So every
 * lesson and lab has a talk view, and what is on the stage is what is on the page.
 */
import type { Lang } from '../i18n/langs.ts';
import { talkText } from '../i18n/talk.ts';
import { openLabs, type OpenLab } from '../lab/open-labs.ts';
import { decodeState, startState } from '../lab/state.ts';
import type { Deck, DeckStep, TextFace } from './deck.ts';
import { buildUpTo, isLegibleWhole, partsOf } from './drawing.ts';
import { narrowed, pagesOf } from './terminal.ts';

/** What a page is made of, as its talk button says. */
export interface PageKind {
  readonly kind: 'talk' | 'lesson' | 'lab';
  /** The talk, the lesson or the scenario. */
  readonly name: string;
  readonly title: string;
  readonly lang: Lang;
}

/** Reads the deck of a page. Labs must have come alive before. Throws where the page has none. */
export function deckOf(page: PageKind): Deck {
  switch (page.kind) {
    case 'talk':
      return { id: `talk/${page.name}`, title: page.title, steps: [...document.querySelectorAll<HTMLElement>('.talk-step')].map(writtenStep) };
    case 'lesson':
      // The languages of a lesson need not have the same paragraphs: each is a deck of its own.
      return { id: `lesson/${page.lang}/${page.name}`, title: page.title, steps: lessonSteps(page) };
    case 'lab': {
      const lab = openLabs()[0];
      const state = lab === undefined ? startState(page.name, 0) : startState(page.name, lab.data.step, lab.data.source);
      return { id: `lab/${page.name}`, title: page.title, steps: [{ title: page.title, notes: '', face: { kind: 'lab', state, headline: undefined, walk: true } }] };
    }
  }
}

// --- a talk's own page ---

function writtenStep(section: HTMLElement): DeckStep {
  const html = section.querySelector('template')?.innerHTML.trim() ?? '';
  const notes = section.querySelector('.step-notes')?.innerHTML.trim() ?? '';
  const lab = section.dataset['lab'];
  const title = wordsOf(html);
  if (lab === undefined) return { title, notes, face: { kind: 'text', html: built(html), look: lookOf(section.dataset['look']), heading: '' } };
  const state = decodeState(lab);
  if (!state.ok) throw new Error(`the page holds a lab's state that cannot be read: ${lab}`);
  return { title: title === '' ? state.state.scenario : title, notes, face: { kind: 'lab', state: state.state, headline: html === '' ? undefined : html, walk: section.dataset['walk'] !== undefined } };
}

function lookOf(name: string | undefined): TextFace['look'] {
  return name === 'read' || name === 'lines' || name === 'drawing' ? name : 'say';
}

/** Diagrams in a step say themselves how far they are built. */
function built(html: string): string {
  const box = document.createElement('div');
  box.innerHTML = html;
  for (const figure of box.querySelectorAll<HTMLElement>('[data-up-to]')) {
    const svg = figure.querySelector('svg');
    if (svg !== null) buildUpTo(svg, Number(figure.dataset['upTo']));
  }
  return box.innerHTML;
}

// --- a lesson ---

function lessonSteps(page: PageKind): DeckStep[] {
  const read = document.querySelector('.read');
  if (read === null) throw new Error('this page has no lesson');
  const labs = openLabs();
  const steps: DeckStep[] = [text('say', titleHtml(page.title), '')];
  let heading = '';
  let notes = '';
  for (const block of read.children) {
    if (block.matches('h2, h3')) heading = block.textContent.trim();
    else if (block.matches('.note')) notes += block.innerHTML;
    else {
      const made = blockSteps(block as HTMLElement, heading, labs, page.lang);
      const [first, ...rest] = made;
      if (first !== undefined) steps.push({ ...first, notes: first.notes + notes }, ...rest);
      if (made.length > 0) notes = '';
    }
  }
  const last = steps.at(-1);
  return notes === '' || last === undefined ? steps : [...steps.slice(0, -1), { ...last, notes: last.notes + notes }];
}

function titleHtml(title: string): string {
  const p = document.createElement('p');
  p.textContent = title;
  return p.outerHTML;
}

function blockSteps(block: HTMLElement, heading: string, labs: readonly OpenLab[], lang: Lang): DeckStep[] {
  if (block.matches('p')) return [text('read', block.outerHTML, heading)];
  if (block.matches('ul, ol')) return piecesOf(block, ':scope > li', 'read', heading);
  if (block.matches('table')) return piecesOf(block, ':scope > tbody > tr', 'read', heading);
  if (block.matches('pre, .recorded')) return lineSteps(block, heading);
  if (block.matches('.diagram')) return drawingSteps(block, heading);
  if (block.matches('.predict')) return predictionSteps(block, lang);
  if (block.matches('.check')) return [...block.querySelectorAll<HTMLElement>('.question')].flatMap((question) => questionSteps(question, lang));
  if (block.matches('.lab-frame')) return labSteps(block, labs);
  if (block.matches('.flow')) return flowSteps(block);
  if (block.matches('blockquote')) return [text('read', block.outerHTML, heading)];
  return [];
}

function text(look: TextFace['look'], html: string, heading: string, notes = ''): DeckStep {
  const clean = cleaned(html);
  return { title: wordsOf(clean), notes, face: { kind: 'text', html: clean, look, heading } };
}

/** So many rows of a terminal fit on the stage. */
const ROWS = 13;

/** A terminal's words, in as many steps as they need. */
function lineSteps(block: HTMLElement, heading: string): DeckStep[] {
  const words = block.matches('pre') ? block : block.querySelector('pre');
  if (words === null) return [text('lines', block.outerHTML, heading)];
  const place = block.matches('pre') ? 0 : [...block.querySelectorAll('pre')].indexOf(words);
  return pagesOf(narrowed(words.textContent.trimEnd()), ROWS).map((page) => {
    const copy = block.cloneNode(true) as HTMLElement;
    const shown = copy.matches('pre') ? copy : copy.querySelectorAll('pre')[place];
    if (shown instanceof HTMLElement) shown.textContent = page;
    return text('lines', copy.outerHTML, heading);
  });
}

/** One step for each piece: those that come later are there, but not shown, so that nothing moves. */
function piecesOf(block: HTMLElement, selector: string, look: TextFace['look'], heading: string): DeckStep[] {
  const count = block.querySelectorAll(selector).length;
  return Array.from({ length: count }, (_, i) => {
    const copy = block.cloneNode(true) as HTMLElement;
    copy.querySelectorAll(selector).forEach((piece, place) => piece.toggleAttribute('data-later', place > i));
    const step = text(look, copy.outerHTML, heading);
    return { ...step, title: block.querySelectorAll(selector)[i]?.textContent.trim().replace(/\s+/g, ' ') ?? step.title };
  });
}

function drawingSteps(block: HTMLElement, heading: string): DeckStep[] {
  const svg = block.querySelector('svg');
  if (svg === null) return [];
  const words = block.querySelector('details')?.cloneNode(true) as HTMLElement | undefined;
  words?.querySelector('summary')?.remove();
  const parts = partsOf(svg).length;
  const steps = Array.from({ length: parts }, (_, i) => {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    buildUpTo(copy, i + 1);
    const newest = copy.querySelector('[data-new]:not(.edge)')?.textContent.trim() ?? '';
    return { ...text('drawing', copy.outerHTML, heading, i === 0 ? (words?.innerHTML ?? '') : ''), title: newest };
  });
  // In the end the whole of it, as it stands in the lesson, where that can be read from the last row.
  return isLegibleWhole(svg) ? [...steps, { ...text('drawing', svg.outerHTML, heading), title: heading }] : steps;
}

function predictionSteps(block: HTMLElement, lang: Lang): DeckStep[] {
  const question = block.querySelector('legend')?.innerHTML ?? '';
  const options = [...block.querySelectorAll('.option .text')].map((option) => option.innerHTML);
  const holds = Number(block.dataset['holds']);
  return asked(question, options, (i) => i === holds, talkText[lang].question, talkText[lang].answer);
}

function questionSteps(block: HTMLElement, lang: Lang): DeckStep[] {
  const question = block.querySelector('legend')?.innerHTML ?? '';
  const answers = [...block.querySelectorAll<HTMLElement>('.answer')];
  const words = answers.map((answer) => {
    const copy = answer.querySelector('.text')?.cloneNode(true) as HTMLElement | undefined;
    copy?.querySelector('.why')?.remove();
    return copy?.innerHTML ?? '';
  });
  const why = answers.map((answer) => `<p>${answer.querySelector('.why')?.innerHTML ?? ''}</p>`).join('');
  const [ask, answer] = asked(question, words, (i) => answers[i]?.dataset['right'] === 'yes', talkText[lang].question, talkText[lang].question);
  return ask === undefined || answer === undefined ? [] : [{ ...ask, notes: why }, { ...answer, notes: why }];
}

/** A question, then the same with what holds. */
function asked(question: string, options: readonly string[], holds: (i: number) => boolean, before: string, after: string): DeckStep[] {
  const list = (shown: boolean): string =>
    `<ol class="options">${options.map((option, i) => `<li${shown ? (holds(i) ? ' class="holds"' : ' class="fails"') : ''}>${option}</li>`).join('')}</ol>`;
  return [text('read', `${question}${list(false)}`, before), text('read', `${question}${list(true)}`, after)];
}

/**
 * The questions of a method and what they lead to, in the order in which its answers name them: the page itself moves them
 * about as they are answered, and every window must have the same steps.
 */
function flowSteps(flow: HTMLElement): DeckStep[] {
  const parts = new Map([...flow.querySelectorAll<HTMLElement>('.ask, .found')].map((part) => [`#${part.id}`, part]));
  const order = parts.has('#start') ? ['#start'] : [];
  for (const id of order) for (const link of parts.get(id)?.querySelectorAll<HTMLAnchorElement>('a.goes') ?? []) if (parts.has(link.hash) && !order.includes(link.hash)) order.push(link.hash);
  return order.flatMap((id) => partSteps(parts.get(id)));
}

/** A question: what to type and what it printed, then the answers. A finding: its station, then what is said of it. */
function partSteps(part: HTMLElement | undefined): DeckStep[] {
  const title = part?.querySelector('h2');
  if (part === undefined || title === null || title === undefined) return [];
  const heading = title.textContent.trim();
  const answers = [...part.querySelectorAll<HTMLElement>('a.goes')];
  const said = [...part.children].filter((child) => child !== title && !child.matches('.goes') && child.querySelector('.goes') === null);
  const list = answers.length === 0 ? [] : [text('read', `<p><b>${title.innerHTML}</b></p><ul>${answers.map((answer) => `<li>${answer.innerHTML}</li>`).join('')}</ul>`, '')];
  return [...said.flatMap((child) => (child.matches('pre, .recorded') ? lineSteps(child as HTMLElement, heading) : [text('read', child.outerHTML, heading)])), ...list];
}

function labSteps(frame: HTMLElement, labs: readonly OpenLab[]): DeckStep[] {
  const lab = labs.find((open) => open.element !== null && frame.contains(open.element));
  if (lab === undefined) return [];
  const { scenario } = lab.data.trace;
  return [{ title: scenario.id, notes: '', face: { kind: 'lab', state: startState(scenario.id, 0, lab.data.source), headline: undefined, walk: true } }];
}

/** Nothing of the page may be there twice under one name, and tables of a terminal stand as narrow as they can. Diagrams keep their names until they are drawn. */
function cleaned(html: string): string {
  if (html.includes('<svg')) return html;
  const box = document.createElement('template');
  box.innerHTML = html;
  // What a reader presses, and what it answers, is for the page.
  for (const control of box.content.querySelectorAll('button, [role="status"]')) control.remove();
  for (const named of box.content.querySelectorAll('[id]')) named.removeAttribute('id');
  for (const words of box.content.querySelectorAll('pre')) words.textContent = narrowed(words.textContent.trimEnd());
  // A path or a field in a narrow column is broken where its parts end, nowhere else.
  for (const field of box.content.querySelectorAll('td code')) field.replaceChildren(...field.textContent.split(/(?<=[/.])/).flatMap((part) => [part, document.createElement('wbr')]));
  return box.innerHTML;
}

/** The words of some HTML, for lists. */
export function wordsOf(html: string): string {
  const box = document.createElement('template');
  box.innerHTML = html;
  for (const style of box.content.querySelectorAll('style')) style.remove();
  return (box.content.textContent ?? '').replace(/\s+/g, ' ').trim();
}
