/** Mermaid source to SVG at build: no script in the browser, the page's own type and colours, no request to another host. */
import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * Draws a diagram. `name` must be unique in its page: marker ids and style rules are bound to it. Throws with the name
 * where the source cannot be read.
 */
export function drawDiagram(name: string, source: string): string {
  let svg: string;
  try {
    svg = renderMermaidSVG(withRoom(source), {
      bg: 'var(--paper)', fg: 'var(--ink)', line: 'var(--edge)', accent: 'var(--ink)', muted: 'var(--ink-2)', surface: 'var(--paper)', border: 'var(--edge)',
      font: 'system-ui', padding: 8, transparent: true,
    });
  } catch (error) {
    throw new Error(`diagram ${name}: ${(error as Error).message}`, { cause: error });
  }
  return scoped(name, titlesOnTop(bendsAboveTitles(svg)));
}

/** Each side of a label gets this many no-break spaces per letter: the renderer measures text in a narrower type than the page's. */
const ROOM_PER_LETTER = 0.22;

/** The source with room around edge labels, messages and notes, so that their boxes hold the page's own type. */
function withRoom(source: string): string {
  return source
    .replace(/\|"?([^"|\n]+)"?\|/g, (_whole, label: string) => `|"${padded(label)}"|`)
    .replace(/^(\s*(?:Note [^:]*|[\w-]+\s*-[^:\n]*)):[ \t]*(.+)$/gm, (_whole, head: string, text: string) => `${head}: ${padded(text)}`);
}

function padded(label: string): string {
  const room = '\u00a0'.repeat(Math.max(1, Math.ceil(label.length * ROOM_PER_LETTER)));
  return `${room}${label}${room}`;
}

/** How far above a title bar a bend lies that the renderer had put into it. */
const ABOVE_BAR = 12;

/**
 * Bends that the renderer lays through a group's title bar, moved above it; all bends at one height move together, so
 * that edges of one bundle stay one. A bend whose edge begins too close above the bar stays where it is.
 */
function bendsAboveTitles(svg: string): string {
  const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*fill="var\(--_group-hdr\)"/g)]
    .map((bar) => ({ left: Number(bar[1]), top: Number(bar[2]), right: Number(bar[1]) + Number(bar[3]), bottom: Number(bar[2]) + Number(bar[4]) }));
  const moved = new Map<number, number>();
  for (const edge of svg.matchAll(POINTS)) {
    const points = pointsOf(edge[1] ?? '');
    points.slice(1).forEach(([x, y], i) => {
      const [fromX, fromY] = points[i] ?? [x, y];
      const bar = fromY === y && fromX !== x ? bars.find(({ left, right, top, bottom }) => y > top && y < bottom && Math.max(x, fromX) > left && Math.min(x, fromX) < right) : undefined;
      const begins = points[0]?.[1] ?? y;
      if (bar !== undefined && begins < bar.top - ABOVE_BAR) moved.set(y, Math.min(moved.get(y) ?? y, bar.top - ABOVE_BAR));
    });
  }
  return svg.replace(POINTS, (_whole, points: string) => ` points="${pointsOf(points).map(([x, y], i, all) => `${x},${i > 0 && i < all.length - 1 ? (moved.get(y) ?? y) : y}`).join(' ')}"`);
}

/** The corners of an edge; a marker's polygon has commas and blanks between its pairs and is not meant. */
const POINTS = / points="((?:[\d.]+,[\d.]+)(?: [\d.]+,[\d.]+)*)"/g;

function pointsOf(text: string): (readonly [number, number])[] {
  return text.split(' ').map((pair) => {
    const [x, y] = pair.split(',').map(Number);
    return [x ?? 0, y ?? 0] as const;
  });
}

/** Titles of groups after the edges, each letter with a rim of the title bar's colour: an edge that must cross the bar passes behind the words. */
function titlesOnTop(svg: string): string {
  const titles: string[] = [];
  const without = svg.replace(/(<g class="subgraph"(?:(?!<\/g>)[\s\S])*?)(<text (?:(?!<\/text>)[\s\S])*<\/text>)/g, (_whole, group: string, title: string) => {
    titles.push(title.replace('<text ', '<text paint-order="stroke" stroke="var(--_group-hdr)" stroke-width="6" stroke-linejoin="round" '));
    return group;
  });
  if (titles.length === 0) return svg;
  return without.replace(/<\/svg>\s*$/, `${titles.join('\n')}\n</svg>`);
}

/** The renderer's own font import and its rules for every `svg` and `text` of the page, kept to this diagram. */
function scoped(name: string, svg: string): string {
  const id = `diagram-${name}`;
  return svg
    .replace(/\s*@import url\([^)]*\);/g, '')
    .replace(/\btext \{[^}]*\}/g, '')
    .replace(/\.mono \{[^}]*\}/g, '')
    .replace(/(^|\n)\s*svg \{/g, `$1  #${id} {`)
    .replace(/ id="([^"]+)"/g, ` id="${id}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${id}-$1)`)
    // The look allows no text below 12 px; the renderer's edge labels have room for it.
    .replaceAll('font-size="11"', 'font-size="12"')
    .replace(/^<svg /, `<svg id="${id}" aria-hidden="true" `);
}
