import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import type { OptOut, OptOutKind } from './opt-out-subject.js';
import { DataSource } from 'typeorm';
import { HOUR_MS } from '../../lib/durations.js';
import { KnownState, PeriodicJob } from '../../platform/periodic-job.js';

const EVERY_MS = 5_000;
/** More than all who have ever asked; the oldest hold. */
const MAX_KNOWN = 1_000_000;

/**
 * What this process knows of opt-outs. PostgreSQL is asked every few seconds whether they have changed, so that one holds in all
 * processes within ten; while it is away, what was known stays.
 */
@Injectable()
export class OptedOut extends KnownState {
  private state: string | null = null;
  private known: Readonly<Record<OptOutKind, ReadonlyMap<string, number>>> = {
    domain: new Map(),
    mail_host: new Map(),
  };

  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('opt-outs were not read', { everyMs: EVERY_MS, timer });
  }

  /** Whether a domain's mailboxes may not be asked about, or one of its mail hosts may not be. */
  covers(domain: string, hosts: readonly { readonly name: string }[]): boolean {
    const { domain: domains, mail_host: mailHosts } = this.known;
    if (domains.size > 0 && this.has(domains, domain)) return true;
    return mailHosts.size > 0 && hosts.some(({ name }) => this.has(mailHosts, name));
  }

  private has(left: ReadonlyMap<string, number>, name: string): boolean {
    for (let rest = name; rest !== ''; rest = parentOf(rest)) {
      const endsAt = left.get(rest);
      if (endsAt !== undefined && endsAt > this.clock.now()) return true;
    }
    return false;
  }

  async read(): Promise<void> {
    // Changes whenever the opt-outs do.
    const [row]: { state: string }[] = await this.database.query(
      `SELECT count(*) || ' ' || coalesce(max(made_at)::text, '') AS state FROM opt_outs`,
    );
    const { state } = row!;
    if (state === this.state) return;
    const all: Pick<OptOut, 'kind' | 'name' | 'endsAt'>[] = await this.database.query(
      `SELECT kind, name, ends_at AS "endsAt" FROM opt_outs ORDER BY made_at LIMIT ${MAX_KNOWN}`,
    );
    const known = { domain: new Map<string, number>(), mail_host: new Map<string, number>() };
    for (const { kind, name, endsAt } of all) known[kind].set(name, endsAt.getTime());
    this.known = known;
    this.state = state;
  }
}

function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

/** Rows deleted by one statement. */
const ROW_PAGE_SIZE = 1_000;

/** Deletes opt-outs that nobody has renewed. */
@Injectable()
export class OptOutsCleanup extends PeriodicJob {
  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('ended opt-outs were not deleted', { everyMs: HOUR_MS, firstAfterMs: HOUR_MS, timer });
  }

  async run(): Promise<void> {
    const now = this.clock.date();
    let deleted: number;
    do
      [, deleted] = await this.database.query<[unknown[], number]>(
        'DELETE FROM opt_outs WHERE id IN (SELECT id FROM opt_outs WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2) AND ends_at <= $1',
        [now, ROW_PAGE_SIZE],
      );
    while (deleted === ROW_PAGE_SIZE);
  }
}
