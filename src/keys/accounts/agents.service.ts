import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { isNetwork } from '../../platform/config/variable-types.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import type { KeyChange } from '../access/key-transaction.js';

/** An agent key with the particulars of its registration. */
export interface AgentKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly purpose: string | null;
  readonly contact: string | null;
  readonly clientAddress: string | null;
  readonly registeredAt: Date;
  readonly lastFour: string;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The full account that has claimed it. */
  readonly claimedBy: string | null;
  readonly claimedAt: Date | null;
}

export interface AgentSearch {
  /** An IP address, or a network such as `2001:db8:1:2::/64`. */
  readonly address: string | null;
  /** Part of name, purpose or contact, in any case. */
  readonly text: string | null;
  /** The last four characters of the token, as a log or a report may show them. */
  readonly lastFour: string | null;
}

const AGENTS = `SELECT k.id AS "keyId", k.account_id AS "accountId", k.name, r.purpose, r.contact,
        host(r.client_address) AS "clientAddress", r.registered_at AS "registeredAt", k.last_four AS "lastFour",
        k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt", k.revoked_at AS "revokedAt",
        a.claimed_by AS "claimedBy", a.claimed_at AS "claimedAt"
   FROM agent_registrations r JOIN api_keys k USING (account_id) JOIN accounts a ON a.id = r.account_id`;

const LISTING = new Listing('agents', 'uuid');

/** The agents that have registered themselves, as an administrator looks for them. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The agents' keys, newest first. @throws AppError `invalid_input` for a text that is no address */
  async search({ address, text, lastFour }: AgentSearch, query: PageInput): Promise<Page<AgentKey>> {
    if (address !== null) checkAddress(address);
    return LISTING.page<AgentKey>(
      query,
      ({ limit, after }) =>
        this.database.query(
          `${AGENTS}
            WHERE ($1::inet IS NULL OR r.client_address <<= $1)
              AND ($2::text IS NULL OR strpos(lower(concat_ws(E'\\n', k.name, r.purpose, r.contact)), lower($2)) > 0)
              AND ($3::text IS NULL OR k.last_four = $3)
              AND ($4::timestamptz IS NULL OR (r.registered_at, r.account_id) < ($4, $5::uuid))
            ORDER BY r.registered_at DESC, r.account_id DESC LIMIT $6`,
          [address, text, lastFour, after?.at, after?.id, limit + 1],
        ),
      ({ registeredAt, accountId }) => ({ at: registeredAt, id: accountId }),
    );
  }

  /** The agents of these accounts, in no order. */
  findOf(accountIds: readonly string[]): Promise<readonly AgentKey[]> {
    return this.database.query(`${AGENTS} WHERE r.account_id = ANY ($1)`, [accountIds]);
  }

  /**
   * @param address an IP address, or a network such as `2001:db8:1:2::/64`
   * @returns how many keys this has revoked
   * @throws AppError `invalid_input` for a text that is no address
   */
  async revokeByAddress(change: KeyChange, address: string): Promise<number> {
    checkAddress(address);
    const [rows]: [{ hash: Buffer }[], number] = await change.tx.query(
      `UPDATE api_keys k SET revoked_at = $2 FROM agent_registrations r
        WHERE r.account_id = k.account_id AND r.client_address <<= $1::inet
          AND (k.revoked_at IS NULL OR k.revoked_at > $2) AND (k.expires_at IS NULL OR k.expires_at > $2)
       RETURNING k.token_hash AS hash`,
      [address, this.clock.date()],
    );
    change.touch(rows.map(({ hash }) => hash));
    return rows.length;
  }
}

function checkAddress(address: string): void {
  if (isNetwork(address) && !address.includes('%')) return;
  throw invalidField('address', 'must be an IP address or a network such as 192.0.2.0/24');
}
