import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A project of two sources, three commands, a migration and two pages, built as this one is. */
let root: string;

/* Without the libraries of the language, which take the compiler seconds to read. */
const SETTINGS = { module: 'nodenext', rootDir: '.', outDir: 'dist', strict: true, noLib: true, types: [] };
const LANGUAGE = 'Array<T> Boolean CallableFunction Function IArguments NewableFunction Number Object RegExp String'
  .split(' ')
  .map((name) => `interface ${name} {}\n`)
  .join('');

const PAGE = 'src/console/web/door.html';
const CARD = 'src/console/web/mcp-app/card.html';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mailsonde-build-'));
  mkdirSync(join(root, 'config'), { recursive: true });
  for (const file of ['build.mjs', 'config/client-types.mjs', 'package.json', 'tsconfig.build.json'])
    copyFileSync(file, join(root, file));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  for (const folder of ['src/cli', 'src/client', 'src/console/web/mcp-app', 'migrations'])
    mkdirSync(join(root, folder), { recursive: true });
  write('tsconfig.json', JSON.stringify({ compilerOptions: SETTINGS }));
  write('src/language.d.ts', `${LANGUAGE}declare const console: { log(text: string): void };\n`);
  write('src/word.ts', `export const word: string = 'old';\n`);
  write('src/main.ts', `import { word } from './word.js';\nconsole.log(word);\n`);
  for (const command of ['mailsonde', 'verify', 'doctor'])
    write(`src/cli/${command}.ts`, `import { word } from '../word.js';\nconsole.log(word);\n`);
  write('migrations/1-first.ts', 'export class First {}\n');
  for (const page of [PAGE, CARD]) {
    const pages = {
      outDir: join(root, 'dist/console'),
      emptyOutDir: page === PAGE,
      rolldownOptions: { input: join(root, page) },
    };
    write(join(dirname(page), 'vite.config.ts'), `export default ${JSON.stringify({ build: pages })};\n`);
    write(page, '<title>old</title>');
  }
});

afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const isBuilt = (path: string) => existsSync(join(root, 'dist', path));
const says = (file = 'src/main.js') =>
  spawnSync(process.execPath, [join(root, 'dist', file)], { encoding: 'utf8' }).stdout.trim();

/** From another working directory, as a service manager does. */
function build(options: readonly string[] = []) {
  const args = [...options, join(root, 'build.mjs')];
  // A test's own limit cannot end a build that never ends: nothing else runs meanwhile.
  const done = spawnSync(process.execPath, args, { cwd: tmpdir(), encoding: 'utf8', timeout: 1_800_000 });
  return { exit: done.status, compiled: done.stderr.startsWith('Compiling: '), output: done.stdout + done.stderr };
}

