import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type IdempotencyClaim, runInTransaction } from '../../idempotency/idempotency-claim.js';
import { InboundPresence, newToken } from '../inbound/inbound-recipients.js';
import { isOwn, ownerOf } from '../../keys/access/owner.js';
import type { Principal } from '../../keys/access/principal.js';
import { recordAccountAction } from '../../keys/account-actions.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type PlacementTest, SeedMailboxes, type SeedSelection } from './placement-test.js';
import { randomId } from '../../platform/random-id.js';
import { counted } from '../../platform/counted.js';
import { readId } from '../../platform/http/ids.js';
import { demoScenarioNamed } from './demo-scenarios.js';
import { PlacementTestHistoryService } from './placement-test-history.service.js';
import { TestSettlementService } from './test-settlement.service.js';

interface PlacementTestInput {
  readonly name: string | null;
  readonly seeds: SeedSelection;
  readonly settleMinutes: number;
  readonly expiresMinutes: number;
  readonly maxCredits: number | null;
}

/** A test, and the addresses of its seeds. */
interface CreatedTest {
  readonly test: PlacementTest;
  readonly addresses: readonly string[];
}

/** A world begins so long after its test was made, so that waiting is seen. */
const SCENARIO_STEP_MS = 1_000;

/** Makes, cancels and deletes placement tests. */
@Injectable()
export class PlacementTestsService {
  constructor(
    private readonly database: DataSource,
    private readonly tests: PlacementTestHistoryService,
    private readonly seeds: SeedMailboxes,
    private readonly settlement: TestSettlementService,
    private readonly presence: InboundPresence,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /**
   * Reserves the most that the test may cost, and waits for its mail from now on.
   * @throws AppError `placement_unavailable`, `plan_limit_reached`, `ceiling_reached`, `key_ceiling_reached`, `credits_insufficient`
   */
  async create(principal: Principal, wanted: PlacementTestInput, claim: IdempotencyClaim | null): Promise<CreatedTest> {
    const world = principal.simulated ? demoScenarioNamed(wanted.name) : null;
    if (world === null && !(await this.presence.isListening())) throw new AppError('placement_unavailable');
    const { source } = this.seeds;
    const hasSeeds =
      wanted.seeds !== 'none' && (world === null ? await source.isUsable(wanted.seeds) : world.seeds.length > 0);
    const at = new Date(this.clock.now());
    return runInTransaction(this.database, claim, async (tx: EntityManager) => {
      const owner = ownerOf(principal);
      const limit = principal.policy.placementTests;
      if ((await this.tests.countOpen(tx, owner)) >= limit)
        throw new AppError('plan_limit_reached', {
          message: `The account's plan allows ${counted(limit, 'placement test that waits', 'placement tests that wait')} at once: wait until one has ended, cancel one, or ask for another plan.`,
        });
      const { maxCredits } = wanted;
      const reserved = await this.settlement.reserve(tx, principal, { hasSeeds, maxCredits });
      const test: PlacementTest = {
        ...owner,
        id: randomId(),
        keyId: principal.keyId,
        token: newToken(),
        name: wanted.name,
        seeds: hasSeeds ? wanted.seeds : 'none',
        world: world?.name ?? null,
        state: 'waiting',
        ...reserved,
        creditsCharged: 0,
        settleMinutes: wanted.settleMinutes,
        messages: 0,
        attempts: 0,
        report: null,
        placement: null,
        createdAt: at,
        expiresAt: new Date(at.getTime() + wanted.expiresMinutes * 60_000),
        firstArrivalAt: null,
        settledAt: null,
      };
      const dueAt = world === null ? test.expiresAt : new Date(at.getTime() + SCENARIO_STEP_MS);
      await this.tests.insertDue(tx, test, dueAt);
      const addresses = hasSeeds && world === null ? await source.assign(tx, test) : [];
      return { test, addresses };
    });
  }

  /**
   * Cancels a test that has not ended, whose credits come back, or deletes one that has.
   * @throws AppError `placement_test_not_found`
   */
  async remove(principal: Principal, id: string): Promise<void> {
    const testId = readId(id, 'placement_test_not_found');
    const at = new Date(this.clock.now());
    await this.tests.locked('id', testId, async (tx, test) => {
      if (test === null || !isOwn(ownerOf(principal), test)) throw new AppError('placement_test_not_found');
      const act = test.settledAt === null ? 'placement.cancel' : 'placement.delete';
      await recordAccountAction(tx, principal, at, act, { placement_test_id: testId });
      if (test.settledAt !== null) return this.tests.delete(tx, testId);
      await this.tests.deleteMessage(tx, testId);
      await this.settlement.end(tx, test, 'cancelled', { placement: null, at });
    });
  }
}
