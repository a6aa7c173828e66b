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
  return scoped(name, svg);
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
