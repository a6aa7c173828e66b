/** Without a network: after one visit everything is there, and a new version waits until it is asked for. */
import { createServer, type Server } from 'node:http';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import { DIST } from './site.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

interface Host {
  readonly origin: string;
  /** What is served instead of a file, by its path. */
  readonly instead: Map<string, string>;
  /** Nothing answers any more. */
  readonly cut: () => Promise<void>;
}

/** The built site behind a host of its own, which can be taken away. */
async function openHost(): Promise<Host> {
  const instead = new Map<string, string>();
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const other = instead.get(path);
    let file = join(DIST, path);
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (other === undefined && !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' });
    if (other === undefined) createReadStream(file).pipe(response);
    else response.end(other);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instead,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser that may keep an offline copy, and a host that can be cut. */
const test = base.extend<{ host: Host; reader: BrowserContext }>({
  host: async ({}, use) => {
    const host = await openHost();
    await use(host);
    await host.cut();
  },
  reader: async ({ browser, host }, use) => {
    const context = await browser.newContext({ baseURL: host.origin, serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await use(context);
    await context.close();
  },
});
test.setTimeout(240_000);

async function visitUntilReady(reader: BrowserContext, address: string, words: string): Promise<Page> {
  const page = await reader.newPage();
  await page.goto(address);
  await expect(page.locator('offline-state .state')).toContainText(words, { timeout: 120_000 });
  return page;
}

async function alive(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.locator('.lab').first()).toHaveAttribute('data-ready', 'true');
}

test('after one visit lessons, labs, talks and workshops work with the network cut', async ({ reader, host }) => {
  const page = await visitUntilReady(reader, '/en/lessons/what-bound-proves/', 'Ready for offline use');
  await host.cut();
  await reader.setOffline(true);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));

  await test.step('a lesson, in the other language', async () => {
    await page.goto('/zh/lessons/bound-not-started/');
    await alive(page);
    await expect(page.locator('h1')).toBeVisible();
  });
  await test.step('a lab, the simulated cluster, and whether a recording covers the run', async () => {
    await page.goto('/en/labs/missing-secret/');
    await alive(page);
    await page.getByRole('button', { name: 'Create the Secret' }).click();
    await alive(page);
    await expect(page.locator('.lab .say').first()).not.toContainText('does not exist');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Leave out the Secret' }).click();
    await alive(page);
    await expect(page.locator('.lab .acts-note')).not.toContainText('could not be loaded');
  });
  await test.step('a talk, its presenter’s window and a fault', async () => {
    await page.goto('/en/talks/five-minutes/?view=stage');
    await expect(page.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
    const [presenter] = await Promise.all([reader.waitForEvent('page'), page.keyboard.press('p')]);
    await expect(presenter.locator('.presenter-top')).toContainText('Ready for offline use');
    await presenter.keyboard.press('3');
    await presenter.keyboard.press('Enter');
    await presenter.getByRole('button', { name: 'Create the Secret' }).click();
    await expect(page.locator('.stage .changes')).toContainText('Secret missing created');
    await presenter.close();
  });
  await test.step('a workshop’s task', async () => {
    await page.goto('/en/labs/missing-secret/?task=first-gap/run-it');
    await alive(page);
    await expect(page.locator('.task')).toHaveAttribute('data-ready', 'true');
    await page.locator('.lab .btn.repair').first().click();
    await expect(page.locator('.task-passed')).toContainText('Passed');
  });
  await test.step('the root, and a page that is not there', async () => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/(en|zh)\/$/);
    await page.goto('/zh/nope/');
    await expect(page.locator('h1')).toContainText('这个地址没有页面');
    await expect(page.locator('.no-network').first()).toContainText('现在没有网络');
  });
  await test.step('search, in both languages', async () => {
    for (const [lang, label, word] of [['en', 'Search', 'Secret'], ['zh', '搜索', '申请']] as const) {
      await page.goto(`/${lang}/`);
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('searchbox', { name: label }).fill(word);
      await expect(page.locator('site-search li a').first()).toHaveAttribute('href', new RegExp(`^/${lang}/`));
    }
  });
  expect(errors).toEqual([]);
});

