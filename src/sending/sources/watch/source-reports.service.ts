import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a process has seen of a source. */
export interface ReportedSource {
  readonly source: string;
  /** Null: neither the address nor its proxy has a fault. */
  readonly restingUntil: Date | null;
  readonly fault: string | null;
  readonly port25: 'open' | 'blocked' | 'unknown';
}

/** Of a process that is alive. */
export interface SeenSource extends ReportedSource {
  readonly machine: string;
}

/** A process tells every few seconds; one that was silent for so long is gone. */
export const FRESH_MS = 30_000;
const MAX_LISTED = 10_000;

/** What the processes tell of the sending addresses that they use. */
@Injectable()
export class SourceReportsService {
  constructor(private readonly database: DataSource) {}

  /** Takes the place of what the process has told before; what processes that are gone have told goes. */
  async report(processId: string, machine: string, sources: readonly ReportedSource[], now: Date): Promise<void> {
    const staleBefore = new Date(now.getTime() - FRESH_MS);
    await this.database.transaction(async (tx) => {
      await tx.query('DELETE FROM source_reports WHERE process_id = $1 OR seen_at < $2', [processId, staleBefore]);
      await tx.query(
        `INSERT INTO source_reports (process_id, machine, source, resting_until, fault, port_25, seen_at)
         SELECT $1, $2, source, "restingUntil", fault, "port25", $4
           FROM json_to_recordset($3) AS seen (source text, "restingUntil" timestamptz, fault text, "port25" text)`,
        [processId, machine, JSON.stringify(sources), now],
      );
    });
  }

  /** A process that ends in good order tells nothing more. */
  async forget(processId: string): Promise<void> {
    await this.database.query('DELETE FROM source_reports WHERE process_id = $1', [processId]);
  }

  list(now: Date): Promise<SeenSource[]> {
    return this.database.query(
      `SELECT source, machine, resting_until AS "restingUntil", fault, port_25 AS "port25"
         FROM source_reports WHERE seen_at > $1 ORDER BY source, machine LIMIT ${MAX_LISTED}`,
      [new Date(now.getTime() - FRESH_MS)],
    );
  }
}
