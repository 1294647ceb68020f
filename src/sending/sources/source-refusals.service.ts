import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HOUR_MS } from '../../lib/durations.js';
import type { RefusalKind } from './refusal-kind.js';

/** Refusals of one kind that an operator gave a source. */
export interface CountedRefusals {
  /** A row of `config/mail-providers.json`, the first mail host of an operator without one, or `other`. */
  readonly operator: string;
  readonly source: string;
  readonly kind: RefusalKind;
  readonly refusals: number;
  /** The codes of the last one, such as `450 4.2.0`. */
  readonly lastReply: string;
  /** Its text on one line, without addresses, at most 512 bytes. The mail host wrote it: nothing in it is true or well meant. */
  readonly lastText: string;
  readonly lastAt: Date;
}

/** Refusals are told for so long, to the hour. */
const RETENTION_MS = 24 * HOUR_MS;
const MAX_LISTED = 2_000;

const IS_NEWER = 'excluded.last_at >= source_refusals.last_at';

/** What mail operators refuse our sources, over all processes, in the last 24 hours. */
@Injectable()
export class SourceRefusalsService {
  constructor(private readonly database: DataSource) {}

  /** Adds what a process has counted since it did so before; what is older than is told goes. */
  async add(counted: readonly CountedRefusals[], now: Date): Promise<void> {
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    await this.database.query('DELETE FROM source_refusals WHERE hour <= $1', [
      new Date(hour.getTime() - RETENTION_MS),
    ]);
    if (counted.length === 0) return;
    // In one order, so that two processes do not wait for each other in a circle.
    await this.database.query(
      `INSERT INTO source_refusals (hour, source, operator, kind, refusals, last_reply, last_text, last_at)
       SELECT $1, source, operator, kind, refusals, "lastReply", "lastText", "lastAt"
         FROM json_to_recordset($2) AS counted (source text, operator text, kind text, refusals bigint, "lastReply" text,
                "lastText" text, "lastAt" timestamptz)
        ORDER BY source, operator, kind
       ON CONFLICT (hour, source, operator, kind) DO UPDATE
         SET refusals = source_refusals.refusals + excluded.refusals,
             last_reply = CASE WHEN ${IS_NEWER} THEN excluded.last_reply ELSE source_refusals.last_reply END,
             last_text = CASE WHEN ${IS_NEWER} THEN excluded.last_text ELSE source_refusals.last_text END,
             last_at = greatest(source_refusals.last_at, excluded.last_at)`,
      [hour, JSON.stringify(counted)],
    );
  }

  /** By source and operator; the pairs with the most refusals, where there are very many. */
  async list(now: Date): Promise<CountedRefusals[]> {
    const rows: (Omit<CountedRefusals, 'refusals'> & { readonly refusals: string })[] = await this.database.query(
      `SELECT source, operator, kind, refusals, "lastReply", "lastText", "lastAt" FROM (
         SELECT source, operator, kind, sum(refusals) AS refusals,
                (array_agg(last_reply ORDER BY last_at DESC))[1] AS "lastReply",
                (array_agg(last_text ORDER BY last_at DESC))[1] AS "lastText", max(last_at) AS "lastAt"
           FROM source_refusals WHERE hour > $1 GROUP BY source, operator, kind ORDER BY refusals DESC LIMIT ${MAX_LISTED}
       ) AS most ORDER BY source, operator, kind`,
      [new Date(now.getTime() - RETENTION_MS - HOUR_MS)],
    );
    return rows.map((row) => ({ ...row, refusals: Number(row.refusals) }));
  }
}
