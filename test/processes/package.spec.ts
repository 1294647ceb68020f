import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.js';
import { startCommandWorld } from '../support/command-world.js';
import { startProcess } from '../support/process.js';
import type { SmtpScript } from '../support/scripted-smtp-server.js';

/* What `npm pack` makes, unpacked where a user would have it, with the packages that npm would install beside it and no others. */

const ONLY_JANE: SmtpScript = {
  onLine: (line) => (/^RCPT TO:<(?!jane@)/i.test(line) ? '550 5.1.1 User unknown' : undefined),
};

let folder: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailsonde-packed-'));
  const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src/client/tsconfig.json'], {
    encoding: 'utf8',
  });
  if (types.status !== 0) throw new Error(types.stdout);
  // Built already, by what starts the tests.
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const tarball = join(folder, packed.stdout.trim().split('\n').at(-1)!);
  installed = join(folder, 'node_modules/mailsonde');
  mkdirSync(installed, { recursive: true });
  spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of runtimePackages()) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(realpathSync(join('node_modules', name)), target);
  }
});

afterAll(() => {
  const postgres = join(folder, 'data/postgres');
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true });
  rmSync(folder, { recursive: true });
});

/** Those of the lock file at the top that are no development's, as far as they are there for this machine. */
function runtimePackages(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && existsSync(path))
    .map(([path]) => path.slice('node_modules/'.length));
}

const command = () => join(installed, 'dist/cli/mailsonde.js');

describe('the package', () => {
  // docs/adr/0045: who installs it would get one that our oldest Node cannot load.
  it('the package brings mailauth along, with the undici that we have', () => {
    const versionIn = (root: string): string =>
      (JSON.parse(readFileSync(join(root, 'node_modules/undici/package.json'), 'utf8')) as { version: string }).version;
    expect(existsSync(join(installed, 'node_modules/mailauth/lib/mailauth.js'))).toBe(true);
    expect(existsSync(join(installed, 'node_modules/mailauth/node_modules/undici'))).toBe(false);
    expect(versionIn(installed)).toBe(versionIn('.'));
  });

  it('the package holds what a user needs and neither tests, sources nor maps of them', () => {
    const { bin, exports: entries } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(existsSync(join(installed, bin.mailsonde))).toBe(true);
    expect(existsSync(join(installed, entries['./client'].types))).toBe(true);
    const { stdout } = spawnSync('find', [installed, '-type', 'f'], { encoding: 'utf8' });
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.slice(installed.length + 1));
    const own = files.filter((path) => !path.startsWith('node_modules/'));
    expect(own.filter((path) => /(^|\/)(test|bench)\/|\.spec\.|\.map$|^src\//.test(path))).toEqual([]);
    expect(readFileSync(command(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('the package verifies an address by its command, from its own folder alone', async () => {
    const { variables } = await startCommandWorld(ONLY_JANE);
    const result = await runCommand(command(), ['verify', '--json', 'jane@example.com'], variables);
    expect(result).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('mailbox_exists') });
  });

  it('the package serves, with pages, schema and lists of its own', async () => {
    const service = await startProcess({ DATA_DIR: join(folder, 'data') }, command(), ['serve']);
    try {
      const key = /ms_test_\w+/.exec(service.output())![0];
      const access = { MAILSONDE_SERVER: service.url, MAILSONDE_KEY: key };
      const sent = await runCommand(
        command(),
        ['batch', '-', '--wait', '--output', 'csv'],
        access,
        'jane@example.com\n',
      );
      expect(sent).toMatchObject({ exit: 0, stdout: expect.stringContaining('\r\njane@example.com,valid,') });
      const page = await fetch(service.url, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      expect((await fetch(`${service.url}/docs/guides/batches`)).status).toBe(200);
      expect((await fetch(`${service.url}/changelog`)).status).toBe(200);
    } finally {
      service.kill('SIGTERM');
      await service.ended;
    }
  });

  it('the package gives programs the typed client', () => {
    const program = `import { createClient, MailsondeError, verifyWebhook } from 'mailsonde/client';
      const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', maxAttempts: 1 });
      const error = await client.verify('a@example.com').catch((error) => error);
      console.log(error instanceof MailsondeError, error.code, typeof verifyWebhook);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['true unreachable function\n', '']);
    const typed = `import { createClient } from 'mailsonde/client';
      const client = createClient({ baseUrl: 'x', apiKey: 'y' });
      export const verdict: 'valid' | 'invalid' | 'risky' | 'unknown' = (await client.verify('a@example.com')).verdict;
      for await (const row of client.results(1)) row.email.trim();
      // @ts-expect-error there is no such route
      await client.api.GET('/api/v1/nonsense');\n`;
    const page = readFileSync('docs/clients.md', 'utf8');
    const example = page.split('<!-- example: typescript -->\n```ts\n')[1]!.split('\n```')[0]!;
    writeFileSync(join(folder, 'example.mts'), example);
    writeFileSync(join(folder, 'typed.mts'), typed);
    const settings = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
      '--types',
      'node',
      '--typeRoots',
      resolve('node_modules/@types'),
    ];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const checked = spawnSync(
      process.execPath,
      [compiler, ...settings, join(folder, 'typed.mts'), join(folder, 'example.mts')],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect([checked.status, checked.stdout]).toEqual([0, '']);
  });
});
