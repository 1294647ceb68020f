import { Module } from '@nestjs/common';
import { OutgoingMail } from './outgoing-mail.js';

/** Letters to people, by the operator's own mail server. */
@Module({ providers: [OutgoingMail], exports: [OutgoingMail] })
export class MailModule {}
