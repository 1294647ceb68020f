import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { AppError } from '../platform/errors/app-error.js';
import { endOf, KeyLookupStore } from './access/caller-keys.js';
import type { Principal } from './access/principal.js';
import { checkSpends } from './scope/ceilings.js';
import { type KeyRecord, KeyStore } from './access/key.store.js';
import { ALL, checkMayNoMore } from './scope/key-changes.js';

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
    return this.compare(tx, caller, ordererId, checkReaches);
  }

  /**
   * As `checkMayEnd`. A key with ceilings does not order anew what one without them has ordered, since its own ceilings would pay.
   * @throws AppError as `checkMayEnd`
   */
  checkMayReplace(tx: EntityManager, caller: Principal, ordererId: string): Promise<void> {
    return this.compare(tx, caller, ordererId, (own, other) => {
      checkReaches(own, other);
      checkSpends(own, other, HAS_LIMITS);
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
    check(own, orderer!);
  }
}

const HAS_LIMITS =
  'Your key has spending limits, so it cannot replace a schedule that another key set. Use a key without spending limits.';

/** As `checkMayNoMore`, in a sentence about the schedule. */
function checkReaches(own: KeyRecord, orderer: KeyRecord): void {
  try {
    checkMayNoMore(own, orderer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `Another key set this schedule, and ${differenceOf(error)}. Use that key or one with at least its rights.`;
    throw new AppError(error.code, { ...error.details, message });
  }
}

function differenceOf({ code, details }: AppError): string {
  if (code === 'address_not_allowed') return 'it works from more networks than yours';
  if (code === 'ceiling_not_allowed') return 'it may spend more than yours';
  if (code === 'key_lasts_longer') return 'it works longer than yours';
  const permission = String(details.body?.['permission']);
  if (permission === ALL) return 'it has all permissions, those of later versions too';
  return `your key lacks its permission "${permission}"`;
}
