import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What made-up names have shown of a mail operator that is believed to refuse unknown ones. */
export interface OperatorMeasure {
  readonly operator: string;
  readonly askedAt: Date;
  /** At most 2: then an acceptance at this operator proves nothing. */
  readonly acceptedInARow: number;
  /** Null: it is believed. */
  readonly acceptsAllSince: Date | null;
  /** Until then nobody asks it another name; negative: it is due. */
  readonly dueInMs: number;
  /** The last answer that said something; null: none has. */
  readonly answer: MeasuredAnswer | null;
}

export interface MeasuredAnswer {
  readonly at: Date;
  readonly domain: string;
  readonly mailHost: string;
  /** Code and text, without the name. */
  readonly reply: string;
}

/** So many in a row, and an acceptance proves nothing. */
const ENOUGH = 2;

/** What PostgreSQL keeps of made-up names, so that one an hour and operator is asked by all processes together, and none forgets what it has shown. */
@Injectable()
export class OperatorMeasuresService {
  constructor(private readonly database: DataSource) {}

  /** How many it has accepted in a row; null: somebody has asked it within the hour. */
  async takeTurn(operator: string): Promise<number | null> {
    const rows = await this.database.query<{ accepted: number }[]>(
      `INSERT INTO operator_measures (operator, asked_at) VALUES ($1, now())
       ON CONFLICT (operator) DO UPDATE SET asked_at = excluded.asked_at
         WHERE operator_measures.asked_at <= now() - interval '1 hour'
       RETURNING accepted_in_a_row AS accepted`,
      [operator],
    );
    return rows[0]?.accepted ?? null;
  }

  async record(
    operator: string,
    isAccepted: boolean,
    { domain, mailHost, reply }: Omit<MeasuredAnswer, 'at'>,
  ): Promise<void> {
    await this.database.query(
      `UPDATE operator_measures
          SET accepted_in_a_row = CASE WHEN $2 THEN least(accepted_in_a_row + 1, ${ENOUGH}) ELSE 0 END,
              accepts_all_since = CASE WHEN $2 AND accepted_in_a_row + 1 >= ${ENOUGH} THEN coalesce(accepts_all_since, now()) END,
              answered_at = now(), domain = $3, mail_host = $4, reply = $5
        WHERE operator = $1`,
      [operator, isAccepted, domain, mailHost, reply],
    );
  }

  /** By operator; none for those that were never asked. */
  async list(): Promise<OperatorMeasure[]> {
    const rows = await this.database.query<Row[]>(
      `SELECT operator, asked_at AS "askedAt", accepted_in_a_row AS "acceptedInARow", accepts_all_since AS "acceptsAllSince",
              extract(epoch FROM asked_at + interval '1 hour' - now())::float8 * 1000 AS "dueInMs",
              answered_at AS at, domain, mail_host AS "mailHost", reply
         FROM operator_measures ORDER BY operator`,
    );
    return rows.map(({ at, domain, mailHost, reply, ...measure }) => ({
      ...measure,
      answer: at === null ? null : { at, domain, mailHost, reply },
    }));
  }
}

type Row = Omit<OperatorMeasure, 'answer'> & Omit<MeasuredAnswer, 'at'> & { readonly at: Date | null };
