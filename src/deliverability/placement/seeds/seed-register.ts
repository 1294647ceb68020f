import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { AppError, invalidField } from '../../../platform/errors/app-error.js';
import type { MailboxOverview } from './find-mails.js';
import { IMAP_ENVIRONMENT, type ImapEnvironment, type Security } from './mailbox-access.js';
import { SeedFault } from './seed-fault.js';
import { MailboxReader } from './mailbox-reader.js';
import { CHECK_EVERY_MS, LEASE_MS, readSeedProviders, type Seed } from './seed.js';
import { CredentialSeals, type SeedCredentials } from './seed-credentials.js';
import { MAX_SEEDS, SeedsStore } from './seeds.store.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export interface NewSeed {
  readonly provider: string;
  readonly address: string;
  /** Null here and below: what its provider has. */
  readonly host: string | null;
  readonly port: number | null;
  readonly security: Security;
  readonly login: string;
  readonly authservId: string | null;
  readonly credentials: SeedCredentials;
}

export interface TestedSeed {
  readonly seed: Seed;
  readonly look: MailboxOverview | null;
  /** Null: it can be read. */
  readonly fault: SeedFault | null;
}

/** Seeds as administrators change them. */
@Injectable()
export class SeedRegister {
  private readonly providers = readSeedProviders();

  constructor(
    private readonly database: DataSource,
    private readonly seeds: SeedsStore,
    private readonly seals: CredentialSeals,
    private readonly reader: MailboxReader,
    @Inject(IMAP_ENVIRONMENT) private readonly world: ImapEnvironment,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  list(): Promise<Seed[]> {
    return this.seeds.list();
  }

  /** Tests use it once a worker has read it. @throws AppError `invalid_input`, `seed_exists`, `too_many_seeds` */
  async add(tx: EntityManager, { credentials, ...wanted }: NewSeed): Promise<Seed> {
    const seed = this.checked(wanted);
    if ((await this.seeds.count(tx)) >= MAX_SEEDS) throw new AppError('too_many_seeds');
    if (!(await this.seeds.insert(tx, seed, this.seals.seal(seed.id, credentials)))) throw new AppError('seed_exists');
    return seed;
  }

  /** New credentials; a seed that was off is on again. @throws AppError `seed_not_found` */
  async rotate(tx: EntityManager, id: string, credentials: SeedCredentials): Promise<Seed> {
    return found(await this.seeds.turnOn(tx, known(id), this.seals.seal(id, credentials), this.clock.date()));
  }

  /** @throws AppError `seed_not_found` */
  async turnOn(tx: EntityManager, id: string): Promise<Seed> {
    return found(await this.seeds.turnOn(tx, known(id), null, this.clock.date()));
  }

  /** @throws AppError `seed_not_found` */
  async turnOff(tx: EntityManager, id: string, why: string): Promise<Seed> {
    return found(await this.seeds.turnOff(tx, known(id), why, this.clock.date()));
  }

  /**
   * Reads it now. A success counts as a health check; a failure is written down, and turns nothing off.
   * @throws AppError `seed_not_found`; `seed_busy` while a worker reads it
   */
  async test(id: string): Promise<TestedSeed> {
    found(await this.seeds.find(known(id)));
    const owner = randomUUID();
    const now = this.clock.date();
    const leased = await this.seeds.leaseOne(id, owner, now, new Date(now.getTime() + LEASE_MS));
    if (leased === null) throw new AppError('seed_busy');
    const outcome = await this.reader.readOverview(leased).catch((error: unknown) => {
      if (error instanceof SeedFault) return error;
      throw error;
    });
    await this.keep(leased, owner, outcome);
    const seed = found(await this.seeds.find(id));
    return outcome instanceof SeedFault ? { seed, look: null, fault: outcome } : { seed, look: outcome, fault: null };
  }

  private keep({ id }: Seed, owner: string, outcome: MailboxOverview | SeedFault): Promise<void> {
    return this.database.transaction(async (tx) => {
      const now = this.clock.date();
      const checkDueAt = new Date(now.getTime() + CHECK_EVERY_MS);
      if (outcome instanceof SeedFault)
        await this.seeds.failed(tx, id, owner, {
          why: outcome.message,
          isCheck: false,
          now,
          checkDueAt,
          pausedUntil: now,
        });
      else await this.seeds.succeeded(tx, id, owner, { now, checkDueAt });
      // One that is off has only said whether it could be on.
      await this.seeds.release(tx, id, owner);
    });
  }

  private checked(wanted: Omit<NewSeed, 'credentials'>): Seed {
    const provider = this.providers.get(wanted.provider);
    if (provider === undefined)
      throw invalidField('provider', `must be one of ${[...this.providers.keys()].join(', ')}`);
    const host = wanted.host ?? provider.host;
    if (host === null) throw invalidField('host', `is needed for the provider "${wanted.provider}"`);
    const { allowsPrivate } = this.world;
    if (isIP(host) !== 0 && !allowsPrivate && !isPublicAddress(host))
      throw invalidField('host', 'is no public address: IMAP_ALLOW_PRIVATE allows others');
    if (wanted.security === 'none' && !allowsPrivate)
      throw invalidField('security', 'none is for servers on loopback, which IMAP_ALLOW_PRIVATE allows');
    return {
      id: randomUUID(),
      provider: wanted.provider,
      address: wanted.address,
      host,
      port: wanted.port ?? provider.port,
      security: wanted.security,
      login: wanted.login,
      authservId: wanted.authservId,
      state: 'on',
      why: null,
      failures: 0,
      createdAt: this.clock.date(),
      lastOkAt: null,
      checkedAt: null,
    };
  }
}

function found<T>(seed: T | null): T {
  if (seed === null) throw new AppError('seed_not_found');
  return seed;
}

function known(id: string): string {
  if (!UUID.test(id)) throw new AppError('seed_not_found');
  return id;
}
