import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['tests/unit/**/*.test.{ts,tsx}', 'tests/conformance/**/*.test.ts', 'tests/properties/**/*.test.ts'],
    testTimeout: 120_000,
    // Two cores: more workers only take turns.
    maxWorkers: 2,
  },
});
