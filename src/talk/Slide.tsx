/** One step on a stage of 16 by 9: the same in the audience's window, in the presenter's small pictures, and on paper. */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { LabState } from '../lab/state.ts';
import { steps } from '../trace-view/steps.ts';
import { isRun, labOf, stepOf, type Deck, type LabFace, type TextFace } from './deck.ts';
import { viewOf, WIDEST } from './drawing.ts';
import { wordsOf } from './from-page.ts';
import type { Runs, Shown } from './runs.ts';
import { textScale, widthOf } from './scale.ts';
import { StageLab } from './StageLab.tsx';
import type { TalkState } from './state.ts';
import { useText } from './TalkWords.tsx';

interface Props {
  readonly deck: Deck;
  readonly state: TalkState;
  readonly runs: Runs;
}

export function Slide({ deck, state, runs }: Props): ReactNode {
  const { face } = stepOf(deck, state);
  const lab = labOf(deck, state);
  return (
    <div className="slide">
      <div className="slide-in">
        {face.kind === 'text' || lab === undefined ? (
          <TextStep key={state.step} face={face as TextFace} count={countOf(deck, state, undefined)} />
        ) : (
          <LabStep face={face} planned={state.lab === undefined} lab={lab} runs={runs} count={(shown) => countOf(deck, state, shown)} />
        )}
      </div>
    </div>
  );
}

/** `7 / 21`; in a talk that is one run, the run's own steps. */
function countOf(deck: Deck, state: TalkState, shown: Shown | undefined): string {
  if (!isRun(deck)) return `${Math.min(state.step, deck.steps.length - 1) + 1} / ${deck.steps.length}`;
  const lab = labOf(deck, state);
  return shown === undefined || lab === undefined ? '' : `${lab.step + 1} / ${steps(shown.run.trace).length}`;
}

function LabStep({ face, planned, lab, runs, count }: { readonly face: LabFace; readonly planned: boolean; readonly lab: LabState; readonly runs: Runs; readonly count: (shown: Shown | undefined) => string }): ReactNode {
  const text = useText();
  const { shown, at, failed } = useShown(runs, lab);
  if (shown === undefined || at === undefined) {
    return (
      <div className="on-stage">
        <p className="stage-wait">{failed ? text.couldNotLoad : text.computing}</p>
        <p className="stage-foot">
          <span />
          <span>{count(undefined)}</span>
        </p>
      </div>
    );
  }
  return <StageLab data={shown.data} paths={shown.paths} state={at} run={shown.run} headline={planned ? face.headline : undefined} count={count(shown)} />;
}

interface Standing {
  readonly shown: Shown | undefined;
  /** The state that belongs to the run shown: a step of one run says nothing of another run. */
  readonly at: LabState | undefined;
  readonly ready: boolean;
  readonly failed: boolean;
}

/** The run of a lab's state. Until it is there the one before stays with its own state, if it is of the same scenario. */
export function useShown(runs: Runs, lab: LabState | undefined): Standing {
  const [, again] = useState(0);
  const [failed, setFailed] = useState<LabState>();
  const last = useRef<{ readonly shown: Shown; readonly at: LabState }>(undefined);
  const there = lab === undefined ? undefined : runs.peek(lab);
  const wanted = lab === undefined ? '' : JSON.stringify([lab.scenario, lab.recording, lab.actions]);
  useEffect(() => {
    if (lab === undefined || runs.peek(lab) !== undefined) return undefined;
    let current = true;
    runs.get(lab).then(
      () => current && again((n) => n + 1),
      () => current && setFailed(lab),
    );
    return () => {
      current = false;
    };
    // The run follows from `wanted` alone.
  }, [runs, wanted]);
  if (lab !== undefined && there !== undefined) last.current = { shown: there, at: lab };
  const kept = lab !== undefined && last.current?.at.scenario === lab.scenario ? last.current : undefined;
  return { shown: kept?.shown, at: kept?.at, ready: lab === undefined || there !== undefined, failed: failed !== undefined && failed === lab };
}

function TextStep({ face, count }: { readonly face: TextFace; readonly count: string }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const id = useId().replace(/[^a-z0-9]/gi, '');
  const html = useMemo(() => (face.html.includes('<svg') ? face.html.replaceAll('diagram-', `d${id}-`) : face.html), [face.html, id]);
  const scale = useMemo(() => (face.look === 'drawing' ? 1 : Math.max(SMALLEST[face.look], textScale(widthOf(wordsOf(face.html))))), [face]);
  useFit(box, scale, face.look, html);
  return (
    <div className={`on-stage text-step look-${face.look}`}>
      {face.heading !== '' && <p className="kicker">{face.heading}</p>}
      <div className="stage-words" ref={box} style={{ '--k': scale } as CSSProperties} dangerouslySetInnerHTML={{ __html: html }} />
      <p className="stage-foot">
        <span />
        <span>{count}</span>
      </p>
    </div>
  );
}

/** Smaller than this the words of a step do not get: the last row still reads them (`talk.css` sets their size at 1). */
const SMALLEST: Readonly<Record<TextFace['look'], number>> = { say: 0.65, read: 0.62, lines: 0.85, drawing: 0.5 };

