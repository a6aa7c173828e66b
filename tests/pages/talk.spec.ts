/** A talk on a stage: its keys, its windows, and that it can be read from the last row. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trace, TraceRecord } from '../../machines/trace/format.ts';
import { DIST, expect, test } from './site.ts';

const TALK = '/en/talks/after-bound/';
const TRACES = join(import.meta.dirname, '../../content/traces');
const TALKS = ['after-bound', 'five-minutes'];

/** Opens a talk on the stage and waits until it stands there. */
async function openStage(page: Page, address: string): Promise<void> {
  await page.goto(`${address}${address.includes('?') ? '&' : '?'}view=stage`);
  await standing(page);
}

async function standing(page: Page): Promise<void> {
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
}

/** What is on the stage, as its window says it. */
async function shown(page: Page): Promise<string> {
  return (await page.locator('[data-talk]').getAttribute('data-shown')) ?? '';
}
/** Presses a key and waits until what it asked for stands on the stage. */
async function pressed(page: Page, key: string): Promise<string> {
  await page.keyboard.press(key);
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-busy', 'false');
  await standing(page);
  return shown(page);
}
/** Every step of the talk on the page, from its first, with what is shown there. */
async function* allSteps(page: Page): AsyncGenerator<string> {
  let now = await pressed(page, 'Home');
  for (let last = ''; now !== last; now = await pressed(page, 'ArrowRight')) {
    yield now;
    last = now;
  }
}
const stepShown = async (page: Page): Promise<number> => Number((await shown(page)).split(' ')[0]);

async function openPresenter(stage: Page): Promise<Page> {
  const [presenter] = await Promise.all([stage.context().waitForEvent('page'), stage.keyboard.press('p')]);
  await presenter.locator('.presenter-main').waitFor();
  await standing(presenter);
  return presenter;
}

test('after a talk left by the keyboard, the button that began it has the focus', async ({ page }) => {
  await page.goto('/zh/talks/five-minutes/');
  const button = page.getByRole('button', { name: '开始演讲' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-talk-view', 'stage');
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).not.toHaveAttribute('data-talk-view');
  await expect(button).toBeFocused();
});

test('a clicker’s keys, arrows, space, Home, End and digits move over the steps', async ({ page }) => {
  await openStage(page, TALK);
  const of = Number((await page.locator('.stage .stage-foot').textContent())?.split('/').at(-1));
  expect(await stepShown(page)).toBe(1);
  for (const [key, step] of [['PageDown', 2], ['ArrowRight', 3], [' ', 4], ['ArrowDown', 5], ['PageUp', 4], ['ArrowLeft', 3], ['ArrowUp', 2], ['Shift+Space', 1], ['End', of], ['ArrowRight', of], ['Home', 1], ['ArrowLeft', 1]] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => stepShown(page), key).toBe(step);
  }
  await page.keyboard.press('1');
  await page.keyboard.press('2');
  await expect(page.locator('.digits')).toHaveText('to step 12');
  await page.keyboard.press('Enter');
  await expect.poll(() => stepShown(page)).toBe(12);
  await page.keyboard.press('7');
  await expect.poll(() => stepShown(page)).toBe(7);
});

test('b blacks the stage out, and again brings it back at the same step', async ({ page }) => {
  await openStage(page, TALK);
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await expect(page.locator('.stage .slide')).toBeVisible();
  await page.keyboard.press('b');
  await expect(page.locator('.stage .slide')).toHaveCount(0);
  await expect(page.locator('.stage')).toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await page.keyboard.press('b');
  await expect(page.locator('.stage .slide')).toBeVisible();
  expect(await stepShown(page)).toBe(3);
});

test('? lists the keys, Escape leaves the talk', async ({ page }) => {
  await openStage(page, TALK);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys of the talk' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.stage')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Start the talk' })).toBeVisible();
  expect(page.url()).not.toContain('view=');
});

test('the talk starts from its page at the first step, however the last one ended', async ({ page }) => {
  await openStage(page, TALK);
  await page.keyboard.press('End');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Start the talk' }).click();
  await standing(page);
  expect(await stepShown(page)).toBe(1);
});

