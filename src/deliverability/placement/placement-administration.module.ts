import { Module, type Provider } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { createAddressLookup } from '../../platform/outbound/guarded-connector.js';
import { AccessTokens, CredentialSeals } from './seeds/seed-credentials.js';
import { IMAP_LIMITS, IMAP_ENVIRONMENT, type ImapEnvironment } from './seeds/mailbox-access.js';
import { MailboxReader } from './seeds/mailbox-reader.js';
import { SeedRegister } from './seeds/seed-register.js';
import { SeedsStore } from './seeds/seeds.store.js';

const imapEnvironment: Provider = {
  provide: IMAP_ENVIRONMENT,
  inject: [ENV, TIMER],
  useFactory: ({ dnsServers, imapAllowPrivate }: Env, timer: Timer): ImapEnvironment => ({
    lookUp: createAddressLookup(dnsServers),
    allowsPrivate: imapAllowPrivate,
    limits: IMAP_LIMITS,
    timer,
  }),
};

const services = [AccessTokens, CredentialSeals, imapEnvironment, MailboxReader, SeedRegister, SeedsStore];

/** Seed mailboxes by themselves: they need PostgreSQL alone, because commands have no Redis and run no tests. */
@Module({ providers: services, exports: services })
export class PlacementAdministrationModule {}
