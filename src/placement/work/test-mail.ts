import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type InboundHandler, InboundRecipients } from '../../inbound/inbound-recipients.js';
import type { ReceivedMail } from '../../inbound/received-mail.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { packMessage } from '../packed-message.js';
import { PlacementMessagesStore } from '../placement-messages.store.js';
import { type PlacementTest, TEST_PREFIX, TOKEN } from '../placement-test.js';
import { PlacementTestsStore } from '../placement-tests.store.js';

/** Takes the mail of tests that wait: the first of a test is kept, with its state, in one transaction; later ones are counted. */
@Injectable()
export class TestMail implements InboundHandler {
  constructor(
    private readonly database: DataSource,
    private readonly tests: PlacementTestsStore,
    private readonly messages: PlacementMessagesStore,
    @Inject(CLOCK) private readonly clock: WallClock,
    recipients: InboundRecipients,
  ) {
    recipients.register(TEST_PREFIX, this);
  }

  accepts(token: string): Promise<boolean> {
    return TOKEN.test(token) ? this.tests.isOpen(token, this.now()) : Promise.resolve(false);
  }

  async take(token: string, mail: ReceivedMail): Promise<boolean> {
    const raw = await packMessage(mail.raw);
    return this.database.transaction(async (tx) => {
      const test = TOKEN.test(token) ? await this.tests.lockByToken(tx, token) : null;
      if (test === null || !isOpen(test, this.now())) return false;
      await this.messages.insert(tx, {
        testId: test.id,
        receivedAt: mail.receivedAt,
        mailFrom: storable(mail.mailFrom),
        recipient: storable(mail.recipient),
        clientAddress: mail.clientAddress,
        clientName: storable(mail.clientName),
        tls: mail.tls,
        size: mail.raw.length,
        raw,
      });
      await this.tests.arrived(tx, test.id, this.now());
      return true;
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function isOpen({ state, expiresAt, world }: PlacementTest, at: Date): boolean {
  return world === null && (state === 'receiving' || (state === 'waiting' && expiresAt > at));
}

/** PostgreSQL keeps neither NUL nor half a character, and whoever sends chose these texts. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, 1_000)).toString().replaceAll('\0', '\u{fffd}');
}
