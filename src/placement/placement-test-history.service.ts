import { Inject, Injectable } from '@nestjs/common';
import type { Owner } from '../keys/access/owner.js';
import { CLOCK, type WallClock } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { readId } from '../platform/http/id-params.js';
import { Listing } from '../platform/http/listing.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import { type PlacementMessage, PlacementMessagesStore, PlacementTestsStore } from './placement-tests.store.js';
import {
  MESSAGE_KEPT_MS,
  placementOf,
  type PlacementTest,
  SeedMailboxes,
  type SeedPlacement,
  TEST_KEPT_MS,
  TEST_PREFIX,
  type TestState,
} from './placement-test.js';
import { worldNamed } from './demo-scenarios.js';

/** A test with what only others know of it. */
export interface SeenTest {
  readonly test: PlacementTest;
  /** Where its mail is to be sent. */
  readonly sendTo: readonly string[];
  /** What its seeds have told so far, or at the end; null: it has none. */
  readonly placement: SeedPlacement | null;
}

const TESTS = new Listing('placement-tests', 'integer');

/** Placement tests as they stand, and their messages. */
@Injectable()
export class KeptPlacementTests {
  constructor(
    private readonly tests: PlacementTestsStore,
    private readonly messages: PlacementMessagesStore,
    private readonly seeds: SeedMailboxes,
    @Inject(ENV) private readonly env: Pick<Env, 'inboundDomain'>,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** Newest first. @param state only those */
  list(owner: Owner, query: PageQuery, state: TestState | null = null): Promise<Page<PlacementTest>> {
    return TESTS.page(
      query,
      (request) => this.tests.list(owner, request, state, this.since(TEST_KEPT_MS)),
      ({ createdAt, id }) => ({ at: createdAt, id: String(id) }),
    );
  }

  /** @throws AppError `placement_test_not_found` */
  async get(owner: Owner, id: string): Promise<PlacementTest> {
    const test = await this.tests.find(owner, readId(id, 'placement_test_not_found'), this.since(TEST_KEPT_MS));
    if (test === null) throw new AppError('placement_test_not_found');
    return test;
  }

  /** A test that was made just now, perhaps in a transaction that is not committed yet. @param addresses of its seeds */
  fresh(test: PlacementTest, addresses: readonly string[]): SeenTest {
    const world = test.seeds === 'none' ? null : worldNamed(test.world);
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
    const message = await this.messages.find(test.id);
    if (message === null || message.receivedAt < this.since(MESSAGE_KEPT_MS))
      throw new AppError('placement_test_not_found', { message: 'There is no message of this test (any more).' });
    return message;
  }

  private since(ms: number): Date {
    return new Date(this.clock.now() - ms);
  }
}
