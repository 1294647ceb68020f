import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountKeysService } from '../../keys/account-keys.service.js';
import { getAccountId, type Principal } from '../../keys/access/principal.js';
import { AccountsService } from '../../keys/accounts/accounts.service.js';
import { AgentsService } from '../../keys/accounts/agents.service.js';
import { ClaimsService } from '../../keys/accounts/claims.service.js';
import { keyReply } from '../../keys/key.reply.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { everyRow } from '../../platform/http/files/every-row.js';

/** The account itself: its keys, and the agents that it has claimed. */
@Injectable()
export class ExportedAccount {
  constructor(
    private readonly database: DataSource,
    private readonly accounts: AccountsService,
    private readonly keys: AccountKeysService,
    private readonly claims: ClaimsService,
    private readonly agents: AgentsService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  async *lines(principal: Principal): AsyncGenerator<object, void> {
    const accountId = getAccountId(principal);
    const { id, name, policy, createdAt } = await this.accounts.get(this.database.manager, accountId);
    const mode = principal.simulated ? 'test' : 'live';
    yield { type: 'account', id, name, plan: policy, mode, created_at: createdAt.toISOString() };
    for await (const key of everyRow((page) => this.keys.list(principal, page)))
      yield { type: 'key', ...keyReply(key, this.clock.now()) };
    // An agent works live, whoever has claimed it.
    if (principal.simulated) return;
    const all = await this.claims.accountsOf(this.database.manager, accountId);
    for (const agent of await this.agents.findOf(all.filter((one) => one !== accountId)))
      yield {
        type: 'agent',
        key_id: agent.keyId,
        name: agent.name,
        purpose: agent.purpose,
        contact: agent.contact,
        registered_at: agent.registeredAt.toISOString(),
        claimed_at: agent.claimedAt?.toISOString() ?? null,
      };
  }
}
