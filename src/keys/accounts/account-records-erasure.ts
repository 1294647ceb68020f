import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress } from '../../platform/erased-address.js';
import type { Owner } from '../access/owner.js';

/** What was forgotten: names, of accounts, keys and browsers, and agents with what they told of themselves. */
export interface ForgottenTexts {
  readonly names: number;
  readonly agents: number;
}

/** A column in which callers write what they like, and whose rows may do without it. */
interface OwnText {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  /** Which rows are of the accounts $1 in the mode $2. */
  readonly where: string;
}

const IN_MODE = 'account_id = ANY ($1::uuid[]) AND simulated = $2';

/** What an account is called belongs to no test mode. In the order in which all others lock these rows. */
const NAMES: readonly OwnText[] = [
  { table: 'accounts', key: 'id', column: 'name', where: 'id = ANY ($1::uuid[]) AND NOT $2' },
  { table: 'api_keys', key: 'id', column: 'name', where: `account_id = ANY ($1::uuid[]) AND (kind = 'test') = $2` },
  { table: 'monitors', key: 'id', column: 'name', where: IN_MODE },
  {
    table: 'monitor_findings',
    key: 'id',
    column: 'note',
    where: `monitor_id IN (SELECT id FROM monitors WHERE ${IN_MODE})`,
  },
  { table: 'placement_tests', key: 'id', column: 'name', where: IN_MODE },
  {
    table: 'console_sessions',
    key: 'id_hash',
    column: 'user_agent',
    where: `key_id IN (SELECT id FROM api_keys WHERE account_id = ANY ($1::uuid[]) AND (kind = 'test') = $2)`,
  },
];

/**
 * Erases an address from what callers have written of themselves: names of accounts and keys, what agents told at their registration, the
 * browsers of sessions. What administrators write for themselves, a contact and a note, stays: it is theirs.
 */
@Injectable()
export class AccountRecordsErasure {
  /** @param accountIds the owner's, and those of the agents that it has claimed */
  async erase(
    tx: EntityManager,
    { accountId, simulated }: Owner,
    accountIds: readonly string[],
    address: ErasedAddress,
  ): Promise<ForgottenTexts> {
    let names = 0;
    for (const text of NAMES) names += await this.forget(tx, text, [accountIds, simulated], address);
    // What an agent told at its registration belongs to no test mode.
    const agents = simulated ? [] : accountIds.filter((id) => id !== accountId);
    return { names, agents: await this.forgetRegistrations(tx, agents, address) };
  }

  private async forget(
    tx: EntityManager,
    { table, key, column, where }: OwnText,
    owner: readonly [accountIds: readonly string[], simulated: boolean],
    address: ErasedAddress,
  ): Promise<number> {
    const rows: { key: string | number | Buffer; text: string }[] = await tx.query(
      `SELECT ${key} AS key, ${column} AS text FROM ${table}
        WHERE ${where} AND lower(${column}) LIKE ANY ($3::text[]) ORDER BY ${key} FOR NO KEY UPDATE`,
      [...owner, address.patterns],
    );
    const found = rows.filter(({ text }) => address.isIn(text));
    for (const { key: one } of found) await tx.query(`UPDATE ${table} SET ${column} = NULL WHERE ${key} = $1`, [one]);
    return found.length;
  }

  private async forgetRegistrations(
    tx: EntityManager,
    accountIds: readonly string[],
    address: ErasedAddress,
  ): Promise<number> {
    const rows: { id: string; purpose: string | null; contact: string | null }[] = await tx.query(
      `SELECT account_id AS id, purpose, contact FROM agent_registrations
        WHERE account_id = ANY ($1::uuid[]) AND lower(concat_ws(' ', purpose, contact)) LIKE ANY ($2::text[])`,
      [accountIds, address.patterns],
    );
    const found = rows.filter(({ purpose, contact }) => address.isIn(purpose) || address.isIn(contact));
    await tx.query(
      'UPDATE agent_registrations SET purpose = NULL, contact = NULL WHERE account_id = ANY ($1::uuid[])',
      [found.map(({ id }) => id)],
    );
    return found.length;
  }
}
