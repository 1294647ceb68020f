import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../../platform/clock.js';
import { PeriodicJob } from '../../../platform/periodic-job.js';
import { LEASE_MS, CHECK_EVERY_MS, type LeasedSeed } from './seed.js';
import { SeedsStore } from './seeds.store.js';
import { DataSource, type EntityManager } from 'typeorm';
import { settlesAt } from '../placement-test.js';
import { type Arrival, ArrivalsStore, type DueTest } from './arrivals.store.js';
import { SeedFault } from './seed-fault.js';
import { AFTER_REFUSAL_MS, nextReadAt } from './seed-status.js';
import { MailboxReader } from './mailbox-reader.js';
import { type OwnCopy, ownCopyOf, type SoughtTest } from './match-mails.js';
import { PlacementTestHistoryService, unpackMessage } from '../placement-test-history.service.js';
import { headerFields } from './mail-headers.js';

const AFTER_FAULT_MS = 20_000;
const HEAD_BYTES = 65_536;

/**
 * Looks into one mailbox for all tests that wait for it, and writes down what it told.
 *
 * The worker has leased the mailbox, so nobody else is connected to it. What was found and the end of the lease are one transaction, which
 * writes nothing when the lease is another's by then: so a worker that is killed, or so late that it was taken for dead, leaves nothing
 * behind, and the mailbox is looked into again. A look that fails says nothing of any mail.
 */
@Injectable()
export class SeedReadsService {
  private readonly logger = new Logger(SeedReadsService.name);

  constructor(
    private readonly database: DataSource,
    private readonly seeds: SeedsStore,
    private readonly arrivals: ArrivalsStore,
    private readonly placementTests: PlacementTestHistoryService,
    private readonly reader: MailboxReader,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async look(seed: LeasedSeed, owner: string, signal: AbortSignal): Promise<void> {
    const tests = await this.arrivals.waiting(seed.id);
    const outcome = await this.read(seed, tests, signal);
    // The fault is our own stop.
    if (signal.aborted && outcome instanceof SeedFault)
      return this.seeds.release(this.database.manager, seed.id, owner);
    await this.database.transaction((tx) => this.keep(tx, seed, owner, tests, outcome));
  }

  private async read(
    seed: LeasedSeed,
    tests: readonly DueTest[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, Arrival> | SeedFault> {
    const sought = await this.soughtOf(tests);
    try {
      if (sought.length > 0) return await this.reader.find(seed, sought, signal);
      await this.reader.readOverview(seed, signal);
      return new Map();
    } catch (error) {
      if (error instanceof SeedFault) return error;
      // A mailbox holds what strangers have sent: whatever it makes of us, others are read.
      this.logger.error(`seed ${seed.id} was not read: ${(error as Error).message}`);
      return new SeedFault('protocol_error');
    }
  }

  private async soughtOf(tests: readonly DueTest[]): Promise<SoughtTest[]> {
    const sought: SoughtTest[] = [];
    for (const { testId, token, createdAt, firstArrivalAt, isAlone } of tests) {
      const own = firstArrivalAt === null ? null : await this.ownCopy(testId);
      sought.push({ testId, token, createdAt, own, isAlone });
    }
    return sought;
  }

  /** What our receiver's copy of a test says of itself; null: none has come, or it is not kept any more. */
  private async ownCopy(testId: number): Promise<OwnCopy | null> {
    const message = await this.placementTests.findMessage(testId);
    if (message === null) return null;
    try {
      const raw = await unpackMessage(message.raw);
      return ownCopyOf(headerFields(raw.subarray(0, HEAD_BYTES)));
    } catch (error) {
      this.logger.warn(`the copy of placement test ${testId} cannot be read: ${(error as Error).message}`);
      return null;
    }
  }

  private async keep(
    tx: EntityManager,
    seed: LeasedSeed,
    owner: string,
    tests: readonly DueTest[],
    outcome: ReadonlyMap<number, Arrival> | SeedFault,
  ): Promise<void> {
    const now = new Date(this.clock.now());
    const isHeld =
      outcome instanceof SeedFault
        ? await this.failed(tx, seed, owner, outcome, now)
        : await this.seeds.succeeded(tx, seed.id, owner, { now, checkDueAt: later(now, CHECK_EVERY_MS) });
    if (!isHeld) return;
    // In one order, whatever seed: two that find mails of the same tests wait for each other in no circle.
    for (const test of tests.toSorted((one, other) => one.testId - other.testId)) {
      const arrival = outcome instanceof SeedFault ? undefined : outcome.get(test.testId);
      if (arrival === undefined)
        await this.notFound(tx, seed, test, outcome instanceof SeedFault ? outcome : null, now);
      else {
        await this.arrivals.found(tx, test.testId, seed.id, arrival, now);
        await this.arrivals.arrived(tx, test.testId, arrival.arrivedAt, now);
      }
    }
  }

  private async failed(
    tx: EntityManager,
    seed: LeasedSeed,
    owner: string,
    fault: SeedFault,
    now: Date,
  ): Promise<boolean> {
    const isRefused = fault.code === 'login_refused' || fault.code === 'token_refused';
    const state = await this.seeds.failed(tx, seed.id, owner, {
      why: fault.message,
      isCheck: seed.isCheckDue,
      now,
      checkDueAt: later(now, CHECK_EVERY_MS),
      pausedUntil: later(now, isRefused ? AFTER_REFUSAL_MS : AFTER_FAULT_MS),
    });
    // The first words are for those who are woken by a log.
    if (state === 'off') this.logger.error(`Placement seed turned off: ${seed.id} (${seed.provider}), ${fault.code}.`);
    return state !== null;
  }

  private async notFound(
    tx: EntityManager,
    seed: LeasedSeed,
    test: DueTest,
    fault: SeedFault | null,
    at: Date,
  ): Promise<void> {
    const { testId, firstArrivalAt, baseAt } = test;
    const looks = firstArrivalAt !== null && baseAt === null ? 1 : test.looks + 1;
    const dueAt = nextReadAt({ looks, at, settlesAt: settlesAt(test), hasFailed: fault !== null });
    await this.arrivals.notFound(tx, testId, seed.id, {
      looks,
      baseAt: firstArrivalAt,
      at,
      fault: fault?.code ?? null,
      dueAt,
    });
  }
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

const EVERY_MS = 5_000;
/** Mailboxes that one process reads at once. */
const SEED_CONCURRENCY = 4;

/** Looks into the mailboxes whose time has come: for tests that wait, and once an hour whether they can be read. */
@Injectable()
export class SeedPoller extends PeriodicJob {
  private readonly stopping = new AbortController();

  constructor(
    private readonly seeds: SeedsStore,
    private readonly looks: SeedReadsService,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    super('seed mailboxes were not looked into', { everyMs: EVERY_MS, firstAfterMs: EVERY_MS, timer });
  }

  override onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    return super.onModuleDestroy();
  }

  /** Does all that is due now. */
  async run(): Promise<void> {
    const ends = await Promise.allSettled(Array.from({ length: SEED_CONCURRENCY }, () => this.drain()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  private async drain(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const owner = randomUUID();
      const now = this.clock.now();
      const seed = await this.seeds.lease(owner, new Date(now), new Date(now + LEASE_MS));
      if (seed === null) return;
      await this.looks.look(seed, owner, this.stopping.signal);
    }
  }
}
