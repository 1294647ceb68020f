import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Owner } from '../../keys/access/owner.js';

/** A monitor of a domain, and the address for reports that it has asked for. */
export interface ReportAddress {
  readonly monitorId: number;
  readonly domain: string;
  readonly simulated: boolean;
  readonly challenge: string;
  readonly token: string;
  readonly verifiedAt: Date | null;
}

/** Whose reports come to an address. */
export interface ReportedDomain {
  readonly monitorId: number;
  readonly accountId: string;
  readonly simulated: boolean;
  readonly domain: string;
}

@Injectable()
export class ReportAddressesStore {
  constructor(private readonly database: DataSource) {}

  /** The monitor of a domain, null when the account has none of this id in its mode; `kind` tells whether it is one of a domain. */
  async monitorOf(
    { accountId, simulated }: Owner,
    id: number,
  ): Promise<{ readonly kind: string; readonly domain: string } | null> {
    const [row]: { kind: string; domain: string }[] = await this.database.query(
      `SELECT kind, target AS domain FROM monitors WHERE id = $1 AND account_id = $2 AND simulated = $3`,
      [id, accountId, simulated],
    );
    return row ?? null;
  }

  /** The address of a monitor, made with these words unless there is one. Null: the monitor is gone. */
  async findOrMake(
    monitorId: number,
    words: { readonly challenge: string; readonly token: string },
    at: Date,
  ): Promise<ReportAddress | null> {
    await this.database.query(
      `INSERT INTO report_addresses (monitor_id, challenge, token, created_at)
       SELECT id, $2, $3, $4 FROM monitors WHERE id = $1 ON CONFLICT (monitor_id) DO NOTHING`,
      [monitorId, words.challenge, words.token, at],
    );
    const [row]: ReportAddress[] = await this.database.query(
      `SELECT monitor_id AS "monitorId", target AS domain, simulated, challenge, token, verified_at AS "verifiedAt"
         FROM report_addresses JOIN monitors ON id = monitor_id WHERE monitor_id = $1`,
      [monitorId],
    );
    return row ?? null;
  }

  /** @param at null: it is not proven any more */
  async setVerified(tx: EntityManager, monitorId: number, at: Date | null): Promise<void> {
    await tx.query(
      `UPDATE report_addresses SET verified_at = CASE WHEN $2::timestamptz IS NULL THEN NULL ELSE coalesce(verified_at, $2) END
        WHERE monitor_id = $1`,
      [monitorId, at],
    );
  }

  /** Whose mail comes to a token. Null: nobody's whose ownership is proven. */
  async domainOf(token: string): Promise<ReportedDomain | null> {
    const [row]: ReportedDomain[] = await this.database.query(
      `SELECT monitors.id AS "monitorId", account_id AS "accountId", simulated, target AS domain
         FROM report_addresses JOIN monitors ON monitors.id = monitor_id
        WHERE token = $1 AND verified_at IS NOT NULL`,
      [token],
    );
    return row ?? null;
  }
}
