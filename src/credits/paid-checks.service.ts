import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import type { CheckHistory } from '../platform/database/check-history.js';
import { randomId } from '../platform/random-id.js';
import { CreditsService } from './credits.service.js';
import type { CreditRequest } from './credit-source.js';
import type { UsedWork } from './usage/used-work.js';

/** What every check has that is paid and kept. */
interface PaidRow {
  readonly id: number;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

interface PaidCheck<Done, Row> {
  readonly wanted: CreditRequest;
  readonly work: () => Promise<Done>;
  /** What was done, each part with what it costs. */
  readonly worksOf: (done: Done) => readonly UsedWork[];
  /** What is kept of it. */
  readonly foundIn: (done: Done) => Omit<Row, keyof PaidRow>;
}

/** Checks that are paid and kept: each reserves, asks, is charged for what came of it or gets its credits back, and is read again later. */
@Injectable()
export class PaidChecksService {
  constructor(
    private readonly database: DataSource,
    private readonly credits: CreditsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param claim the request's, when it has an idempotency key: then the charge, the row and the reply are kept together, or none of them
   * @throws AppError as `CreditsService.reserve` does, and what the work throws, for which nothing is charged
   */
  async run<Done, Row extends PaidRow>(
    principal: Principal,
    history: CheckHistory<Row>,
    claim: IdempotencyClaim | null,
    { wanted, work, worksOf, foundIn }: PaidCheck<Done, Row>,
  ): Promise<Row> {
    const begun = performance.now();
    const reservation = await this.credits.reserve(principal, wanted);
    const done = await work().catch(async (fault: unknown) => {
      await this.credits.release(reservation);
      throw fault;
    });
    const works = worksOf(done);
    const charge = works.reduce((sum, { credits }) => sum + credits, 0);
    const creditsCharged = await this.credits.settle(reservation, charge, claim, works);
    const latencyMs = Math.round(performance.now() - begun);
    const paid = { id: randomId(), creditsCharged, latencyMs, createdAt: this.clock.date() };
    const row = { ...foundIn(done), ...paid } as unknown as Row;
    await runInTransaction(this.database, claim, (tx) => history.insert(tx, ownerOf(principal), row));
    return row;
  }
}
