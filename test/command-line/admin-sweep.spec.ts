import { expect, it, onTestFinished } from 'vitest';
import { openAdministration } from '../../src/admin/administration.js';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { CreditsService } from '../../src/credits/credits.service.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createTestDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

it('a command of npm run admin gives nothing back that a stopped service left reserved', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const admin = async (...argv: string[]) => {
    let out = '';
    const open = () => openAdministration(loadEnv({}), database.url, false);
    await runProgram([...argv, '--json'], open, { out: (text) => (out += text), error: () => {} });
    return JSON.parse(out);
  };
  const { id } = await admin('accounts', 'create', '--name', 'Example Ltd', '--plan', 'pro');
  const { api_key } = await admin('keys', 'create', id, '--name', 'Shop');
  await admin('credits', 'grant', id, '--amount', '1000', '--reason', 'invoice 7');
  const before = (await admin('accounts', 'show', id)).credits.remaining;
  // What it reserves now has expired long before a command is run.
  const service = await startService({ database, clock: { now: () => Date.now() - 3_600_000 } });
  const principal = await service.app.get(AccessService).authenticate(`Bearer ${api_key}`, '127.0.0.1');
  await service.app.get(CreditsService).reserve(principal, { amountCredits: 7, purpose: 'verify', workMs: 1 });
  await service.close();

  expect((await admin('accounts', 'show', id)).credits.remaining).toBe(before - 7);
  expect((await admin('accounts', 'show', id)).credits.remaining).toBe(before - 7);
});
