import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { packMessage } from '../packed-message.js';
import { type PlacementTest, TEST_PREFIX } from '../placement-test.js';
import { ReportMaker } from '../report/report-maker.service.js';
import { placementOf, type SeedStanding } from '../seed-placement.js';
import { PlacementStores } from '../tests/placement-stores.js';
import { TestSettlement } from '../tests/test-settlement.service.js';
import type { PlacementWorld } from './placement-worlds.js';
import { mailOfWorld } from './world-mail.js';

/** Between a mail that comes and the end of its test. */
const STEP_MS = 1_000;

/** Plays the tests of test mode whose names are those of worlds: the same states, report and events, in seconds and with nobody outside. */
@Injectable()
export class WorldWork {
  constructor(
    private readonly database: DataSource,
    private readonly stores: PlacementStores,
    private readonly reports: ReportMaker,
    private readonly settlement: TestSettlement,
  ) {}

  /** @param world null: there is none of this name any more. @returns whether endpoints are to be told */
  async look(seen: PlacementTest, world: PlacementWorld | null, at: Date): Promise<boolean> {
    if (seen.state === 'receiving')
      return this.locked(seen, (tx, test) =>
        this.settlement.end(tx, test, 'completed', { placement: this.placementIn(test, world), at }),
      );
    if (world === null || !world.arrives)
      return this.locked(seen, (tx, test) => this.settlement.end(tx, test, 'expired', { placement: null, at }));
    const mail = await mailOfWorld(world, seen, at);
    const report = await this.reports.make({ ...mail, accountId: seen.accountId });
    const raw = await packMessage(mail.raw);
    return this.locked(seen, async (tx, test) => {
      const { clientAddress, clientName, mailFrom, tls } = mail.envelope;
      await this.stores.messages.insert(tx, {
        testId: test.id,
        receivedAt: at,
        mailFrom: mailFrom ?? '',
        recipient: `${TEST_PREFIX}-${test.token}`,
        clientAddress: clientAddress ?? '',
        clientName: clientName ?? '',
        tls,
        size: mail.raw.length,
        raw,
      });
      await this.stores.tests.arrived(tx, test.id, at);
      await this.stores.tests.keepReport(tx, test.id, report);
      await this.stores.tests.putOff(tx, test.id, new Date(at.getTime() + STEP_MS));
      return false;
    });
  }

  private placementIn({ seeds }: PlacementTest, world: PlacementWorld | null) {
    if (seeds === 'none' || world === null) return null;
    const wanted = world.seeds.filter(({ provider }) => seeds === 'all' || seeds.includes(provider));
    return placementOf(
      wanted.map(({ provider, placement, tab, arrivedAfterS, matchedBy, authentication }): SeedStanding => {
        return { provider, placement, tab, arrivedAfterS, matchedBy, authentication };
      }),
    );
  }

  private locked(
    { id, state }: PlacementTest,
    work: (tx: EntityManager, test: PlacementTest) => Promise<boolean>,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const test = await this.stores.tests.lock(tx, id);
      return test?.state === state && work(tx, test);
    });
  }
}
