/** How a talk moves, what its keys mean, and how its windows stay in step. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startState } from '../../src/lab/state.ts';
import { isRun, labOf, moved, type Deck, type DeckStep, type Walk } from '../../src/talk/deck.ts';
import { viewOf } from '../../src/talk/drawing.ts';
import { press, type Command, type Key } from '../../src/talk/keys.ts';
import { openMirror, type Mirror, type Wire } from '../../src/talk/mirror.ts';
import { OPENING, packState, readState, type TalkState } from '../../src/talk/state.ts';
import { stopsOf } from '../../src/talk/stops.ts';
import { baseRun } from '../../src/site/runs.ts';
import { steps } from '../../src/trace-view/steps.ts';

const key = (name: string, shiftKey = false): Key => ({ key: name, shiftKey, ctrlKey: false, altKey: false, metaKey: false });
const does = (name: string): string | undefined => press(key(name), '').command?.do;

describe('keys of a talk', () => {
  test('arrows, space and what a clicker sends go on and back', () => {
    for (const name of ['ArrowRight', 'ArrowDown', ' ', 'PageDown']) expect(does(name), name).toBe('next');
    for (const name of ['ArrowLeft', 'ArrowUp', 'PageUp']) expect(does(name), name).toBe('back');
    expect(press(key(' ', true), '').command).toEqual({ do: 'back' });
  });

  test('Home and End are the ends, b blacks out, p opens the presenter', () => {
    expect([does('Home'), does('End'), does('b'), does('.'), does('p')]).toEqual(['first', 'last', 'black', 'black', 'presenter']);
  });

  test('digits wait for Enter and are one number; any other key drops them', () => {
    const typed = ['1', '2'].reduce((digits, digit) => press(key(digit), digits).digits, '');
    expect(typed).toBe('12');
    expect(press(key('Enter'), typed).command).toEqual({ do: 'go', to: 12 });
    expect(press(key('ArrowRight'), typed)).toMatchObject({ command: { do: 'next' }, digits: '' });
    expect(press(key('Escape'), typed)).toMatchObject({ command: undefined, digits: '' });
  });

  test('keys with Ctrl, Alt or Meta belong to the browser', () => {
    expect(press({ ...key('p'), ctrlKey: true }, '').mine).toBe(false);
    expect(press({ ...key('ArrowLeft'), altKey: true }, '').mine).toBe(false);
  });
});

const words = (title: string): DeckStep => ({ title, notes: '', face: { kind: 'text', html: `<p>${title}</p>`, look: 'say', heading: '' } });
const lab = (walk: boolean): DeckStep => ({ title: 'lab', notes: '', face: { kind: 'lab', state: startState('missing-secret', 0), headline: undefined, walk } });
const deck: Deck = { id: 'talk/test', title: 'Test', steps: [words('one'), lab(true), words('three')] };
const run: Deck = { id: 'lab/test', title: 'Test', steps: [lab(true)] };
const walk: Walk = { stops: [0, 4, 9], count: 10 };
const at = (state: TalkState): string => `${state.step + 1}${state.lab === undefined ? '' : `:${state.lab.step}`}`;
const go = (which: Deck, state: TalkState, command: Command): TalkState => moved(which, state, command, labOf(which, state) === undefined ? undefined : walk);
const path = (which: Deck, ...commands: Command[]): string[] => {
  let state = OPENING;
  return commands.map((command) => at((state = go(which, state, command))));
};

describe('moving through a talk', () => {
  test('on goes through a walked run stop by stop before it leaves the step', () => {
    expect(path(deck, { do: 'next' }, { do: 'next' }, { do: 'next' }, { do: 'next' })).toEqual(['2', '2:4', '2:9', '3']);
  });

  test('back leaves a run only at its first stop, and comes back to its beginning', () => {
    expect(path(deck, { do: 'go', to: 2 }, { do: 'next' }, { do: 'back' }, { do: 'back' })).toEqual(['2', '2:4', '2:0', '1']);
    expect(path(deck, { do: 'last' }, { do: 'back' })).toEqual(['3', '2']);
  });

  test('a lab that is not walked is one step', () => {
    const still: Deck = { ...deck, steps: [lab(false), words('two')] };
    expect(path(still, { do: 'next' })).toEqual(['2']);
  });

  test('a jump beyond the ends stays inside', () => {
    expect(path(deck, { do: 'go', to: 99 }, { do: 'go', to: 0 })).toEqual(['3', '1']);
  });

  test('the ends stay where they are', () => {
    expect(path(deck, { do: 'back' })).toEqual(['1']);
    expect(path(deck, { do: 'last' }, { do: 'next' })).toEqual(['3', '3']);
  });

  test('in a talk that is one run, Home, End and digits are the run’s own steps', () => {
    expect(isRun(run)).toBe(true);
    expect(path(run, { do: 'last' }, { do: 'first' }, { do: 'go', to: 5 }, { do: 'go', to: 500 })).toEqual(['1:9', '1:0', '1:4', '1:9']);
  });

  test('the run goes one step at a time by its own keys', () => {
    expect(path(run, { do: 'runOn' }, { do: 'runOn' }, { do: 'runBack' }, { do: 'runBack' }, { do: 'runBack' })).toEqual(['1:1', '1:2', '1:1', '1:0', '1:0']);
  });

  test('every move closes what lies open', () => {
    const open: TalkState = { ...OPENING, lab: { ...startState('missing-secret', 0), station: 'claim', object: 'Pod/a/b', panel: 'output' } };
    expect(go(run, open, { do: 'next' }).lab).toMatchObject({ step: 4, station: undefined, object: undefined, panel: undefined });
  });
});

describe('the stops of a run', () => {
  const { trace } = baseRun('missing-secret');
  const stops = stopsOf(trace, undefined);

  test('begin at its first step, end at its last, and rise', () => {
    expect(stops[0]).toBe(0);
    expect(stops.at(-1)).toBe(steps(trace).length - 1);
    expect(stops).toEqual([...new Set(stops)].sort((a, b) => a - b));
  });

  test('hold every new warning and every command in a pod', () => {
    const telling = steps(trace).flatMap((step, i) => {
      const record = trace.records[step.index];
      const warning = record?.type === 'watch' && record.verb === 'ADDED' && record.object.kind === 'Event' && record.object.type === 'Warning';
      return warning || (record?.type === 'step' && record.verb === 'exec') ? [i] : [];
    });
    expect(telling.length).toBeGreaterThan(1);
    expect(stops).toEqual(expect.arrayContaining(telling));
  });
});

describe('a talk’s state as data', () => {
  test('comes back as it was', () => {
    const state: TalkState = { step: 3, black: true, started: 12, lab: { ...startState('missing-secret', 7), station: 'published', object: 'Secret/a/b', actions: [{ do: 'create', kind: 'Secret', name: 'missing', at: 803 }] } };
    expect(readState(JSON.parse(JSON.stringify(packState(state))))).toEqual(state);
    expect(readState(packState(OPENING))).toEqual(OPENING);
  });

  test('what is no state is none', () => {
    const state = packState(OPENING) as Record<string, unknown>;
    for (const wrong of [null, 'x', {}, { ...state, step: -1 }, { ...state, step: 1.5 }, { ...state, black: 1 }, { ...state, lab: 'lab=1&scenario=x' }, { ...state, started: 'now' }]) expect(readState(wrong)).toBeUndefined();
  });
});

// --- windows ---

/** Windows that hear each other when the test lets them. Each pair of windows keeps the order of what is said. */
function room() {
  const hears: { name: string; hear: (message: unknown) => void; alive: boolean }[] = [];
  const mail: { to: number; message: unknown }[] = [];
  const wireOf = (place: number): Wire => ({
    post: (message) => {
      const text = JSON.stringify(message);
      hears.forEach((other, to) => {
        if (to !== place && other.alive) mail.push({ to, message: JSON.parse(text) });
      });
    },
    listen: (hear) => {
      const window = hears[place];
      if (window !== undefined) window.hear = hear;
    },
  });
  const deliver = (i: number): void => {
    const target = mail[i]?.to;
    // The oldest message of the same window goes first.
    const first = mail.findIndex((letter) => letter.to === target);
    const [letter] = mail.splice(first, 1);
    const window = letter === undefined ? undefined : hears[letter.to];
    if (letter !== undefined && window?.alive === true) window.hear(letter.message);
  };
  return {
    mail,
    deliver,
    settle: () => {
      while (mail.length > 0) deliver(0);
    },
    open(name: string, shelf: { kept: unknown }): Mirror<number> {
      const place = hears.push({ name, hear: () => undefined, alive: true }) - 1;
      return openMirror<number>({
        me: `${name}${place}`,
        opening: 0,
        wire: wireOf(place),
        shelf: { read: () => shelf.kept, write: (entry) => (shelf.kept = JSON.parse(JSON.stringify(entry))) },
        pack: (state) => state,
        unpack: (value) => (typeof value === 'number' ? value : undefined),
        onChange: () => undefined,
      });
    },
    close(name: string): void {
      for (const window of hears) if (window.name === name) window.alive = false;
    },
  };
}

