/*
 * Brings dist/ up to date before anything in it is run, and costs a tenth of a second when nothing has changed.
 *
 * What went into the last complete build and what came out of it stand in a stamp, as hashes of contents: a switch of branch or a
 * copied checkout carries any times. The compiler writes anew only what changed since its own notes, so the notes are
 * believed only while the stamp says that dist/ is as that build left it; after a kill, they are thrown away.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDERS = ['src', 'migrations'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'build.mjs'];
const COMPILER = 'node_modules/typescript/bin/tsc';
/* Commands that are over soon. Each becomes a file with all that it needs: to find and load a few hundred took most of its time. */
const COMMANDS = ['mailsonde', 'verify', 'doctor'];
const BUNDLES = 'dist/cli';
/* The pages: their sources, and what Vite makes of them. */
const WEB = 'src/console/web';
const PAGES = 'dist/console';
/* The guides: their sources, and what makes pages of them. */
const GUIDES = 'docs';
const GUIDE_WRITER = 'dist/src/console/guides/write-guides.js';
const STAMP = 'dist/.stamp.json';
const COMPILER_NOTES = 'dist/.tsbuildinfo';
const LOCK = 'dist/.compiling';

/* The exit code of the compiler when it has written everything in spite of type errors. */
const TYPE_ERRORS = 2;
const LOOK_AGAIN_MS = 100;

process.chdir(import.meta.dirname);
try {
  process.exitCode = isFresh() ? 0 : await compile();
} catch (error) {
  process.stderr.write(`The build failed: ${error.message}\n`);
  process.exitCode = 1;
}

async function compile() {
  if (!existsSync(COMPILER)) throw new Error('there is no compiler here. Run "npm ci" first, without --omit=dev.');
  process.stderr.write('Compiling: about 10 seconds the first time, less when little has changed.\n');
  mkdirSync('dist', { recursive: true });
  takeLock();
  try {
    return isFresh() ? 0 : await compileAlone(); // Another process may have done it meanwhile.
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function compileAlone() {
  const inputs = hashOf(inputFiles());
  const last = readStamp();
  if (last?.outputs !== hashOf(outputFiles())) rmSync(COMPILER_NOTES, { force: true });
  rmSync(STAMP, { force: true });
  removeOrphans();
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0 && status !== TYPE_ERRORS) return status ?? 1;
  await bundleCommands();
  const web = hashOf(webFiles());
  const pages = () => hashOf(filesIn(PAGES, ''));
  if (last?.web !== web || last.pages !== pages()) await buildPages();
  if (existsSync(GUIDE_WRITER)) await writeGuides();
  // Type errors are told again each time, although the compiler has nothing to do.
  const stamp = { inputs: status === 0 ? inputs : null, outputs: hashOf(outputFiles()), web, pages: pages() };
  writeFileSync(STAMP, JSON.stringify(stamp));
  return status;
}

async function buildPages() {
  const { build } = await import('vite');
  await build({ configFile: `${WEB}/vite.config.ts`, root: WEB, logLevel: 'warn' });
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
  const sources = FOLDERS.flatMap((folder) => filesIn(folder, '.ts')).filter((file) => !file.endsWith('.spec.ts'));
  return [
    ...SETTINGS.filter((file) => existsSync(file)),
    ...new Set([...sources, ...filesIn(WEB, '')]),
    ...filesIn(GUIDES, '.md'),
  ];
}

function webFiles() {
  return ['package-lock.json', 'build.mjs', ...filesIn(WEB, '')].filter((file) => existsSync(file));
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

/** Two terminals may start something at once; the second waits for the first, or takes the place of one that was killed. */
function takeLock() {
  for (;;) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isRunning(lockOwner())) rmSync(LOCK, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
}

/** 0 where the owner is about to write its number, or has just gone. */
function lockOwner() {
  try {
    return Number(readFileSync(LOCK, 'utf8'));
  } catch {
    return 0;
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
