import { Module, type Provider } from '@nestjs/common';
import { TIMER, type Timer } from '../platform/clock.js';
import { ENV, type Env } from '../platform/config/env.js';
import { createLookUp } from '../platform/outbound/guarded-connector.js';
import { AccessTokens } from './seeds/access/access-tokens.js';
import { IMAP_LIMITS, IMAP_WORLD, type ImapWorld } from './seeds/imap/mailbox-access.js';
import { MailboxReader } from './seeds/access/mailbox-reader.js';
import { CredentialSeals } from './seeds/access/seed-credentials.js';
import { SeedRegister } from './seeds/seed-register.js';
import { SeedsStore } from './seeds/seeds.store.js';

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

/** Seed mailboxes by themselves: they need PostgreSQL alone, because commands have no Redis and run no tests. */
@Module({ providers: services, exports: services })
export class PlacementAdministrationModule {}