test('the presenter has notes, the next step, time, and the fault buttons; a fault reaches the stage', async ({ page }) => {
  await openStage(page, '/en/talks/five-minutes/');
  const presenter = await openPresenter(page);
  await presenter.keyboard.press('3');
  await presenter.keyboard.press('Enter');
  await expect(page.locator('.stage .say')).toContainText('waits for a Secret that is not there');
  await expect(presenter.locator('.speaker-notes')).toContainText('The branch is the point');
  await expect(presenter.locator('.then .slide')).toContainText('Proven so far: the disk is attached');
  await expect(presenter.getByRole('timer')).toHaveText(/^\d+:\d\d$/);
  await presenter.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.stage .changes')).toContainText('Secret missing created');
  await expect(page.locator('.stage .say')).toHaveText('The bytes were read back from the mount.');
  await presenter.keyboard.press('u');
  await expect(page.locator('.stage .changes')).toHaveCount(0);
  await presenter.getByRole('button', { name: 'As planned' }).click();
  await expect(page.locator('.stage .say')).toContainText('waits for a Secret that is not there');
});

test('an opened station, object or view is on the stage too', async ({ page }) => {
  await openStage(page, '/en/talks/five-minutes/');
  const presenter = await openPresenter(page);
  await presenter.keyboard.press('3');
  await presenter.keyboard.press('Enter');
  await presenter.getByLabel('Station').selectOption('attached');
  await expect(page.locator('.stage .evidence')).toContainText('status.attached: true');
  await presenter.getByLabel('Object').selectOption({ label: 'PVC disk' });
  await expect(page.locator('.stage .yaml-lines')).toContainText('storageClassName');
  await presenter.getByLabel('View').selectOption('sequence');
  await expect(page.locator('.stage .yaml-lines')).toContainText('kubelet');
  await presenter.keyboard.press('ArrowRight');
  await expect(page.locator('.stage .yaml-lines')).toHaveCount(0);
});

test('looking ahead is the presenter’s alone, until it is shown', async ({ page }) => {
  await openStage(page, TALK);
  const presenter = await openPresenter(page);
  await presenter.keyboard.press('ArrowRight');
  await expect.poll(() => stepShown(page)).toBe(2);
  await presenter.keyboard.press('l');
  for (let i = 0; i < 3; i++) await presenter.keyboard.press('ArrowRight');
  await expect(presenter.locator('.looking')).toContainText('still sees step 2');
  await expect(presenter.locator('.place')).toHaveText('step 5 of 25');
  expect(await stepShown(page)).toBe(2);
  await presenter.keyboard.press('Enter');
  await expect.poll(() => stepShown(page)).toBe(5);
  await presenter.keyboard.press('l');
  await presenter.keyboard.press('End');
  await presenter.keyboard.press('l');
  await expect(presenter.locator('.place')).toHaveText('step 5 of 25');
  expect(await stepShown(page)).toBe(5);
});

// --- two windows ---

/** Numbers from a seed: the same actions in every run of the test. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const KEYS = ['ArrowRight', 'ArrowLeft', ' ', 'PageDown', 'PageUp', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'b', '[', ']', 'u'];

/** One random thing that a presenter may do. */
async function doSomething(presenter: Page, roll: (sides: number) => number): Promise<string> {
  switch (roll(6)) {
    case 0:
      return press(presenter, String(1 + roll(25)), 'Enter');
    case 1: {
      const offers = presenter.locator('.bench:not([inert]) .acts .btn');
      const count = await offers.count();
      if (count > 0) {
        const offer = offers.nth(roll(count));
        const name = (await offer.textContent()) ?? '';
        await offer.click();
        return `button ${name}`;
      }
      return press(presenter, 'ArrowRight');
    }
    case 2: {
      const selects = presenter.locator('.bench:not([inert]) select');
      const count = await selects.count();
      if (count > 0) {
        const select = selects.nth(roll(count));
        const options = await select.locator('option').count();
        const index = roll(options);
        await select.selectOption({ index });
        await select.blur();
        return `select ${index}`;
      }
      return press(presenter, 'ArrowRight');
    }
    default:
      return press(presenter, KEYS[roll(KEYS.length)] ?? 'ArrowRight');
  }
}

async function press(page: Page, ...keys: string[]): Promise<string> {
  const typed = keys.flatMap((key) => (/^\d+$/.test(key) ? [...key] : [key]));
  for (const key of typed) await page.keyboard.press(key);
  return typed.join(' ');
}

