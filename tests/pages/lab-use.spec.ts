/** How the lab is used by keyboard, on a phone, before its script runs, and beside another lab. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Action } from '../../src/lab/actions.ts';
import { decodeState, encodeState, MOST_ACTIONS, startState, type LabState } from '../../src/lab/state.ts';
import { DIST, expect, openLab, ready, stepShown, test } from './site.ts';

const LAB = '/en/labs/missing-secret/';

/** Does the lab, or something in it, have the focus? */
function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.closest('.lab') !== null && document.activeElement !== document.body);
}

test.describe('by keyboard', () => {
  test('Space plays and stops, also on the scrubber; on a button it presses the button', async ({ page }) => {
    await openLab(page, LAB);
    await page.getByLabel('Moment of the run').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    const { step } = await stepShown(page);
    await page.getByRole('button', { name: 'Step', exact: true }).first().focus();
    await page.keyboard.press('Space');
    expect((await stepShown(page)).step).toBe(step + 1);
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  test('Escape closes the station that lies open, and the focus goes back to it; then the further view', async ({ page }) => {
    await openLab(page, LAB);
    await page.getByRole('button', { name: /^The run as text/ }).click();
    await page.locator('.line [data-station=volume]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.wide-panel .close').focus();
    await page.keyboard.press('Escape');
    await expect(page.locator('.wide-panel .opened')).toHaveCount(0);
    await expect(page.locator('.line [data-station=volume]')).toBeFocused();
    await expect(page.locator('.text-line')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.locator('.text-line')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^The run as text/ })).toBeFocused();
  });

  test('the Save menu closes by Escape, with the focus on its word, and by a click elsewhere; the station behind it stays open', async ({ page }) => {
    await openLab(page, LAB);
    await page.locator('.line [data-station=volume]').click();
    const menu = page.locator('details.menu');
    await menu.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(menu.getByRole('button', { name: 'Run as trace (JSON)' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).not.toHaveAttribute('open');
    await expect(menu.locator('summary')).toBeFocused();
    await expect(page.locator('.wide-panel .opened')).toBeVisible();
    await menu.locator('summary').click();
    await expect(menu).toHaveAttribute('open');
    await page.locator('.say').click();
    await expect(menu).not.toHaveAttribute('open');
  });

  test('? lists the keys from a button too; a click beside the list closes it, and the focus is where it was', async ({ page }) => {
    await openLab(page, LAB);
    const button = page.getByRole('button', { name: 'Next event' });
    await button.focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys of the lab' });
    await expect(keys).toBeVisible();
    await expect(keys).toContainText('close what lies open');
    await page.mouse.click(5, 5);
    await expect(keys).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  test('End leaves the focus where it is, also on a button that has nothing more to do', async ({ page }) => {
    await openLab(page, LAB);
    for (const name of ['Next event', 'Next station', 'Step']) {
      await page.keyboard.press('Home');
      const button = page.getByRole('button', { name, exact: true }).first();
      await button.focus();
      await page.keyboard.press('End');
      const { step, of } = await stepShown(page);
      expect(step).toBe(of);
      await expect(button).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      expect((await stepShown(page)).step).toBe(of - 1);
    }
  });

  test('a repair that goes with what it did leaves the focus in the lab, and its keys go on', async ({ page }) => {
    await openLab(page, LAB);
    await page.getByRole('button', { name: 'Create the Secret' }).focus();
    await page.keyboard.press('Enter');
    await ready(page);
    await expect(page.getByRole('button', { name: 'Create the Secret' })).toHaveCount(0);
    expect(await hasFocus(page)).toBe(true);
    const { step } = await stepShown(page);
    await page.keyboard.press('ArrowRight');
    expect((await stepShown(page)).step).toBe(step + 1);
    await page.keyboard.press('u');
    await ready(page);
    await expect(page.getByRole('button', { name: 'Create the Secret' })).toHaveCount(1);
    expect(await hasFocus(page)).toBe(true);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('everything that can be pressed is at least 44 px high', async ({ page }) => {
    for (const lab of ['missing-secret', 'rwop-second-pod']) {
      await openLab(page, `/en/labs/${lab}/`);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.locator('.vline .row').nth(1).click();
      await page.getByRole('button', { name: /^Who spoke to whom/ }).click();
      await page.locator('details.menu summary').click();
      const small = await page.locator('.lab').evaluate((element) =>
        [...element.querySelectorAll<HTMLElement>('button, summary, select, input:not([hidden])')]
          .filter((control) => control.offsetParent !== null && !control.matches('.log .link') && control.getBoundingClientRect().height < 43.5)
          .map((control) => `${control.textContent?.slice(0, 30) ?? ''} ${control.className} ${control.getBoundingClientRect().height}`),
      );
      expect([lab, ...small]).toEqual([lab]);
    }
  });

  test('the state a step is about stands in view in the chart of its machine', async ({ page }) => {
    for (const lab of ['missing-secret', 'zone-mismatch-immediate', 'attach-fails', 'bind-reverts']) {
      await openLab(page, `/en/labs/${lab}/`);
      for (const key of ['', 'ArrowLeft', 'ArrowLeft', 'Home', 'End']) {
        if (key !== '') await page.keyboard.press(key);
        if ((await page.locator('.chart-box').count()) === 0) continue;
        const inside = await page.locator('.chart-box').evaluate((box) => {
          const state = box.querySelector('rect.on')?.getBoundingClientRect();
          const place = box.getBoundingClientRect();
          return state === undefined || (state.left >= place.left - 1 && state.right <= place.right + 1);
        });
        expect([lab, key, inside]).toEqual([lab, key, true]);
      }
    }
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the picture and the events stand there, nothing that needs a script can be pressed, and a sentence says why', async ({ page }) => {
    for (const [address, sentence] of [[LAB, 'need JavaScript'], ['/zh/labs/missing-secret/', '需要 JavaScript']] as const) {
      await page.goto(address);
      await expect(page.locator('.still')).toContainText(sentence);
      await expect(page.locator('.line')).toContainText('secret "missing" not found');
      await expect(page.locator('.events tbody tr').first()).toBeVisible();
      for (const button of await page.locator('.lab button, .lab select, .lab input[type=range]').all()) await expect(button).toBeDisabled();
      await expect(page.locator('.lab summary')).toHaveCSS('pointer-events', 'none');
      await expect(page.locator('.lab summary')).toHaveCSS('text-decoration-line', 'none');
    }
  });
});

test('until the lab’s script has run its buttons are disabled; then they work', async ({ page }) => {
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/Lab\w*\.[\w-]+\.js$/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(LAB);
  await expect(page.getByRole('button', { name: 'Create the Secret' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Copy link to this step' })).toBeDisabled();
  go();
  await ready(page);
  await expect(page.getByRole('button', { name: 'Create the Secret' })).toBeEnabled();
});

test.describe('two labs on one page', () => {
  const labOf = (path: string): string => /<div class="lab-frame"[\s\S]*?<\/astro-island>\s*<\/div>/.exec(readFileSync(join(DIST, path, 'index.html'), 'utf8'))?.[0] ?? '';

  test.beforeEach(async ({ page }) => {
    const own = readFileSync(join(DIST, 'en/labs/missing-secret/index.html'), 'utf8');
    const first = labOf('en/labs/missing-secret');
    const both = own.replace(first, () => `${first}${labOf('en/labs/immediate-happy')}`);
    expect(both.match(/data-scenario=/g)).toHaveLength(2);
    await page.route(/\/en\/labs\/missing-secret\/(#.*)?$/, (route) => route.fulfill({ contentType: 'text/html', body: both }));
    await openLab(page, LAB);
    await expect(page.locator('.lab').nth(1)).toHaveAttribute('data-ready', 'true');
  });

  const stepOf = async (page: Page, nth: number): Promise<string> => (await page.locator('.lab').nth(nth).locator('.dock p').textContent()) ?? '';

  test('keys go to the one in use, and to it alone', async ({ page }) => {
    const [a, b] = [await stepOf(page, 0), await stepOf(page, 1)];
    await page.locator('.lab').nth(1).locator('.say').click();
    await page.keyboard.press('Home');
    expect([await stepOf(page, 0), await stepOf(page, 1) !== b]).toEqual([a, true]);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const after = await stepOf(page, 1);
    await page.keyboard.press('ArrowRight');
    expect([await stepOf(page, 0), await stepOf(page, 1) !== after]).toEqual([a, true]);
  });

  test('where neither was used yet a key moves one of them only', async ({ page }) => {
    const [a, b] = [await stepOf(page, 0), await stepOf(page, 1)];
    await page.evaluate(() => {
      const [first, second] = [...document.querySelectorAll('.lab')];
      const edge = ((first?.getBoundingClientRect().bottom ?? 0) + (second?.getBoundingClientRect().top ?? 0)) / 2;
      scrollBy(0, edge - innerHeight / 2);
    });
    await page.keyboard.press('ArrowLeft');
    expect([await stepOf(page, 0) !== a, await stepOf(page, 1) !== b].filter(Boolean)).toHaveLength(1);
  });

  test('the address is that of the one used last, and opens that one; the other is as it was', async ({ page, context }) => {
    const labs = page.locator('.lab');
    await labs.nth(0).getByRole('button', { name: 'Step', exact: true }).first().click();
    await expect.poll(() => page.url()).toContain('scenario=missing-secret');
    await labs.nth(1).getByRole('button', { name: 'Back', exact: true }).first().click();
    await expect.poll(() => page.url()).toContain('scenario=immediate-happy');
    const moved = await stepOf(page, 1);
    await labs.nth(0).getByRole('button', { name: 'Create the Secret' }).click();
    await expect.poll(() => page.url()).toContain('actions=');
    expect(page.url()).toContain('scenario=missing-secret');
    expect(await stepOf(page, 1)).toBe(moved);
    await expect(page.getByRole('alert')).toHaveCount(0);
    const other = await context.newPage();
    await openLab(other, page.url());
    await expect(other.locator('.lab').nth(0).getByRole('button', { name: 'Undo' })).toBeVisible();
    await expect(other.getByRole('alert')).toHaveCount(0);
    await other.close();
  });
});

test('a node that fell silent: what its kubelet said is shown as of then, in the line, in the sentence and in the opened station', async ({ page }) => {
  for (const [lang, asOf, since] of [['en', /^.*as of [\d.]+ s/, 'has been silent since'], ['zh', /^.*截至 [\d.]+ 秒/, '一直失联']] as const) {
    await openLab(page, `/${lang}/labs/node-down/`);
    await page.locator('.pods button', { hasText: 'first' }).click();
    await expect(page.locator('.say')).toContainText(since);
    await expect(page.locator('.line [data-station=published]')).toContainText(asOf);
    await expect(page.locator('.line [data-station=volume]')).not.toContainText(asOf);
    await page.locator('.line [data-station=published]').click();
    await expect(page.locator('.wide-panel')).toContainText(since);
  }
});

for (const [lang, create, undo, said] of [
  ['en', 'Create the Secret', 'Undo', 'No more can be done in this run.'],
  ['zh', '补建 Secret', '撤销', '这次运行里不能再操作了。'],
] as const) {
  test(`after as many actions as an address holds the lab says so; its address opens, and after undoing one it goes on (${lang})`, async ({ page }) => {
    await openLab(page, `/${lang}/labs/missing-secret/`);
    await page.getByRole('button', { name: create }).click();
    await expect.poll(() => page.url()).toContain('actions=');
    const [first] = stateIn(page).actions;
    if (first === undefined) throw new Error('the address carries no action');
    const actions: Action[] = Array.from({ length: MOST_ACTIONS }, (_, i) => (i === 0 ? first : { do: 'wait', seconds: 1, at: 600_000 + i * 1000 }));
    await page.goto('about:blank');
    await openLab(page, `/${lang}/labs/missing-secret/#${encodeState({ ...startState('missing-secret', 0), actions })}`);
    const act = page.locator('.lab .acts .btn:not(.plain):not([aria-disabled])').first();
    await act.click();
    await expect(page.getByRole('alert')).toContainText(said);
    await page.reload();
    await ready(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(stateIn(page).actions).toEqual(actions);
    await page.getByRole('button', { name: undo, exact: true }).click();
    await expect.poll(() => stateIn(page).actions.length).toBe(MOST_ACTIONS - 1);
    await ready(page);
    await act.click();
    await ready(page);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect.poll(() => stateIn(page).actions.length).toBe(MOST_ACTIONS);
  });
}

function stateIn(page: Page): LabState {
  const read = decodeState(new URL(page.url()).hash);
  if (!read.ok) throw new Error(`the address carries no state: ${page.url()}`);
  return read.state;
}

test('a state pasted over another stops what plays and closes an opened file; back and forward show what their addresses say', async ({ page }) => {
  await openLab(page, LAB);
  const start = await stepShown(page);
  const paste = async (step: number): Promise<void> => {
    await page.evaluate((hash) => location.assign(`#${hash}`), encodeState(startState('missing-secret', step)));
    await expect.poll(async () => (await stepShown(page)).step).toBe(step + 1);
  };
  await paste(1);
  await page.goBack();
  await expect.poll(() => stepShown(page)).toEqual(start);
  await page.goForward();
  await expect.poll(async () => (await stepShown(page)).step).toBe(2);
  await page.getByRole('button', { name: 'Play' }).click();
  await paste(4);
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.yaml', mimeType: 'text/yaml', buffer: readFileSync('content/scenarios/missing-secret.yaml') });
  await expect(page.locator('.lab-head')).toContainText('opened from a file');
  await paste(2);
  await expect(page.locator('.lab-head')).not.toContainText('opened from a file');
});

test('after three actions back leaves them together, and forward gives all three back', async ({ page }) => {
  await page.goto('/en/labs/');
  await openLab(page, LAB);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect.poll(() => page.url()).toContain('actions=');
  await ready(page);
  for (const count of [2, 3]) {
    await page.locator('.lab .acts .btn:not(.plain):not([aria-disabled])').first().click();
    await expect.poll(() => stateIn(page).actions.length).toBe(count);
    await ready(page);
  }
  const shown = await stepShown(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/en\/labs\/$/);
  await page.goForward();
  await ready(page);
  expect(stateIn(page).actions).toHaveLength(3);
  await expect.poll(() => stepShown(page)).toEqual(shown);
});

test('a page reloaded while its lab plays shows the step of its address, and does not play', async ({ page }) => {
  await openLab(page, LAB);
  await page.locator('.lab').focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await stepShown(page)).step).toBeGreaterThan(1);
  await page.reload();
  await ready(page);
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  expect((await stepShown(page)).step).toBe(stateIn(page).step + 1);
});

for (const lang of ['en', 'zh']) {
  test(`the station "published" has its content at every step of a run, and when its address is opened (${lang})`, async ({ page }) => {
    await openLab(page, `/${lang}/labs/missing-secret/`);
    await page.locator('.line [data-station=published]').click();
    const panel = page.locator('.wide-panel .opened');
    await page.locator('.lab').focus();
    await page.keyboard.press('Home');
    const { of } = await stepShown(page);
    for (let step = 1; step <= of; step++) {
      await expect(panel).toContainText(/\S/);
      await page.keyboard.press('ArrowRight');
    }
    await page.reload();
    await ready(page);
    await expect(panel).toContainText(/\S/);
  });
}
