import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtFile } from '../support/built.js';
import { runCommand } from '../support/command.js';
import { startOwner } from '../support/embedded-owner.js';
import { freePort } from '../support/process.js';

// A first start writes and syncs 40 MB: five seconds when the machine is busy.

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
/** Another user must be able to enter the folders above this one, which not every clone of root's allows. */
const canBeNobody = isRoot && spawnSync('test', ['-r', join(process.cwd(), 'package.json')], NOBODY).status === 0;

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'mailsonde-data-'));
  chmodSync(parent, 0o755);
});

afterEach(() => {
  const home = join(parent, 'data/postgres');
  if (existsSync(home)) rmSync(realpathSync(home), { recursive: true });
  rmSync(parent, { recursive: true });
});

/** Of the service, or of `npm run migrate`, which says the same and is quicker to start. */
async function refusal(dataDir: string, file = 'src/cli/migrate.js'): Promise<string> {
  const variables = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  const { exit, stdout, stderr } = await runCommand(file, [], variables);
  expect([exit, stdout], stderr).toEqual([78, '']);
  expect(stderr).toMatch(/^DATA_DIR is "[^"]*": allowed is a directory[^\n]*\.\n$/);
  return stderr;
}

/** A directory with data, as a start and a stop leave it. */
async function usedDirectory(): Promise<string> {
  const dataDir = join(parent, 'data');
  await (await startOwner(dataDir)).end();
  return dataDir;
}

describe('a DATA_DIR that cannot hold the data is refused in one line that names it', () => {
  it('a DATA_DIR that cannot hold the data is refused in one line that names it where it is a file', async () => {
    writeFileSync(join(parent, 'file'), '');
    expect(await refusal(join(parent, 'file'))).toContain(`${join(parent, 'file')} is a file`);
  });

  it('a DATA_DIR that cannot hold the data is refused in one line that names it where it is below a file', async () => {
    writeFileSync(join(parent, 'file'), '');
    expect(await refusal(join(parent, 'file/below'))).toContain('is a file');
  });

  it('a DATA_DIR that cannot hold the data is refused in one line that names it where it is below /proc and cannot be made', async () => {
    for (const file of ['src/main.js', 'src/cli/migrate.js'])
      expect(await refusal('/proc/mailsonde', file)).toContain('ENOENT');
  });

  it('a DATA_DIR that cannot hold the data is refused in one line that names it where it is there and nothing can be made in it, not even by root', async () => {
    expect(await refusal('/proc/self')).toMatch(/\(E[A-Z]+ at \/proc/);
  });

  it.runIf(canBeNobody)(
    'a DATA_DIR that cannot hold the data is refused in one line that names it where it is another user’s, with the advice what to do',
    () => {
      const dataDir = join(parent, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      const service = spawnSync(process.execPath, [builtFile('src/cli/migrate.js')], {
        ...NOBODY,
        cwd: tmpdir(),
        env: { DATA_DIR: dataDir },
        encoding: 'utf8',
      });
      expect(service.stderr).toContain(`${dataDir} belongs to user 0. Run "sudo chown -R 65534 ${dataDir}"`);
      expect(service.status).toBe(78);
    },
  );
});

describe('a DATA_DIR that was copied', () => {
  it.runIf(isRoot)(
    'a DATA_DIR that was copied by root, with all its files root’s, is refused with the command that puts it right',
    async () => {
      const dataDir = await usedDirectory();
      const data = realpathSync(join(dataDir, 'postgres/data'));
      const { uid, gid } = statSync(data);
      spawnSync('chown', ['-R', `${userInfo().uid}`, realpathSync(join(dataDir, 'postgres'))]);
      const line = await refusal(dataDir);
      const [, command] = /Run "([^"]+)"/.exec(line)!;
      expect(command).toBe(`chown -R ${uid}:${gid} ${realpathSync(join(dataDir, 'postgres'))}`);
      spawnSync('sh', ['-c', command!]);
      await (await startOwner(dataDir)).end();
    },
  );

  it('a DATA_DIR that was copied with another mode is refused by service and command with the command that puts it right', async () => {
    const dataDir = await usedDirectory();
    const data = realpathSync(join(dataDir, 'postgres/data'));
    for (const [mode, file] of [
      [0o755, 'src/main.js'],
      [0o770, 'src/cli/migrate.js'],
      [0o500, 'src/cli/migrate.js'],
    ] as const) {
      chmodSync(data, mode);
      const line = await refusal(dataDir, file);
      expect(line).toContain(`(mode 0${mode.toString(8)}). Run "chmod 700 ${data}"`);
    }
    const [, command] = /Run "([^"]+)"/.exec(await refusal(dataDir))!;
    spawnSync('sh', ['-c', command!]);
    await (await startOwner(dataDir)).end();
    // PostgreSQL takes a group that reads, for copies of the files.
    chmodSync(data, 0o750);
    await (await startOwner(dataDir)).end();
  });

  it.runIf(canBeNobody)('a DATA_DIR that was copied is refused where a single file in it cannot be read', async () => {
    const dataDir = await usedDirectory();
    writeFileSync(join(dataDir, 'secrets.key'), '', { mode: 0o600 });
    chownSync(dataDir, NOBODY.uid, NOBODY.gid);
    spawnSync('chown', ['-R', '65534:65534', realpathSync(join(dataDir, 'postgres')), join(dataDir, 'redis')]);
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()) };
    const options = { ...NOBODY, cwd: tmpdir(), env, encoding: 'utf8' } as const;
    const service = spawnSync(process.execPath, [builtFile('src/main.js')], options);
    expect(service.stderr).toContain(`${join(dataDir, 'secrets.key')} belongs to user 0. Run "sudo chown`);
    expect(service.status).toBe(78);
  });

  it('a DATA_DIR that was copied leaves no try behind where it is well', async () => {
    const dataDir = await usedDirectory();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'redis']);
  });
});
