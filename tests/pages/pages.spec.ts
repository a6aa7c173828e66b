/** What holds for every page: both languages, both themes, phone and desk, with and without JavaScript. */
import AxeBuilder from '@axe-core/playwright';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, expect, openLab, ready, stepShown, test } from './site.ts';

const LANGS = ['en', 'zh'] as const;

/** Every page of a language by its address behind the language. */
function pagesOf(lang: string): string[] {
  return readdirSync(join(DIST, lang), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('index.html'))
    .map((file) => file.slice(0, -'index.html'.length))
    .sort();
}

const KINDS = ['', 'labs/', 'lessons/', 'labs/missing-secret/', 'labs/zone-mismatch-immediate/', 'labs/node-move/', 'ignored/', 'modelled/', 'lessons/what-bound-proves/', 'lessons/bound-not-started/'];

test('both languages have the same pages', () => {
  expect(pagesOf('zh')).toEqual(pagesOf('en'));
});

for (const lang of LANGS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no page of each kind has an accessibility violation (${lang}, ${colorScheme})`, async ({ page }) => {
      test.setTimeout(180_000);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const kind of KINDS) {
        await page.goto(`/${lang}/${kind}`);
        await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${kind}: ${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
      }
    });
  }

  test(`opened panels have no accessibility violation (${lang})`, async ({ page }) => {
    await openLab(page, `/${lang}/labs/missing-secret/`);
    await page.locator('.line button').nth(3).click();
    for (const panel of await page.locator('.panel > h2 button').all()) {
      await panel.click();
      const { violations } = await new AxeBuilder({ page }).include('.lab').analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
    }
  });

  test(`on a phone nothing is wider than the page, and the lab can be stepped with the bar at the bottom (${lang})`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const kind of KINDS) {
      await page.goto(`/${lang}/${kind}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, kind).toBeLessThanOrEqual(390);
    }
    await openLab(page, `/${lang}/labs/missing-secret/`);
    await expect(page.locator('.vline')).toBeVisible();
    await expect(page.locator('.line').first()).toBeHidden();
    const { step } = await stepShown(page);
    await page.locator('.dock button').last().click();
    await expect.poll(async () => (await stepShown(page)).step).toBe(step + 1);
    await page.locator('.vline button.row').first().click();
    await expect(page.locator('.vline .opened')).toBeVisible();
  });

  test(`the home page shows a fault button without scrolling, on a desk and on a phone (${lang})`, async ({ page }) => {
    for (const size of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      await page.goto(`/${lang}/`);
      await expect(page.locator('.acts .btn').first()).toBeInViewport({ ratio: 1 });
    }
  });

  test(`without JavaScript there are the text, the line at its key step and its events (${lang})`, async ({ browser, origin }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/${lang}/lessons/bound-not-started/`);
    await expect(page.locator('.say').first()).toContainText('missing');
    await expect(page.locator('.line').first()).toContainText('secret "missing" not found');
    await expect(page.locator('.events').first()).toContainText('FailedMount');
    await context.close();
  });
}

test('the other language opens at the same step of the same lab', async ({ page }) => {
  await openLab(page, '/en/labs/missing-secret/');
  await page.getByLabel('Moment of the run').fill('7');
  await expect.poll(() => page.url()).toContain('step=8');
  await page.getByRole('link', { name: '中文' }).click();
  await ready(page);
  expect(page.url()).toContain('/zh/labs/missing-secret/');
  expect((await stepShown(page)).step).toBe(8);
});

test('the choice of light or dark is kept from page to page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/en/labs/');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.goto('/zh/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the root leads to the reader’s language', async ({ browser, origin }) => {
  for (const [locale, lang] of [['zh-CN', 'zh'], ['en-GB', 'en'], ['fr-FR', 'en']] as const) {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.waitForURL(`${origin}/${lang}/`);
    await context.close();
  }
});

test('search finds a page in each language', async ({ page }) => {
  for (const [lang, label, word] of [['en', 'Search', 'Secret'], ['zh', '搜索', '申请']] as const) {
    await page.goto(`/${lang}/`);
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('searchbox', { name: label }).fill(word);
    await expect(page.locator('site-search li a').first()).toBeVisible();
    expect(await page.locator('site-search li a').first().getAttribute('href')).toContain(`/${lang}/`);
    await page.keyboard.press('Escape');
  }
});

test('who looks for a symptom finds the method or a lesson before what only names it', async ({ page }) => {
  for (const [lang, label, words] of [['en', 'Search', ['stuck', 'FailedMount', 'Multi-Attach', 'VolumeAttachment']], ['zh', '搜索', ['卡住', '挂载失败', '删不掉', 'ContainerCreating']]] as const) {
    await page.goto(`/${lang}/`);
    await page.getByRole('button', { name: label }).click();
    for (const word of words) {
      await page.getByRole('searchbox', { name: label }).fill(word);
      await expect(page.locator('site-search li a').first(), `${lang}: ${word}`).toHaveAttribute('href', new RegExp(`^/${lang}/lessons/.`));
    }
  }
});

for (const lang of LANGS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`an address without a page is answered in the language that it names, and leads back (${lang}, ${colorScheme})`, async ({ browser, origin }) => {
      const context = await browser.newContext({ colorScheme, serviceWorkers: 'block', reducedMotion: 'reduce', locale: 'fr-FR' });
      const page = await context.newPage();
      const answer = await page.goto(`${origin}/${lang}/nope/`);
      expect(answer?.status()).toBe(404);
      const [first, second] = lang === 'en' ? ['There is no page at this address', '这个地址没有页面'] : ['这个地址没有页面', 'There is no page at this address'];
      await expect(page.locator('h1')).toHaveCount(1);
      await expect(page.locator('h1 span')).toHaveText([first, second]);
      await expect(page.locator('html')).toHaveAttribute('lang', lang === 'en' ? 'en' : 'zh-CN');
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([]);
      await page.getByRole('button', { name: lang === 'en' ? 'Search' : '搜索' }).click();
      await page.getByRole('searchbox').fill('Secret');
      expect(await page.locator('site-search li a').first().getAttribute('href')).toContain(`/${lang}/`);
      await page.getByRole('button', { name: lang === 'en' ? 'Close' : '关闭' }).click();
      await page.locator('section').first().getByRole('link').first().click();
      await page.waitForURL(`${origin}/${lang}/`);
      await context.close();
    });
  }
}

test('an address without a page says so in both languages without JavaScript', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/somewhere/else/`);
  await expect(page.locator('h1')).toContainText('There is no page at this address');
  await expect(page.locator('h1')).toContainText('这个地址没有页面');
  for (const lang of LANGS) await expect(page.locator(`a[href="/${lang}/"]`)).toBeVisible();
  await context.close();
});

