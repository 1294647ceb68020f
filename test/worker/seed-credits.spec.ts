import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { PlacementWorkService } from '../../src/deliverability/placement/placement-loop.js';
import { SeedPoller } from '../../src/deliverability/placement/seeds/seed-poller.js';
import { SeedRegister } from '../../src/deliverability/placement/seeds/seed-register.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { type ScriptedImapServer, startScriptedImapServer, type StoredMail } from '../support/scripted-imap-server.js';
import { startService, type TestService } from '../support/service.js';

let database: TestDatabase;
let service: TestService;
let imap: ScriptedImapServer;
let account: FullAccount;
const clock = new ManualClock(Date.now());
const inbox: StoredMail[] = [];
let isUp = true;

beforeAll(async () => {
  imap = await startScriptedImapServer({
    folders: [{ path: 'INBOX', mails: inbox }],
    onConnect: ({ socket }) => void (isUp || socket.destroy()),
  });
  database = await createTestDatabase();
  account = await createFullAccount(database);
  service = await startService({ database, clock, env: { imapAllowPrivate: true } });
  await service.app.get(DataSource).transaction((tx) =>
    service.app.get(SeedRegister, { strict: false }).add(tx, {
      provider: 'other',
      address: 'seed@mail.test',
      host: imap.host,
      port: imap.port,
      security: 'none',
      login: 'seed@mail.test',
      authservId: null,
      credentials: { kind: 'password', password: 'pass' },
    }),
  );
  await look();
});

afterAll(async () => {
  await service.close();
  await imap.close();
  await database.drop();
});

/** What is due at a time, at seeds and then of tests. */
async function look(afterMs = 0): Promise<void> {
  clock.advance(afterMs);
  await service.app.get(SeedPoller, { strict: false }).run();
  while ((await service.app.get(PlacementWorkService, { strict: false }).next()) !== 'nothing');
}

const ask = (path: string, body?: object) => call(service, path, { key: account.liveKey, ...(body && { body }) });

describe('a test with a seed', () => {
  it('a test with a seed charges its 4 credits when the seed has told something, and gives them back when it could not', async () => {
    for (const outcome of ['inbox', 'seed_error'] as const) {
      const { status, body: made } = await ask('/api/v1/placement/tests', {});
      expect([status, made.credits_reserved]).toEqual([201, 5]);
      expect(made.send_to).toContain('seed@mail.test');
      if (outcome === 'inbox') {
        const raw = `${made.marker.header}\r\nFrom: a@b.test\r\n\r\nx`;
        inbox.push({ uid: 1, arrivedAt: new Date(clock.now()), raw });
      } else {
        // Something has come, to somebody else: the end is counted from there.
        await service.app
          .get(DataSource)
          .query(`UPDATE placement_tests SET state = 'receiving', first_arrival_at = $2, due_at = $2 WHERE id = $1`, [
            made.id,
            new Date(clock.now()),
          ]);
        isUp = false;
      }
      for (let minute = 0; minute < 45; minute++) await look(60_000);
      const { body: test } = await ask(`/api/v1/placement/tests/${made.id}`);
      expect(test).toMatchObject({
        status: 'completed',
        credits_reserved: 0,
        credits_charged: outcome === 'inbox' ? 4 : 0,
        placement: { measured: outcome === 'inbox' ? 1 : 0, [outcome]: 1, missing: 0 },
      });
    }
  });
});
