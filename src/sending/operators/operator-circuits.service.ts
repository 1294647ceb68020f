import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A mail operator that refuses a process at a source. */
export interface ReportedCircuit {
  readonly operator: string;
  /** The source's name. */
  readonly source: string;
  /** Our own address there; empty where a proxy connects for us. */
  readonly address: string;
  /** Refusals in a row. */
  readonly refusals: number;
  readonly openUntil: Date;
  /** Its codes, such as `550 5.7.1`. */
  readonly lastRefusal: string;
}

/** What the processes together tell of an operator and a source: the most refusals, the latest end. */
export interface OperatorCircuit extends ReportedCircuit {
  readonly processes: number;
}

/** A process tells every few seconds; one that was silent for so long is gone. */
const FRESH_MS = 30_000;
const MAX_LISTED = 1_000;

/** What the processes tell of the operators that refuse them. */
@Injectable()
export class OperatorCircuitsService {
  constructor(private readonly database: DataSource) {}

  /** Takes the place of what the process has told before; what processes that are gone have told goes. */
  async report(processId: string, circuits: readonly ReportedCircuit[], now: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const staleBefore = new Date(now.getTime() - FRESH_MS);
      await tx.query('DELETE FROM operator_circuits WHERE process_id = $1 OR seen_at < $2', [processId, staleBefore]);
      await tx.query(
        `INSERT INTO operator_circuits (process_id, operator, source, address, refusals, open_until, last_refusal, seen_at)
         SELECT $1, operator, source, address, refusals, "openUntil", "lastRefusal", $3
           FROM json_to_recordset($2) AS circuit
                  (operator text, source text, address text, refusals integer, "openUntil" timestamptz, "lastRefusal" text)`,
        [processId, JSON.stringify(circuits), now],
      );
    });
  }

  /** By operator and source. */
  list(now: Date): Promise<OperatorCircuit[]> {
    return this.database.query(
      `SELECT operator, source, address, max(refusals) AS refusals, max(open_until) AS "openUntil",
              (array_agg(last_refusal ORDER BY seen_at DESC))[1] AS "lastRefusal", count(*)::integer AS processes
         FROM operator_circuits WHERE seen_at > $1 GROUP BY operator, source, address ORDER BY operator, source, address LIMIT ${MAX_LISTED}`,
      [new Date(now.getTime() - FRESH_MS)],
    );
  }
}
