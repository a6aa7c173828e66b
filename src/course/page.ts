/** What stands in a page of the course: front matter, headings, components with their attributes. Reads the source text alone. */
import { parse } from 'yaml';

export interface Part {
  /** The component's name: `Predict`, `Option`, `Recorded`… */
  readonly name: string;
  readonly attrs: Readonly<Record<string, string>>;
  /** The source between its tags; empty for one without children. */
  readonly inside: string;
  readonly line: number;
}

export interface Page {
  readonly slug: string;
  readonly front: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly headings: readonly string[];
  readonly parts: readonly Part[];
}

/** Reads a page. Throws where there is no front matter, or a component is not closed. */
export function readPage(slug: string, source: string): Page {
  const cut = /^---\n([\s\S]*?)\n---\n/.exec(source);
  if (cut === null) throw new Error(`${slug}: no front matter`);
  const body = source.slice(cut[0].length);
  const offset = cut[0].split('\n').length;
  return {
    slug,
    front: parse(cut[1] ?? '') as Record<string, unknown>,
    body,
    headings: [...blank(body).matchAll(/^#{2,3} (.+)$/gm)].map((match) => match[1] ?? ''),
    parts: partsOf(slug, body, offset),
  };
}

/** Fenced blocks and inline code made blank, so that `<` in a terminal's text opens no component; length and lines stay. */
function blank(body: string): string {
  const empty = (text: string): string => text.replace(/[^\n]/g, ' ');
  return body.replace(/^```[\s\S]*?^```$/gm, empty).replace(/`[^`\n]+`/g, empty);
}

function partsOf(slug: string, body: string, offset: number): Part[] {
  const text = blank(body);
  return [...text.matchAll(/<([A-Z]\w*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*(\/?)>/g)].map((match) => {
    const name = match[1] ?? '';
    const start = match.index + match[0].length;
    const line = offset + text.slice(0, match.index).split('\n').length - 1;
    // Attributes are read from the source itself, where inline code was not made blank.
    const tag = body.slice(match.index, start);
    const attrs = Object.fromEntries([...tag.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)].map((attr) => [attr[1] ?? '', attr[2] ?? 'true']));
    if (match[3] === '/') return { name, attrs, inside: '', line };
    const end = text.indexOf(`</${name}>`, start);
    if (end === -1) throw new Error(`${slug}, line ${line}: <${name}> is not closed`);
    return { name, attrs, inside: body.slice(start, end), line };
  });
}

/** The fenced blocks of a source text, without their fences. */
export function fences(source: string): { readonly info: string; readonly text: string }[] {
  return [...source.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({ info: match[1] ?? '', text: match[2] ?? '' }));
}

/** The inline code of a source text, fenced blocks left out. */
export function inlineCode(source: string): string[] {
  return [...source.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}
