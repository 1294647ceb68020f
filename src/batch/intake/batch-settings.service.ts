import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { type Owner, ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordAccountAction } from '../../keys/account-actions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { BatchKind } from '../model/batch-kind.js';
import type { Batch } from '../model/batch.js';
import { BatchStore } from '../model/batch.store.js';
import { BatchSettings } from './batch-settings.entity.js';

/** Owners in memory, and the time after which a choice holds in every process. */
const MAX_OWNERS = 10_000;
const CHOICE_BELIEVED_MS = 1_000;

/** What batches have that do not say it themselves; null: as the plan, or the installation, says. */
export type BatchDefaults = Pick<BatchSettings, 'retentionDays' | 'retryWindowSeconds'>;

const NOTHING_CHOSEN: BatchDefaults = { retentionDays: null, retryWindowSeconds: null };

/** How long batches are kept, and for how long soft answers are tried again: the account's own defaults. */
@Injectable()
export class BatchSettingsService {
  private readonly known = new LRUCache<string, BatchDefaults>({ max: MAX_OWNERS, ttl: CHOICE_BELIEVED_MS });

  constructor(
    private readonly database: DataSource,
    @Inject(ENV) private readonly env: Env,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** What holds for a batch that says nothing itself. */
  async effective(principal: Principal): Promise<{ retentionDays: number; retryWindowSeconds: number }> {
    const { retentionDays, retryWindowSeconds } = await this.find(this.database.manager, ownerOf(principal));
    return {
      retentionDays: retentionOf(principal, retentionDays),
      retryWindowSeconds: retryWindowSeconds ?? this.env.batchRetryWindowSeconds,
    };
  }

  /**
   * The settings of a new batch.
   * @param given by the batch itself; null: as its account has chosen
   * @throws AppError `invalid_input` for more days than the plan has
   */
  async resolve(
    principal: Principal,
    given: BatchDefaults,
  ): Promise<{ retentionDays: number; retryWindowSeconds: number | null }> {
    checkRetention(principal, given.retentionDays);
    const chosen = await this.defaultsOf(ownerOf(principal));
    return {
      retentionDays: retentionOf(principal, given.retentionDays ?? chosen.retentionDays),
      retryWindowSeconds: given.retryWindowSeconds ?? chosen.retryWindowSeconds,
    };
  }

  /**
   * @param changes undefined: stays as it is; null: as the plan, or the installation, says
   * @throws AppError `invalid_input` for more days than the plan has
   */
  async change(principal: Principal, changes: Partial<BatchDefaults>): Promise<void> {
    checkRetention(principal, changes.retentionDays ?? null);
    const owner = ownerOf(principal);
    await this.database.transaction(async (tx) => {
      const { retentionDays, retryWindowSeconds } = { ...(await this.find(tx, owner)), ...defined(changes) };
      await tx.upsert(BatchSettings, { ...owner, retentionDays, retryWindowSeconds }, ['accountId', 'simulated']);
      await recordAccountAction(tx, principal, this.clock.date(), 'batch.settings', {
        retention_days: retentionDays,
        retry_window_seconds: retryWindowSeconds,
      });
    });
    this.known.delete(nameOf(owner));
  }

  private async defaultsOf(owner: Owner): Promise<BatchDefaults> {
    const known = this.known.get(nameOf(owner));
    if (known !== undefined) return known;
    const found = await this.find(this.database.manager, owner);
    this.known.set(nameOf(owner), found);
    return found;
  }

  private async find(tx: EntityManager, { accountId, simulated }: Owner): Promise<BatchDefaults> {
    return (await tx.findOneBy(BatchSettings, { accountId, simulated })) ?? NOTHING_CHOSEN;
  }
}

/** Never longer than the plan keeps batches, which may have changed since. */
function retentionOf({ policy }: Principal, days: number | null): number {
  return Math.min(days ?? policy.retentionDays, policy.retentionDays);
}

/** @throws AppError `invalid_input` for more days than the plan has */
function checkRetention({ policy }: Principal, days: number | null): void {
  if (days !== null && (days < 1 || days > policy.retentionDays))
    throw invalidField('retention_days', `must be a whole number from 1 to ${policy.retentionDays}`);
}

function defined(changes: Partial<BatchDefaults>): Partial<BatchDefaults> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function nameOf({ accountId, simulated }: Owner): string {
  return `${accountId} ${simulated}`;
}

/** Changes how long a batch is kept that is there already. */
@Injectable()
export class BatchRetentionService {
  constructor(
    private readonly database: DataSource,
    private readonly batches: BatchStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * The versions of a list are kept as long as the list is.
   * @param days null: the caller has not said it
   * @throws AppError `batch_not_found`, `invalid_input` for more days than the plan has
   */
  change(principal: Principal, kind: BatchKind, id: number, days: number | null): Promise<Batch> {
    return this.database.transaction(async (tx) => {
      const batch = await this.batches.lockOf(tx, ownerOf(principal), id, kind.name);
      if (batch === null) throw new AppError('batch_not_found');
      if (days === null) throw invalidField('retention_days', 'must be a whole number of days');
      checkRetention(principal, days);
      await this.batches.lockVersions(tx, id);
      const changed = await this.batches.setRetention(tx, id, days);
      await recordAccountAction(tx, principal, this.clock.date(), 'batch.retention', {
        batch_id: id,
        kind: kind.name,
        retention_days: days,
      });
      return changed;
    });
  }
}
