import { expect, it, onTestFinished } from 'vitest';
import { CreditsService } from '../../src/credits/credits.service.js';
import { AccessService } from '../../src/keys/access/access.service.js';
import { createFullAccount } from '../support/accounts.js';
import { runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { createTestDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

it('a command of npm run admin gives nothing back that a stopped service left reserved', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const account = await createFullAccount(database, { credits: 1_000 });
  // What it reserves now has expired long before a command is run.
  const service = await startService({ database, clock: { now: () => Date.now() - 3_600_000 } });
  const principal = await service.app.get(AccessService).authenticate(`Bearer ${account.liveKey}`, '127.0.0.1');
  await service.app.get(CreditsService).reserve(principal, { amountCredits: 7, purpose: 'verify', workMs: 1 });
  await service.close();

  const left = () => onDatabase(database.url, 'SELECT available FROM credit_balances');
  expect(await left()).toEqual([{ available: '993' }]);
  for (const command of [['status'], ['credits', 'audit'], ['create-key', '--name', 'alice']])
    await runAdmin(service, ...command, '--json');
  expect(await left()).toEqual([{ available: '993' }]);
});
