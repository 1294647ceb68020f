import { SeedsService } from './seeds.service.js';
import { field, Reply } from '../../../platform/http/reply.js';
import { Route, Routes } from '../../../keys/route.decorator.js';

/** A mail operator where a test would look for its mail. */
export class UsableProviderReply extends Reply({
  provider: field.text({ description: 'As a test may ask for it.', example: 'gmail' }),
  seeds: field.countFromOne('Mailboxes there that a test would use now.'),
}) {}

export class UsableSeedsReply extends Reply({
  providers: field.listOf(UsableProviderReply, 'Empty: tests are of our own copy of the mail alone.'),
}) {}

/**
 * Where placement can be measured.
 * The addresses are told inside a test only: they are worth something as long as few know them.
 */
@Routes('api/v1/placement/seeds', { tag: 'Deliverability', for: 'full' })
export class SeedsController {
  constructor(private readonly seeds: SeedsService) {}

  @Route.get('', 'listPlacementSeeds', 'Mail operators where placement can be measured now', {
    needs: 'deliverability',
    ok: UsableSeedsReply,
  })
  async list() {
    return { providers: await this.seeds.usable() };
  }
}