/** Everything that can be read on a window's picture of the stage. */
const words = (page: Page, place: string): Promise<string> => page.locator(`${place} .slide`).first().innerText();

test('the two windows stay in step through 200 actions of the presenter and a reload of each', async ({ page }) => {
  test.setTimeout(420_000);
  await openStage(page, TALK);
  const presenter = await openPresenter(page);
  const roll = dice(20261130);
  const done: string[] = [];
  const inStep = async (): Promise<void> => {
    // An action is over when the presenter's own window has shown it.
    await expect(presenter.locator('[data-talk]')).toHaveAttribute('data-busy', 'false');
    await standing(presenter);
    await expect.poll(async () => [await shown(page), await page.locator('[data-talk]').getAttribute('data-ready')], done.slice(-3).join(', ')).toEqual([await shown(presenter), 'true']);
    if ((await shown(page)).includes(' black ')) await expect(page.locator('.stage .slide')).toHaveCount(0);
    else expect(await words(page, '.stage'), done.slice(-3).join(', ')).toBe(await words(presenter, '.now'));
  };
  /** Looks ahead for some moves, which the audience must not see; then shows the place, or comes back. */
  const lookAhead = async (): Promise<string> => {
    const before = await shown(page);
    await presenter.keyboard.press('l');
    const moves = await press(presenter, ...Array.from({ length: 1 + roll(3) }, () => ['ArrowRight', 'PageUp', 'End', ']'][roll(4)] ?? 'ArrowRight'));
    await expect(presenter.locator('[data-talk]')).toHaveAttribute('data-busy', 'false');
    expect(await shown(page), `ahead: ${moves}`).toBe(before);
    return `ahead ${moves} ${await press(presenter, roll(2) === 0 ? 'Enter' : 'l')}`;
  };
  const seen = new Set<string>();
  for (let i = 0; i < 200; i++) {
    if (roll(10) === 0) done.push(await lookAhead());
    else done.push(await doSomething(presenter, roll));
    await inStep();
    seen.add(await shown(page));
    if (i === 80 || i === 140) {
      const before = await shown(page);
      await (i === 80 ? page : presenter).reload();
      await standing(page);
      await standing(presenter);
      await inStep();
      expect(await shown(page)).toBe(before);
    }
  }
  expect(seen.size).toBeGreaterThan(60);
  expect(['button', 'select', 'ahead'].every((kind) => done.some((what) => what.startsWith(kind)))).toBe(true);
});

test('both windows loaded again at once come back to the same place', async ({ page }) => {
  await openStage(page, TALK);
  const presenter = await openPresenter(page);
  await presenter.keyboard.press('9');
  await presenter.keyboard.press('Enter');
  await expect.poll(() => stepShown(page)).toBe(9);
  await Promise.all([page.reload(), presenter.reload()]);
  await Promise.all([standing(page), standing(presenter)]);
  expect([await stepShown(page), await stepShown(presenter)]).toEqual([9, 9]);
});

// --- from the last row ---

interface Measured {
  readonly overflow: string[];
  readonly smallest: number;
}

