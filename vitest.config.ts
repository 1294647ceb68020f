import { defineConfig } from 'vitest/config';

/** Specs that need no server of ours, so that running a few of them does not wait for any. */
const PURE = ['src/**/*.spec.ts', 'test/engine/**/*.spec.ts'];

const timing = { pool: 'forks', testTimeout: 20_000, hookTimeout: 60_000 } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...timing, name: 'pure', include: PURE } },
      {
        test: {
          ...timing,
          name: 'served',
          include: ['test/**/*.spec.ts'],
          exclude: PURE,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
