import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { KEY_POLICIES, type KeyPolicies } from '../../platform/config/policies.js';

/** Every run is kept so long; after that only those that changed something, as long as the plan says. */
const ALL_RUNS_MS = 30 * DAY_MS;
const PAGE_SIZE = 1_000;

/** Forgets the old history of monitors. */
@Injectable()
export class MonitorUpkeep {
  constructor(
    private readonly database: DataSource,
    @Inject(KEY_POLICIES) private readonly policies: KeyPolicies,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Forgets old runs, events and resolved findings. @returns how many rows were forgotten */
  async forget(): Promise<number> {
    const days = Object.fromEntries(Object.values(this.policies).map(({ name, monitorDays }) => [name, monitorDays]));
    const now = this.clock.now();
    const values = [new Date(now), JSON.stringify(days)];
    let forgotten = await this.each(UNCHANGED_RUNS, [new Date(now - ALL_RUNS_MS)]);
    for (const sql of [OLD_RUNS, OLD_EVENTS, OLD_FINDINGS]) forgotten += await this.each(sql, values);
    return forgotten;
  }

  private async each(sql: string, values: readonly unknown[]): Promise<number> {
    let all = 0;
    for (;;) {
      const [, count]: [unknown, number] = await this.database.query(sql, [...values]);
      all += count;
      if (count < PAGE_SIZE) return all;
    }
  }
}

/** A run whose result others show, or that is the last one, stays. */
const IS_FREE = `
  NOT EXISTS (SELECT FROM monitor_runs AS later WHERE later.result_of = run.id AND later.id <> run.id)
  AND NOT EXISTS (SELECT FROM monitors WHERE last_run_id = run.id)`;

const UNCHANGED_RUNS = `
  DELETE FROM monitor_runs WHERE id = ANY (ARRAY(
    SELECT id FROM monitor_runs AS run WHERE finished_at < $1 AND NOT changed AND ${IS_FREE}
     ORDER BY finished_at LIMIT ${PAGE_SIZE} FOR UPDATE SKIP LOCKED))`;

/** Older than the plan of its account keeps it. */
const isOld = (column: string): string =>
  `${column} < $1::timestamptz - ($2::jsonb ->> account.policy)::integer * interval '1 day'`;

const OF_ACCOUNT = (table: string): string =>
  `JOIN monitors AS monitor ON monitor.id = ${table}.monitor_id JOIN accounts AS account ON account.id = monitor.account_id`;

const OLD_RUNS = `
  DELETE FROM monitor_runs WHERE id = ANY (ARRAY(
    SELECT run.id FROM monitor_runs AS run ${OF_ACCOUNT('run')}
     WHERE ${isOld('run.finished_at')} AND ${IS_FREE} LIMIT ${PAGE_SIZE} FOR UPDATE OF run SKIP LOCKED))`;

const OLD_EVENTS = `
  DELETE FROM monitor_events WHERE id = ANY (ARRAY(
    SELECT event.id FROM monitor_events AS event ${OF_ACCOUNT('event')}
     WHERE ${isOld('event.at')} LIMIT ${PAGE_SIZE} FOR UPDATE OF event SKIP LOCKED))`;

const OLD_FINDINGS = `
  DELETE FROM monitor_findings WHERE id = ANY (ARRAY(
    SELECT finding.id FROM monitor_findings AS finding ${OF_ACCOUNT('finding')}
     WHERE finding.state = 'resolved' AND ${isOld('finding.resolved_at')} LIMIT ${PAGE_SIZE} FOR UPDATE OF finding SKIP LOCKED))`;