/** What sticks out of the slide or is cut by it, and the smallest letters on it, in pixels of a stage 1280 wide. */
function measure(page: Page): Promise<Measured> {
  return page.evaluate(() => {
    const slide = document.querySelector('.stage .slide');
    if (slide === null) return { overflow: ['no slide'], smallest: 0 };
    const frame = slide.getBoundingClientRect();
    const overflow: string[] = [];
    let smallest = Infinity;
    const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || node.textContent?.trim() === '' || element.closest('.vh, style, [data-later]') !== null || getComputedStyle(element).display === 'none') continue;
      const svg = element.closest('svg');
      const scale = svg === null ? 1 : svg.getBoundingClientRect().width / (svg.viewBox.baseVal.width || 1);
      smallest = Math.min(smallest, ((parseFloat(getComputedStyle(element).fontSize) * scale) / frame.width) * 1280);
      // Text that may be cut says so by an ellipsis; what is beyond a drawing's view is not shown.
      if (svg !== null || element.closest('.msg, .yaml-lines, .cap-t, .evidence, .changes') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // The spaces at the end of a wrapped line hang over the edge, where nobody sees them.
      const hangs = element.closest('pre') !== null;
      for (const box of range.getClientRects()) {
        if (box.left < frame.left - 1 || (box.right > frame.right + 1 && !hangs) || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) overflow.push(node.textContent?.trim().slice(0, 60) ?? '');
      }
    }
    for (const part of slide.querySelectorAll<HTMLElement>('.on-stage, .stage-words, .ev1, .say')) {
      if (part.scrollHeight > part.clientHeight + 2) overflow.push(`${part.className}: ${part.scrollHeight} in ${part.clientHeight}`);
    }
    // Nothing lies on top of something else.
    const names = [...slide.querySelectorAll('.on-stage > .line .nm')].map((name) => {
      const range = document.createRange();
      range.selectNodeContents(name.firstChild ?? name);
      return range.getBoundingClientRect();
    });
    for (const [i, name] of names.entries()) if ((names[i + 1]?.top === name.top) && ((names[i + 1]?.left ?? Infinity) - name.right) / frame.width * 1280 < 8) overflow.push(`the names of stations ${i + 1} and ${i + 2} touch`);
    // A line is whole or not there at all.
    for (const line of slide.querySelectorAll('.changes-of > span, .yaml-lines > span')) {
      const [own, place] = [line.getBoundingClientRect(), line.parentElement?.getBoundingClientRect()];
      if (place !== undefined && own.height > 0 && own.top < place.bottom - 2 && own.bottom > place.bottom + 6) overflow.push(`half a line: ${line.textContent?.slice(0, 40)}`);
    }
    const parts = [...slide.querySelectorAll('.say, .on-stage > .line, .on-stage > .ev1, .stage-foot, .stage-words, .kicker')].map((part) => ({ name: part.className, box: part.getBoundingClientRect() }));
    for (const [i, a] of parts.entries()) for (const b of parts.slice(i + 1)) if (a.box.bottom > b.box.top + 2 && b.box.bottom > a.box.top + 2) overflow.push(`${a.name} on ${b.name}`);
    return { overflow, smallest };
  });
}

const SMALLEST = 21.9;

/** Walks through the whole talk of a page: nothing sticks out, nothing lies on anything else, every word can be read. */
async function fitsThroughout(page: Page, address: string): Promise<void> {
  await openStage(page, address);
  for await (const now of allSteps(page)) {
    const { overflow, smallest } = await measure(page);
    expect(overflow, `${address}, ${now}`).toEqual([]);
    expect(smallest, `${address}, ${now}`).toBeGreaterThanOrEqual(SMALLEST);
  }
}

