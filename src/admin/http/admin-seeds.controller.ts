import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiIdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { InTurn } from '../../keys/limits/in-turn.interceptor.js';
import { type Actor, Administrator } from '../actor.js';
import { ReasonRequest } from '../bodies/admin.dto.js';
import { credentialsOf, newSeedOf, SeedCredentialsRequest, SeedRequest } from '../bodies/seed.dto.js';
import { SeedMailboxReply, seedReply, SeedMailboxesReply, SeedTestReply, seedTestReply } from '../bodies/seed.reply.js';
import { SeedAdministrationService } from '../seed-administration.service.js';

const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;

/** Mailboxes of the operator's at mail operators, which tell where mail was put. */
@ApiTags('Placement seeds')
@ApiBearerAuth()
@RequireAdmin()
@InTurn()
@Controller('admin/v1/placement/seeds')
export class AdminSeedsController {
  constructor(private readonly seeds: SeedAdministrationService) {}

  @Get()
  @ApiOperation({ operationId: 'listSeeds', summary: 'Seed mailboxes, and whether they can be read' })
  @ApiOkResponse({ type: SeedMailboxesReply })
  async list(): Promise<SeedMailboxesReply> {
    return { seeds: (await this.seeds.list()).map(seedReply) };
  }

  @Post()
  @HttpCode(201)
  @ApiIdempotencyKey()
  @ApiErrors('seed_exists', 'too_many_seeds')
  @ApiOperation({
    operationId: 'addSeed',
    summary: 'Add a seed mailbox',
    description: 'What opens it is sealed, and never shown again. Tests use it once a worker has read it.',
  })
  @ApiCreatedResponse({ type: SeedMailboxReply })
  async add(@Administrator() actor: Actor, @Body() request: SeedRequest): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.add(actor, newSeedOf(request)));
  }

  @Post(':id/test')
  @InTurn(false)
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('seed_not_found', 'seed_busy')
  @ApiOperation({
    operationId: 'testSeed',
    summary: 'Log in to a seed mailbox now',
    description: 'A success counts as a health check; a failure turns nothing off.',
  })
  @ApiOkResponse({ type: SeedTestReply })
  async test(@Administrator() actor: Actor, @Param('id') id: string): Promise<SeedTestReply> {
    return seedTestReply(await this.seeds.test(actor, id));
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('seed_not_found')
  @ApiOperation({
    operationId: 'rotateSeed',
    summary: 'Give a seed mailbox new credentials',
    description: 'One that was off is on again. Tests use it once a worker has read it.',
  })
  @ApiOkResponse({ type: SeedMailboxReply })
  async rotate(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() request: SeedCredentialsRequest,
  ): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.rotate(actor, id, credentialsOf(request)));
  }

  @Post(':id/off')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('seed_not_found')
  @ApiOperation({
    operationId: 'turnSeedOff',
    summary: 'Read a seed mailbox no more',
    description: 'In tests that wait for it, it becomes `seed_error`, which counts nowhere.',
  })
  @ApiOkResponse({ type: SeedMailboxReply })
  async off(
    @Administrator() actor: Actor,
    @Param('id') id: string,
    @Body() { reason }: ReasonRequest,
  ): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.turnOff(actor, id, reason));
  }

  @Post(':id/on')
  @HttpCode(200)
  @ApiIdempotencyKey()
  @ApiParam(ID)
  @ApiErrors('seed_not_found')
  @ApiOperation({ operationId: 'turnSeedOn', summary: 'Read a seed mailbox again' })
  @ApiOkResponse({ type: SeedMailboxReply })
  async on(@Administrator() actor: Actor, @Param('id') id: string): Promise<SeedMailboxReply> {
    return seedReply(await this.seeds.turnOn(actor, id));
  }
}
