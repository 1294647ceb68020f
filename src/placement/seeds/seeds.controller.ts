import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { SeedsService } from './seeds.service.js';

export class UsableProviderReply {
  @ApiProperty({ description: 'As a test may ask for it.', example: 'gmail' })
  readonly provider: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Mailboxes there that a test would use now.' })
  readonly seeds: number;
}

export class UsableSeedsReply {
  @ApiProperty({ type: [UsableProviderReply], description: 'Empty: tests are of our own copy of the mail alone.' })
  readonly providers: readonly UsableProviderReply[];
}

/** Where placement can be measured. The addresses are told inside a test only: they are worth something as long as few know them. */
@ApiTags('Deliverability')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/placement/seeds')
export class SeedsController {
  constructor(private readonly seeds: SeedsService) {}

  @Get()
  @ApiOkResponse({ type: UsableSeedsReply })
  @ApiOperation({ operationId: 'listPlacementSeeds', summary: 'Mail operators where placement can be measured now' })
  async list(): Promise<UsableSeedsReply> {
    return { providers: await this.seeds.usable() };
  }
}
