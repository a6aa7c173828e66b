import { defineConfig } from '@playwright/test';
import { findBrowser } from './pages/browser.ts';

/** The built site (`npm run build`) in a real browser: whichever Chromium is found on the machine, or the one npm brings. */
export default defineConfig({
  testDir: './pages',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  reporter: 'list',
  // Only the tests of the offline copy make one: it holds the whole site.
  use: { browserName: 'chromium', launchOptions: await findBrowser(), trace: 'off', serviceWorkers: 'block' },
});
