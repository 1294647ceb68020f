import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration as Project } from 'vitest/config';

type Tests = NonNullable<Project['test']>;

const ROOT = import.meta.dirname;

/** What build.mjs compiles: all but pages, types and specs. */
const COMPILED = /^src\/(?!console\/web\/).*(?<!\.spec|\.d)\.ts$/;

/**
 * Tests run what users run: where a spec imports a source, Node loads the file that build.mjs has made of it. Vitest would compile the
 * source once more, and wrap each name that it imports: two fifths of the CPU of a run of a few specs.
 */
const builtSources: Plugin = {
  name: 'built-sources',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.startsWith('.')) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    const file = relative(ROOT, resolved?.id ?? '');
    return COMPILED.test(file) ? join(ROOT, 'dist', file.replace(/ts$/, 'js')) : null;
  },
};

/** Specs that need no server of ours, so that running a few of them does not wait for any. */
const PURE = ['src/**/*.spec.ts', 'test/engine/**/*.spec.ts'];

/** Brings `dist/` up to date before the first test. */
const BUILD = 'test/support/build.ts';

/** Files of one worker share their modules: importing the service anew for each file took half of the whole run. */
const running: Tests = {
  pool: 'forks',
  isolate: false,
  // A start of the service makes more than a nursery of the usual size holds: to move what is dead a moment later was a tenth of its CPU.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
  globalSetup: [BUILD],
  server: { deps: { external: [/\/dist\/src\//] } },
  // Tests wait for events, however long a busy machine takes for them; these limits end only what hangs. Eight seconds of CPU took
  // five minutes at `nice -n 15` beside two busy loops.
  testTimeout: 1_800_000,
  hookTimeout: 1_800_000,
  expect: { poll: { timeout: 240_000, interval: 20 } },
};

/** Specs whose promise takes whole processes: started, starved, stopped and killed, or compiled by Go. They take longer than all others together. */
const PROCESSES = ['test/processes/**/*.spec.ts'];

/** What is seen in a browser: test/browser/run.sh looks for one. */
const BROWSER = ['test/browser/**/*.spec.ts'];

/** What a Prometheus sees: test/observability/run.sh looks for one. */
const OBSERVABILITY = ['test/observability/**/*.spec.ts'];

/** What another program says of the same zones: test/checkdmarc/run.sh looks for it. */
const CHECKDMARC = ['test/checkdmarc/**/*.spec.ts'];

const SERVERS = { globalSetup: [BUILD, 'test/support/global-setup.ts'] };

const project = (tests: Tests): Project => ({ plugins: [builtSources], test: { ...running, ...tests } });

export default defineConfig({
  test: {
    // Most files wait for servers, connections and clocks: with one worker a core, cores do nothing meanwhile.
    maxWorkers: 1 + availableParallelism(),
    reporters: ['default', './test/support/unfinished-reporter.ts'],
    projects: [
      project({ name: 'pure', include: PURE }),
      project({
        ...SERVERS,
        name: 'served',
        include: ['test/**/*.spec.ts'],
        exclude: [...PURE, ...PROCESSES, ...BROWSER, ...OBSERVABILITY, ...CHECKDMARC],
      }),
      project({ ...SERVERS, name: 'processes', include: PROCESSES }),
      project({ name: 'checkdmarc', include: CHECKDMARC }),
      project({ ...SERVERS, name: 'observability', include: OBSERVABILITY }),
      project({ ...SERVERS, name: 'browser', include: BROWSER }),
    ],
  },
});
