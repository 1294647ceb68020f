import { Body, Param } from '@nestjs/common';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { credentialsOf, newSeedOf, SeedCredentialsRequest, SeedRequest } from '../bodies/seed.dto.js';
import { SeedMailboxReply, seedReply, SeedMailboxesReply, SeedTestReply, seedTestReply } from '../bodies/seed.reply.js';
import { SeedAdministrationService } from '../seed-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;

/** Mailboxes of the operator's at mail operators, which tell where mail was put. */
@AdminRoutes('placement/seeds', { tag: 'Placement seeds', inTurn: true })
export class AdminSeedsController {
  constructor(private readonly seeds: SeedAdministrationService) {}

  @AdminRoute.get('', 'listSeeds', 'Seed mailboxes, and whether they can be read', {
    needs: 'read',
    ok: SeedMailboxesReply,
  })
  async list(): Promise<SeedMailboxesReply> {
    return { seeds: (await this.seeds.list()).map(seedReply) };
  }

  @AdminRoute.post('', 'addSeed', 'Add a seed mailbox', {
    description: 'What opens it is sealed, and never shown again. Tests use it once a worker has read it.',
    needs: 'support',
    created: SeedMailboxReply,
    errors: ['seed_exists', 'too_many_seeds'],
  })
  async add(@Administrator() actor: Actor, @Body() request: SeedRequest): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.add(actor, newSeedOf(request)));
  }

  @AdminRoute.post(':id/test', 'testSeed', 'Log in to a seed mailbox now', {
    description: 'A success counts as a health check; a failure turns nothing off.',
    needs: 'support',
    inTurn: false,
    params: [ID],
    ok: SeedTestReply,
    errors: ['seed_not_found', 'seed_busy'],
  })
  async test(@Administrator() actor: Actor, @Param('id') id: string): Promise<SeedTestReply> {
    return seedTestReply(await this.seeds.test(actor, id));
  }

  @AdminRoute.post(':id/rotate', 'rotateSeed', 'Give a seed mailbox new credentials', {
    description: 'One that was off is on again. Tests use it once a worker has read it.',
    needs: 'support',
    params: [ID],
    ok: SeedMailboxReply,
    errors: ['seed_not_found'],
  })
  async rotate(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() request: SeedCredentialsRequest,
  ): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.rotate(actor, id, credentialsOf(request)));
  }

  @AdminRoute.post(':id/off', 'turnSeedOff', 'Read a seed mailbox no more', {
    description: 'In tests that wait for it, it becomes `seed_error`, which counts nowhere.',
    needs: 'support',
    params: [ID],
    ok: SeedMailboxReply,
    errors: ['seed_not_found'],
  })
  async off(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.turnOff(actor, id, reason));
  }

  @AdminRoute.post(':id/on', 'turnSeedOn', 'Read a seed mailbox again', {
    needs: 'support',
    params: [ID],
    ok: SeedMailboxReply,
    errors: ['seed_not_found'],
  })
  async on(@Administrator() actor: Actor, @Param('id') id: string): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.turnOn(actor, id));
  }
}
