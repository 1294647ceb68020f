import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Envelope } from '../inbound/received-mail.js';

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
const OLD_PAGE_SIZE = 100;

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
  async forget(keptFrom: Date, limit = OLD_PAGE_SIZE): Promise<number> {
    const [, forgotten]: [unknown[], number] = await this.database.query(
      `DELETE FROM placement_messages WHERE test_id = ANY (ARRAY(
         SELECT test_id FROM placement_messages WHERE received_at < $1 ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [keptFrom, limit],
    );
    return forgotten;
  }
}
