/**
 * `npm test`: every check of the project, one after the other, each in its own process. The last line is the plain sum
 * over all of them. A runner that ends without a count (it crashed) counts as one failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Count {
  readonly passed: number;
  readonly failed: number;
}
interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Reads the counts after the run; a check without it counts as one. */
  readonly count?: () => Count;
  readonly env?: Readonly<Record<string, string>>;
}

const root = new URL('..', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'after-bound-'));

const checks: readonly Check[] = [
  { name: 'types of the site, for the type check', command: ['astro', 'sync'] },
  { name: 'type check (strictest)', command: ['tsc', '-p', '.', '--noEmit'] },
  { name: 'linter', command: ['eslint', '--config', 'tests/eslint.config.js', '--max-warnings', '0', '.'] },
  {
    name: 'units, conformance, properties (vitest)',
    command: ['vitest', 'run', '--config', 'tests/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${join(scratch, 'vitest.json')}`],
    count: () => vitestCount(join(scratch, 'vitest.json')),
  },
  { name: 'build', command: ['astro', 'build'] },
  {
    name: 'pages in a browser (Playwright)',
    command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(scratch, 'playwright.json') },
    count: () => playwrightCount(join(scratch, 'playwright.json')),
  },
];

function vitestCount(file: string): Count {
  const result = JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number; numFailedTests: number; numFailedTestSuites: number };
  // A file that does not even load has no tests to fail.
  const unloaded = result.numFailedTests === 0 ? result.numFailedTestSuites : 0;
  return { passed: result.numPassedTests, failed: result.numFailedTests + unloaded };
}

function playwrightCount(file: string): Count {
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as { stats: { expected: number; unexpected: number; flaky: number } };
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
}

function run(check: Check): Count {
  console.log(`\n== ${check.name}`);
  const [command, ...args] = check.command;
  const { status } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...check.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const counted = counts(check);
  if (status === 0) return counted ?? { passed: 1, failed: 0 };
  return counted && counted.failed > 0 ? counted : { passed: counted?.passed ?? 0, failed: 1 };
}

function counts(check: Check): Count | undefined {
  try {
    return check.count?.();
  } catch {
    return undefined;
  }
}

const results = checks.map(run);
rmSync(scratch, { recursive: true, force: true });
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
if (failed > 0) console.log(`\nfailed: ${checks.filter((_, i) => (results[i]?.failed ?? 0) > 0).map((c) => c.name).join('; ')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
