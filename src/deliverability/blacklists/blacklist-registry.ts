import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ListDns, OpenList } from '../../mail-dns/ask-list.js';
import { type Blacklist, accessTo } from '../../mail-dns/blacklist-row.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { RecordResolver } from '../../platform/dns/record-resolver.js';
import { RESOLVER_JUDGE, type ResolverJudge } from '../../resolver/resolver.module.js';
import { simulatedBlockLists } from '../../simulator/simulated-block-lists.js';
import { agreementsOf, readBlacklists } from './blacklists-file.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';

/** Why a list is not asked about a target. */
export const NOT_QUERIED = ['needs_key', 'turned_off', 'unsupported_kind', 'budget', 'not_wanted'] as const;

export type SkipReason = (typeof NOT_QUERIED)[number];

export interface KnownList {
  readonly list: Blacklist;
  readonly access: { readonly open: OpenList } | { readonly refusal: 'needs_key' | 'turned_off' };
}

/** The lists of `config/blacklists.json` as this installation may ask them, and those of test mode. */
@Injectable()
export class BlacklistRegistry {
  readonly #lists = readBlacklists();
  readonly #live: readonly KnownList[];
  readonly #simulated: readonly KnownList[];
  readonly #resolver: RecordResolver;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(RESOLVER_JUDGE) private readonly judge: ResolverJudge,
  ) {
    const agreements = agreementsOf(env);
    this.#live = this.#lists.map((list) => {
      const access = accessTo(list, agreements);
      return { list, access: 'zone' in access ? { open: { list, zone: access.zone } } : access };
    });
    // Nobody is asked, so nobody's terms matter.
    this.#simulated = this.#lists.map((list) => ({ list, access: { open: { list, zone: list.zone } } }));
    this.#resolver = new RecordResolver(env.dnsServers);
  }

  lists(simulated: boolean): readonly KnownList[] {
    return simulated ? this.#simulated : this.#live;
  }

  /** Who is asked on the way to the lists: another one, another health. */
  get resolver(): string {
    return this.#resolver.identity;
  }

  /** Whether what lists answered at this time may have been a lie of the resolver, as it has shown since. */
  mayHaveLied(at: number): boolean {
    return this.judge.mayHaveLied(at);
  }

  /** @param run in test mode: which look at the targets it is, from 1 */
  dns(simulated: boolean, run = 1): ListDns {
    if (simulated) return simulatedBlockLists(this.#lists, run);
    return {
      a: (name, attempt) => this.judge.ask(() => this.#resolver.a(name, { attempt })),
      txt: (name, attempt) => this.judge.ask(() => this.#resolver.txt(name, { attempt })),
    };
  }
}

/** Why a list is not asked, whatever its terms allow. */
export interface ListOff {
  readonly list: string;
  readonly reason: string;
  /** Who has turned it off. */
  readonly by: string;
  readonly since: Date;
}

/** Block lists that administrators have turned off. PostgreSQL is asked each time, so that it holds at once in all processes. */
@Injectable()
export class DisabledBlacklists {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that are off, by their ids. */
  async off(): Promise<ReadonlyMap<string, ListOff>> {
    const rows: ListOff[] = await this.database.query(`SELECT list, reason, by, since FROM blacklists_off`);
    return new Map(rows.map((row) => [row.list, row]));
  }

  /** A list that is off stays so, with the new reason. */
  async turnOff(tx: EntityManager, list: string, { reason, by }: Pick<ListOff, 'reason' | 'by'>): Promise<void> {
    await tx.query(
      `INSERT INTO blacklists_off (list, reason, by, since) VALUES ($1, $2, $3, $4)
       ON CONFLICT (list) DO UPDATE SET reason = excluded.reason, by = excluded.by`,
      [list, reason, by, new Date(this.clock.now())],
    );
  }

  async turnOn(tx: EntityManager, list: string): Promise<void> {
    await tx.query('DELETE FROM blacklists_off WHERE list = $1', [list]);
  }
}
