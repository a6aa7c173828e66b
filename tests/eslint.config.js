import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', '.astro/**', 'node_modules/**', 'public/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/cli/**', 'tests/run.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // machines/ knows no DOM, no file system, no process, no wall clock, no chance but its own seed.
    files: ['machines/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'window', 'document', 'process', 'performance', 'setTimeout', 'setInterval', 'queueMicrotask', 'fetch', 'crypto'],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'chance comes from the seed (kernel/random.ts)' },
        { object: 'Date', property: 'now', message: 'time is virtual (kernel/clock.ts)' },
      ],
      'no-restricted-imports': ['error', { patterns: ['node:*', 'react', 'react/*', 'astro', 'astro:*', '../../src/*', '../src/*'] }],
    },
  },
);
