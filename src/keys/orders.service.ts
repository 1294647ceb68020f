import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { ERROR_CATALOG } from '../platform/errors/error-catalog.js';
import { endOf, KeyLookupStore } from './access/key-lookup.store.js';
import type { Principal } from './access/principal.js';
import { checkSpends } from './ceilings/ceilings.js';
import { type KeyRecord, KeyStore } from './key.store.js';
import { checkMayNoMore } from './scope/key-order.js';

/** What keys order for later, such as a schedule: no key changes or ends an order of one that may more than itself. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly keys: KeyStore,
    private readonly lookUps: KeyLookupStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * @param ordererId the key that gave the order: it is compared, or the newest in its place, as long as that works
   * @throws AppError `permission_missing`, `address_not_allowed`, `ceiling_not_allowed`, `key_lasts_longer`
   */
  checkMayEnd(tx: EntityManager, caller: Principal, ordererId: string): Promise<void> {
    return this.compare(tx, caller, ordererId, checkMayNoMore);
  }

  /**
   * As `checkMayEnd`. A key with ceilings does not order anew what one without them has ordered, since its own ceilings would pay.
   * @throws AppError as `checkMayEnd`
   */
  checkMayReplace(tx: EntityManager, caller: Principal, ordererId: string): Promise<void> {
    return this.compare(tx, caller, ordererId, (own, other) => {
      checkMayNoMore(own, other);
      checkSpends(own, other);
    });
  }

  private async compare(
    tx: EntityManager,
    { keyId }: Principal,
    ordererId: string,
    check: (own: KeyRecord, orderer: KeyRecord) => void,
  ): Promise<void> {
    if (ordererId === keyId) return;
    const newest = await this.lookUps.findNewest(tx, ordererId);
    if (newest === null || endOf(newest, this.clock.now()) !== null) return;
    const [own, orderer] = [await this.keys.find(keyId, tx), await this.keys.find(newest.id, tx)];
    if (own === null) throw new AppError('key_unknown');
    try {
      check(own, orderer!);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const sentence = error.details.message ?? ERROR_CATALOG[error.code][1];
      throw new AppError(error.code, { ...error.details, message: `${SET_BY_ANOTHER} ${sentence}` });
    }
  }
}

const SET_BY_ANOTHER = 'A key that may more than yours has set this.';
