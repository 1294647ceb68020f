/*
 * Brings dist/ up to date before anything in it is run, and costs a tenth of a second when nothing has changed.
 *
 * What went into the last complete build and what came out of it stand in a stamp, as hashes of contents: a switch of branch or a
 * copied checkout carries any times. When they differ, all sources are compiled anew, each by itself; what takes longer than that, the pages,
 * is made only when it has changed. Types are not checked here: `npm run typecheck` and `npm run build` do (docs/adr/0036).
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const FOLDERS = ['src', 'migrations'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'build.mjs'];
/* What builds, and what the built code calls for its decorators. */
const PACKAGES = ['node_modules/rolldown', 'node_modules/@oxc-project/runtime'];
/* Commands that are over soon. Each becomes a file with all that it needs: to find and load a few hundred took most of its time. */
const COMMANDS = ['mailsonde', 'verify', 'doctor'];
const BUNDLES = 'dist/cli';
/* The pages: their sources, the client by which they ask the service, the data that they show, and what Vite makes of all that. */
const WEB = 'src/console/web';
const CLIENT = 'src/client';
/* Types alone, which config/client-types.mjs makes: they come to nothing here, and may be there or not. */
const CLIENT_TYPES = `${CLIENT}/documents/`;
const SHOWN = ['reasons', 'seed-providers', 'tls-results'].map((name) => `config/${name}.json`);
const PAGES = 'dist/console';
/* The guides: their sources, and what makes pages of them. */
const GUIDES = 'docs';
const GUIDE_WRITER = 'dist/src/console/write-guides.js';
/* Benchmarks and the worlds in which they run, compiled when they are asked for: node build.mjs bench. */
const BENCH_FOLDERS = ['bench', 'test'];
const BENCH_DATA = 'test/corpus';
const STAMP = 'dist/.stamp.json';
const LOCK = 'dist/.compiling';

/* As tsconfig.json says, which is of the checker. */
const OPTIONS = {
  lang: 'ts',
  sourceType: 'module',
  target: 'es2023',
  sourcemap: true,
  tsconfig: false,
  decorator: { legacy: true, emitDecoratorMetadata: true },
};
const RETRY_MS = 100;

try {
  requireNode();
  process.chdir(import.meta.dirname);
  if (!isFresh()) await build();
  if (process.argv[2] === 'bench') await compileBenchmarks();
} catch (error) {
  process.stderr.write(`The build failed: ${error.message}\n`);
  process.exitCode = 1;
}

/** An older Node stops in the middle of something, which tells nobody why; npm only warns. */
function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
  const oldest = engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = oldest.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new Error(`this is Node ${process.versions.node}, and ${oldest} is the oldest that will do.`);
}

async function build() {
  if (!PACKAGES.every((folder) => existsSync(folder)))
    throw new Error('packages are missing. Run "npm ci" first, without --omit=dev.');
  process.stderr.write('Compiling: a few seconds the first time, less when the pages have not changed.\n');
  mkdirSync('dist', { recursive: true });
  takeLock();
  try {
    if (!isFresh()) await buildAlone(); // Another process may have done it meanwhile.
  } finally {
    releaseLock();
  }
}

async function buildAlone() {
  const inputs = hashOf(inputFiles());
  const last = readStamp();
  rmSync(STAMP, { force: true });
  removeOrphans();
  await compile(sourceFiles(FOLDERS));
  await bundleCommands();
  const web = hashOf(webFiles());
  const pages = () => hashOf(filesIn(PAGES, ''));
  if (last?.web !== web || last.pages !== pages()) await buildPages();
  if (existsSync(GUIDE_WRITER)) await writeGuides();
  writeFileSync(STAMP, JSON.stringify({ inputs, outputs: hashOf(outputFiles()), web, pages: pages() }));
}

/** Takes the types out of each source, by the compiler that Vitest uses too: what decorators see of types is the same in tests. */
async function compile(files) {
  const { transformSync } = await import('rolldown/utils');
  const refusals = [];
  for (const file of files) {
    const output = join('dist', file.replace(/ts$/, 'js'));
    const source = relative(dirname(output), file);
    const { code, map, errors } = transformSync(source, readFileSync(file, 'utf8'), OPTIONS);
    if (errors.length > 0) {
      refusals.push(...errors.map(({ message }) => stripVTControlCharacters(message)));
      continue;
    }
    replaceFile(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
    replaceFile(`${output}.map`, JSON.stringify(map));
  }
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
}

async function compileBenchmarks() {
  await compile(sourceFiles(BENCH_FOLDERS));
  for (const data of filesIn(BENCH_DATA, '.json')) replaceFile(join('dist', data), readFileSync(data));
}

/** In one piece: another process may be loading the file. */
function replaceFile(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, content);
  renameSync(beside, file);
}

