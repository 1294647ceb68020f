import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../keys/access/owner.js';
import type { PageRequest } from '../platform/http/page.js';
import type { PlacementTest, TestState } from './placement-test.js';
import type { Envelope } from '../inbound/inbound-recipients.js';

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

/** Tests that an insert deletes at most beside its own. */
const OLD_PAGE_SIZE = 20;

const COLUMNS = `id, account_id AS "accountId", simulated, key_id AS "keyId", token, name, seeds, world, state,
  reservation_id AS "reservationId", credits_reserved AS "creditsReserved", credits_charged AS "creditsCharged",
  settle_minutes AS "settleMinutes", messages, attempts, report, placement, created_at AS "createdAt",
  expires_at AS "expiresAt", first_arrival_at AS "firstArrivalAt", settled_at AS "settledAt"`;

/** How a test ends. */
export interface TestEnding {
  readonly state: Exclude<TestState, 'waiting' | 'receiving'>;
  readonly creditsCharged: number;
  readonly placement: object | null;
  readonly at: Date;
}

@Injectable()
export class PlacementTestsStore {
  constructor(private readonly database: DataSource) {}

  /** Keeps a test, and forgets some of those that were made before `keptFrom` and have ended, whoever made them. */
  async insert(tx: EntityManager, test: PlacementTest, dueAt: Date, keptFrom: Date): Promise<void> {
    await tx.query(
      `WITH forgotten AS (
         DELETE FROM placement_tests WHERE id = ANY (ARRAY(
           SELECT id FROM placement_tests WHERE created_at < $16 AND due_at IS NULL ORDER BY created_at LIMIT ${OLD_PAGE_SIZE}
              FOR UPDATE SKIP LOCKED))
       )
       INSERT INTO placement_tests (id, account_id, simulated, key_id, token, name, seeds, world, state, reservation_id, credits_reserved,
                                    settle_minutes, created_at, expires_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        test.id,
        test.accountId,
        test.simulated,
        test.keyId,
        test.token,
        test.name,
        JSON.stringify(test.seeds),
        test.world,
        test.state,
        test.reservationId,
        test.creditsReserved,
        test.settleMinutes,
        test.createdAt,
        test.expiresAt,
        dueAt,
        keptFrom,
      ],
    );
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

  async find({ accountId, simulated }: Owner, id: number, keptFrom: Date): Promise<PlacementTest | null> {
    const [row]: PlacementTest[] = await this.database.query(
      `SELECT ${COLUMNS} FROM placement_tests WHERE id = $1 AND account_id = $2 AND simulated = $3 AND created_at >= $4`,
      [id, accountId, simulated, keptFrom],
    );
    return row ?? null;
  }

  /** Newest first, one more than asked for. @param state only those; null: of all */
  list(
    { accountId, simulated }: Owner,
    { limit, after }: PageRequest,
    state: TestState | null,
    keptFrom: Date,
  ): Promise<PlacementTest[]> {
    return this.database.query(
      `SELECT ${COLUMNS} FROM placement_tests
        WHERE account_id = $1 AND simulated = $2 AND created_at >= $3
          AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) < ($4, $5::bigint))
          AND ($6::text IS NULL OR state = $6)
        ORDER BY created_at DESC, id DESC LIMIT $7`,
      [accountId, simulated, keptFrom, after?.at ?? null, after?.id ?? null, state, limit + 1],
    );
  }

  /** The test of this token, whatever its state. */
  async findByToken(token: string): Promise<PlacementTest | null> {
    const [row]: PlacementTest[] = await this.database.query(
      `SELECT ${COLUMNS} FROM placement_tests WHERE token = $1`,
      [token],
    );
    return row ?? null;
  }

  /** The row, locked until the transaction ends. */
  async lock(tx: EntityManager, id: number): Promise<PlacementTest | null> {
    const [row]: PlacementTest[] = await tx.query(`SELECT ${COLUMNS} FROM placement_tests WHERE id = $1 FOR UPDATE`, [
      id,
    ]);
    return row ?? null;
  }

  async lockByToken(tx: EntityManager, token: string): Promise<PlacementTest | null> {
    const [row]: PlacementTest[] = await tx.query(
      `SELECT ${COLUMNS} FROM placement_tests WHERE token = $1 FOR UPDATE`,
      [token],
    );
    return row ?? null;
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
       RETURNING ${COLUMNS}`,
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

/** Messages that a sweep forgets in one statement. */
const MESSAGE_PAGE_SIZE = 100;

@Injectable()
export class PlacementMessagesStore {
  constructor(private readonly database: DataSource) {}

  /** Keeps the first message of a test; later ones change nothing. */
  async insert(tx: EntityManager, message: PlacementMessage): Promise<void> {
    await tx.query(
      `INSERT INTO placement_messages (test_id, received_at, mail_from, recipient, client_address, client_name, tls, size, raw)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (test_id) DO NOTHING`,
      [
        message.testId,
        message.receivedAt,
        message.mailFrom,
        message.recipient,
        message.clientAddress,
        message.clientName,
        message.tls,
        message.size,
        message.raw,
      ],
    );
  }

  async find(testId: number): Promise<PlacementMessage | null> {
    const [row]: PlacementMessage[] = await this.database.query(
      `SELECT test_id AS "testId", received_at AS "receivedAt", mail_from AS "mailFrom", recipient, client_address AS "clientAddress",
              client_name AS "clientName", tls, size, raw
         FROM placement_messages WHERE test_id = $1`,
      [testId],
    );
    return row ?? null;
  }

  async delete(tx: EntityManager, testId: number): Promise<void> {
    await tx.query('DELETE FROM placement_messages WHERE test_id = $1', [testId]);
  }

  /** Forgets messages that came before `keptFrom`. @returns how many; a full page: there may be more */
  async forget(keptFrom: Date, limit = MESSAGE_PAGE_SIZE): Promise<number> {
    const [, forgotten]: [unknown[], number] = await this.database.query(
      `DELETE FROM placement_messages WHERE test_id = ANY (ARRAY(
         SELECT test_id FROM placement_messages WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [keptFrom, limit],
    );
    return forgotten;
  }
}