/** The lessons whose page has a talk view. */
function lessonsWithTalk(lang: string): string[] {
  return readdirSync(join(DIST, lang, 'lessons'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readFileSync(join(DIST, lang, 'lessons', entry.name, 'index.html'), 'utf8').includes('data-talk-button'))
    .map((entry) => entry.name);
}

/** The labs that ask most of the stage, by what a real cluster did there: most pods, most volumes of a pod, the longest event, the widest answer, the longest run. */
function fullestLabs(): string[] {
  const labs = readdirSync(TRACES).map((name) => ({ name, records: (JSON.parse(readFileSync(join(TRACES, name, '1.json'), 'utf8')) as Trace).records }));
  expect(labs.length).toBeGreaterThan(40);
  const measures: readonly ((records: readonly TraceRecord[]) => number)[] = [
    (records) => new Set(records.flatMap((record) => (record.type === 'watch' && record.object.kind === 'Pod' ? [record.object.metadata.name] : []))).size,
    (records) => Math.max(0, ...records.map((record) => (record.type === 'watch' && record.object.kind === 'Pod' ? (record.object.spec.volumes?.length ?? 0) : 0))),
    (records) => Math.max(0, ...records.map((record) => (record.type === 'watch' && record.object.kind === 'Event' ? (record.object.message?.length ?? 0) : 0))),
    (records) => Math.max(0, ...records.map((record) => (record.type === 'step' ? Math.max(0, ...String(record['text'] ?? record['stdout'] ?? '').split('\n').map((line) => line.length)) : 0))),
    (records) => records.length,
  ];
  return [...new Set(measures.map((measured) => labs.reduce((most, lab) => (measured(lab.records) > measured(most.records) ? lab : most)).name))];
}

for (const lang of ['en', 'zh'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`every step of every talk fits at 720p and is legible from the last row (${lang}, ${colorScheme})`, async ({ page }) => {
      test.setTimeout(180_000);
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const talk of TALKS) {
        await openStage(page, `/${lang}/talks/${talk}/`);
        const of = Number((await page.locator('.stage .stage-foot').textContent())?.split('/').at(-1));
        expect(of).toBeGreaterThan(5);
        for (let step = 1; step <= of; step++) {
          await expect.poll(() => stepShown(page)).toBe(step);
          await standing(page);
          const { overflow, smallest } = await measure(page);
          expect(overflow, `${talk}, step ${step}`).toEqual([]);
          expect(smallest, `${talk}, step ${step}`).toBeGreaterThanOrEqual(SMALLEST);
          await pressed(page, 'ArrowRight');
        }
      }
    });
  }

  test(`every step of every lesson fits on the stage and is legible from the last row (${lang})`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const lessons = lessonsWithTalk(lang);
    expect(lessons.length).toBe(14);
    for (const lesson of lessons) await fitsThroughout(page, `/${lang}/lessons/${lesson}/`);
  });

  test(`the labs with most on the stage fit on it (${lang})`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const lab of fullestLabs()) await fitsThroughout(page, `/${lang}/labs/${lab}/`);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`stage, presenter’s window and a talk’s page have no accessibility violation (${lang}, ${colorScheme})`, async ({ page }) => {
      test.setTimeout(180_000);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const check = async (on: Page, what: string): Promise<void> => {
        const { violations } = await new AxeBuilder({ page: on }).analyze();
        expect(violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
      };
      for (const address of ['talks/', 'talks/five-minutes/']) {
        await page.goto(`/${lang}/${address}`);
        await check(page, address);
      }
      await openStage(page, `/${lang}/talks/after-bound/`);
      const presenter = await openPresenter(page);
      await presenter.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const step of ['1', '5', '10', '12', '20']) {
        await press(presenter, step, 'Enter');
        await expect.poll(() => stepShown(page)).toBe(Number(step));
        await standing(presenter);
        await check(page, `stage, step ${step}`);
        await check(presenter, `presenter, step ${step}`);
      }
    });
  }
}

test('a picture of 1080p is the picture of 720p, larger', async ({ page }) => {
  const share = async (width: number, height: number): Promise<number> => {
    await page.setViewportSize({ width, height });
    await openStage(page, '/en/talks/five-minutes/');
    await press(page, '3', 'Enter');
    await expect(page.locator('.stage .say')).toContainText('Secret');
    return page.locator('.stage .say').evaluate((say, all) => parseFloat(getComputedStyle(say).fontSize) / all, height);
  };
  expect(await share(1920, 1080)).toBeCloseTo(await share(1280, 720), 3);
});

test('on a phone held upright the line stands as a list and nothing is wider than the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openStage(page, '/zh/talks/five-minutes/');
  for (let step = 1; step <= 7; step++) {
    await standing(page);
    expect(await page.evaluate(() => document.querySelector('.stage')?.scrollWidth), `step ${step}`).toBeLessThanOrEqual(390);
    expect(await page.locator('.stage .stage-foot').evaluate((foot) => parseFloat(getComputedStyle(foot).fontSize))).toBeGreaterThanOrEqual(12);
    await pressed(page, 'ArrowRight');
  }
});

// --- from a lesson, from a lab, on paper ---

test('a lesson’s paragraphs, lists, drawings, predictions and labs are its steps', async ({ page }) => {
  await page.goto('/en/lessons/what-bound-proves/');
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Talk view' }).click();
  await standing(page);
  const looks = new Set<string>();
  for await (const _step of allSteps(page)) looks.add((await page.locator('.stage .on-stage').getAttribute('class')) ?? '');
  expect([...looks].sort()).toEqual(['on-stage lab-step', 'on-stage text-step look-drawing', 'on-stage text-step look-lines', 'on-stage text-step look-read', 'on-stage text-step look-say']);
});

