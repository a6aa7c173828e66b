/** The questions of "Finding the first gap" lead everywhere they say, and every end can be reached. The twelve questions are twelve. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pagePath, slugsIn } from '../../src/course/files.ts';
import { readPage } from '../../src/course/page.ts';
import { STATIONS } from '../../src/trace-view/station-names.ts';

const page = readPage('finding-the-first-gap', readFileSync(pagePath('en', 'finding-the-first-gap'), 'utf8'));
const asks = page.parts.filter((part) => part.name === 'Ask');
const ends = page.parts.filter((part) => part.name === 'Found');
const leads = new Map(asks.map((ask) => [ask.attrs['id'] ?? '', [...ask.inside.matchAll(/<Goes to="([^"]+)"/g)].map((match) => match[1] ?? '')]));

describe('finding the first gap', () => {
  it('every answer leads to a question or an end that exists', () => {
    const known = [...asks, ...ends].map((part) => part.attrs['id']);
    expect([...leads.values()].flat().filter((to) => !known.includes(to))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
  });

  it('every question and every end can be reached from the first', () => {
    const reached = new Set<string>();
    const visit = (id: string): void => {
      if (reached.has(id)) return;
      reached.add(id);
      leads.get(id)?.forEach(visit);
    };
    visit('start');
    expect([...asks, ...ends].map((part) => part.attrs['id']).filter((id) => !reached.has(id ?? ''))).toEqual([]);
  });

  it('every question gives at least two answers and shows a command or what it printed', () => {
    for (const ask of asks) {
      expect(leads.get(ask.attrs['id'] ?? '')?.length, ask.attrs['id']).toBeGreaterThanOrEqual(2);
      expect(ask.inside, ask.attrs['id']).toMatch(/```/);
    }
  });

  it('every end names a station and a lesson, and every station ends somewhere', () => {
    for (const end of ends) {
      expect(STATIONS).toContain(end.attrs['station']);
      expect(slugsIn('en')).toContain(end.attrs['lesson']);
    }
    expect([...STATIONS].filter((station) => !ends.some((end) => end.attrs['station'] === station))).toEqual([]);
  });
});

describe('the check of the whole course', () => {
  it('asks twelve questions, each beside recorded evidence, and touches every lesson', () => {
    const check = readPage('course-check', readFileSync(pagePath('en', 'course-check'), 'utf8'));
    const questions = check.parts.filter((part) => part.name === 'Question');
    expect(questions).toHaveLength(12);
    for (const question of questions) expect(question.inside, question.attrs['id']).toContain('<Recorded ');
    const lessons = new Set([...check.body.matchAll(/\(lessons? ([^)]+)\)/g)].flatMap((match) => match[1]?.match(/\d+/g) ?? []));
    expect(lessons.size).toBe(13);
  });
});
