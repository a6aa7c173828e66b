import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MACHINES = new URL('../../machines/', import.meta.url);
const TRACES = new URL('../../content/traces/', import.meta.url);
const recorded = new Set(readdirSync(TRACES));

interface Tag {
  readonly at: string;
  readonly kind: string;
  readonly rest: string;
  readonly declares: boolean;
}

/** Every @recorded and @modelled tag of the machines, with what follows its comment. */
const tags: Tag[] = readdirSync(MACHINES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const code = readFileSync(new URL(file, MACHINES), 'utf8');
    return [...code.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?@(?:recorded|modelled)(?:(?!\*\/)[\s\S])*?)\*\/\s*([^\n]*)/g)].flatMap(([, comment = '', next = '']) =>
      [...comment.matchAll(/@(recorded|modelled)([^@]*)/g)].map(([, kind = '', rest = '']) => ({ at: `${file}: ${next.trim().slice(0, 60)}`, kind, rest: rest.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(), declares: /[\w'"#]/.test(next) })),
    );
  });

describe('a rule names its witness', () => {
  it('and there are such rules', () => {
    expect(tags.filter((tag) => tag.kind === 'recorded').length).toBeGreaterThan(100);
    expect(tags.filter((tag) => tag.kind === 'modelled').length).toBeGreaterThan(50);
  });
  it('stands before something', () => {
    expect(tags.filter((tag) => !tag.declares).map((tag) => tag.at)).toEqual([]);
  });
  it('and a recorded one names recordings that exist', () => {
    const unknown = tags
      .filter((tag) => tag.kind === 'recorded')
      .filter(({ rest }) => {
        const ids = [...rest.matchAll(/#([a-z0-9-]+)/g)].map((match) => match[1] ?? '');
        return ids.length === 0 || !ids.every((id) => recorded.has(id));
      });
    expect(unknown.map((tag) => `${tag.at}: ${tag.rest}`)).toEqual([]);
  });
  it('and a modelled one names its source: a section of the reference, or a file and version', () => {
    const vague = tags.filter((tag) => tag.kind === 'modelled' && !/^ref \d|\S+\/\S+/.test(tag.rest));
    expect(vague.map((tag) => `${tag.at}: ${tag.rest}`)).toEqual([]);
  });
});
