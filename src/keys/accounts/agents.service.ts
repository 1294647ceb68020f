import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { isNetwork } from '../../platform/config/variable-types.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { Listing } from '../../platform/http/listing.js';
import type { Page, PageQuery } from '../../platform/http/page.js';
import { type AgentKey, type AgentSearch, AgentStore } from './agent.store.js';
import type { KeyChange } from '../access/key-transaction.js';

export type { AgentKey, AgentSearch };

const AGENTS = new Listing('agents', 'uuid');

/** The agents that have registered themselves, as an administrator looks for them. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentStore,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** The agents' keys, newest first. @throws AppError `invalid_input` for a text that is no address */
  async search(search: AgentSearch, query: PageQuery): Promise<Page<AgentKey>> {
    if (search.address !== null) checkAddress(search.address);
    return AGENTS.page(
      query,
      (request) => this.agents.search(search, request),
      ({ registeredAt, accountId }) => ({ at: registeredAt, id: accountId }),
    );
  }

  /** The agents of these accounts, in no order. */
  findOf(accountIds: readonly string[]): Promise<readonly AgentKey[]> {
    return this.agents.findOf(accountIds);
  }

  /**
   * @param address an IP address, or a network such as `2001:db8:1:2::/64`
   * @returns how many keys this has revoked
   * @throws AppError `invalid_input` for a text that is no address
   */
  async revokeByAddress(change: KeyChange, address: string): Promise<number> {
    checkAddress(address);
    const hashes = await this.agents.revokeByAddress(change.tx, address, this.clock.date());
    change.touch(hashes);
    return hashes.length;
  }
}

function checkAddress(address: string): void {
  if (isNetwork(address) && !address.includes('%')) return;
  throw invalidField('address', 'must be an IP address or a network such as 192.0.2.0/24');
}
