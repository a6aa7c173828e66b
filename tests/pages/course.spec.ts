/** The course as a reader uses it: predict, check, look up, find the first gap, go on. */
import AxeBuilder from '@axe-core/playwright';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DIST, expect, test } from './site.ts';

const LESSONS = readdirSync(join(DIST, 'en/lessons'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

test('a prediction is asked for before the run answers, and kept', async ({ page }) => {
  await page.goto('/en/lessons/bound-not-started/');
  const predict = page.locator('.predict').first();
  const answer = predict.locator('.held');
  await predict.locator('summary').click();
  await expect(answer).toBeHidden();
  await predict.locator('.option').nth(1).click();
  await predict.locator('summary').click();
  await expect(answer).toBeVisible();
  await expect(answer).toContainText('The pod stops where its volumes are published');
  await page.reload();
  await expect(predict.locator('input').nth(1)).toBeChecked();
  await page.goto('/zh/lessons/bound-not-started/');
  await expect(page.locator('.predict').first().locator('input').nth(1)).toBeChecked();
});

const PREDICTING = LESSONS.filter((lesson) => readFileSync(join(DIST, `en/lessons/${lesson}/index.html`), 'utf8').includes('data-predict='));

for (const lang of ['en', 'zh']) {
  test(`predictions are made and revealed by keyboard in six lessons (${lang})`, async ({ page }) => {
    for (const lesson of PREDICTING.slice(0, 6)) {
      await page.goto(`/${lang}/lessons/${lesson}/`);
      const predict = page.locator('.predict').first();
      const summary = predict.locator('summary');
      await summary.focus();
      await page.keyboard.press('Enter');
      await expect(predict.locator('.held'), lesson).toBeHidden();
      await predict.locator('input').first().focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await expect(predict.locator('input').nth(1), lesson).toBeChecked();
      await summary.focus();
      await page.keyboard.press('Enter');
      await expect(predict.locator('.held'), lesson).toBeVisible();
      await expect(predict.locator('.held'), lesson).toContainText(/\S/);
    }
  });
}

for (const how of ['QuotaExceededError', 'SecurityError']) {
  test(`where the browser keeps nothing (${how}), a check still counts the first answers`, async ({ page }) => {
    await page.addInitScript((name) => {
      Storage.prototype.setItem = () => {
        throw new DOMException('refused', name);
      };
    }, how);
    await page.goto('/en/lessons/bound-not-started/');
    const questions = page.locator('.check .question');
    await questions.nth(0).locator('.answer').nth(2).click();
    await questions.nth(0).locator('.answer').nth(0).click();
    await questions.nth(1).locator('.answer').nth(0).click();
    await questions.nth(2).locator('.answer').nth(0).click();
    await expect(page.locator('.check .score')).toHaveText('2 of 3 right at the first try.');
  });
}

test('every answer of a check gives its reason, and the first answers count', async ({ page }) => {
  await page.goto('/en/lessons/bound-not-started/');
  const questions = page.locator('.check .question');
  await questions.nth(0).locator('.answer').nth(2).click();
  await expect(questions.nth(0).locator('.why').nth(2)).toBeVisible();
  await expect(questions.nth(0).locator('.why').nth(0)).toBeHidden();
  await questions.nth(0).locator('.answer').nth(0).click();
  await questions.nth(1).locator('.answer').nth(0).click();
  await questions.nth(2).locator('.answer').nth(0).click();
  await expect(page.locator('.check .score')).toHaveText('2 of 3 right at the first try.');
});

test('the list of lessons shows what was read and finished, and the way on passes over it', async ({ page }) => {
  await page.goto('/en/lessons/what-bound-proves/');
  const next = page.locator('nav.turn a[rel="next"]');
  await expect(next).toContainText('Bound, not started');
  await page.goto('/en/lessons/bound-not-started/');
  for (const question of await page.locator('.check .question').all()) await question.locator('.answer').first().click();
  await page.goto('/en/lessons/what-bound-proves/');
  await expect(next).toContainText('ReadWriteOnce is no lock');
  await page.goto('/en/lessons/');
  const marks = page.locator('.lessons .progress');
  await expect(marks).toHaveText(['begun', 'finished']);
  await page.goto('/zh/lessons/');
  await expect(marks).toHaveText(['读过', '已完成']);
});

test('the method leads on, answer by answer, and a link opens it at any of its ends', async ({ page }) => {
  await page.goto('/en/lessons/finding-the-first-gap/');
  await expect(page.locator('.flow .ask:visible')).toHaveCount(1);
  await page.locator('#start a.goes').first().click();
  await page.locator('#claim a.goes').first().click();
  await page.locator('#claim-event a.goes', { hasText: 'persistentvolume-controller' }).click();
  await expect(page.locator('#found-class')).toBeVisible();
  await expect(page.locator('.flow .found:visible')).toHaveCount(1);
  await page.locator('#claim a.goes').nth(1).click();
  await expect(page.locator('#found-class')).toBeHidden();
  await expect(page.locator('#scheduling')).toBeVisible();
  await page.goto('/zh/lessons/finding-the-first-gap/#found-zone');
  await page.reload();
  await expect(page.locator('#found-zone')).toBeVisible();
});

test('on call with a phone: from the home page to the end for a container that crashes, each command to take along', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/en/');
  for (const name of ['Lessons', 'Talks', 'Workshops']) await expect(page.locator('.top nav').getByRole('link', { name })).toBeInViewport();
  await page.getByRole('link', { name: 'Find the first gap' }).click();
  await page.locator('#start a.goes', { hasText: 'CrashLoopBackOff' }).click();
  await page.locator('#crash .copy').click();
  await expect(page.locator('#crash [role="status"]')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^kubectl logs first --previous\n.*[^\n]$/);
  await page.locator('#crash a.goes', { hasText: 'Permission denied' }).click();
  await expect(page.locator('#found-crash-owner')).toBeFocused();
});

test('a word at the side leads to its place in the glossary', async ({ page }) => {
  await page.goto('/en/lessons/what-bound-proves/');
  await page.locator('.gloss a', { hasText: 'Bound' }).click();
  await expect(page.locator('#bound')).toBeInViewport();
});

test('a quotation leads to its line in the recording', async ({ page }) => {
  await page.goto('/en/lessons/bound-not-started/');
  await page.locator('.recorded figcaption a').first().click();
  await expect(page.locator('li:target')).toContainText('kubectl describe pod first');
});

test('without JavaScript a lesson still asks, answers and gives reasons, and the method shows all its questions', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/en/lessons/zones/`);
  await page.locator('.predict summary').click();
  await expect(page.locator('.predict .held')).toContainText('The pod gets no node');
  await page.locator('.check .answer').first().click();
  await expect(page.locator('.check .why').first()).toBeVisible();
  await expect(page.locator('nav.turn a[rel="next"]')).toContainText('Inside VolumeBinding');
  await page.goto(`${origin}/en/lessons/attach-and-multi-attach/`);
  await expect(page.locator('.diagram svg').first()).toBeVisible();
  await page.goto(`${origin}/en/lessons/finding-the-first-gap/`);
  await expect(page.locator('.flow .found').first()).toBeVisible();
  await context.close();
});

for (const lang of ['en', 'zh'] as const) {
  test(`no page of the course has an accessibility violation, and none is wider than a phone (${lang})`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const slug of LESSONS) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/${lang}/lessons/${slug}/`);
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), slug).toBeLessThanOrEqual(390);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${slug}: ${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
    }
  });
}

test('every page of the course loads at most 120 KB of JavaScript and 300 KB in all', async ({ page }) => {
  test.setTimeout(300_000);
  const weights: Promise<{ js: boolean; bytes: number }>[] = [];
  page.on('response', (response) => weights.push(response.body().then((body) => ({ js: /\.js$/.test(new URL(response.url()).pathname), bytes: gzipSync(body).length }))));
  for (const slug of LESSONS) {
    await page.goto('about:blank');
    weights.length = 0;
    await page.goto(`/en/lessons/${slug}/`, { waitUntil: 'networkidle' });
    const known = await Promise.all(weights);
    const sum = (list: typeof known): number => list.reduce((total, { bytes }) => total + bytes, 0) / 1024;
    expect(sum(known.filter(({ js }) => js)), slug).toBeLessThanOrEqual(120);
    expect(sum(known), slug).toBeLessThanOrEqual(300);
  }
});