test('a talk from a lab begins where the lab stands, and leaves it where the talk ends', async ({ page }) => {
  await page.goto('/en/labs/missing-secret/');
  await expect(page.locator('.lab')).toHaveAttribute('data-ready', 'true');
  await page.getByLabel('Moment of the run').fill('7');
  await page.getByRole('button', { name: 'Talk view' }).click();
  await standing(page);
  expect(await shown(page)).toContain('step=8&');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => shown(page)).not.toContain('step=8&');
  const step = /step=(\d+)/.exec(await shown(page))?.[1] ?? '';
  await page.evaluate(() => document.exitFullscreen().catch(() => undefined));
  await page.keyboard.press('Escape');
  await expect(page.locator('.dock p')).toContainText(`step ${step} of`);
});

for (const talk of TALKS) {
  test(`printed, a talk has one page a step; with notes on request; and paper is light (${talk})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`/en/talks/${talk}/`);
    const steps = await page.locator('.talk-step').count();
    const pages = async (): Promise<number> => ((await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
    expect(await pages()).toBe(steps);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.step-notes').first()).toBeHidden();
    await expect(page.locator('.talk-step .slide').first()).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await page.emulateMedia({ media: null });
    await page.getByLabel('with the notes').check();
    expect(await pages()).toBe(steps);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.step-notes').first()).toBeVisible();
  });
}

test('a window that hears or finds nonsense keeps its step', async ({ page }) => {
  const nonsense = [
    null, 7, 'state', [], { version: 2, kind: 'state', entry: {} }, { version: 1, kind: 'state', entry: { rev: 1e9, by: 'x', state: { step: 1e6, lab: null, black: false, started: null } } },
    { version: 1, kind: 'state', entry: { rev: 1e9, by: 'x', state: { step: 2, lab: 'lab=1&scenario=immediate-happy&step=3&check=0', black: false, started: null } } },
    { version: 1, kind: 'state', entry: { rev: 1e9, by: 'x', state: { step: -1, lab: null, black: 'no', started: 'never' } } },
    { version: 1, kind: 'hello', entry: { rev: 'many', by: {}, state: JSON.parse('{"__proto__": {"step": 3}}') } },
    'x'.repeat(1_000_000),
  ];
  await openStage(page, TALK);
  expect(await pressed(page, 'ArrowRight')).toMatch(/^2 /);
  const other = await page.context().newPage();
  await other.goto('/en/talks/');
  await other.evaluate((all) => {
    const channel = new BroadcastChannel('after-bound:talk/after-bound');
    for (const message of all) channel.postMessage(message);
  }, nonsense);
  // A message that makes sense comes after them all: what it says is shown, and nothing of theirs.
  await other.evaluate(() => new BroadcastChannel('after-bound:talk/after-bound').postMessage({ version: 1, kind: 'state', entry: { rev: 50, by: 'y', state: { step: 4, lab: null, black: false, started: null } } }));
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-shown', /^5 /);
  expect(await pressed(page, 'ArrowRight')).toMatch(/^6 /);
  for (const kept of ['{', '{"rev":1,"by":"x","state":{"step":99999}}', 'x'.repeat(500_000)]) {
    await page.evaluate((text) => sessionStorage.setItem('after-bound:talk/after-bound', text), kept);
    await page.reload();
    await standing(page);
    expect(await shown(page)).toMatch(/^1 /);
  }
  await other.close();
});

test('a talk from a lab whose address is damaged begins at the lab’s own run', async ({ page }) => {
  for (const damage of ['lab=2&scenario=missing-secret&step=3', 'lab=1&scenario=missing-secret&step=3&check=zz', `lab=1&scenario=missing-secret&actions=${'x'.repeat(100_000)}`, 'lab=1&__proto__=1&scenario=..%2F..&step=1']) {
    await page.goto('/en/talks/');
    await page.goto(`/en/labs/missing-secret/?view=stage#${damage}`);
    await standing(page);
    await expect(page.locator('.stage .say')).not.toHaveText('');
    expect(await pressed(page, 'End')).toContain('scenario=missing-secret');
  }
});

test('without JavaScript a talk’s page holds every step and its notes', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/en/talks/after-bound/`);
  await expect(page.locator('.talk-step')).toHaveCount(25);
  await expect(page.locator('.talk-step .line')).not.toHaveCount(0);
  await expect(page.locator('.step-notes')).toHaveCount(25);
  await context.close();
});
