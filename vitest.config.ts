import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Specs that need no server of ours, so that running a few of them does not wait for any. */
const PURE = ['src/**/*.spec.ts', 'test/engine/**/*.spec.ts'];

/** Files of one worker share their modules: importing the service anew for each file took half of the whole run. */
const running = {
  pool: 'forks',
  isolate: false,
  // Tests wait for events, however long a busy machine takes for them; these limits end only what hangs. Eight seconds of CPU took
  // five minutes at `nice -n 15` beside two busy loops.
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  expect: { poll: { timeout: 240_000, interval: 20 } },
} as const;

/** Specs whose promise takes whole processes: started, starved, stopped and killed, or compiled by Go. They take longer than all others together. */
const PROCESSES = ['test/processes/**/*.spec.ts'];

/** What is seen in a browser: test/browser/run.sh looks for one. */
const BROWSER = ['test/browser/**/*.spec.ts'];

/** What a Prometheus sees: test/observability/run.sh looks for one. */
const OBSERVABILITY = ['test/observability/**/*.spec.ts'];

/** What another program says of the same zones: test/checkdmarc/run.sh looks for it. */
const CHECKDMARC = ['test/checkdmarc/**/*.spec.ts'];

const GLOBAL_SETUP = ['test/support/global-setup.ts'];

export default defineConfig({
  test: {
    // Most files wait for servers, connections and clocks: with one worker a core, cores do nothing meanwhile.
    maxWorkers: 1 + availableParallelism(),
    reporters: ['default', './test/support/unfinished-reporter.ts'],
    projects: [
      { test: { ...running, name: 'pure', include: PURE } },
      {
        test: {
          ...running,
          name: 'served',
          include: ['test/**/*.spec.ts'],
          exclude: [...PURE, ...PROCESSES, ...BROWSER, ...OBSERVABILITY, ...CHECKDMARC],
          globalSetup: GLOBAL_SETUP,
        },
      },
      {
        test: { ...running, name: 'processes', include: PROCESSES, globalSetup: GLOBAL_SETUP },
      },
      { test: { ...running, name: 'checkdmarc', include: CHECKDMARC } },
      {
        test: {
          ...running,
          name: 'observability',
          include: OBSERVABILITY,
          globalSetup: GLOBAL_SETUP,
        },
      },
      { test: { ...running, name: 'browser', include: BROWSER, globalSetup: GLOBAL_SETUP } },
    ],
  },
});