test('everything that a lab loads only when it is opened is there with the network cut', async ({ reader, host }) => {
  const page = await visitUntilReady(reader, '/en/labs/', 'Ready for offline use');
  await host.cut();
  await reader.setOffline(true);
  const failed: string[] = [];
  const errors: string[] = [];
  page.on('requestfailed', (request) => failed.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/en/labs/missing-secret/');
  await alive(page);
  await page.locator('.line button').nth(3).click();
  await expect(page.locator('.station, .panel.station, [id]').filter({ hasText: 'status.attached' }).first()).toBeVisible();
  for (const name of ['Who spoke to whom', 'The run as text', 'What the commands printed']) {
    await page.getByRole('button', { name }).click();
    await expect(page.locator('.panel', { hasText: name }).locator(':scope > :not(h2)').first()).toBeVisible();
  }
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await alive(page);
  await page.getByRole('button', { name: 'Side by side' }).click();
  await expect(page.locator('.panel', { hasText: 'Side by side' }).locator('.line').first()).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.locator('dialog.keys')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('input[type="file"]').first().setInputFiles({ name: 'mine.yaml', mimeType: 'text/yaml', buffer: Buffer.from('id: [') });
  await expect(page.getByText('mine.yaml').first()).toBeVisible();
  await expect(page.locator('.lab')).not.toContainText('could not be loaded');
  // The facilitator's table computes in a worker of its own.
  await page.goto('/en/workshops/first-gap/guide/');
  await expect(page.locator('.drop button')).toBeEnabled();
  const tasks = { 'run-it': { actions: [{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }], passed: true, hints: 0, solution: false } };
  await page.locator('.drop input').setInputFiles({ name: 'mei.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ format: 'after-bound/workshop@1', workshop: 'first-gap', name: 'Mei', tasks })) });
  await expect(page.locator('.board td[data-outcome="passed"]')).toHaveCount(1);
  expect(failed).toEqual([]);
  expect(errors).toEqual([]);
});

test('every script that the build made is kept', () => {
  const worker = readFileSync(join(DIST, 'sw.js'), 'utf8');
  const made = readdirSync(join(DIST, '_astro')).filter((file) => /\.(?:js|css)$/.test(file));
  expect(made.length).toBeGreaterThan(10);
  expect(made.filter((file) => !worker.includes(`_astro/${file}`))).toEqual([]);
});

test('a recording that was opened stays; of another one the page says why it is not there', async ({ reader, host }) => {
  const page = await visitUntilReady(reader, '/en/labs/missing-secret/', 'Ready for offline use');
  await page.goto('/recordings/missing-secret/1/');
  await expect(page.locator('h1')).toContainText('missing-secret');
  await host.cut();
  await reader.setOffline(true);
  await page.goto('/recordings/missing-secret/1/');
  await expect(page.locator('h1')).toContainText('missing-secret');
  await page.goto('/recordings/missing-secret/2/');
  await expect(page.locator('main')).toContainText('This recording has not been opened before');
  await expect(page.locator('main')).toContainText('没有网络，打不开');
});

test('a new version is offered, never taken while a talk is open, and loads nothing again by itself', async ({ reader, host }) => {
  const page = await visitUntilReady(reader, '/en/talks/', 'Ready for offline use');
  const loads: string[] = [];
  reader.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url());
  });

  // The host has a new version: one page reads otherwise, and the worker knows it.
  const worker = readFileSync(join(DIST, 'sw.js'), 'utf8');
  const old = /\{url:"en\/talks\/index\.html",revision:"([0-9a-f]+)"\}/.exec(worker)?.[1];
  expect(old).toBeDefined();
  host.instead.set('/sw.js', worker.replace(old ?? '', 'f'.repeat(32)));
  host.instead.set('/en/talks/index.html', readFileSync(join(DIST, 'en/talks/index.html'), 'utf8').replace('<h1', '<h1 data-new="yes"'));

  const stage = await reader.newPage();
  await stage.goto('/en/talks/five-minutes/?view=stage');
  await expect(stage.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
  await stage.keyboard.press('ArrowRight');
  await expect(stage.locator('[data-talk]')).toHaveAttribute('data-shown', /^2 /);

  const third = await reader.newPage();
  await third.goto('/en/talks/');
  await expect(third.locator('.update-note')).toContainText('A new version of this site is here.', { timeout: 120_000 });
  loads.length = 0;
  await third.getByRole('button', { name: 'Use it' }).click();
  await expect(third.locator('.update-note')).toContainText('A talk is open in a window');
  await expect(stage.locator('[data-talk]')).toHaveAttribute('data-shown', /^2 /);
  expect(loads).toEqual([]);

  await stage.keyboard.press('Escape');
  await expect(stage.locator('[data-talk]')).toHaveCount(0);
  await expect(third.locator('h1[data-new]')).toHaveCount(0);
  await third.getByRole('button', { name: 'Use it' }).click();
  await expect(third.locator('h1[data-new]')).toHaveCount(1, { timeout: 60_000 });
  // Only the window that asked for it is loaded again.
  expect(loads).toEqual([`${host.origin}/en/talks/`]);
  await expect(page.locator('h1[data-new]')).toHaveCount(0);
});

test('what is kept is what lessons, labs and talks need: no recording of a run', () => {
  const worker = readFileSync(join(DIST, 'sw.js'), 'utf8');
  const kept = [...worker.matchAll(/\{url:"([^"]+)",revision:/g)].map((match) => match[1] ?? '');
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.filter((path) => /^recordings\/.*\/\d+/.test(path))).toEqual([]);
  const bytes = kept.reduce((sum, path) => sum + statSync(join(DIST, path)).size, 0);
  expect(bytes / 1e6).toBeLessThan(60);
});