/** Makes words smaller until they fit, turns to the page of the newest piece where they never do, and points a drawing's view at its newest part. Before the step is painted. */
function useFit(box: { readonly current: HTMLElement | null }, scale: number, look: TextFace['look'], html: string): void {
  useLayoutEffect(() => {
    const fit = (): void => {
      const element = box.current;
      if (element === null) return;
      aim(element);
      const pieces = piecesIn(element);
      show(pieces, 0, pieces.length);
      let k = scale;
      element.style.setProperty('--k', String(k));
      while (k > SMALLEST[look] && overflows(element)) {
        k = Math.max(SMALLEST[look], k * 0.95);
        element.style.setProperty('--k', String(k));
      }
      if (overflows(element)) turn(element, pieces);
    };
    fit();
    addEventListener('resize', fit);
    return () => removeEventListener('resize', fit);
  }, [box, scale, look, html]);
}

/** The pieces that a list or a table is built up of; of a list each keeps its number. */
function piecesIn(element: HTMLElement): HTMLElement[] {
  const lists = [...element.children].filter((child) => child.matches('ul, ol, table'));
  return lists.flatMap((list) => [...list.querySelectorAll<HTMLElement>(':scope > li, :scope > tbody > tr')]);
}

function show(pieces: readonly HTMLElement[], from: number, to: number): void {
  pieces.forEach((piece, i) => {
    if (piece instanceof HTMLLIElement) piece.value = i + 1;
    piece.toggleAttribute('hidden', i < from || i >= to);
  });
}

/** Shows the page on which the newest piece stands: as many pieces from its beginning as fit. */
function turn(element: HTMLElement, pieces: readonly HTMLElement[]): void {
  const newest = Math.max(0, pieces.findLastIndex((piece) => !piece.hasAttribute('data-later')));
  let from = 0;
  for (;;) {
    let to = pieces.length;
    show(pieces, from, to);
    while (to > from + 1 && overflows(element)) show(pieces, from, --to);
    if (to >= pieces.length) {
      // The last page is filled up with what stood before.
      while (from > 0 && !overflows(element)) show(pieces, --from, to);
      if (overflows(element)) show(pieces, from + 1, to);
      return;
    }
    if (newest < to) return;
    from = to;
  }
}

function overflows(element: HTMLElement): boolean {
  return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
}

function aim(element: HTMLElement): void {
  const svg = element.querySelector('svg');
  if (svg === null || element.clientHeight === 0) return;
  const whole = svg.dataset['whole'] ?? svg.getAttribute('viewBox') ?? '';
  svg.dataset['whole'] = whole;
  const [x = 0, y = 0, width = 0, height = 0] = whole.split(/[\s,]+/).map(Number);
  const frame = svg.parentElement === element ? element : (svg.parentElement ?? element);
  const view = viewOf({ x, y, width, height }, newestOf(svg), element.clientWidth / Math.max(1, frame.clientHeight));
  svg.setAttribute('viewBox', [view.x, view.y, view.width, view.height].join(' '));
  // Where the drawing goes on, its edge fades.
  const top = view.y > y + 1 && svg.querySelector('.actor') === null;
  for (const [side, more] of [['top', top], ['left', view.x > x + 1], ['right', view.x + view.width < x + width - 1], ['bottom', view.y + view.height < y + height - 1]] as const) svg.style.setProperty(`--more-${side}`, more ? '1' : '0');
  keepActors(svg, view.y - y);
}

/** Whoever speaks in a sequence stays named at the top, also when the view has moved down. */
function keepActors(svg: SVGSVGElement, down: number): void {
  const actors = [...svg.querySelectorAll<SVGGraphicsElement>('.actor')];
  svg.querySelector('.actor-ground')?.remove();
  for (const actor of actors) actor.setAttribute('transform', `translate(0 ${Math.max(0, down)})`);
  const [first] = actors;
  if (first === undefined || down <= 0) return;
  const box = first.getBBox();
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const sides = { class: 'actor-ground', x: -1e4, width: 2e4, y: down, height: box.y + box.height + 12, fill: 'var(--paper)' };
  for (const [name, value] of Object.entries(sides)) ground.setAttribute(name, String(value));
  first.before(ground);
}

function newestOf(svg: SVGSVGElement): { x: number; y: number; width: number; height: number } | undefined {
  const parts = [...svg.querySelectorAll<SVGGraphicsElement>('[data-new]:not(.edge)')];
  const all = around(parts);
  // A box that arrows join to others far away is shown without the words on those arrows.
  return all !== undefined && all.width > WIDEST ? (around(parts.filter((part) => part.matches('.node'))) ?? all) : all;
}

function around(parts: readonly SVGGraphicsElement[]): { x: number; y: number; width: number; height: number } | undefined {
  const boxes = parts.map((part) => part.getBBox()).filter((part) => part.width > 0);
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((part) => part.x));
  const y = Math.min(...boxes.map((part) => part.y));
  return { x, y, width: Math.max(...boxes.map((part) => part.x + part.width)) - x, height: Math.max(...boxes.map((part) => part.y + part.height)) - y };
}
