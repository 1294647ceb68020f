import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Seed } from '../placement/seeds/seed.js';
import type { SeedCredentials } from '../placement/seeds/seed-credentials.js';
import { type NewSeed, SeedRegister, type TestedSeed } from '../placement/seeds/seed-register.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** The acts of administrators on seed mailboxes. What opens a mailbox is in no entry of the audit log. */
@Injectable()
export class SeedAdministrationService {
  constructor(
    private readonly register: SeedRegister,
    private readonly audit: AuditService,
  ) {}

  list(): Promise<Seed[]> {
    return this.register.list();
  }

  /** @throws AppError `invalid_input`, `seed_exists`, `too_many_seeds` */
  add(actor: Actor, wanted: NewSeed): Promise<Seed> {
    const details = { credentials: wanted.credentials.kind };
    return this.act(actor, 'seed.add', (tx) => this.register.add(tx, wanted), details);
  }

  /** @throws AppError `seed_not_found` */
  rotate(actor: Actor, id: string, credentials: SeedCredentials): Promise<Seed> {
    const details = { credentials: credentials.kind };
    return this.act(actor, 'seed.rotate', (tx) => this.register.rotate(tx, id, credentials), details);
  }

  /** @throws AppError `seed_not_found` */
  turnOn(actor: Actor, id: string): Promise<Seed> {
    return this.act(actor, 'seed.on', (tx) => this.register.turnOn(tx, id));
  }

  /** @throws AppError `seed_not_found` */
  turnOff(actor: Actor, id: string, reason: string): Promise<Seed> {
    return this.act(actor, 'seed.off', (tx) => this.register.turnOff(tx, id, reason), { reason });
  }

  /** @throws AppError `seed_not_found`, `seed_busy` */
  async test(actor: Actor, id: string): Promise<TestedSeed> {
    const tested = await this.register.test(id);
    await this.act(actor, 'seed.test', async () => tested.seed, { fault: tested.fault?.code ?? null });
    return tested;
  }

  private act(
    actor: Actor,
    action: string,
    change: (tx: EntityManager) => Promise<Seed>,
    particulars: Record<string, string | null> = {},
  ): Promise<Seed> {
    return this.audit.audited(actor, action, change, ({ id, provider, address }) => ({
      details: { seed: id, provider, address, ...particulars },
    }));
  }
}
