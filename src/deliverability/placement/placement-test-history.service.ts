import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Envelope, ReceivedMail } from '../inbound/inbound-recipients.js';
import type { Owner } from '../../keys/access/owner.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { CheckHistory } from '../../platform/database/check-history.js';
import { columnsNamed, insertRow } from '../../platform/database/rows.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import { demoScenarioNamed } from './demo-scenarios.js';
import {
  MESSAGE_RETENTION_MS,
  placementOf,
  type PlacementTest,
  SeedMailboxes,
  type SeedPlacement,
  TEST_PREFIX,
  TEST_RETENTION_MS,
  type TestState,
} from './placement-test.js';

const packed = promisify(gzip) as (raw: Buffer) => Promise<Buffer>;
const unpacked = promisify(gunzip) as (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** More than a message may have that comes; what is stored is our own, and bounded all the same. */
const MAX_BYTES = 16 * 1024 * 1024;

export function packMessage(raw: Buffer): Promise<Buffer> {
  return packed(raw);
}

export function unpackMessage(bytes: Buffer): Promise<Buffer> {
  return unpacked(bytes, { maxOutputLength: MAX_BYTES });
}

/** How a test ends. */
interface TestEnding {
  readonly state: Exclude<TestState, 'waiting' | 'receiving'>;
  readonly creditsCharged: number;
  readonly placement: object | null;
  readonly at: Date;
}

/** The own copy of the mail of a test. */
export interface PlacementMessage extends Envelope {
  readonly testId: number;
  readonly receivedAt: Date;
  /** Bytes, as it came. */
  readonly size: number;
  /** Gzip. */
  readonly raw: Buffer;
}

/** PostgreSQL keeps neither NUL nor half a character, and whoever sends chose these texts. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, 1_000)).toString().replaceAll('\0', '\u{fffd}');
}

/** A test with what only others know of it. */
export interface SeenTest {
  readonly test: PlacementTest;
  /** Where its mail is to be sent. */
  readonly sendTo: readonly string[];
  /** What its seeds have told so far, or at the end; null: it has none. */
  readonly placement: SeedPlacement | null;
}

/** Messages that a sweep forgets in one statement. */
const MESSAGE_PAGE_SIZE = 100;

/** Tests, which an insert forgets only when they have ended, and the own copies of their mails. A list may be of one state. */
@Injectable()
export class PlacementTestHistoryService extends CheckHistory<PlacementTest> {
  constructor(
    database: DataSource,
    @Inject(CLOCK) clock: WallClock,
    private readonly seeds: SeedMailboxes,
    @Inject(ENV) private readonly env: Pick<Env, 'inboundDomain'>,
  ) {
    super(database, clock, {
      table: 'placement_tests',
      columns: columnsNamed<PlacementTest>()(`
        id accountId simulated keyId token name seeds world state reservationId creditsReserved creditsCharged
        settleMinutes messages attempts report placement createdAt expiresAt firstArrivalAt settledAt
      `),
      listing: new Listing('placement-tests', 'integer'),
      retentionMs: TEST_RETENTION_MS,
      refusal: 'placement_test_not_found',
      filter: 'state',
      forgettable: 'due_at IS NULL',
    });
  }

  async insertDue(tx: EntityManager, test: PlacementTest, dueAt: Date): Promise<void> {
    await this.insert(tx, test, { ...test, seeds: JSON.stringify(test.seeds) }, { due_at: dueAt });
  }

  /** Tests of the account that have not ended; counted with its row locked, so that two that are made at once see each other. */
  async countOpen(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const [{ open } = { open: 0 }]: { open: number }[] = await tx.query(
      `SELECT count(*)::integer AS open FROM placement_tests WHERE account_id = $1 AND simulated = $2 AND due_at IS NOT NULL`,
      [accountId, simulated],
    );
    return open;
  }

  /** The test of this token, whatever its state. */
  async findByToken(token: string): Promise<PlacementTest | null> {
    const [row]: PlacementTest[] = await this.database.query(
      `SELECT ${this.selected} FROM placement_tests WHERE token = $1`,
      [token],
    );
    return row ?? null;
  }

  /** Does work with the row of a test locked, in one transaction; null: there is none. */
  locked<T>(
    by: 'id' | 'token',
    value: number | string,
    work: (tx: EntityManager, test: PlacementTest | null) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const [row]: PlacementTest[] = await tx.query(
        `SELECT ${this.selected} FROM placement_tests WHERE ${by} = $1 FOR UPDATE`,
        [value],
      );
      return work(tx, row ?? null);
    });
  }

  /** A mail has come: the test receives from now on, and is looked at at once. */
  async arrived(tx: EntityManager, id: number, at: Date): Promise<void> {
    await tx.query(
      `UPDATE placement_tests
          SET state = 'receiving', first_arrival_at = coalesce(first_arrival_at, $2), due_at = least(due_at, $2),
              messages = messages + 1, attempts = CASE WHEN messages = 0 THEN 0 ELSE attempts END
        WHERE id = $1 AND state IN ('waiting', 'receiving')`,
      [id, at],
    );
  }

  /** One more copy of a mail that has been judged. */
  async countCopy(tx: EntityManager, id: number): Promise<void> {
    await tx.query('UPDATE placement_tests SET messages = messages + 1 WHERE id = $1', [id]);
  }

  /** Takes the test that has been due the longest, and moves it ahead: another worker comes when this one dies. */
  async takeDue(at: Date, leasedUntil: Date): Promise<PlacementTest | null> {
    const [rows]: [PlacementTest[], number] = await this.database.query(
      `UPDATE placement_tests SET due_at = $2, attempts = attempts + 1
        WHERE id = (SELECT id FROM placement_tests WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${this.selected}`,
      [at, leasedUntil],
    );
    return rows[0] ?? null;
  }

  /** It went on: its next look, and its attempts begin anew. */
  async putOff(tx: EntityManager, id: number, dueAt: Date): Promise<void> {
    await tx.query('UPDATE placement_tests SET due_at = $2, attempts = 0 WHERE id = $1 AND due_at IS NOT NULL', [
      id,
      dueAt,
    ]);
  }

  /** It did not go on: its next look is one more attempt. */
  async tryAgain(tx: EntityManager, id: number, dueAt: Date): Promise<void> {
    await tx.query('UPDATE placement_tests SET due_at = $2 WHERE id = $1 AND due_at IS NOT NULL', [id, dueAt]);
  }

  async keepReport(tx: EntityManager, id: number, report: object): Promise<void> {
    await tx.query('UPDATE placement_tests SET report = $2 WHERE id = $1 AND due_at IS NOT NULL', [
      id,
      JSON.stringify(report),
    ]);
  }

  async end(tx: EntityManager, id: number, { state, creditsCharged, placement, at }: TestEnding): Promise<void> {
    await tx.query(
      `UPDATE placement_tests SET state = $2, credits_charged = $3, placement = $4, settled_at = $5, due_at = NULL WHERE id = $1`,
      [id, state, creditsCharged, placement && JSON.stringify(placement), at],
    );
  }

  async delete(tx: EntityManager, id: number): Promise<void> {
    await tx.query('DELETE FROM placement_tests WHERE id = $1', [id]);
  }

  /** Keeps the first message of a test; later ones change nothing. @param gzipped the message by `packMessage` */
  async insertMessage(tx: EntityManager, testId: number, mail: ReceivedMail, gzipped: Buffer): Promise<void> {
    const { receivedAt, clientAddress, tls } = mail;
    const [mailFrom, recipient, clientName] = [mail.mailFrom, mail.recipient, mail.clientName].map(storable);
    const own = { testId, receivedAt, mailFrom, recipient, clientAddress, clientName, tls };
    const row = { ...own, size: mail.raw.length, raw: gzipped };
    await insertRow(tx, 'placement_messages', row, 'ON CONFLICT (test_id) DO NOTHING');
  }

  async findMessage(testId: number): Promise<PlacementMessage | null> {
    const [row]: PlacementMessage[] = await this.database.query(
      `SELECT test_id AS "testId", received_at AS "receivedAt", mail_from AS "mailFrom", recipient, client_address AS "clientAddress",
              client_name AS "clientName", tls, size, raw
         FROM placement_messages WHERE test_id = $1`,
      [testId],
    );
    return row ?? null;
  }

  async deleteMessage(tx: EntityManager, testId: number): Promise<void> {
    await tx.query('DELETE FROM placement_messages WHERE test_id = $1', [testId]);
  }

  /** Forgets messages that came before then. @returns how many; a full page: there may be more */
  async forgetMessages(before: Date, limit = MESSAGE_PAGE_SIZE): Promise<number> {
    const [, forgotten]: [unknown[], number] = await this.database.query(
      `DELETE FROM placement_messages WHERE test_id = ANY (ARRAY(
         SELECT test_id FROM placement_messages WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return forgotten;
  }

  /** A test that was made just now, perhaps in a transaction that is not committed yet. @param addresses of its seeds */
  fresh(test: PlacementTest, addresses: readonly string[]): SeenTest {
    const world = test.seeds === 'none' ? null : demoScenarioNamed(test.world);
    const own = `${TEST_PREFIX}-${test.token}@${this.env.inboundDomain}`;
    const played = (world?.seeds ?? []).filter(({ provider }) => test.seeds === 'all' || test.seeds.includes(provider));
    return { test, sendTo: [own, ...played.map(({ address }) => address), ...addresses], placement: test.placement };
  }

  async seen(test: PlacementTest): Promise<SeenTest> {
    if (test.seeds === 'none' || test.world !== null) return this.fresh(test, []);
    const { source } = this.seeds;
    const { sendTo } = this.fresh(test, await source.addressesOf(test.id));
    const placement = test.settledAt === null ? placementOf((await source.seen(test)).seeds) : test.placement;
    return { test, sendTo, placement };
  }

  /** @throws AppError `message_not_received`; `placement_test_not_found` where none came, or it is deleted already */
  async message(owner: Owner, id: string): Promise<PlacementMessage> {
    const test = await this.get(owner, id);
    const message = await this.findMessage(test.id);
    if (message === null && test.settledAt === null) throw new AppError('message_not_received');
    if (message === null || message.receivedAt.getTime() < this.clock.now() - MESSAGE_RETENTION_MS)
      throw new AppError('placement_test_not_found', { message: 'There is no message of this test (any more).' });
    return message;
  }
}