async function buildPages() {
  // Whoever starts the build, such as a test: else the pages would be those of development, a fifth larger.
  // oxlint-disable-next-line node/no-process-env -- where Vite looks
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // The first build empties the folder of both.
  for (const root of [WEB, `${WEB}/mcp-app`])
    await build({ configFile: `${root}/vite.config.ts`, root, logLevel: 'warn' });
}

async function writeGuides() {
  const { writeGuides } = await import(pathToFileURL(GUIDE_WRITER).href);
  writeGuides(GUIDES, PAGES);
}

async function bundleCommands() {
  const { build } = await import('rolldown');
  await build({
    input: Object.fromEntries(COMMANDS.map((name) => [name, `dist/src/cli/${name}.js`])),
    platform: 'node',
    // ES modules first, of which only what is used gets in.
    resolve: { mainFields: ['module', 'main'] },
    // The list of public suffixes is one text of which many places take a part.
    optimization: { inlineConst: false },
    output: { dir: BUNDLES, cleanDir: true },
    logLevel: 'warn',
  });
}

function isFresh() {
  const stamp = readStamp();
  return stamp !== null && stamp.inputs === hashOf(inputFiles()) && stamp.outputs === hashOf(outputFiles());
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return null;
  }
}

/** What was built from a file that exists no more: a migration that was renamed would run twice. */
function removeOrphans() {
  for (const file of compiledFiles()) {
    if (existsSync(file.replace(/^dist./, '').replace(/js$/, 'ts'))) continue;
    rmSync(file);
    rmSync(`${file}.map`, { force: true });
  }
}

function inputFiles() {
  return [
    ...SETTINGS.filter((file) => existsSync(file)),
    ...sourceFiles(FOLDERS),
    ...webFiles(),
    ...filesIn(GUIDES, '.md'),
  ];
}

function sourceFiles(folders) {
  const files = folders.flatMap((folder) => filesIn(folder, '.ts'));
  return files.filter(
    (file) => !/\.(spec|d)\.ts$/.test(file) && !file.startsWith(WEB) && !file.startsWith(CLIENT_TYPES),
  );
}

function webFiles() {
  const files = [
    'package-lock.json',
    'build.mjs',
    ...SHOWN,
    ...filesIn(WEB, ''),
    ...filesIn(CLIENT, '.ts'),
    ...filesIn('src/lib', '.ts'),
  ];
  return files.filter((file) => existsSync(file) && !file.startsWith(CLIENT_TYPES));
}

function outputFiles() {
  return [...compiledFiles(), ...filesIn(BUNDLES, '.js'), ...filesIn(PAGES, '')];
}

function compiledFiles() {
  return FOLDERS.flatMap((folder) => filesIn(join('dist', folder), '.js'));
}

function filesIn(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path, ending);
      return path.endsWith(ending) ? [path] : [];
    })
    .sort((one, other) => (one < other ? -1 : 1));
}

/** Of names and contents. */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Two terminals may start something at once; the second waits for the first, or takes the place of one that was killed. The lock is a link to the
 * number of its owner, which is made in one piece: a file without its number yet would be waited for by everybody after its owner was killed.
 */
function takeLock() {
  for (;;) {
    try {
      return symlinkSync(String(process.pid), LOCK);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isBuilding(lockOwner())) releaseLock();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
  }
}

function releaseLock() {
  try {
    unlinkSync(LOCK);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // Somebody else who waited was quicker.
  }
}

/** 0 where it has just gone. */
function lockOwner() {
  try {
    return Number(readlinkSync(LOCK));
  } catch {
    return 0;
  }
}

/** Another program may have the number of a build that was killed, such as this one in a container that was started again. */
function isBuilding(pid) {
  if (pid === 0 || pid === process.pid || !isRunning(pid)) return false;
  const command = commandOf(pid);
  return command === null || command.includes('build.mjs');
}

/** null where no /proc tells it, or its process has just ended. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return null;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