/** A browser that blocks all data of sites: their storage throws at its name, workers and locks are refused. */
function denyStorage(): void {
  const denied = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, { get: denied });
  for (const [on, name] of [[LockManager.prototype, 'request'], [LockManager.prototype, 'query'], [ServiceWorkerContainer.prototype, 'register'], [ServiceWorkerContainer.prototype, 'getRegistration']] as const)
    Object.defineProperty(on, name, { value: () => Promise.reject(new DOMException('Access is denied.', 'SecurityError')) });
}

test('where the browser keeps nothing, every kind of page lives, and says that progress cannot be kept', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript(denyStorage);
  const says = async (): Promise<void> => expect(page.locator('offline-state .state')).toContainText('This browser keeps nothing for this site');
  await openLab(page, '/en/lessons/what-bound-proves/');
  await says();
  await page.locator('.predict input').first().check();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await openLab(page, '/en/labs/missing-secret/?task=first-gap/run-it');
  await expect(page.locator('.task')).toHaveAttribute('data-ready', 'true');
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await expect(page.locator('.task-passed')).toContainText('Passed.');
  await says();
  await page.goto('/en/workshops/first-gap/');
  await says();
  await expect(page.locator('#_top ~ *, main')).toContainText(['This browser keeps nothing. Export your progress']);
  await page.goto('/en/talks/five-minutes/?view=stage');
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-ready', 'true');
  const [presenter] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('p')]);
  await presenter.locator('.presenter-main').waitFor();
  await presenter.keyboard.press('ArrowRight');
  await expect(page.locator('[data-talk]')).toHaveAttribute('data-shown', /^2 /);
  await presenter.close();
  await page.goto('/');
  await page.waitForURL(/\/en\/$/);
});

test('no link of the site leads to nothing', async ({ page, origin }) => {
  test.setTimeout(180_000);
  const seen = new Map<string, string>();
  for (const lang of LANGS) {
    for (const path of pagesOf(lang)) {
      const html = await (await page.request.get(`${origin}/${lang}/${path}`)).text();
      for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"#?]+)/g)) if (href.startsWith('/')) seen.set(href, `/${lang}/${path}`);
    }
  }
  const dead: string[] = [];
  for (const [href, from] of seen) if (!(await page.request.get(`${origin}${href}`)).ok()) dead.push(`${href}, on ${from}`);
  expect(dead).toEqual([]);
});
