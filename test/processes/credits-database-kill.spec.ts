import type { DataSource } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import { BalanceCreditsService } from '../../src/credits/balance-credits.service.js';
import { BalanceStore } from '../../src/credits/balance.store.js';
import { CreditsAudit } from '../../src/credits/credits-audit.js';
import { ReservationsStore } from '../../src/credits/reservations.store.js';
import type { Payer } from '../../src/keys/access/principal.js';
import { loadPolicies, policyNamed } from '../../src/platform/config/policies.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { createFullAccount } from '../support/accounts.js';
import { startOwnPostgres } from '../support/own-postgres.js';
import { wallClock } from '../../src/platform/clock.js';

/** `KILL_ROUNDS=20 npx vitest run test/processes/credits-database-kill.spec.ts` for a longer look. */
const KILL_ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3);
const CREDITS = 1_000_000;
const CALLERS = 30;
/** Charges that are told in a round before the kill. */
const TOLD = 300;
const WANTED = { amountCredits: 1, purpose: 'verify', workMs: 1000 } as const;
const CHARGE = { credits: 1, works: [{ verdict: 'valid', reason: 'mailbox_exists', items: 1, credits: 1 }] };
/** Longer than a reservation lasts. */
const A_WHILE_MS = 120_000;

/** Callers that reserve and settle until their database is gone. @returns how often a charge was told, and what the kill returns */
async function callUntilKilled<T>(credits: BalanceCreditsService, payer: Payer, kill: () => Promise<T>) {
  let told = 0;
  let killed: Promise<T> | null = null;
  let withoutReservation = 0;
  const caller = async (): Promise<void> => {
    for (;;) {
      const { id } = await credits.reserve(payer, WANTED);
      if (!(await credits.settle(id, CHARGE))) withoutReservation += 1;
      if (++told === TOLD) killed = kill();
    }
  };
  await Promise.allSettled(Array.from({ length: CALLERS }, caller));
  expect(withoutReservation).toBe(0);
  return { told, killed: await killed! };
}

async function releaseAll(database: DataSource, credits: BalanceCreditsService): Promise<void> {
  const lapsed = await new ReservationsStore(database).findExpired(new Date(Date.now() + A_WHILE_MS), 10_000);
  await Promise.all(lapsed.map(({ id }) => credits.settle(id, { credits: 0, works: [] })));
}

it('a PostgreSQL killed under load keeps every charge that was told, and no charge without its reservation', async () => {
  const server = await startOwnPostgres();
  onTestFinished(() => server.drop());
  const { accountId } = await createFullAccount(server, { credits: CREDITS });
  const policy = policyNamed(loadPolicies({ retentionDays: 30 }).keyPolicies, 'scale');
  const payer: Payer = {
    keyId: accountId,
    accountId,
    simulated: false,
    policy,
    ceilingId: null,
    claimer: null,
  };
  let { url } = server;
  let told = 0;
  for (let round = 1; round <= KILL_ROUNDS; round++) {
    const before = await createDataSource(url);
    const doomed = new BalanceCreditsService(before, new BalanceStore(), wallClock());
    const ended = await callUntilKilled(doomed, payer, () => server.killAndRecover());
    told += ended.told;
    url = ended.killed;
    await before.destroy();

    const database = await createDataSource(url);
    const credits = new BalanceCreditsService(database, new BalanceStore(), wallClock());
    await releaseAll(database, credits);
    const [{ charges, reservations, unreserved }] = await database.query(
      `SELECT count(*) AS charges, count(DISTINCT reservation_id) AS reservations,
                count(*) FILTER (WHERE NOT EXISTS (SELECT FROM credit_ledger r WHERE r.reservation_id = c.reservation_id
                                                      AND r.kind = 'reserve')) AS unreserved
           FROM credit_ledger c WHERE kind = 'charge'`,
    );
    // Those on their way when the server was killed were charged without being told, or not at all.
    expect(charges).toBeGreaterThanOrEqual(told);
    expect(charges).toBeLessThanOrEqual(told + CALLERS);
    expect([reservations, unreserved]).toEqual([charges, 0]);
    expect(await credits.getBalance(database.manager, accountId)).toMatchObject({
      available: CREDITS - charges,
      reserved: 0,
      usedTotal: charges,
    });
    expect(await new CreditsAudit(database).run()).toMatchObject({ differing: [] });
    told = charges;
    await database.destroy();
  }
});
