import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type OpenList, testList } from '../../mail-dns/ask-list.js';
import { TARGET_KINDS, type TargetKind } from '../../mail-dns/blacklist-row.js';
import { knows, type ListProof, type ListState } from '../../mail-dns/list-answer.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { BlacklistRegistry } from './blacklist-registry.js';
import { ListSuspicionsService } from './list-suspicions.service.js';

/** What the test points of a list have shown last. */
export interface ListHealth extends ListProof {
  readonly since: Date;
  readonly testedAt: Date;
}

/** A change of a list's health. */
export interface ListChange {
  readonly list: string;
  readonly kind: TargetKind;
  readonly state: string;
  readonly why: string | null;
  readonly at: Date;
}

interface HealthRow extends ListHealth {
  readonly list: string;
  readonly kind: TargetKind;
}

/** Changes that are read at most, of all lists. */
const MAX_CHANGES = 2_000;
const BELIEVED_MS = 1_800_000;
/** One bad answer may be the resolver's: a list that fails is tested again so soon, and less often the longer it has failed. */
const FAILURE_BELIEVED_MS = 60_000;

/**
 * Whether lists work, as their test points show: asked when a list is to be asked and nobody has looked for half an hour. The state is
 * kept in PostgreSQL, so that all processes know what one has seen, for each resolver by itself.
 */
@Injectable()
export class ListHealthService {
  /** Tests under way, which those who come meanwhile join. */
  private readonly testing = new Map<string, Promise<ListHealth>>();

  constructor(
    private readonly database: DataSource,
    private readonly world: BlacklistRegistry,
    private readonly suspicions: ListSuspicionsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The health of lists for a kind of targets, by list and kind as `keyOf` joins them; tests those that nobody has tested lately. */
  async current(lists: readonly OpenList[], simulated: boolean): Promise<ReadonlyMap<string, ListHealth>> {
    const wanted = lists.flatMap((open) =>
      TARGET_KINDS.filter((kind) => knows(open.list, kind)).map((kind) => ({ open, kind })),
    );
    const known = simulated ? new Map<string, ListHealth>() : await this.known();
    const now = this.clock.now();
    const entries = wanted.map(async ({ open, kind }) => {
      const key = keyOf(open.list.id, kind);
      const kept = known.get(key);
      const health = kept !== undefined && isFresh(kept, now) ? kept : await this.test(open, kind, simulated);
      return [key, health] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** What is known without asking anybody. */
  async known(): Promise<ReadonlyMap<string, ListHealth>> {
    const rows: HealthRow[] = await this.database.query(
      `SELECT list, kind, state, why, since, tested_at AS "testedAt" FROM blacklist_health WHERE resolver = $1`,
      [this.world.resolver],
    );
    return new Map(rows.map(({ list, kind, ...health }) => [keyOf(list, kind), health]));
  }

  /** Lists that work, and that many watched targets turned listed on at once, by their ids. */
  async suspect(): Promise<ReadonlySet<string>> {
    return new Set((await this.suspicions.lasting()).keys());
  }

  /** Asks for all test points of a list now, whatever is known. */
  async testNow(open: OpenList): Promise<void> {
    await Promise.all(
      TARGET_KINDS.filter((kind) => knows(open.list, kind)).map((kind) => this.test(open, kind, false)),
    );
  }

  /** Changes of health in 90 days, newest first. */
  history(): Promise<readonly ListChange[]> {
    return this.database.query(
      `SELECT list, kind, state, why, at FROM blacklist_health_history WHERE resolver = $1 ORDER BY at DESC LIMIT $2`,
      [this.world.resolver, MAX_CHANGES],
    );
  }

  private async test(open: OpenList, kind: TargetKind, simulated: boolean): Promise<ListHealth> {
    if (simulated) {
      const testedAt = new Date(this.clock.now());
      return { ...(await testList(open, kind, this.world.dns(true))), since: testedAt, testedAt };
    }
    const key = keyOf(open.list.id, kind);
    const running = this.testing.get(key);
    if (running !== undefined) return running;
    const test = this.testAndKeep(open, kind).finally(() => this.testing.delete(key));
    this.testing.set(key, test);
    return test;
  }

  private async testAndKeep(open: OpenList, kind: TargetKind): Promise<ListHealth> {
    const { state, why } = await testList(open, kind, this.world.dns(false));
    const testedAt = new Date(this.clock.now());
    const [row]: { since: Date }[] = await this.database.query(
      `WITH told AS (
         INSERT INTO blacklist_health_history (resolver, list, kind, state, why, at)
         SELECT $1, $2, $3, $4, $5, $6
          WHERE NOT EXISTS (SELECT 1 FROM blacklist_health
                             WHERE resolver = $1 AND list = $2 AND kind = $3 AND state = $4)
       ), forgotten AS (
         DELETE FROM blacklist_health_history WHERE at < $6::timestamptz - interval '90 days'
       )
       INSERT INTO blacklist_health AS known (resolver, list, kind, state, why, since, tested_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (resolver, list, kind) DO UPDATE
         SET state = excluded.state, why = excluded.why, tested_at = excluded.tested_at,
             since = CASE WHEN known.state = excluded.state THEN known.since ELSE excluded.since END
       RETURNING since`,
      [this.world.resolver, open.list.id, kind, state, why, testedAt],
    );
    return { state, why, since: row!.since, testedAt };
  }
}

export function keyOf(list: string, kind: TargetKind): string {
  return `${list} ${kind}`;
}

function isFresh({ state, since, testedAt }: ListHealth, now: number): boolean {
  return now - testedAt.getTime() < believedMs(state, testedAt.getTime() - since.getTime());
}

function believedMs(state: ListState, lastedMs: number): number {
  if (state === 'healthy') return BELIEVED_MS;
  // A list that did not answer may do so a moment later.
  if (state === 'silent') return FAILURE_BELIEVED_MS;
  return Math.min(BELIEVED_MS, Math.max(FAILURE_BELIEVED_MS, lastedMs));
}
