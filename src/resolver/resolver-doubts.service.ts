import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ResolverFinding } from '../mail-dns/resolver-check.js';

/** A process does not believe its DNS resolver, because it lies. */
export interface ResolverDoubt {
  readonly machine: string;
  readonly finding: Exclude<ResolverFinding, 'honest'>;
  readonly since: Date;
}

/** What the processes of a machine tell alike, since the first of them. */
export interface MachineDoubt extends ResolverDoubt {
  readonly processes: number;
}

/** A process tells again within it; one that was silent for so long is gone. */
const FRESH_SECONDS = 90;
const MAX_LISTED = 1_000;

/** What the processes tell of their DNS resolvers, for administrators. */
@Injectable()
export class ResolverDoubts {
  constructor(private readonly database: DataSource) {}

  /** Takes the place of what the process has told before; what processes that are gone have told goes. */
  async report(processId: string, { machine, finding, since }: ResolverDoubt): Promise<void> {
    await this.database.query(
      `DELETE FROM resolver_doubts WHERE seen_at < now() - interval '${FRESH_SECONDS} seconds'`,
    );
    await this.database.query(
      `INSERT INTO resolver_doubts (process_id, machine, finding, since, seen_at) VALUES ($1, $2, $3, $4, now())
       ON CONFLICT (process_id) DO UPDATE SET finding = excluded.finding, seen_at = excluded.seen_at`,
      [processId, machine, finding, since],
    );
  }

  /** The process believes its resolver again, or ends in good order. */
  async forget(processId: string): Promise<void> {
    await this.database.query('DELETE FROM resolver_doubts WHERE process_id = $1', [processId]);
  }

  list(): Promise<MachineDoubt[]> {
    return this.database.query(
      `SELECT machine, finding, min(since) AS since, count(*)::integer AS processes
         FROM resolver_doubts WHERE seen_at > now() - interval '${FRESH_SECONDS} seconds'
        GROUP BY machine, finding ORDER BY machine, finding LIMIT ${MAX_LISTED}`,
    );
  }
}