describe('the build', () => {
  it('the build says that it compiles, and is silent and quick when nothing has changed', () => {
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('old');
    expect(build()).toEqual({ exit: 0, compiled: false, output: '' });
  });

  it('the build compiles the files of a switch of branch, whatever times its files carry', () => {
    build();
    write('src/word.ts', `export const word: string = 'new';\n`);
    utimesSync(join(root, 'src/word.ts'), 1, 1);
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('new');
  });

  it('the build puts all that a short command needs beside it, as it is now', () => {
    build();
    write('src/word.ts', `export const word: string = 'new';\n`);
    build();
    rmSync(join(root, 'dist/src'), { recursive: true });
    for (const command of ['mailsonde', 'verify', 'doctor']) expect(says(`cli/${command}.js`)).toBe('new');
  });

  it('the build leaves nothing of a source that is gone: a migration that was renamed would run twice', () => {
    build();
    rmSync(join(root, 'migrations/1-first.ts'));
    write('migrations/2-first.ts', 'export class First {}\n');
    build();
    expect([isBuilt('migrations/1-first.js'), isBuilt('migrations/1-first.js.map')]).toEqual([false, false]);
    expect(isBuilt('migrations/2-first.js')).toBe(true);
  });

  it('the build is right after one that was killed between its outputs and its notes, and a way back to the old sources', () => {
    build();
    write('dist/src/word.js', `export const word = 'half a build';\n`);
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('old');
  });

  it('the build makes the pages anew when one of them or the client that they use changes, and only then', () => {
    build();
    const page = join(root, 'dist/console/door.html');
    utimesSync(page, 1, 1);
    write('src/word.ts', `export const word: string = 'new';\n`);
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(statSync(page).mtimeMs).toBe(1_000);
    write(PAGE, '<title>new</title>');
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(readFileSync(page, 'utf8')).toContain('new');
    utimesSync(page, 1, 1);
    write('src/client/client.ts', 'export const attempts = 2;\n');
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(statSync(page).mtimeMs).toBeGreaterThan(1_000);
  });

  it('the build makes an output that somebody has deleted', () => {
    build();
    rmSync(join(root, 'dist/src/word.js'));
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('old');
  });

  it('the build goes on after one that was killed while it compiled', async () => {
    const killed = spawn(process.execPath, [join(root, 'build.mjs')], { detached: true });
    await once(killed.stderr, 'data');
    process.kill(-killed.pid!, 'SIGKILL');
    await once(killed, 'exit');
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('old');
  });

  it.each([
    ['before it had said who it is', (lock: string) => writeFileSync(lock, '')],
    ['and whose number another program has now', (lock: string) => symlinkSync(String(process.pid), lock)],
    ['and whose number nobody has', (lock: string) => symlinkSync('4194305', lock)],
  ])('the build takes the place of one that was killed %s', (_, leave) => {
    mkdirSync(join(root, 'dist'));
    leave(join(root, 'dist/.compiling'));
    expect(build()).toMatchObject({ exit: 0, compiled: true });
    expect(says()).toBe('old');
  });

  it('the build is done once when two terminals ask for it at the same moment, and both find it done', async () => {
    const both = [1, 2].map(() => spawn(process.execPath, [join(root, 'build.mjs')]));
    expect(await Promise.all(both.map((one) => once(one, 'exit')))).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(build()).toEqual({ exit: 0, compiled: false, output: '' });
    expect(isBuilt('.compiling')).toBe(false);
  });

  it('the build refuses what is no TypeScript, each time until it is mended', () => {
    write('src/word.ts', 'export const word: string = ;\n');
    for (let time = 0; time < 2; time++)
      expect(build()).toMatchObject({
        exit: 1,
        output: expect.stringMatching(/Unexpected token[^]*src\/word\.ts:1:29/),
      });
    write('src/word.ts', `export const word: string = 'mended';\n`);
    expect(build().exit).toBe(0);
    expect(says()).toBe('mended');
  });

  it('the build refuses a type error when it is asked for by name, each time until it is mended, and a start goes on with it', () => {
    const checked = () => {
      const { status, stdout } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, encoding: 'utf8' });
      return { exit: status, output: stdout };
    };
    write('src/word.ts', 'export const word: string = 1;\n');
    for (let time = 0; time < 2; time++) {
      const { exit, output } = checked();
      expect([exit, output]).toEqual([expect.any(Number), expect.stringContaining('src/word.ts(1,14): error TS2322')]);
      expect(exit).toBeGreaterThan(0);
      expect([isBuilt('src/word.js'), build().exit, says()]).toEqual([time > 0, 0, '1']);
    }
    write('src/word.ts', `export const word: string = 'mended';\n`);
    expect(checked().exit).toBe(0);
    expect(says()).toBe('mended');
  });

  it('the build gives decorators the types of what they stand at', () => {
    write(
      'src/main.ts',
      `import { word } from './word.js';
       import type { Told } from './language.js';
       (Reflect as any).metadata = (key: string, types: any) => () => console.log(key + ' ' + [types].flat().map((type: any) => type.name));
       const seen = (...of: any[]): any => undefined;
       class Part {}
       @seen class Whole { @seen name: string = word; constructor(@seen part: Part, told: Told, many: number[]) {} }\n`,
    );
    expect(build().exit).toBe(0);
    expect(says().split('\n')).toEqual(['design:type String', 'design:paramtypes Part,Object,Array']);
  });

  it.each([
    ['18.20.8', 1],
    ['20.18.3', 1],
    ['20.19.0', 0],
    ['21.0.0', 0],
    ['24.1.0', 0],
  ])('the build on Node %s ends with %i, and says which version is needed where that is too old', (version, exit) => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
    const done = build(['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
    expect(done.exit).toBe(exit);
    const refusal = `The build failed: this is Node ${version}, and 20.19 is the oldest that will do.\n`;
    if (exit === 1) expect(done.output).toBe(refusal);
    expect(isBuilt('.stamp.json')).toBe(exit === 0);
  });

  it('the build says what to do where npm ci has not been run', () => {
    rmSync(join(root, 'node_modules'));
    expect(build()).toMatchObject({ exit: 1, output: expect.stringMatching(/^The build failed: .*"npm ci".*\n$/) });
  });

  it('the build runs before everything that users start, and takes nothing from their arguments', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const program =
      /^node build\.mjs && (NODE_COMPILE_CACHE=\$PWD\/dist\/\.code )?exec node dist\/(src\/)?(cli\/)?[a-z-]+\.js$/;
    for (const name of ['start', 'verify', 'doctor', 'admin', 'migrate']) expect(scripts[name], name).toMatch(program);
  });
});
