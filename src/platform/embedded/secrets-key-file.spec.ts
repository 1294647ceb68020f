import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadEnv } from '../config/env.js';
import { findSecretsKey, readSecretsKey } from './secrets-key-file.js';

it('the key of an embedded database is made once, for its owner alone, also by processes that start together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const keys = await Promise.all(Array.from({ length: 5 }, () => readSecretsKey(dataDir)));
  expect(new Set([...keys, await readSecretsKey(dataDir)]).size).toBe(1);
  expect(loadEnv({ SECRETS_KEY: keys[0]! }).secretsKey).toBe(keys[0]);
  expect(readdirSync(dataDir)).toEqual(['secrets.key']);
  expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
});

it('looking for the key makes none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsonde-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await findSecretsKey(join(folder, 'data'))).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
  const key = await readSecretsKey(folder);
  expect(await findSecretsKey(folder)).toBe(key);
});
