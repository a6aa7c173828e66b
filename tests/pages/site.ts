/** The built site behind a server of its own, and a page that reports whatever a reader must never meet. */
import { expect, test as base, type Page } from '@playwright/test';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** Where the built site lies: `dist/`, or the folder that DIST names. */
export const DIST = process.env['DIST'] ?? join(import.meta.dirname, '../../dist');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.wasm': 'application/wasm',
};

/** A plain file host: a folder answers with its index.html, anything missing with 404.html. Everything stands under `base`; outside it there is nothing at all. */
export function serve(folder: string, base = '/'): Server {
  return createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname));
    if (!path.startsWith(base)) {
      response.writeHead(404).end();
      return;
    }
    let file = join(folder, path.slice(base.length));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    const found = existsSync(file);
    if (!found) file = join(folder, '404.html');
    response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
}

interface Complaints {
  /** Requests to another host, console errors and warnings, errors nobody caught. Must stay empty. */
  readonly complaints: string[];
}

export const test = base.extend<Complaints & { complain: undefined }, { origin: string }>({
  origin: [
    // Playwright wants the first argument destructured, also where nothing is taken from it.
    async ({}, use) => {
      if (!existsSync(join(DIST, 'index.html'))) throw new Error('there is no built site in dist/: run `npm run build` first');
      const server = serve(DIST);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ origin }, use) => use(origin),
  complaints: async ({ page, origin }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The tests forbid the offline copy themselves (playwright.config.ts).
      if (message.text().startsWith('Service Worker registration blocked')) return;
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`not caught: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url())) complaints.push(`request to another host: ${request.url()}`);
    });
    await use(complaints);
  },
  complain: [
    async ({ complaints }, use) => {
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens a lab's page and waits until it answers to its reader. */
export async function openLab(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
}

/** Waits until the lab shows the run that its state asks for. */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
  await expect(page.locator('.lab').first()).toHaveAttribute('data-ready', 'true');
}

/** The step shown, from 1, and how many there are. */
export async function stepShown(page: Page): Promise<{ step: number; of: number }> {
  const text = (await page.locator('.dock p').first().textContent()) ?? '';
  const numbers = [...text.replace(/^[\d.]+/, '').matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return { step: numbers[0] ?? 0, of: numbers[1] ?? 0 };
}
export { expect };
