import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { columnsNamed, selected } from '../platform/database/rows.js';
import type { Owner } from '../keys/access/owner.js';
import type { ListSchedule, NamedSchedule, RunColumns } from './list-schedule.js';

/** The column of each member: the statements follow this table. */
const COLUMNS = columnsNamed<ListSchedule>()(`
  listId accountId simulated keyId everyDays verdicts reuseDays maxCredits enabled createdAt nextRunAt runningBatchId
  runningSourceId lastRunAt lastRunStatus lastRunReason lastRunBatchId lastRunChanged
`);
const MEMBERS = Object.keys(COLUMNS) as (keyof ListSchedule)[];
const SELECTED = selected(COLUMNS);

/** The schedules of lists. Whoever locks one has locked the list's batch before. */
@Injectable()
export class SchedulesStore {
  constructor(private readonly database: DataSource) {}

  async find(listId: number, tx = this.database.manager, lock = ''): Promise<ListSchedule | null> {
    const sql = `SELECT ${SELECTED} FROM list_schedules WHERE list_id = $1 ${lock}`;
    const [found]: ListSchedule[] = await tx.query(sql, [listId]);
    return found ?? null;
  }

  list({ accountId, simulated }: Owner, limit: number): Promise<NamedSchedule[]> {
    return this.database.query(
      `SELECT schedule.*, batch.name
         FROM (SELECT ${SELECTED} FROM list_schedules WHERE account_id = $1 AND simulated = $2) AS schedule
         JOIN batches AS batch ON batch.id = schedule."listId"
        ORDER BY enabled DESC, "nextRunAt", "listId" LIMIT $3`,
      [accountId, simulated, limit],
    );
  }

  lock(tx: EntityManager, listId: number): Promise<ListSchedule | null> {
    return this.find(listId, tx, 'FOR UPDATE');
  }

  /** Counts an owner's, for a caller that adds to them: until its transaction ends, no other one of this owner counts. */
  async count(tx: EntityManager, { accountId, simulated }: Owner): Promise<number> {
    const what = `schedules of ${accountId} ${simulated}`;
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [what]);
    const [row]: { count: number }[] = await tx.query(
      'SELECT count(*)::integer AS count FROM list_schedules WHERE account_id = $1 AND simulated = $2',
      [accountId, simulated],
    );
    return row!.count;
  }

  /** Adds a schedule, or replaces that of its list. */
  async save(tx: EntityManager, schedule: ListSchedule): Promise<void> {
    await tx.query(
      `INSERT INTO list_schedules (${MEMBERS.map((member) => COLUMNS[member]).join(', ')})
       VALUES (${MEMBERS.map((_, i) => `$${i + 1}`).join(', ')})
       ON CONFLICT (list_id) DO UPDATE SET ${MEMBERS.map((member) => `${COLUMNS[member]} = excluded.${COLUMNS[member]}`).join(', ')}`,
      MEMBERS.map((member) => schedule[member]),
    );
  }

  async change(tx: EntityManager, listId: number, changes: Partial<RunColumns>): Promise<void> {
    const members = Object.keys(changes) as (keyof RunColumns)[];
    await tx.query(
      `UPDATE list_schedules SET ${members.map((member, i) => `${COLUMNS[member]} = $${i + 2}`).join(', ')} WHERE list_id = $1`,
      [listId, ...members.map((member) => changes[member])],
    );
  }

  async delete(tx: EntityManager, listId: number): Promise<void> {
    await tx.query('DELETE FROM list_schedules WHERE list_id = $1', [listId]);
  }

  /** Puts a schedule off whose time has come and whose run could not begin: those behind it come first. */
  async putOff(listId: number, now: Date, until: Date): Promise<void> {
    await this.database.query(
      `UPDATE list_schedules SET next_run_at = $3
        WHERE list_id = $1 AND enabled AND running_batch_id IS NULL AND next_run_at <= $2`,
      [listId, now, until],
    );
  }

  /** Lists whose time has come, the longest due first. @param without those that were tried already */
  async due(now: Date, without: readonly number[], limit: number): Promise<number[]> {
    const rows: { list_id: number }[] = await this.database.query(
      `SELECT list_id FROM list_schedules
        WHERE enabled AND running_batch_id IS NULL AND next_run_at <= $1 AND list_id <> ALL ($2::bigint[])
        ORDER BY next_run_at LIMIT $3`,
      [now, without, limit],
    );
    return rows.map(({ list_id }) => list_id);
  }

  /** Lists whose run has ended, or whose batch somebody has deleted. @param without those that were tried already */
  async ended(without: readonly number[], limit: number): Promise<number[]> {
    const rows: { list_id: number }[] = await this.database.query(
      `SELECT schedule.list_id FROM list_schedules AS schedule LEFT JOIN batches ON id = running_batch_id
        WHERE running_batch_id IS NOT NULL AND (id IS NULL OR finished_at IS NOT NULL) AND schedule.list_id <> ALL ($1::bigint[])
        ORDER BY 1 LIMIT $2`,
      [without, limit],
    );
    return rows.map(({ list_id }) => list_id);
  }
}
