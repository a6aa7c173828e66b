/** Workshops in the browser: a task beside a lab, progress as a file, the facilitator's table. */
import AxeBuilder from '@axe-core/playwright';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, ready, test } from './site.ts';

const PATH = '/en/workshops/first-gap/';
const TASK = '/en/labs/missing-secret/?task=first-gap/run-it';
const GUIDE = '/en/workshops/first-gap/guide/';

/** A progress file as an export writes it. */
function progressFile(name: string, tasks: Record<string, unknown>): string {
  return JSON.stringify({ format: 'after-bound/workshop@1', workshop: 'first-gap', name, tasks });
}
const entry = (actions: readonly unknown[], passed: boolean, more: object = {}): object => ({ actions, passed, hints: 0, solution: false, ...more });

async function drop(page: Page, files: readonly { name: string; text: string | Buffer }[]): Promise<void> {
  await page.locator('.drop input[type="file"]').setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })));
}

async function importFile(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page.locator('.file-tools input[type="file"]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

async function exported(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export progress' }).click()]);
  return readFileSync(await download.path(), 'utf8');
}

async function openTask(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
  await expect(page.locator('.task')).toHaveAttribute('data-ready', 'true');
}

test('a task begins in trouble, passes by the cluster’s end state, and is remembered', async ({ page }) => {
  await openTask(page, TASK);
  await expect(page.locator('.task .facts .no')).toHaveCount(1);
  await expect(page.locator('.task-passed')).toHaveText('');
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.goto(PATH);
  await expect(page.locator('.path')).toContainText('passed');
  await expect(page.getByText('1 of 3 tasks passed')).toBeVisible();
  await openTask(page, TASK);
  await expect(page.locator('.task-passed')).toContainText('Passed.');
});

test('another way to the same end passes too; deleting the claim does not', async ({ page }) => {
  await openTask(page, TASK);
  await page.getByRole('button', { name: 'Leave out the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.getByRole('button', { name: 'Start the task again' }).click();
  await expect(page.locator('.task .facts .no')).toHaveCount(1);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Delete claim disk' }).click();
  await expect(page.locator('.task .facts li', { hasText: 'untouched pvc/disk' })).toContainText('does not hold yet');
});

test('undoing the task’s own beginning is no way to pass it', async ({ page }) => {
  await openTask(page, TASK);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.task')).toContainText('You have undone what the task begins with');
  await expect(page.locator('.task-passed')).toHaveText('');
  await page.getByRole('button', { name: 'Start the task again' }).click();
  await expect(page.locator('.task .facts .no')).toHaveCount(1);
});

test('two tabs of one task: what one passed the other does not take back, nor a name typed beside them', async ({ page, context }) => {
  await openTask(page, TASK);
  const path = await context.newPage();
  await path.goto(PATH);
  const other = await context.newPage();
  await openTask(other, TASK);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await expect(path.getByText('1 of 3 tasks passed')).toBeVisible();
  await other.locator('.lab .acts .btn:not(.plain):not(.repair)').first().click();
  await ready(other);
  await other.locator('.task').getByRole('button', { name: /hint/i }).click();
  await expect(other.locator('.hints li')).toHaveCount(1);
  await path.getByRole('textbox').last().fill('Ada');
  await path.reload();
  await expect(path.getByText('1 of 3 tasks passed')).toBeVisible();
  await expect(path.locator('.file-tools input[type=text]')).toHaveValue('Ada');
});

test('where the browser is full a pass stands while its page is open, whatever else is done there', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await openTask(page, TASK);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.locator('.task').getByRole('button', { name: /hint/i }).click();
  await page.locator('.task').getByRole('button', { name: 'Start the task again' }).click();
  await expect(page.locator('.task .facts .no')).toHaveCount(1);
  await expect(page.locator('.task-passed')).not.toHaveText('');
});

for (const damage of ['{"format":"after-bound/workshop@1","tasks":', 'null', '{"format":"after-bound/workshop@1","workshop":"first-gap","name":"","tasks":{"run-it":{"actions":7}}}']) {
  test(`progress damaged in the browser (${damage.slice(-20)}) counts as nothing, and the task works`, async ({ page }) => {
    await page.addInitScript((text) => localStorage.getItem('after-bound:workshop:first-gap') ?? localStorage.setItem('after-bound:workshop:first-gap', text), damage);
    await openTask(page, TASK);
    await page.getByRole('button', { name: 'Create the Secret' }).click();
    await expect(page.locator('.task-passed')).toContainText('Passed.');
  });
}

test('hints come one at a time, and the worked solution plays in the lab', async ({ page }) => {
  await openTask(page, TASK);
  for (const n of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Give me a hint' }).click();
    await expect(page.locator('.task .hints li')).toHaveCount(n);
  }
  await expect(page.getByRole('button', { name: 'Give me a hint' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Play the worked solution' }).click();
  await expect(page.locator('.lab').getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.goto(PATH);
  await expect(page.locator('.path')).toContainText('passed after the worked solution');
});

test('a task that does not belong to the lab says so', async ({ page }) => {
  for (const asked of ['first-gap/nothing', 'first-gap/bytes', 'nowhere/run-it']) {
    await page.route(/nowhere\.json/, (route) => route.fulfill({ status: 200, body: 'null' }));
    await page.goto(`/en/labs/missing-secret/?task=${asked}`);
    await expect(page.locator('.task-place [role="alert"]')).toBeVisible();
  }
});

test('progress goes out as a file and comes back from it', async ({ page, browser, baseURL }) => {
  await openTask(page, TASK);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.goto(PATH);
  await expect(page.getByText('1 of 3 tasks passed')).toBeVisible();
  await page.getByLabel('Your name').fill('Mei 梅');
  const file = await exported(page);
  const other = await browser.newContext(baseURL === undefined ? {} : { baseURL, serviceWorkers: 'block' });
  const there = await other.newPage();
  await there.goto(PATH);
  await expect(there.getByText('0 of 3 tasks passed')).toBeVisible();
  await expect(there.locator('astro-island[ssr]')).toHaveCount(0);
  await importFile(there, 'mei.json', file);
  await expect(there.getByText('1 of 3 tasks passed')).toBeVisible();
  await expect(there.getByLabel('Your name')).toHaveValue('Mei 梅');
  expect(await exported(there)).toBe(file);
  await other.close();
});

test('a bad file is refused with a reason, and what is there stays', async ({ page }) => {
  await page.goto(PATH);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  const good = progressFile('Mei', { 'run-it': entry([{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }], true) });
  await importFile(page, 'good.json', good);
  await expect(page.getByText('1 of 3 tasks passed')).toBeVisible();
  const before = await page.evaluate(() => localStorage.getItem('after-bound:workshop:first-gap'));
  for (const [name, text, why] of [
    ['cut.json', good.slice(0, -30), 'cut off or damaged'],
    ['later.json', good.replace('workshop@1', 'workshop@7'), 'has version 7 of the format'],
    ['picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'no progress file of this site'],
    ['noise.bin', Buffer.alloc(10_000_000, 'x'), 'it has 10.0 MB'],
    ['other.json', good.replace('first-gap', 'whole-line'), 'belongs to the workshop “whole-line”'],
    ['edited.json', good.replace('"hints":0', '"hints":"all"'), 'its part “tasks.run-it”'],
    ['many.json', progressFile('Mei', { 'run-it': entry(Array.from({ length: 5000 }, () => ({ do: 'wait', seconds: 30, at: 1 })), true) }), 'its part “tasks.run-it”'],
    ['proto.json', good.replace('"run-it"', '"__proto__"'), 'its part “tasks.__proto__”'],
    ['long.json', progressFile('Mei', { ['x'.repeat(500_000)]: entry([], false) }), 'its part “tasks.xxxx'],
    ['<img src=x onerror=alert(1)>.json', good.slice(0, -30), '<img src=x onerror=alert(1)>.json was not imported'],
  ] as const) {
    await importFile(page, name, text);
    await expect(page.getByRole('alert')).toContainText(`${name} was not imported`);
    await expect(page.getByRole('alert')).toContainText(why);
    expect(await page.evaluate(() => localStorage.getItem('after-bound:workshop:first-gap')), name).toBe(before);
  }
});

test('an imported file takes nothing away that was passed here', async ({ page }) => {
  await openTask(page, TASK);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.goto(PATH);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await importFile(page, 'edited.json', progressFile('Hans', { 'run-it': entry([{ do: 'wait', seconds: 30, at: 5000 }], true) }));
  await expect(page.getByText('Imported, 1 task passed')).toBeVisible();
  const kept = JSON.parse(await exported(page)) as { tasks: Record<string, { actions: { do: string }[] }> };
  expect(kept.tasks['run-it']?.actions.map((action) => action.do)).toEqual(['create']);
});

test('the facilitator’s page stays alive under a file that takes too long, and says which it is', async ({ page }) => {
  await page.clock.install();
  await page.goto(GUIDE);
  await expect(page.locator('.drop button')).toBeEnabled();
  const endless = Array.from({ length: 50 }, () => ({ do: 'wait', seconds: 3600, at: 86_400_000 }));
  await drop(page, [
    { name: 'endless.json', text: progressFile('Hans', { bytes: entry(endless, true), 'run-it': entry(endless, true), 'no-node': entry(endless, true) }) },
    { name: 'mei.json', text: progressFile('Mei', { 'run-it': entry([{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }], true) }) },
  ]);
  // Until the clock is moved the page waits for the worker, and answers all the while.
  await page.clock.runFor(1);
  await expect(page.locator('p[role="status"]', { hasText: 'endless.json' })).toContainText('Replaying file 1 of 2');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.clock.runFor(40_000);
  const cells = page.locator('.board tbody tr', { hasText: 'Hans' }).locator('td[data-outcome="late"]');
  await expect.poll(async () => {
    await page.clock.runFor(1000);
    return cells.count();
  }).toBeGreaterThan(0);
  await expect(cells.first()).toContainText('took more than 30 s and was given up');
  await expect(page.locator('.board tbody tr', { hasText: 'Mei' }).locator('td[data-outcome="passed"]')).toHaveCount(1);
});

test('the facilitator’s page takes a thousand files, can be stopped, and tells people of one file name apart', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto(GUIDE);
  await expect(page.locator('.drop button')).toBeEnabled();
  const repair = [{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }];
  await drop(page, Array.from({ length: 1000 }, (_, i) => (i % 10 === 0 ? { name: `${i}.json`, text: progressFile(`Person ${i}`, { 'run-it': entry(repair, true) }) } : { name: `noise-${i}`, text: `noise ${i}` })));
  await expect(page.locator('.board tbody tr')).toHaveCount(100, { timeout: 90_000 });
  await expect(page.locator('.refused-files')).toContainText('noise-1: it is no progress file');
  await expect(page.locator('.refused-files')).toContainText('and 870 more.');
  await page.getByRole('button', { name: 'Clear the table' }).click();
  await expect(page.locator('.board')).toHaveCount(0);

  const nameless = 'after-bound-first-gap.json';
  await drop(page, [{ name: nameless, text: progressFile('', { 'run-it': entry(repair, true) }) }, { name: nameless, text: progressFile('', { 'run-it': entry([{ do: 'delete', target: 'pod/first', at: 3000 }], false) }) }]);
  await expect(page.locator('.board tbody tr')).toHaveCount(2);
  await drop(page, [{ name: nameless, text: progressFile('', { 'run-it': entry(repair, true) }) }]);
  await expect(page.getByRole('button', { name: 'Clear the table' })).toBeVisible();
  await expect(page.locator('.board tbody tr')).toHaveCount(2);

  await drop(page, Array.from({ length: 400 }, (_, i) => ({ name: `more-${i}.json`, text: progressFile(`More ${i}`, { 'run-it': entry([{ do: 'wait', seconds: 1 + i, at: 5000 + i }], false) }) })));
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.locator('p[role="status"]', { hasText: 'Stopped after' })).toContainText('of 400 files');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
});

test('names in files are shown as they are written, never as a page’s own HTML', async ({ page }) => {
  await page.goto(GUIDE);
  await expect(page.locator('.drop button')).toBeEnabled();
  const evil = '<img src=x onerror="document.title=1"><b>Mei</b>';
  await drop(page, [{ name: `${evil}.json`, text: progressFile(evil, { 'run-it': entry([{ do: 'second', pod: 'nobody', at: 10 }], true) }) }, { name: `${evil}.txt`, text: 'x' }]);
  await expect(page.locator('.board tbody th')).toContainText(evil);
  await expect(page.locator('.refused-files')).toContainText(evil);
  await expect(page.locator('.board td[data-outcome="claimed"]')).toContainText('The actions cannot be done');
  await expect(page.locator('.board img, .refused-files img, .board b b')).toHaveCount(0);
});

test('the facilitator’s table replays every file, and shows a claim that its actions do not reach', async ({ page }) => {
  await page.goto(GUIDE);
  await expect(page.locator('.drop button')).toBeEnabled();
  const repair = [{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }];
  await drop(page, [
    { name: 'mei.json', text: progressFile('Mei', { 'run-it': entry(repair, true, { hints: 2 }) }) },
    { name: 'edited.json', text: progressFile('Hans', { 'run-it': entry([{ do: 'wait', seconds: 30, at: 5000 }], true), bytes: entry([], true) }) },
    { name: 'tried.json', text: progressFile('Ana', { 'run-it': entry([{ do: 'delete', target: 'pod/first', at: 3000 }], false, { solution: true }) }) },
    { name: 'modest.json', text: progressFile('', { 'run-it': entry(repair, false) }) },
    { name: 'cut.json', text: progressFile('Eve', {}).slice(0, 40) },
    { name: 'noise.bin', text: Buffer.alloc(10_000_000, 'x') },
  ]);
  const cell = (who: string, column: number): ReturnType<Page['locator']> => page.locator('.board tbody tr', { hasText: who }).locator('td').nth(column);
  await expect(page.locator('.board tbody tr')).toHaveCount(4);
  await expect(cell('Mei', 1)).toHaveAttribute('data-outcome', 'passed');
  await expect(cell('Mei', 1)).toContainText('2 hints');
  await expect(cell('Mei', 0)).toHaveAttribute('data-outcome', 'untried');
  await expect(cell('Hans', 1)).toHaveAttribute('data-outcome', 'claimed');
  await expect(cell('Hans', 1)).toContainText('its actions do not reach it');
  await expect(cell('Hans', 2)).toHaveAttribute('data-outcome', 'claimed');
  await expect(cell('Ana', 1)).toHaveAttribute('data-outcome', 'tried');
  await expect(cell('Ana', 1)).toContainText('worked solution shown');
  await expect(cell('modest.json', 1)).toHaveAttribute('data-outcome', 'passed');
  await expect(page.locator('.refused-files')).toContainText('cut.json: it was cut off or damaged');
  await expect(page.locator('.refused-files')).toContainText('noise.bin: it has 10.0 MB');
});

test('what a reader exports after a pass, the facilitator’s replay passes', async ({ page }) => {
  for (const [lab, task, act] of [['missing-secret', 'run-it', 'Create the Secret'], ['pod-recreate', 'bound-and-nowhere', 'Put the pod in zone-b']] as const) {
    await openTask(page, `/en/labs/${lab}/?task=first-gap/${task}`);
    await page.getByRole('button', { name: act }).click();
    await expect(page.locator('.task-passed')).toContainText('Passed.');
  }
  await page.goto(PATH);
  const file = await exported(page);
  await page.goto(GUIDE);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await drop(page, [{ name: 'mine.json', text: file }]);
  await expect(page.locator('.board td[data-outcome="passed"]')).toHaveCount(2);
});

for (const lang of ['en', 'zh'] as const) {
  test(`pages of a workshop have no accessibility violation and fit a phone (${lang})`, async ({ page }) => {
    test.setTimeout(180_000);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const address of ['workshops/', 'workshops/first-gap/', 'workshops/whole-line/', 'workshops/first-gap/guide/', 'workshops/whole-line/guide/', 'labs/missing-secret/?task=first-gap/run-it']) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`/${lang}/${address}`);
        await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
        if (address.includes('task=')) await expect(page.locator('.task .facts')).toBeVisible();
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(390);
      }
    }
  });
}

test('every part of every path leads somewhere, and the other language keeps the task', async ({ page }) => {
  for (const workshop of ['first-gap', 'whole-line']) {
    await page.goto(`/en/workshops/${workshop}/`);
    const links = await page.locator('.path a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(links.length).toBeGreaterThan(6);
    for (const link of links) expect((await page.request.get(link)).ok(), link).toBe(true);
  }
  await openTask(page, TASK);
  await page.getByRole('link', { name: '中文' }).click();
  await expect(page.locator('.task h2')).toHaveText('不动 PVC，让这个 Pod 跑起来');
});
