import { Inject, Injectable, Logger } from '@nestjs/common';
import { type EntityManager, DataSource } from 'typeorm';
import { DAY_MS } from '../../lib/durations.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { readUuid } from '../../platform/http/ids.js';
import { Listing, type Page, type PageInput } from '../../platform/http/listing.js';
import { counter } from '../../platform/metrics/metrics.js';
import { comparedName, MAX_OPT_OUT_DAYS, type OptOut, type OptOutKind } from './opt-out-subject.js';

const COLUMNS = 'id, kind, name, reason, made_by AS "madeBy", made_at AS "madeAt", ends_at AS "endsAt"';

const OPT_OUTS = new Listing('opt-outs', 'uuid');

const made = counter('mailsonde_opt_outs_total', 'Domains and mail hosts that were opted out or renewed over HTTP.');

export interface NewOptOut {
  readonly kind: OptOutKind;
  /** As somebody has written it. */
  readonly name: string;
  readonly reason: string;
  readonly madeBy: string;
  /** Null: as late as an opt-out can end. */
  readonly endsAt: Date | null;
}

/** Domains and mail hosts whose postmasters want to be left alone, as PostgreSQL keeps them. */
@Injectable()
export class OptOutsService {
  private readonly logger = new Logger(OptOutsService.name);

  constructor(
    private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that hold now, newest first. */
  list(query: PageInput): Promise<Page<OptOut>> {
    return OPT_OUTS.page(
      query,
      ({ limit, after }) =>
        this.database.query<OptOut[]>(
          `SELECT ${COLUMNS} FROM opt_outs
            WHERE ends_at > $1 AND ($2::timestamptz IS NULL OR (made_at, id) < ($2, $3::uuid))
            ORDER BY made_at DESC, id DESC LIMIT $4`,
          [this.clock.date(), after?.at, after?.id, limit + 1],
        ),
      ({ madeAt, id }) => ({ at: madeAt, id }),
    );
  }

  /**
   * Takes the place of an earlier one, which renews it.
   * @throws AppError `invalid_input` for a text that is no name, and for an end that does not lie ahead, or too far
   */
  async add(tx: EntityManager, { name: given, kind, reason, madeBy, endsAt: wanted }: NewOptOut): Promise<OptOut> {
    const name = comparedName(given);
    if (name === null) throw invalidField(kind, NO_NAME);
    const madeAt = this.clock.date();
    const latest = new Date(madeAt.getTime() + MAX_OPT_OUT_DAYS * DAY_MS);
    const endsAt = wanted ?? latest;
    if (endsAt <= madeAt) throw invalidField('until', 'must be a time that lies ahead');
    if (endsAt > latest) throw invalidField('until', `must be at most ${MAX_OPT_OUT_DAYS} days ahead`);
    const [row]: OptOut[] = await tx.query(
      `INSERT INTO opt_outs (kind, name, reason, made_by, made_at, ends_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (kind, name) DO UPDATE
         SET reason = excluded.reason, made_by = excluded.made_by, made_at = excluded.made_at, ends_at = excluded.ends_at
       RETURNING ${COLUMNS}`,
      [kind, name, reason, madeBy, madeAt, endsAt],
    );
    return row!;
  }

  /** Alerts administrators to an opt-out that was made over HTTP, once it is committed: it ends the work of all accounts there. */
  alert({ kind, name, madeBy, endsAt }: OptOut): void {
    made.inc({});
    this.logger.warn(`opted out until ${endsAt.toISOString()}: ${kind} ${name}, by ${madeBy}`);
  }

  /** @throws AppError `opt_out_not_found` */
  async remove(tx: EntityManager, id: string): Promise<OptOut> {
    const [rows]: [OptOut[], number] = await tx.query(`DELETE FROM opt_outs WHERE id = $1 RETURNING ${COLUMNS}`, [
      readUuid(id, 'opt_out_not_found'),
    ]);
    if (rows.length === 0) throw new AppError('opt_out_not_found');
    return rows[0]!;
  }
}

export const NO_NAME = 'must be a domain below a public suffix, such as example.com';
