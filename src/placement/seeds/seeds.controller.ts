import { ApiProperty } from '@nestjs/swagger';
import { SeedsService } from './seeds.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';

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
@Routes('api/v1/placement/seeds', { tag: 'Deliverability', for: 'full' })
export class SeedsController {
  constructor(private readonly seeds: SeedsService) {}

  @Route.get('', 'listPlacementSeeds', 'Mail operators where placement can be measured now', {
    needs: 'deliverability',
    ok: UsableSeedsReply,
  })
  async list(): Promise<UsableSeedsReply> {
    return { providers: await this.seeds.usable() };
  }
}
