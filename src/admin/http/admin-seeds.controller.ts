import { Body } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { credentialsOf, newSeedOf, SeedCredentialsRequest, SeedRequest } from '../bodies/seed.dto.js';
import { SeedMailboxReply, seedReply, SeedMailboxesReply, SeedTestReply, seedTestReply } from '../bodies/seed.reply.js';
import type { EntityManager } from 'typeorm';
import type { Seed } from '../../deliverability/placement/seeds/seed.js';
import { SeedRegister } from '../../deliverability/placement/seeds/seed-register.js';
import { AuditService } from '../audit.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';
import { NameParam } from '../../platform/http/id-params.js';

const SeedId = () => NameParam('seed_not_found', { schema: { type: 'string', format: 'uuid' } });

/** Mailboxes of the operator's at mail operators, which tell where mail was put. */
@AdminRoutes('placement/seeds', { tag: 'Placement seeds', inTurn: 'seeds' })
export class AdminSeedsController {
  constructor(
    private readonly seeds: SeedRegister,
    private readonly audit: AuditService,
  ) {}

  @AdminRoute.get('', 'listSeeds', 'Seed mailboxes, and whether they can be read', {
    needs: 'read',
    ok: SeedMailboxesReply,
  })
  async list() {
    return { seeds: (await this.seeds.list()).map(seedReply) };
  }

  @AdminRoute.post('', 'addSeed', 'Add a seed mailbox', {
    description: 'What opens it is sealed, and never shown again. Tests use it once a worker has read it.',
    needs: 'support',
    created: SeedMailboxReply,
    errors: ['seed_exists', 'too_many_seeds'],
  })
  async add(@Administrator() actor: Actor, @Body() request: SeedRequest) {
    const wanted = newSeedOf(request);
    const details = { credentials: wanted.credentials.kind };
    return seedReply(await this.act(actor, 'seed.add', (tx) => this.seeds.add(tx, wanted), details));
  }

  @AdminRoute.post(':id/test', 'testSeed', 'Log in to a seed mailbox now', {
    description: 'A success counts as a health check; a failure turns nothing off.',
    needs: 'support',
    inTurn: false,
    ok: SeedTestReply,
    errors: ['seed_busy'],
  })
  async test(@Administrator() actor: Actor, @SeedId() id: string) {
    const tested = await this.seeds.test(id);
    await this.act(actor, 'seed.test', async () => tested.seed, { fault: tested.fault?.code ?? null });
    return seedTestReply(tested);
  }

  @AdminRoute.post(':id/rotate', 'rotateSeed', 'Give a seed mailbox new credentials', {
    description: 'One that was off is on again. Tests use it once a worker has read it.',
    needs: 'support',
    ok: SeedMailboxReply,
  })
  async rotate(@Administrator() actor: Actor, @SeedId() id: string, @Body() request: SeedCredentialsRequest) {
    const credentials = credentialsOf(request);
    const details = { credentials: credentials.kind };
    return seedReply(await this.act(actor, 'seed.rotate', (tx) => this.seeds.rotate(tx, id, credentials), details));
  }

  @AdminRoute.post(':id/off', 'turnSeedOff', 'Read a seed mailbox no more', {
    description: 'In tests that wait for it, it becomes `seed_error`, which counts nowhere.',
    needs: 'support',
    ok: SeedMailboxReply,
  })
  async off(@Administrator() actor: Actor, @SeedId() id: string, @Body() { reason }: ReasonRequest) {
    return seedReply(await this.act(actor, 'seed.off', (tx) => this.seeds.turnOff(tx, id, reason), { reason }));
  }

  @AdminRoute.post(':id/on', 'turnSeedOn', 'Read a seed mailbox again', { needs: 'support', ok: SeedMailboxReply })
  async on(@Administrator() actor: Actor, @SeedId() id: string) {
    return seedReply(await this.act(actor, 'seed.on', (tx) => this.seeds.turnOn(tx, id)));
  }

  /** What opens a mailbox is in no entry of the audit log. */
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
