import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Listing } from './block-lists.js';
import type { Finding } from './identity-checks.js';
import type { Rest } from './rest-decision.js';

export interface CheckedFinding extends Finding {
  readonly checkedAt: Date;
}

export interface KnownListing extends Listing {
  readonly since: Date;
}

/** What is known of a source. */
export interface WatchedState {
  readonly checks: readonly CheckedFinding[];
  readonly listings: readonly KnownListing[];
  readonly rest: Rest | null;
}

type Named<T> = T & { readonly source: string };

@Injectable()
export class WatchStore {
  constructor(private readonly database: DataSource) {}

  /** By the names of the sources; those never looked at are left out. */
  async all(): Promise<ReadonlyMap<string, WatchedState>> {
    const [checks, listings, rests]: [Named<CheckedFinding>[], Named<KnownListing>[], Named<Rest>[]] =
      await Promise.all([
        this.database.query(
          `SELECT source, check_name AS "check", state, told, checked_at AS "checkedAt" FROM source_checks
            ORDER BY source, check_name`,
        ),
        this.database.query(
          'SELECT source, list, address, told, harmful AS "isHarmful", since FROM source_listings ORDER BY source, list, address',
        ),
        this.database.query('SELECT source, reason, since, clean_checks AS "cleanChecks" FROM source_rests'),
      ]);
    const names = new Set([...checks, ...listings, ...rests].map(({ source }) => source));
    const of = <T>(rows: readonly Named<T>[], name: string): T[] => rows.filter(({ source }) => source === name);
    return new Map(
      [...names].map((name) => [
        name,
        { checks: of(checks, name), listings: of(listings, name), rest: of(rests, name)[0] ?? null },
      ]),
    );
  }

  /** What was known of a source, in a transaction that no other process has for it; and whether another may ask in its place. */
  async lock(tx: EntityManager, source: string, all: readonly string[]): Promise<Before> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('source watch'))`);
    const rests: Rest[] = await tx.query(
      'SELECT reason, since, clean_checks AS "cleanChecks" FROM source_rests WHERE source = $1',
      [source],
    );
    const listed: { list: string }[] = await tx.query(
      'SELECT DISTINCT list FROM source_listings WHERE source = $1 AND harmful ORDER BY list',
      [source],
    );
    const closed: { source: string }[] = await tx.query(
      'SELECT source FROM source_rests UNION SELECT source FROM source_conditions',
    );
    const names = new Set(closed.map((one) => one.source));
    return {
      rest: rests[0] ?? null,
      listedOn: listed.map(({ list }) => list),
      hasOther: all.some((name) => name !== source && !names.has(name)),
    };
  }

  async put(tx: EntityManager, source: string, { findings, listings, answered, rest }: Now, now: Date): Promise<void> {
    await tx.query(
      `INSERT INTO source_checks (source, check_name, state, told, checked_at)
       SELECT $1, "check", state, told, $3 FROM json_to_recordset($2) AS found ("check" text, state text, told text)
       ON CONFLICT (source, check_name) DO UPDATE
         SET state = excluded.state, told = excluded.told, checked_at = excluded.checked_at`,
      [source, JSON.stringify(findings), now],
    );
    await tx.query(
      `INSERT INTO source_listings (source, list, address, told, harmful, since, seen_at)
       SELECT $1, list, address, told, "isHarmful", $3, $3
         FROM json_to_recordset($2) AS listing (list text, address text, told text, "isHarmful" boolean)
       ON CONFLICT (source, list, address) DO UPDATE
         SET told = excluded.told, harmful = excluded.harmful, seen_at = excluded.seen_at`,
      [source, JSON.stringify(listings), now],
    );
    // A list that was silent may have it still, and the lists for which it rests are asked once more.
    await tx.query(
      `DELETE FROM source_listings
        WHERE source = $1 AND list = ANY ($3::text[]) AND ($4::boolean OR NOT harmful)
          AND (list, address) NOT IN (SELECT list, address FROM json_to_recordset($2) AS listing (list text, address text))`,
      [source, JSON.stringify(listings), answered, rest === null],
    );
    if (rest === null) await tx.query('DELETE FROM source_rests WHERE source = $1', [source]);
    else
      await tx.query(
        `INSERT INTO source_rests (source, reason, since, clean_checks) VALUES ($1, $2, $3, $4)
         ON CONFLICT (source) DO UPDATE
           SET reason = excluded.reason, since = excluded.since, clean_checks = excluded.clean_checks`,
        [source, rest.reason, rest.since, rest.cleanChecks],
      );
  }

  /** What was known of sources that the configuration no longer has goes. */
  async forgetOthers(sources: readonly string[]): Promise<void> {
    for (const table of ['source_checks', 'source_looks', 'source_listings', 'source_rests'])
      await this.database.query(`DELETE FROM ${table} WHERE source <> ALL ($1::text[])`, [sources]);
  }

  /**
   * Takes over the first look at sources that nobody has looked at as they are now, each for one process of all.
   * @param before one that was looked at since then is left to the next round, so that processes with different files do not take turns
   * @returns their names
   */
  async takeNew(sources: readonly NamedIdentity[], now: Date, before: Date): Promise<readonly string[]> {
    const rows: { source: string }[] = await this.database.query(
      `INSERT INTO source_looks (source, identity, looked_at)
       SELECT source, identity, $2 FROM json_to_recordset($1) AS known (source text, identity text) ORDER BY source
       ON CONFLICT (source) DO UPDATE SET identity = excluded.identity, looked_at = excluded.looked_at
         WHERE source_looks.identity <> excluded.identity AND source_looks.looked_at <= $3
       RETURNING source`,
      [JSON.stringify(sources), now, before],
    );
    return rows.map(({ source }) => source);
  }

  /** Takes the lease when a round is due and nobody has it. */
  async takeRound(by: string, now: Date, until: Date): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `INSERT INTO source_watch (due_at, leased_by, leased_until) VALUES ($2, $1, $3)
       ON CONFLICT (only_row) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
         WHERE source_watch.due_at <= $2 AND (source_watch.leased_until IS NULL OR source_watch.leased_until <= $2)
       RETURNING 1`,
      [by, now, until],
    );
    return rows.length > 0;
  }

  /** The lease of a process that was killed ends by itself, and then the round is due still. */
  async endRound(by: string, dueAt: Date): Promise<void> {
    await this.database.query(
      'UPDATE source_watch SET due_at = $2, leased_by = NULL, leased_until = NULL WHERE leased_by = $1',
      [by, dueAt],
    );
  }
}

/** A source and what mail hosts know it by. */
export interface NamedIdentity {
  readonly source: string;
  readonly identity: string;
}

/** What was known of a source before a check. */
export interface Before {
  readonly rest: Rest | null;
  /** Lists whose listing makes mail hosts refuse us. */
  readonly listedOn: readonly string[];
  readonly hasOther: boolean;
}

/** What a check has found. */
interface Now {
  readonly findings: readonly Finding[];
  readonly listings: readonly Listing[];
  /** Lists that gave a usable answer. */
  readonly answered: readonly string[];
  readonly rest: Rest | null;
}
