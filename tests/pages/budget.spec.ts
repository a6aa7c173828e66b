/** How much a lesson page loads, and that nothing on it jumps. Sizes are those of the files compressed with gzip. */
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, ready, test } from './site.ts';

const KB = 1024;
const LESSONS = ['/en/lessons/bound-not-started/', '/zh/lessons/what-bound-proves/', '/en/'];

interface Loaded {
  readonly js: number;
  readonly all: number;
}

/** Everything a page loads from now on, by its answers. */
function weigh(page: Page): () => Promise<Loaded> {
  const weights: Promise<{ js: boolean; bytes: number }>[] = [];
  page.on('response', (response) => {
    weights.push(response.body().then((body) => ({ js: /\.js$/.test(new URL(response.url()).pathname), bytes: gzipSync(body).length })));
  });
  return async () => {
    const known = await Promise.all(weights);
    const sum = (list: typeof known): number => list.reduce((total, { bytes }) => total + bytes, 0);
    return { js: sum(known.filter(({ js }) => js)), all: sum(known) };
  };
}

for (const address of LESSONS) {
  test(`${address} loads at most 120 KB of JavaScript and 300 KB in all before the reader acts`, async ({ page }) => {
    const loaded = weigh(page);
    await page.goto(address, { waitUntil: 'networkidle' });
    await ready(page);
    const { js, all } = await loaded();
    expect(js / KB).toBeLessThanOrEqual(120);
    expect(all / KB).toBeLessThanOrEqual(300);
  });
}

test('the first action loads at most 200 KB more', async ({ page }) => {
  await page.goto('/en/labs/missing-secret/', { waitUntil: 'networkidle' });
  await ready(page);
  const loaded = weigh(page);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await ready(page);
  const { all } = await loaded();
  expect(all / KB).toBeGreaterThan(20);
  expect(all / KB).toBeLessThanOrEqual(200);
});

test('nothing jumps while a lesson with a lab loads and comes alive', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const [width, height] of [[1440, 900], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/en/lessons/bound-not-started/', { waitUntil: 'networkidle' });
    await ready(page);
    const total = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0));
    expect(total).toBeLessThan(0.01);
  }
});
