import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../idempotency/idempotency-claim.js';
import { ownerOf } from '../keys/access/owner.js';
import type { Principal } from '../keys/access/principal.js';
import { recordAccountAction } from '../keys/account-actions.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { Secrets } from '../platform/config/secrets.js';
import { addressHash } from '../suppressions/suppression-hash.js';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import { AccountTraces } from './account-traces.js';
import { type Erasure, ErasureStore } from './erasure.store.js';
import { sealContext } from './erasure-work.js';

export interface ErasureRequest {
  readonly email: string;
  /** The address stays on the suppression list, by its hash. */
  readonly suppress: boolean;
}

/** Erasures of an owner that may be under way at once. */
const MAX_OPEN = 100;
/** No path of SMTP is longer (RFC 5321, section 4.5.3.1.3), and the local part is looked for in every text. */
const MAX_LOCAL_PART = 254;

/** Takes orders to erase addresses, and tells how far they are. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly database: DataSource,
    private readonly store: ErasureStore,
    private readonly traces: AccountTraces,
    private readonly suppressions: SuppressionsService,
    private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @throws AppError `invalid_input` for a text that is no address, `too_many_erasures` */
  order(principal: Principal, { email, suppress }: ErasureRequest, claim: IdempotencyClaim | null): Promise<Erasure> {
    const hash = addressHash(email);
    if (hash === null) throw invalidField('email', 'must be an address');
    if (email.trim().lastIndexOf('@') > MAX_LOCAL_PART)
      throw invalidField('email', `must have at most ${MAX_LOCAL_PART} characters before its @`);
    const owner = ownerOf(principal);
    const createdAt = this.clock.date();
    const id = randomUUID();
    const address = this.secrets.seal(email, sealContext(id));
    return runInTransaction(this.database, claim, async (tx) => {
      if ((await this.store.countOpen(tx, owner)) >= MAX_OPEN) throw new AppError('too_many_erasures');
      // From this moment on it is not found any more, however long the rest takes.
      if (suppress) await this.suppressions.add(owner, [hash], null, tx);
      const accountIds = await this.traces.accountsOf(tx, owner);
      const erasure = { ...owner, id, address, suppressed: suppress, createdAt };
      await recordAccountAction(tx, principal, createdAt, 'address.erase', { erasure_id: id, suppress });
      return this.store.insert(tx, erasure, accountIds);
    });
  }

  /** @throws AppError `erasure_not_found` */
  async get(principal: Principal, id: string): Promise<Erasure> {
    const erasure = await this.store.find(this.database.manager, ownerOf(principal), id);
    if (erasure === null) throw new AppError('erasure_not_found');
    return erasure;
  }
}
