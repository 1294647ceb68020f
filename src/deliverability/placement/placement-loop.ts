import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import { CLOCK, TIMER, type Timer, type WallClock } from '../../platform/clock.js';
import { WorkNotifier } from '../../platform/queue/work-notifier.js';
import { WEBHOOK_QUEUE } from '../../webhooks/webhook-queue.js';
import { PlacementTestHistoryService, unpackMessage } from './placement-test-history.service.js';
import { MESSAGE_RETENTION_MS, placementOf, type PlacementTest, SeedMailboxes, settlesAt } from './placement-test.js';
import { ReportMakerService } from './report/report-maker.service.js';
import { isWholeReport, type PlacementReport } from './report/placement-report.js';
import { TestSettlementService } from './test-settlement.service.js';
import { demoScenarioNamed } from './demo-scenarios.js';
import { DemoScenariosService } from './demo-scenarios.service.js';

/** A worker that has not come back by then has died: another one looks at its test. */
const LEASE_MS = 120_000;
/** A message whose report cannot be made, or ends the process that makes it, is given up after so many attempts. */
const MAX_ATTEMPTS = 5;
/** Between two looks at what seeds have told. */
const SEEDS_EVERY_MS = 10_000;
/** Between two attempts while our resolver does not answer: a mail is sent once, and a restart of a resolver takes less than all of them. */
const RESOLVER_EVERY_MS = 60_000;

/**
 * One look at the test that has been due the longest.
 *
 * A test waits until its mail comes or its time is over; it receives while its report is made and its seeds are looked at; it ends when both
 * are there, or when seeds have had their time. Each step is one transaction that locks the row and begins by looking at its state again, so
 * that two workers, or one that is killed and its successor, do no step twice.
 */
@Injectable()
export class PlacementWorkService {
  constructor(
    private readonly tests: PlacementTestHistoryService,
    private readonly seeds: SeedMailboxes,
    private readonly reports: ReportMakerService,
    private readonly settlement: TestSettlementService,
    private readonly worlds: DemoScenariosService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** @returns what was done: nothing was due, a look, or a look that has to be told to endpoints */
  async next(): Promise<'nothing' | 'looked' | 'told'> {
    const at = new Date(this.clock.now());
    const test = await this.tests.takeDue(at, new Date(at.getTime() + LEASE_MS));
    if (test === null) return 'nothing';
    return (await this.look(test, at)) ? 'told' : 'looked';
  }

  private look(test: PlacementTest, at: Date): Promise<boolean> {
    if (test.world !== null) return this.worlds.look(test, demoScenarioNamed(test.world), at);
    return test.state === 'waiting' ? this.lookAtWaiting(test, at) : this.lookAtReceiving(test, at);
  }

  private lookAtWaiting({ id }: PlacementTest, at: Date): Promise<boolean> {
    return this.tests.locked('id', id, async (tx, test) => {
      if (test?.state !== 'waiting') return false;
      if (at >= test.expiresAt) return this.settlement.end(tx, test, 'expired', { placement: null, at });
      await this.tests.putOff(tx, id, test.expiresAt);
      return false;
    });
  }

  private async lookAtReceiving(seen: PlacementTest, at: Date): Promise<boolean> {
    const isNew = !isEnough(seen);
    const report = isNew ? await this.makeReport(seen) : seen.report;
    const seeds = seen.seeds === 'none' ? null : await this.seeds.source.seen(seen);
    return this.tests.locked('id', seen.id, async (tx, locked) => {
      if (locked?.state !== 'receiving') return false;
      const test = { ...locked, report: report ?? locked.report };
      if (isNew && report !== null) await this.tests.keepReport(tx, test.id, report);
      const settles = settlesAt(test)!;
      const isOver = at >= settles;
      const hasReport = isEnough(test) || (test.messages > 0 && seen.attempts >= MAX_ATTEMPTS);
      // A mail that came to a seed first comes to us too, or not at all. Seeds have their last look at the end, and some minutes for it:
      // one that could not be read then is an error of ours, and never said to miss the mail.
      if ((seeds === null || seeds.isSettled) && (isOver || hasReport))
        return this.settlement.end(tx, test, 'completed', { placement: seeds && placementOf(seeds.seeds), at });
      const isTriedAgain = test.report !== null && !isEnough(test);
      const next = at.getTime() + (isTriedAgain ? RESOLVER_EVERY_MS : SEEDS_EVERY_MS);
      const dueAt = new Date(isOver ? next : Math.min(settles.getTime(), next));
      if (isTriedAgain) await this.tests.tryAgain(tx, test.id, dueAt);
      else await this.tests.putOff(tx, test.id, dueAt);
      return false;
    });
  }

  private async makeReport({ id, attempts, accountId }: PlacementTest): Promise<PlacementReport | null> {
    const message = attempts > MAX_ATTEMPTS ? null : await this.tests.findMessage(id);
    if (message === null) return null;
    const { clientAddress, clientName, mailFrom, receivedAt } = message;
    const envelope = { clientAddress, clientName, mailFrom, tls: message.tls ?? 'none' };
    const raw = await unpackMessage(message.raw);
    return this.reports.make({ raw, envelope, receivedAt, world: null, accountId });
  }
}

/** Whether no better report is waited for: behind a test key nothing is charged, and a machine without the internet tries it too. */
function isEnough({ report, simulated }: Pick<PlacementTest, 'report' | 'simulated'>): boolean {
  return report !== null && (simulated || isWholeReport(report));
}

const EVERY_MS = 1_000;
/** Looks of one run; what is left is due in the next. */
const MAX_CHECKS = 50;
const FORGET_EVERY_MS = 600_000;

/** Looks at tests that are due, in every worker, and forgets messages whose time is over. */
@Injectable()
export class PlacementLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PlacementLoop.name);
  private readonly looking: Periodic;
  private readonly forgetting: Periodic;

  constructor(
    private readonly work: PlacementWorkService,
    private readonly tests: PlacementTestHistoryService,
    private readonly notifier: WorkNotifier,
    @Inject(CLOCK) private readonly clock: WallClock,
    @Inject(TIMER) timer: Timer,
  ) {
    // The name of an error alone: its text may come from a message.
    const onError = (error: unknown): void =>
      this.logger.warn(`placement tests were left to a later look: ${(error as Error).name}`);
    this.looking = new Periodic(() => this.run(), { everyMs: EVERY_MS, timer, onError });
    this.forgetting = new Periodic(() => this.forget(), { everyMs: FORGET_EVERY_MS, timer, onError });
  }

  onApplicationBootstrap(): void {
    this.looking.start();
    this.forgetting.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.looking.stop(), this.forgetting.stop()]);
  }

  /** Does all that is due now. */
  async run(): Promise<void> {
    let isTold = false;
    for (let looks = 0; looks < MAX_CHECKS; looks += 1) {
      const done = await this.work.next();
      if (done === 'nothing') break;
      isTold ||= done === 'told';
    }
    if (isTold) await this.notifier.notify(WEBHOOK_QUEUE);
  }

  async forget(): Promise<void> {
    const before = new Date(this.clock.now() - MESSAGE_RETENTION_MS);
    while ((await this.tests.forgetMessages(before)) > 0);
  }
}
