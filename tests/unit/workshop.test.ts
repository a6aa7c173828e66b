/** Workshops: their files, their tasks, and what is believed of a progress file. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/formats/format-error.ts';
import { runWith } from '../../src/lab/engine-chunk.ts';
import { readDeed } from '../../src/lab/deeds.ts';
import { labData } from '../../src/site/lab-data.ts';
import { workshopData } from '../../src/site/workshop-data.ts';
import { workshops } from '../../src/site/workshops.ts';
import type { TaskData } from '../../src/workshop/data.ts';
import { parseWorkshop } from '../../src/workshop/format.ts';
import { factsOf, isPassed } from '../../src/workshop/passed.ts';
import { emptyProgress, fileText, merged, NOTHING_DONE, PROGRESS_FORMAT, readProgress, withTask, type Progress } from '../../src/workshop/progress.ts';
import { replay } from '../../src/workshop/replay.ts';
import { minutesOf } from '../../src/workshop/workshop.ts';

const all = workshops().map((workshop) => ({ workshop, data: workshopData(workshop) }));
const tasks = all.flatMap(({ data }) => data.parts.flatMap((part) => (part.kind === 'task' ? [{ name: `${data.id}/${part.task}`, task: part }] : [])));
const taskNamed = (name: string): TaskData => {
  const found = tasks.find((task) => task.name === name);
  if (found === undefined) throw new Error(`there is no task ${name}`);
  return found.task;
};

describe('the tasks of the workshops', () => {
  test('there are two workshops: 45 minutes, and half a day', () => {
    const [first, second] = all.map(({ workshop }) => ({ id: workshop.id, minutes: minutesOf(workshop) }));
    expect(all).toHaveLength(2);
    expect(first).toEqual({ id: 'first-gap', minutes: 45 });
    expect(second?.id).toBe('whole-line');
    expect(second?.minutes).toBeGreaterThan(170);
  });

  test.each(tasks)('$name is not passed at its start, and its worked solution passes it', ({ task }) => {
    const data = labData(task.lab);
    const begun = runWith(data, task.start);
    const solved = runWith(data, [...task.start, ...task.solution]);
    expect(isPassed(task.passes, begun, begun)).toBe(false);
    expect(factsOf(task.passes, solved, begun).filter((fact) => !fact.holds)).toEqual([]);
  });
});

describe('a task’s facts', () => {
  const task = taskNamed('first-gap/run-it');
  const data = labData(task.lab);
  const begun = runWith(data, task.start);
  const at = Math.round((begun.records.at(-1)?.t ?? 0) * 1000);

  test('do not hold for a claim that was deleted and stays deleted', () => {
    const run = runWith(data, [...task.start, { do: 'delete', target: 'pvc/disk', at }]);
    expect(factsOf(['untouched pvc/disk'], run, begun)).toEqual([{ fact: 'untouched pvc/disk', holds: false }]);
  });

  test('do not hold for a claim whose mode was changed from the beginning', () => {
    const run = runWith(data, [...task.start, { do: 'mode', claim: 'disk', mode: 'ReadWriteOncePod' }]);
    expect(factsOf(['untouched pvc/disk'], run, begun)[0]?.holds).toBe(false);
  });

  test('are read at the end of the run, whatever happened in it', () => {
    const solved = runWith(data, [...task.start, ...task.solution]);
    const later = Math.round((solved.records.at(-1)?.t ?? 0) * 1000);
    const undone = runWith(data, [...task.start, ...task.solution, { do: 'delete', target: 'pod/first', at: later }]);
    expect(isPassed(task.passes, solved, begun)).toBe(true);
    expect(isPassed(task.passes, undone, begun)).toBe(false);
  });

  test('name a station, or say which there are', () => {
    expect(() => factsOf(['station byte = proven'], begun, begun)).toThrow('there are claim, volume, node');
  });
});

describe('a workshop’s file', () => {
  const good = `
id: small
order: 1
title: {en: Small, zh: 小}
about: {en: About, zh: 关于}
parts:
- lesson: what-bound-proves
  minutes: 5
  say: {en: Read, zh: 读}
- task: one
  lab: missing-secret
  minutes: 5
  title: {en: One, zh: 一}
  say: {en: Do, zh: 做}
  passes: [pod/first]
  hints: [{en: Hint, zh: 提示}]
  solution: [createSecret at event FailedMount on pod/first]
`;
  const problems = (text: string): string => {
    try {
      parseWorkshop(text, 'small.yaml');
    } catch (error) {
      if (error instanceof FormatError) return error.message;
      throw error;
    }
    return '';
  };

  test('is read with its parts told apart', () => {
    expect(parseWorkshop(good, 'small.yaml').parts.map((part) => part.kind)).toEqual(['lesson', 'task']);
  });

  test.each([
    ['a part of no kind', good.replace('lesson: what-bound-proves', 'lecture: x'), 'small.yaml:7: at parts[0]: expected a part with one of the keys lesson, task, lab'],
    ['a field of a mistyped name', good.replace('passes:', 'passed:'), 'small.yaml:15: at parts[1].passed: the format has no field "passed" here'],
    ['one language missing', good.replace('{en: Do, zh: 做}', '{en: Do}'), 'at parts[1].say.zh: expected a string, found nothing'],
    ['no hint', good.replace('[{en: Hint, zh: 提示}]', '[]'), 'expected one to three hints'],
    ['a deed that is none', good.replace('createSecret at event FailedMount on pod/first', 'press the button!'), 'is no deed; expected BUTTON [WHICH] [at FACT]'],
    ['minutes that are no number', good.replace('minutes: 5', 'minutes: soon'), 'small.yaml:8: at parts[0].minutes: expected a number, found "soon"'],
    ['broken YAML', good.replace('title: {en: Small', 'title: {en: Small}'), 'this is no valid YAML'],
    ['a list', '- 1', 'expected an object with id, order, title, about and parts, found a list'],
    ['two tasks of one name', good + good.slice(good.indexOf('- task:')), 'small.yaml:18: at parts[2].task: there is a task "one" before'],
  ])('with %s is refused, with the place and what was expected', (_what, text, message) => {
    expect(problems(text)).toContain(message);
  });

  test('a deed says what is pressed, which of several, and when', () => {
    expect(readDeed('deletePod exclusive-one at event FailedScheduling on pod/exclusive-two')).toEqual({ press: 'deletePod', which: 'exclusive-one', at: 'event FailedScheduling on pod/exclusive-two' });
    expect(readDeed('leaveOutSecret')).toEqual({ press: 'leaveOutSecret', which: undefined, at: undefined });
    expect(readDeed('stop at step 4')).toEqual({ press: 'stop', which: undefined, at: 'step 4' });
  });
});

describe('a progress file', () => {
  const progress = withTask(emptyProgress('first-gap'), 'run-it', { actions: [{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }], passed: true, hints: 1 });
  const text = fileText(progress);
  const fault = (file: string): unknown => {
    const read = readProgress(file, 'first-gap');
    return read.ok ? undefined : read.fault;
  };

  test('comes back as it went out', () => {
    expect(readProgress(text, 'first-gap')).toEqual({ ok: true, progress });
  });

  test.each([
    ['cut off', text.slice(0, -40), { what: 'cut' }],
    ['of a later version', text.replace(PROGRESS_FORMAT, 'after-bound/workshop@2'), { what: 'version', got: '2' }],
    ['of another workshop', text.replace('first-gap', 'whole-line'), { what: 'workshop', got: 'whole-line' }],
    ['that is another JSON', '{"hello": 1}', { what: 'other' }],
    ['that is no JSON', 'PNG\u0000\u0001', { what: 'other' }],
    ['that is empty', '', { what: 'other' }],
    ['of 10 MB of noise', 'x'.repeat(10_000_000), { what: 'size', bytes: 10_000_000 }],
    ['with an action that is none', text.replace('"create"', '"format"'), { what: 'shape', part: 'tasks.run-it' }],
    ['with a field too many', text.replace('"hints": 1', '"hints": 1, "score": 100'), { what: 'shape', part: 'tasks.run-it' }],
    ['with hints out of range', text.replace('"hints": 1', '"hints": 99'), { what: 'shape', part: 'tasks.run-it' }],
    ['with a task that no workshop could have', text.replace('"run-it"', '"__proto__"'), { what: 'shape', part: 'tasks.__proto__' }],
    ['with thousands of tasks', JSON.stringify({ ...progress, tasks: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`t${i}`, NOTHING_DONE])) }), { what: 'shape', part: 'tasks' }],
    ['with an endless list of actions', text.replace('"actions": [', `"actions": [${'{"do":"wait","seconds":1,"at":1},'.repeat(5000)}`), { what: 'shape', part: 'tasks.run-it' }],
    ['of a workshop with an endless name', text.replace('first-gap', 'x'.repeat(100_000)), { what: 'workshop', got: `${'x'.repeat(40)}…` }],
    ['without a name', text.replace('"name": ""', '"name": 7'), { what: 'shape', part: 'name' }],
  ])('%s is refused for what it is', (_what, file, expected) => {
    expect(fault(file)).toEqual(expected);
  });

  test('whatever is cut off its end is refused and never half taken', () => {
    for (let length = 0; length < text.trimEnd().length; length += 7) expect(fault(text.slice(0, length))).toBeDefined();
  });

  test('an imported file never takes a pass away', () => {
    const other: Progress = { ...emptyProgress('first-gap'), name: 'Mei', tasks: { 'run-it': { ...NOTHING_DONE, hints: 2 }, bytes: { ...NOTHING_DONE, passed: true } } };
    const both = merged(progress, other);
    expect(both.tasks['run-it']?.passed).toBe(true);
    expect(both.tasks['bytes']?.passed).toBe(true);
    expect(both.name).toBe('Mei');
    expect(merged(other, progress).tasks['run-it']?.passed).toBe(true);
    expect(merged(other, progress).tasks['run-it']?.hints).toBe(2);
  });

  test('an imported file does not replace how a task was passed here', () => {
    const claimed: Progress = { ...progress, tasks: { 'run-it': { ...NOTHING_DONE, passed: true, solution: true } } };
    expect(merged(progress, claimed).tasks['run-it']).toEqual({ ...progress.tasks['run-it'], solution: true });
  });
});

describe('the replay of a file', () => {
  const task = taskNamed('first-gap/run-it');
  const data = labData(task.lab);
  const outcome = (entry: Parameters<typeof replay>[1]): unknown => replay(task, entry, data, { runWith }).outcome;

  test('passes what the actions reach, also where the file does not claim it', () => {
    expect(outcome({ ...NOTHING_DONE, actions: task.solution, passed: true })).toBe('passed');
    expect(outcome({ ...NOTHING_DONE, actions: task.solution, passed: false })).toBe('passed');
  });

  test('shows a claim that the actions do not reach', () => {
    expect(outcome({ ...NOTHING_DONE, actions: [{ do: 'wait', seconds: 30, at: 5000 }], passed: true })).toBe('claimed');
    expect(outcome({ ...NOTHING_DONE, actions: [], passed: true })).toBe('claimed');
  });

  test('tells tried from not tried', () => {
    expect(outcome({ ...NOTHING_DONE, actions: [{ do: 'wait', seconds: 30, at: 5000 }] })).toBe('tried');
    expect(outcome(NOTHING_DONE)).toBe('untried');
    expect(outcome(undefined)).toBe('untried');
  });

  test('says why actions cannot be done', () => {
    const result = replay(task, { ...NOTHING_DONE, actions: [{ do: 'second', pod: 'nobody', at: 10 }], passed: true }, data, { runWith });
    expect(result).toEqual({ outcome: 'claimed', why: expect.stringContaining('nobody') });
  });
});

describe('the facilitator’s guide', () => {
  const guides = all.flatMap(({ workshop, data }) => (['en', 'zh'] as const).map((lang) => ({ name: `${lang}/${workshop.id}`, workshop, data, text: readFileSync(new URL(`../../content/workshops/${lang}/${workshop.id}.mdx`, import.meta.url), 'utf8') })));

  test.each(guides)('$name: every time in its table is where the minutes of the path lead, breaks among them', ({ workshop, text }) => {
    const rows = [...text.matchAll(/^\| (\d+):(\d\d) \| (.*)$/gm)].map(([, hours = '', minutes = '', what = '']) => ({ at: Number(hours) * 60 + Number(minutes), rest: Number(/(?:break, |休息 )(\d+)/.exec(what)?.[1] ?? 0) }));
    const starts = workshop.parts.map((_, i) => minutesOf({ ...workshop, parts: workshop.parts.slice(0, i) }));
    const ends = [...starts, minutesOf(workshop)];
    expect(rows.length).toBeGreaterThan(6);
    let rested = 0;
    for (const { at, rest } of rows) {
      expect(ends, `${at} minutes, ${rested} of them breaks`).toContain(at - rested);
      rested += rest;
    }
  });

  test.each(guides)('$name names as many tasks as there are', ({ data, text }) => {
    const count = data.parts.filter((part) => part.kind === 'task').length;
    const words: Readonly<Record<string, number>> = { Nine: 9, Ten: 10, Three: 3, 九: 9, 十: 10, 三: 3 };
    for (const [, en, zh] of text.matchAll(/(Three|Nine|Ten) tasks|([三九十])个任务/g)) expect(words[en ?? zh ?? '']).toBe(count);
  });
});
