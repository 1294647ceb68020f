import type { Provider } from '@nestjs/common';
import { TIMER, type Timer } from '../../platform/clock.js';
import { ENV, type Env } from '../../platform/config/env.js';
import { createLookUp } from '../../webhooks/worker/guarded-connector.js';
import { AccessTokens } from './access/access-tokens.js';
import { ArrivalsStore } from './arrivals.store.js';
import { IMAP_LIMITS, IMAP_WORLD, type ImapWorld } from './imap/mailbox-access.js';
import { MailboxReader } from './access/mailbox-reader.js';
import { CredentialSeals } from './access/seed-credentials.js';
import { SeedRegister } from './seed-register.js';
import { SeedsService } from './seeds.service.js';
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

/** What administrators change them with: it needs PostgreSQL and nothing else of the service. */
export const SEED_ADMINISTRATION: Provider[] = [
  AccessTokens,
  CredentialSeals,
  imapWorld,
  MailboxReader,
  SeedRegister,
  SeedsStore,
];

/** What every process knows of seed mailboxes. */
export const SEED_SERVICES: Provider[] = [...SEED_ADMINISTRATION, ArrivalsStore, SeedsService];
