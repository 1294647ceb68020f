import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtFile } from '../support/built.js';
import { runCommand } from '../support/command.js';
import { NO_DNS_SERVER } from '../support/dns-server.js';
import { freePort, startProcess } from '../support/process.js';

// A first start writes and syncs 40 MB: five seconds when the machine is busy.

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailsonde-start-'));
  chmodSync(folder, 0o755); // So that as root the server's user gets to its data.
});

afterEach(() => {
  const home = join(folder, 'postgres');
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
  rmSync(folder, { recursive: true });
});

describe.each([
  ['npm start', 'src/main.js'],
  ['npm run migrate', 'src/cli/migrate.js'],
])('%s', (name, file) => {
  it('a command prints help when it is asked to, and does nothing else', async () => {
    const { exit, stdout, stderr } = await runCommand(file, ['--help'], { DATA_DIR: folder, DATABASE_URL: 'wrong' });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: ${name}`);
    expect(stdout).toContain('.env.example');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([['--port=80'], ['80']])('a command refuses %s in one line, and does nothing', async (argument) => {
    const { exit, stdout, stderr } = await runCommand(file, [argument], { DATA_DIR: folder });
    expect([exit, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(/^error: [^\n]+ Nothing was done: "npm [a-z ]+ -- --help" says what there is\.\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the first start', () => {
  const isMentioned = (lines: readonly string[], words: string) => lines.filter((line) => line.includes(words)).length;

  function expectCalm(output: string): void {
    const lines = output.trimEnd().split('\n');
    expect(isMentioned(lines, 'Database made ready')).toBe(1);
    expect(isMentioned(lines, 'Migration')).toBe(0);
    // Five lines before the banner: two servers, the database, the receiver of mail, who calls.
    expect(lines.findIndex((line) => line.startsWith('Mailsonde listens on '))).toBeLessThanOrEqual(6);
    expect(lines.at(-1)).toMatch(/^ {2}Data /);
    expect(isMentioned(lines, 'ms_test_')).toBe(2);
  }

  it('the first start names the database in one line, and the banner with the keys is the last that it says', async () => {
    const service = await startProcess({ DATA_DIR: folder });
    expectCalm(service.output());
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it.runIf(spawnSync('script', ['--version']).status === 0)(
    'the first start shows a person on a terminal short lines without JSON, of requests too',
    async () => {
      const port = await freePort();
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, DATA_DIR: folder, PORT: String(port), DNS_SERVERS: NO_DNS_SERVER };
      const command = `exec '${process.execPath}' '${builtFile('src/main.js')}'`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: tmpdir(), env });
      let written = '';
      terminal.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()));
      const text = () => stripVTControlCharacters(written).replaceAll('\r', '');
      const ended = once(terminal, 'close');
      while (!/^ {2}Data /m.test(text())) await Promise.race([once(terminal.stdout, 'data'), ended]);
      expectCalm(text());
      const before = text().length;
      await fetch(`http://127.0.0.1:${port}/agent-gateway/register`, { method: 'POST' });
      while (!text().slice(before).includes('register')) await once(terminal.stdout, 'data');
      expect(text().slice(before)).toMatch(/^\s*\d\d:\d\d:\d\d POST \/agent-gateway\/register 201 \(\d+ ms\)\n$/);
      terminal.stdin.write('\u0003'); // Ctrl-C.
      expect(await ended).toEqual([0, null]);
      expect(text()).not.toContain('"level"');
    },
  );
});
