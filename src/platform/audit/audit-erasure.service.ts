import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ErasedAddress, Holders } from '../erased-address.js';

/** Entries that are looked through together. */
const ENTRY_PAGE_SIZE = 1_000;

interface TellingEntry {
  readonly id: number;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Erases an address from what accounts have done: a key, a list or a webhook may have been called by it. The entry stays, with who acted,
 * when, from where and on what; only a text that names the address becomes empty, which is all that the table lets anybody change.
 * What administrators have done is theirs.
 */
@Injectable()
export class AuditErasure {
  /** @returns how many entries have lost a text */
  async erase(tx: EntityManager, { accountIds, simulated }: Holders, address: ErasedAddress): Promise<number> {
    let erased = 0;
    let page: TellingEntry[];
    let after = 0;
    do {
      page = await tx.query(
        `SELECT id, actor, details FROM audit_log
          WHERE account_id = ANY ($1::uuid[]) AND simulated = $2 AND id > $4
            AND (lower(actor) LIKE ANY ($3::text[]) OR lower(details::text) LIKE ANY ($3::text[]))
          ORDER BY id LIMIT ${ENTRY_PAGE_SIZE}`,
        [accountIds, simulated, address.patterns, after],
      );
      for (const entry of page) if (await this.eraseFrom(tx, entry, address)) erased += 1;
      after = page.at(-1)?.id ?? after;
    } while (page.length === ENTRY_PAGE_SIZE);
    return erased;
  }

  private async eraseFrom(tx: EntityManager, entry: TellingEntry, address: ErasedAddress): Promise<boolean> {
    const details = Object.entries(entry.details).map(([name, value]) => {
      const isNamed = address.isIn(typeof value === 'string' ? value : JSON.stringify(value));
      return [name, isNamed ? '' : value, isNamed] as const;
    });
    const isActor = address.isIn(entry.actor);
    if (!isActor && !details.some(([, , isNamed]) => isNamed)) return false;
    const left = Object.fromEntries(details.map(([name, value]) => [name, value]));
    await tx.query('UPDATE audit_log SET actor = $2, details = $3 WHERE id = $1', [
      entry.id,
      isActor ? '' : entry.actor,
      JSON.stringify(left),
    ]);
    return true;
  }
}
