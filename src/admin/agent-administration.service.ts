import { Injectable } from '@nestjs/common';
import { type AgentKey, type AgentSearch, AgentsService } from '../keys/accounts/agents.service.js';
import { KeyTransaction } from '../keys/access/key-transaction.js';
import type { Page, PageQuery } from '../platform/http/page.js';
import type { Actor } from './actor.js';
import { AuditService } from './audit.service.js';

/** The acts of administrators on agents. One agent's key is revoked as any other key is. */
@Injectable()
export class AgentAdministrationService {
  constructor(
    private readonly agents: AgentsService,
    private readonly transaction: KeyTransaction,
    private readonly audit: AuditService,
  ) {}

  /** @throws AppError `invalid_input` for a text that is no address */
  search(search: AgentSearch, query: PageQuery): Promise<Page<AgentKey>> {
    return this.agents.search(search, query);
  }

  /**
   * @param address an IP address or a network
   * @returns how many keys this has revoked
   * @throws AppError `invalid_input` for a text that is no address
   */
  revokeByAddress(actor: Actor, address: string): Promise<number> {
    return this.transaction.run(async (change) => {
      const revoked = await this.agents.revokeByAddress(change, address);
      await this.audit.record(change.tx, actor, { action: 'agents.revoke_by_address', details: { address, revoked } });
      return revoked;
    }, actor.claim);
  }
}
