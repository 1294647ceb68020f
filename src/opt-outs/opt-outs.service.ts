import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DAY_MS } from '../lib/durations.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { counter } from '../platform/metrics/metrics.js';
import { comparedName, MAX_OPT_OUT_DAYS, type OptOut, type OptOutKind } from './opt-out-subject.js';
import { OptOutStore } from './opt-out.store.js';

const OPT_OUTS = new Listing('opt-outs', 'uuid');
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

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
    private readonly store: OptOutStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Those that hold now, newest first. */
  list(query: PageQuery): Promise<Page<OptOut>> {
    return OPT_OUTS.page(
      query,
      (request) => this.store.list(this.now(), request),
      ({ madeAt, id }) => ({ at: madeAt, id }),
    );
  }

  /**
   * Takes the place of an earlier one, which renews it.
   * @throws AppError `invalid_input` for a text that is no name, and for an end that does not lie ahead, or too far
   */
  add(tx: EntityManager, { name: given, ...rest }: NewOptOut): Promise<OptOut> {
    const name = comparedName(given);
    if (name === null) throw invalidField(rest.kind, NO_NAME);
    const madeAt = this.now();
    const latest = new Date(madeAt.getTime() + MAX_OPT_OUT_DAYS * DAY_MS);
    const endsAt = rest.endsAt ?? latest;
    if (endsAt <= madeAt) throw invalidField('until', 'must be a time that lies ahead');
    if (endsAt > latest) throw invalidField('until', `must be at most ${MAX_OPT_OUT_DAYS} days ahead`);
    return this.store.put(tx, { ...rest, name, madeAt, endsAt });
  }

  /** Alerts administrators to an opt-out that was made over HTTP, once it is committed: it ends the work of all accounts there. */
  alert({ kind, name, madeBy, endsAt }: OptOut): void {
    made.inc({});
    this.logger.warn(`opted out until ${endsAt.toISOString()}: ${kind} ${name}, by ${madeBy}`);
  }

  /** @throws AppError `opt_out_not_found` */
  async remove(tx: EntityManager, id: string): Promise<OptOut> {
    const gone = UUID.test(id) ? await this.store.delete(tx, id) : null;
    if (gone === null) throw new AppError('opt_out_not_found');
    return gone;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

export const NO_NAME = 'must be a domain below a public suffix, such as example.com';
