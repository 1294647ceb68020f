import { Inject, Injectable } from '@nestjs/common';
import { type InboundHandler, InboundRecipients, type ReceivedMail } from '../inbound/inbound-recipients.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { packMessage, PlacementTestHistoryService } from './placement-test-history.service.js';
import { type PlacementTest, settlesAt, TEST_PREFIX, TOKEN } from './placement-test.js';

/**
 * Takes the mail of tests that wait: the first of a test is kept, with its state, in one transaction; later ones are counted, also when
 * the test has ended before them.
 */
@Injectable()
export class TestMail implements InboundHandler {
  constructor(
    private readonly tests: PlacementTestHistoryService,
    @Inject(CLOCK) private readonly clock: WallClock,
    recipients: InboundRecipients,
  ) {
    recipients.register(TEST_PREFIX, this);
  }

  async accepts(token: string): Promise<boolean> {
    const test = TOKEN.test(token) ? await this.tests.findByToken(token) : null;
    return test !== null && isOpen(test, this.clock.date());
  }

  async take(token: string, mail: ReceivedMail): Promise<boolean> {
    if (!TOKEN.test(token)) return false;
    const raw = await packMessage(mail.raw);
    return this.tests.locked('token', token, async (tx, test) => {
      if (test === null || !isOpen(test, this.clock.date())) return false;
      if (test.state === 'completed') {
        await this.tests.countCopy(tx, test.id);
        return true;
      }
      await this.tests.insertMessage(tx, test.id, mail, raw);
      await this.tests.arrived(tx, test.id, this.clock.date());
      return true;
    });
  }
}

/** A test without seeds ends with its report, within seconds: other copies of its mail come as long as seeds would be looked at. */
function isOpen(test: PlacementTest, at: Date): boolean {
  if (test.world !== null) return false;
  if (test.state === 'waiting') return test.expiresAt > at;
  return test.state === 'receiving' || (test.state === 'completed' && settlesAt(test)! > at);
}
