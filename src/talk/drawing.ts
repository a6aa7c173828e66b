/** Building up a diagram: its parts in the order in which they are shown, and the view that follows the newest one. */

/** The parts of a drawn diagram: messages from top to bottom, or boxes in reading order with the arrows between those already there. */
export function partsOf(svg: SVGSVGElement): Element[][] {
  return svg.querySelector('.message') === null ? boxes(svg) : messagesOf(svg);
}

function messagesOf(svg: SVGSVGElement): Element[][] {
  return [...svg.querySelectorAll('.message, .note')].sort((a, b) => topOf(a) - topOf(b)).map((element) => [element]);
}

function boxes(svg: SVGSVGElement): Element[][] {
  const nodes = [...svg.querySelectorAll('.node')].sort((a, b) => topOf(a) - topOf(b) || leftOf(a) - leftOf(b));
  const place = new Map(nodes.map((node, i) => [node.getAttribute('data-id') ?? '', i]));
  const parts: Element[][] = nodes.map((node) => [node]);
  for (const edge of svg.querySelectorAll('.edge, .edge-label')) {
    const ends = ['data-from', 'data-to'].map((end) => place.get(edge.getAttribute(end) ?? '') ?? 0);
    parts[Math.max(...ends)]?.push(edge);
  }
  return parts;
}

/** The upper edge of a group, read from its first shape: a drawing that is not shown has no boxes to measure. */
function topOf(group: Element): number {
  return Math.min(...numbersOf(group, ['y', 'y1'], 1));
}
function leftOf(group: Element): number {
  return Math.min(...numbersOf(group, ['x', 'x1'], 0));
}

function numbersOf(group: Element, names: readonly string[], place: 0 | 1): number[] {
  const own = [...group.children].flatMap((shape) => {
    const named = names.map((name) => shape.getAttribute(name)).filter((value) => value !== null).map(Number);
    const points = (shape.getAttribute('points') ?? '').trim().split(/\s+/).filter((point) => point.includes(',')).map((point) => Number(point.split(',')[place]));
    const path = /^M\s*([\d.]+)[\s,]+([\d.]+)/.exec(shape.getAttribute('d') ?? '')?.[place + 1];
    return [...named, ...points, ...(path === undefined ? [] : [Number(path)])];
  });
  return own.length === 0 ? [Infinity] : own;
}

/** Marks what is not shown yet after `upTo` parts, and the newest part. Without a mark everything is shown. */
export function buildUpTo(svg: SVGSVGElement, upTo: number): void {
  partsOf(svg).forEach((part, i) => {
    for (const element of part) {
      element.toggleAttribute('data-later', i >= upTo);
      element.toggleAttribute('data-new', i === upTo - 1);
    }
  });
}

/** The size of a drawing's own letters, and how large they are to be on a stage 1280 wide. */
const LETTERS = 12;
const LEGIBLE = 24;
const ROOM = 1168;

/** The width of a drawing whose letters are as large as they are to be, in its own units. */
export const WIDEST = (ROOM * LETTERS) / LEGIBLE;
/** Width by height of the place for a drawing on the stage. */
const ASPECT = 2.1;

/** Can all of a drawing be read at once from the last row? */
export function isLegibleWhole(svg: SVGSVGElement): boolean {
  const { width, height } = svg.viewBox.baseVal;
  return Math.max(width, height * ASPECT) <= WIDEST;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The part of a drawing to show: all of it where its letters are large enough so, else as much around the newest part as
 * leaves them legible, and at least the newest part whole. `aspect` is width by height of the place on the stage.
 */
export function viewOf(whole: Box, newest: Box | undefined, aspect: number): Box {
  const fitted = Math.max(whole.width, whole.height * aspect);
  if (newest === undefined || fitted <= WIDEST) return whole;
  const margin = 24;
  const width = Math.min(fitted, Math.max(WIDEST, newest.width + 2 * margin, (newest.height + 2 * margin) * aspect));
  const height = width / aspect;
  return {
    x: slide(newest.x + newest.width / 2 - width / 2, whole.x, whole.width, width),
    y: slide(newest.y + newest.height - height * 0.8, whole.y, whole.height, height),
    width,
    height,
  };
}

/** A window of a size inside a range; centred where the range is smaller. */
function slide(at: number, from: number, length: number, size: number): number {
  if (size >= length) return from - (size - length) / 2;
  return Math.max(from, Math.min(at, from + length - size));
}
