import { Module, type Provider } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { createLookUp } from '../../webhooks/worker/guarded-connector.js';
import { AccessTokens } from './access/access-tokens.js';
import { IMAP_LIMITS, IMAP_WORLD, type ImapWorld } from './imap/mailbox-access.js';
import { MailboxReader } from './access/mailbox-reader.js';
import { CredentialSeals } from './access/seed-credentials.js';
import { SeedRegister } from './seed-register.js';
import { SeedsStore } from './seeds.store.js';

const imapWorld: Provider = {
  provide: IMAP_WORLD,
  inject: [ENV, TIMER],
  useFactory: ({ dnsServers, imapAllowPrivate }: Env, timer: Timer): ImapWorld => ({
    lookUp: createLookUp(dnsServers),
    allowsPrivate: imapAllowPrivate,
    limits: IMAP_LIMITS,
    timer,
  }),
};

const services = [AccessTokens, CredentialSeals, imapWorld, MailboxReader, SeedRegister, SeedsStore];

/** Seed mailboxes by themselves, for administrators too: they need PostgreSQL, and neither Redis nor tests. */
@Module({ providers: services, exports: services })
export class SeedMailboxesModule {}
