import { Inject, Injectable } from '@nestjs/common';
import { AccessTokens, CredentialSeals } from './seed-credentials.js';
import { findMails, readOverview, type MailboxOverview } from './find-mails.js';
import type { Arrival } from './arrivals.store.js';
import { ImapSession } from './imap-session.js';
import { IMAP_ENVIRONMENT, type ImapEnvironment, type MailboxAccess } from './mailbox-access.js';
import type { ResultsWriter } from './mail-headers.js';
import type { SoughtTest } from './match-mails.js';
import { readSeedProviders, type Seed } from './seed.js';

type SealedSeed = Seed & { readonly credentials: Buffer };

/** Reads mailboxes of the operator, one connection each time. */
@Injectable()
export class MailboxReader {
  private readonly providers = readSeedProviders();

  constructor(
    private readonly seals: CredentialSeals,
    private readonly tokens: AccessTokens,
    @Inject(IMAP_ENVIRONMENT) private readonly world: ImapEnvironment,
  ) {}

  /** Logs in and opens INBOX. @throws SeedFault */
  readOverview(seed: SealedSeed, signal?: AbortSignal): Promise<MailboxOverview> {
    return this.with(seed, signal, readOverview);
  }

  /** @throws SeedFault */
  find(seed: SealedSeed, tests: readonly SoughtTest[], signal?: AbortSignal): Promise<ReadonlyMap<number, Arrival>> {
    return this.with(seed, signal, (session) => findMails(session, tests, this.writerOf(seed)));
  }

  private async with<T>(
    seed: SealedSeed,
    signal: AbortSignal | undefined,
    work: (session: ImapSession) => Promise<T>,
  ): Promise<T> {
    const session = await ImapSession.open(await this.accessOf(seed), this.world, signal);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }

  private async accessOf(seed: SealedSeed): Promise<MailboxAccess> {
    const { host, port, security, login: user } = seed;
    const credentials = this.seals.open(seed.id, seed.credentials);
    const secret =
      credentials.kind === 'password'
        ? { password: credentials.password }
        : { accessToken: await this.tokens.get(seed.id, credentials) };
    return { host, port, security, user, secret };
  }

  private writerOf({ provider, authservId }: Seed): ResultsWriter {
    const { authservIds = [], isUnnamed = false } = this.providers.get(provider) ?? {};
    return { authservIds: authservId === null ? authservIds : [...authservIds, authservId], isUnnamed };
  }
}
