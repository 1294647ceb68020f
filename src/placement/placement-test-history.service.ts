import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../keys/access/owner.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Page } from '../platform/http/listing.js';
import type { PageQuery } from '../platform/http/page.js';
import { type PlacementMessage, PlacementTestsStore } from './placement-tests.store.js';
import {
  type PlacementTest,
  TEST_PREFIX,
  type TestState,
  SeedMailboxes,
  placementOf,
  type SeedPlacement,
  MESSAGE_RETENTION_MS,
} from './placement-test.js';
import { demoScenarioNamed } from './demo-scenarios.js';

/** A test with what only others know of it. */
export interface SeenTest {
  readonly test: PlacementTest;
  /** Where its mail is to be sent. */
  readonly sendTo: readonly string[];
  /** What its seeds have told so far, or at the end; null: it has none. */
  readonly placement: SeedPlacement | null;
}

/** Placement tests as they stand, and their messages. */
@Injectable()
export class PlacementTestHistoryService {
  constructor(
    private readonly tests: PlacementTestsStore,
    private readonly seeds: SeedMailboxes,
    @Inject(ENV) private readonly env: Pick<Env, 'inboundDomain'>,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @param state only those */
  list(owner: Owner, query: PageQuery, state: TestState | null = null): Promise<Page<PlacementTest>> {
    return this.tests.list(owner, query, state);
  }

  /** @throws AppError `placement_test_not_found` */
  get(owner: Owner, id: string): Promise<PlacementTest> {
    return this.tests.get(owner, id);
  }

  /** A test that was made just now, perhaps in a transaction that is not committed yet. @param addresses of its seeds */
  fresh(test: PlacementTest, addresses: readonly string[]): SeenTest {
    const world = test.seeds === 'none' ? null : demoScenarioNamed(test.world);
    const own = `${TEST_PREFIX}-${test.token}@${this.env.inboundDomain}`;
    const played = (world?.seeds ?? []).filter(({ provider }) => test.seeds === 'all' || test.seeds.includes(provider));
    return { test, sendTo: [own, ...played.map(({ address }) => address), ...addresses], placement: test.placement };
  }

  async seen(test: PlacementTest): Promise<SeenTest> {
    if (test.seeds === 'none' || test.world !== null) return this.fresh(test, []);
    const { source } = this.seeds;
    const { sendTo } = this.fresh(test, await source.addressesOf(test.id));
    const placement = test.settledAt === null ? placementOf((await source.seen(test)).seeds) : test.placement;
    return { test, sendTo, placement };
  }

  /** @throws AppError `placement_test_not_found`: nothing has come, or its message is forgotten already */
  async message(owner: Owner, id: string): Promise<PlacementMessage> {
    const test = await this.get(owner, id);
    const message = await this.tests.findMessage(test.id);
    if (message === null || message.receivedAt.getTime() < this.clock.now() - MESSAGE_RETENTION_MS)
      throw new AppError('placement_test_not_found', { message: 'There is no message of this test (any more).' });
    return message;
  }
}
