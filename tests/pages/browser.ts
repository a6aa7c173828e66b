/** Finds a Chromium for the tests: an installed one, else Playwright's own, else the one that @sparticuz/chromium ships. */
import { chromium, type LaunchOptions } from '@playwright/test';
import sparticuz, { inflate } from '@sparticuz/chromium';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createRequire } from 'node:module';

/** Tests reach no host but their own, and neither does the browser by itself. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export async function findBrowser(): Promise<LaunchOptions> {
  const installed = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync);
  if (installed !== undefined) return { executablePath: installed, args: FLAGS };
  if (existsSync(chromium.executablePath())) return { args: FLAGS };
  const brought = await sparticuz.executablePath();
  return { executablePath: brought, args: FLAGS, env: await surroundingsOf(brought) };
}

/** A bare machine lacks some libraries and all fonts; the package brings both. */
async function surroundingsOf(browser: string): Promise<Record<string, string>> {
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const bin = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../bin');
  if (spawnSync('ldd', [browser], { encoding: 'utf8' }).stdout.includes('not found')) {
    env['LD_LIBRARY_PATH'] = join(await inflate(join(bin, 'al2023.tar.br')), 'lib');
  }
  if (!existsSync('/etc/fonts')) env['FONTCONFIG_PATH'] = await inflate(join(bin, 'fonts.tar.br'));
  return env;
}