describe('windows of one talk', () => {
  test('a change in one is seen in the other', () => {
    const all = room();
    const [stage, presenter] = [all.open('stage', { kept: undefined }), all.open('presenter', { kept: undefined })];
    presenter.set(7);
    all.settle();
    expect(stage.state()).toBe(7);
    stage.set(8);
    all.settle();
    expect(presenter.state()).toBe(8);
  });

  test('a window that is loaded again gets the state from the other, and the other is not set back', () => {
    const all = room();
    const shelf = { kept: undefined };
    all.open('stage', shelf);
    const presenter = all.open('presenter', { kept: undefined });
    presenter.set(3);
    all.settle();
    all.close('stage');
    presenter.set(9);
    const again = all.open('stage', shelf);
    expect(again.state()).toBe(3);
    all.settle();
    expect([again.state(), presenter.state()]).toEqual([9, 9]);
  });

  test('the only window keeps its state when it is loaded again', () => {
    const all = room();
    const shelf = { kept: undefined };
    all.open('stage', shelf).set(5);
    all.close('stage');
    expect(all.open('stage', shelf).state()).toBe(5);
  });

  test('what is no message of this version is not heard', () => {
    const all = room();
    const stage = all.open('stage', { kept: undefined });
    all.open('presenter', { kept: { rev: 'x' } });
    for (const noise of [null, 7, { version: 2, kind: 'state', entry: { rev: 9, by: 'z', state: 9 } }, { version: 1, kind: 'state', entry: { rev: 9, by: 'z', state: 'nine' } }]) {
      all.mail.push({ to: 0, message: noise });
    }
    all.settle();
    expect(stage.state()).toBe(0);
  });

  test('whatever is changed, loaded again and heard late, all windows end in the same state', () => {
    const names = ['stage', 'presenter', 'second'];
    const event = fc.oneof(
      fc.record({ do: fc.constant('set' as const), who: fc.nat(2), to: fc.nat(1000) }),
      fc.record({ do: fc.constant('hear' as const), which: fc.nat(50) }),
      fc.record({ do: fc.constant('reload' as const), who: fc.nat(2) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const all = room();
        const shelves = names.map(() => ({ kept: undefined as unknown }));
        const windows = names.map((name, i) => all.open(name, shelves[i] ?? { kept: undefined }));
        for (const happens of events) {
          if (happens.do === 'set') windows[happens.who]?.set(happens.to);
          else if (happens.do === 'hear' && all.mail.length > 0) all.deliver(happens.which % all.mail.length);
          else if (happens.do === 'reload') {
            const name = names[happens.who] ?? '';
            all.close(name);
            windows[happens.who] = all.open(name, shelves[happens.who] ?? { kept: undefined });
          }
        }
        all.settle();
        expect(new Set(windows.map((window) => window.state())).size).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the view of a drawing', () => {
  const whole = { x: 0, y: 0, width: 1600, height: 900 };

  test('is all of it where that is legible', () => {
    const small = { x: 0, y: 0, width: 500, height: 200 };
    expect(viewOf(small, { x: 10, y: 10, width: 50, height: 20 }, 16 / 9)).toEqual(small);
  });

  test('holds the newest part whole, and stays inside the drawing', () => {
    fc.assert(
      fc.property(fc.nat(1500), fc.nat(850), fc.integer({ min: 10, max: 900 }), (x, y, width) => {
        const newest = { x: Math.min(x, 1600 - width), y, width, height: 40 };
        const view = viewOf(whole, newest, 16 / 9);
        expect(view.x).toBeLessThanOrEqual(newest.x);
        expect(view.x + view.width).toBeGreaterThanOrEqual(newest.x + newest.width);
        expect(view.x).toBeGreaterThanOrEqual(-1e-9);
        expect(view.x + view.width).toBeLessThanOrEqual(1600 + 1e-9);
      }),
    );
  });
});
