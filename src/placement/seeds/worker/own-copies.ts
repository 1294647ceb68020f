import { Injectable, Logger } from '@nestjs/common';
import { unpackMessage } from '../../packed-message.js';
import { PlacementMessagesStore } from '../../placement-messages.store.js';
import { headerFields } from '../matching/header-fields.js';
import { type OwnCopy, ownCopyOf } from '../matching/match-mails.js';

const HEAD_BYTES = 65_536;

/** What our receiver's copies of tests say of themselves. */
@Injectable()
export class OwnCopies {
  private readonly logger = new Logger(OwnCopies.name);

  constructor(private readonly messages: PlacementMessagesStore) {}

  /** Null: none has come, or it is not kept any more. */
  async find(testId: number): Promise<OwnCopy | null> {
    const message = await this.messages.find(testId);
    if (message === null) return null;
    try {
      const raw = await unpackMessage(message.raw);
      return ownCopyOf(headerFields(raw.subarray(0, HEAD_BYTES)));
    } catch (error) {
      this.logger.warn(`the copy of placement test ${testId} cannot be read: ${(error as Error).message}`);
      return null;
    }
  }
}
