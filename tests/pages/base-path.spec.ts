/** The site under a sub-path of its host: built once more with BASE_PATH, and never reached outside of it. */
import { expect, test as base } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from './site.ts';

const BASE = '/sub/path';
const ROOT = join(import.meta.dirname, '../..');

interface Built {
  readonly folder: string;
  readonly origin: string;
}

const test = base.extend<object, { built: Built }>({
  built: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'after-bound-base-'));
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/astro/bin/astro.mjs'), 'build', '--outDir', folder], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, BASE_PATH: BASE, ASTRO_TELEMETRY_DISABLED: '1' } });
      if (status !== 0) throw new Error(`the build with BASE_PATH failed:\n${stdout}\n${stderr}`);
      const server = serve(folder, `${BASE}/`);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use({ folder, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});
// One build serves them all.
test.describe.configure({ mode: 'serial', timeout: 240_000 });

test('no page names an address outside the sub-path', ({ built }) => {
  const pages = readdirSync(built.folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(250);
  const outside = pages.flatMap((file) => {
    const html = readFileSync(join(built.folder, file), 'utf8');
    return [...html.matchAll(/ (?:href|src|action|component-url|renderer-url|data-index|data-worker|data-scope|data-files|data-root)="(\/[^"]*)"/g)].map(([, address = '']) => address).filter((address) => !address.startsWith(`${BASE}/`)).map((address) => `${address}, in ${file}`);
  });
  expect(outside).toEqual([]);
});

test('home, lesson, lab, talk, workshop, search and the page for a lost address work there, and fetch nothing elsewhere', async ({ built, browser }) => {
  const context = await browser.newContext({ baseURL: built.origin, serviceWorkers: 'block', reducedMotion: 'reduce', locale: 'en-GB' });
  const elsewhere: string[] = [];
  const errors: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${built.origin}${BASE}/`) && !/^(?:data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  context.on('weberror', (error) => errors.push(error.error().message));
  const page = await context.newPage();
  const alive = async (): Promise<void> => {
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
    await expect(page.locator('.lab').first()).toHaveAttribute('data-ready', 'true');
  };
  await page.goto(`${BASE}/`);
  await page.waitForURL(`${built.origin}${BASE}/en/`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('Secret');
  await expect(page.locator('site-search li a').first()).toHaveAttribute('href', new RegExp(`^${BASE}/en/`));
  await page.keyboard.press('Escape');

  await page.goto(`${BASE}/en/lessons/bound-not-started/`);
  await alive();
  await page.getByRole('link', { name: '中文' }).click();
  await page.waitForURL(`${built.origin}${BASE}/zh/lessons/bound-not-started/**`);

  await page.goto(`${BASE}/en/labs/missing-secret/?task=first-gap/run-it`);
  await alive();
  await expect(page.locator('.task')).toHaveAttribute('data-ready', 'true');
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await page.getByRole('link', { name: 'Next part' }).click();
  await page.waitForURL(`${built.origin}${BASE}/en/**`);

  await page.goto(`${BASE}/en/talks/five-minutes/?view=stage`);
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
  const [presenter] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('p')]);
  await expect(presenter.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
  await presenter.keyboard.press('3');
  await presenter.keyboard.press('Enter');
  await presenter.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.stage .changes')).toContainText('Secret missing created');
  await presenter.close();

  await page.goto(`${BASE}/en/workshops/first-gap/guide/`);
  await expect(page.locator('.drop button')).toBeEnabled();
  const tasks = { 'run-it': { actions: [{ do: 'create', kind: 'Secret', name: 'missing', at: 744 }], passed: true, hints: 0, solution: false } };
  await page.locator('.drop input').setInputFiles({ name: 'mei.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ format: 'after-bound/workshop@1', workshop: 'first-gap', name: 'Mei', tasks })) });
  await expect(page.locator('.board td[data-outcome="passed"]')).toHaveCount(1);

  await page.goto(`${BASE}/zh/nope/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.locator('section').first().getByRole('link').first().click();
  await page.waitForURL(`${built.origin}${BASE}/zh/`);
  expect(elsewhere).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

test('the service worker stands over the sub-path alone', async ({ built, browser }) => {
  const context = await browser.newContext({ baseURL: built.origin, serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto(`${BASE}/en/labs/`);
  await expect(page.locator('offline-state .state')).toContainText('Ready for offline use', { timeout: 120_000 });
  const scopes = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope, active }) => `${new URL(scope).pathname} ${new URL(active?.scriptURL ?? location.href).pathname}`));
  expect(scopes).toEqual([`${BASE}/ ${BASE}/sw.js`]);
  await context.setOffline(true);
  await page.goto(`${BASE}/en/labs/missing-secret/`);
  await expect(page.locator('.lab')).toHaveAttribute('data-ready', 'true');
  await context.close();
});
