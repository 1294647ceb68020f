import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a process has learned of port 25 on its machine. */
export interface Port25State {
  readonly machine: string;
  readonly state: 'open' | 'blocked';
  readonly since: Date;
  /** When a mail host answered last; null: none has. */
  readonly answeredAt: Date | null;
}

/** What the processes of a machine tell alike: the earliest beginning, the latest answer. */
export interface MachinePort25 extends Port25State {
  readonly processes: number;
}

/** A process tells again within it; one that was silent for so long is gone. */
const FRESH_SECONDS = 90;
const MAX_LISTED = 1_000;

/** What the processes tell of port 25: whether connections to mail hosts leave their machines. */
@Injectable()
export class Port25States {
  constructor(private readonly database: DataSource) {}

  /** Takes the place of what the process has told before; what processes that are gone have told goes. */
  async report(processId: string, { machine, state, since, answeredAt }: Port25State): Promise<void> {
    await this.database.query(`DELETE FROM port25_states WHERE seen_at < now() - interval '${FRESH_SECONDS} seconds'`);
    await this.database.query(
      `INSERT INTO port25_states (process_id, machine, state, since, answered_at, seen_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (process_id) DO UPDATE
         SET state = excluded.state, since = excluded.since, answered_at = excluded.answered_at, seen_at = excluded.seen_at`,
      [processId, machine, state, since, answeredAt],
    );
  }

  /** A process that ends in good order tells nothing more. */
  async forget(processId: string): Promise<void> {
    await this.database.query('DELETE FROM port25_states WHERE process_id = $1', [processId]);
  }

  /** By machine; those that are blocked first. None: no process has asked a mail host yet. */
  list(): Promise<MachinePort25[]> {
    return this.database.query(
      `SELECT machine, state, min(since) AS since, max(answered_at) AS "answeredAt", count(*)::integer AS processes
         FROM port25_states WHERE seen_at > now() - interval '${FRESH_SECONDS} seconds'
        GROUP BY machine, state ORDER BY state, machine LIMIT ${MAX_LISTED}`,
    );
  }
}
