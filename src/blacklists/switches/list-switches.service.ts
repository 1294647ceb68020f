import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../../platform/clock.js';

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
export class ListSwitches {
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
