import { Injectable } from '@nestjs/common';
import { type Batch, BatchAdministrationService } from '../batch/batch-administration.service.js';
import { type Account, AccountsService } from '../keys/accounts/accounts.service.js';
import { type AgentKey, type AgentSearch, AgentsService } from '../keys/accounts/agents.service.js';
import { type KeyRecord, KeyService } from '../keys/key.service.js';
import { tokenIn } from '../keys/access/token.js';
import { isNetwork } from '../platform/config/variable-types.js';
import { AppError } from '../platform/errors/app-error.js';
import { numberIn } from '../platform/http/ids.js';

/** The thing that a search has found, with whose it is. */
export interface Found {
  readonly type: 'account' | 'key' | 'batch';
  readonly matchedBy: (typeof MATCHED_BY)[number];
  /** Null for an admin key. */
  readonly account: Account | null;
  readonly key: KeyRecord | null;
  readonly batch: Batch | null;
  /** What the account, if it is an agent's, told of itself. */
  readonly agent: AgentKey | null;
}

export interface SearchResult {
  readonly found: readonly Found[];
  /** Whether there are more than are shown. */
  readonly isCut: boolean;
}

type Match = Pick<Found, 'type' | 'matchedBy'> & {
  readonly accountId: string | null;
  readonly key?: KeyRecord;
  readonly batch?: Batch;
};

/** The most matches of one kind; who wants to see more searches for more of the text. */
const MAX_MATCHES = 20;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LAST_FOUR = /^[0-9A-Za-z]{4}$/;
const ANY_AGENT: AgentSearch = { address: null, text: null, lastFour: null };

/** What a text from a log, a mail or a telephone call belongs to. */
@Injectable()
export class SearchService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly agents: AgentsService,
    private readonly keys: KeyService,
    private readonly batches: BatchAdministrationService,
  ) {}

  /** @param text a token or a line that holds one, its last four, an id, an address, or part of a name or contact */
  async search(text: string): Promise<SearchResult> {
    const matches = await this.findMatches(text.trim());
    const most = matches.filter((_, i) => i < MAX_MATCHES);
    return { found: await this.withOwners(most), isCut: most.length < matches.length };
  }

  /** @throws AppError `key_not_found` */
  async getKeyOf(token: string): Promise<Found> {
    return this.ownerOf(await this.keys.findByToken(token.trim()), 'token');
  }

  /** @throws AppError `key_not_found` */
  async getKey(id: string): Promise<Found> {
    return this.ownerOf(await this.keys.find(id), 'id');
  }

  private async ownerOf(key: KeyRecord | null, matchedBy: Found['matchedBy']): Promise<Found> {
    if (key === null) throw new AppError('key_not_found');
    const [found] = await this.withOwners([matchOf(key, matchedBy)]);
    return found!;
  }

  private async findMatches(text: string): Promise<Match[]> {
    const token = tokenIn(text);
    // What may be a token, or a part of one, is shown to nobody else: not even to the database.
    if (token !== null) return matchesOf([await this.keys.findByToken(token)], 'token');
    if (UUID.test(text)) return this.findById(text);
    if (isNetwork(text)) return this.findAgents({ ...ANY_AGENT, address: text }, 'address');
    const batchId = numberIn(text);
    const batch = batchId === null ? null : await this.batches.find(batchId);
    const keys = LAST_FOUR.test(text) ? await this.keys.findByLastFour(text, MAX_MATCHES + 1) : [];
    return [
      ...(batch === null ? [] : [{ type: 'batch', matchedBy: 'id', accountId: batch.accountId, batch } as const]),
      ...matchesOf(keys, 'last_four'),
      ...(await this.findByText(text)),
    ];
  }

  private async findById(id: string): Promise<Match[]> {
    const [accounts, key] = await Promise.all([this.accounts.findAll([id]), this.keys.find(id)]);
    return [...accounts.map((account) => accountMatch(account, 'id')), ...matchesOf([key], 'id')];
  }

  private async findByText(text: string): Promise<Match[]> {
    if (text === '') return [];
    const accounts = await this.accounts.findByText(text, MAX_MATCHES + 1);
    const agents = await this.findAgents({ ...ANY_AGENT, text }, 'text');
    return [...accounts.map((account) => accountMatch(account, 'text')), ...agents];
  }

  /** The accounts of agents, each of which has one key. */
  private async findAgents(search: AgentSearch, matchedBy: Found['matchedBy']): Promise<Match[]> {
    const { items } = await this.agents.search(search, { limit: MAX_MATCHES + 1 });
    return items.map(({ accountId }) => ({ type: 'account', matchedBy, accountId }));
  }

  private async withOwners(matches: readonly Match[]): Promise<Found[]> {
    const ids = [...new Set(matches.flatMap(({ accountId }) => accountId ?? []))];
    const [accounts, agents] = await Promise.all([this.accounts.findAll(ids), this.agents.findOf(ids)]);
    return matches.map(({ type, matchedBy, accountId, key = null, batch = null }) => {
      const account = accounts.find(({ id }) => id === accountId) ?? null;
      const agent = agents.find((one) => one.accountId === accountId) ?? null;
      return { type, matchedBy, account, key, batch, agent };
    });
  }
}

function matchOf(key: KeyRecord, matchedBy: Found['matchedBy']): Match {
  return { type: 'key', matchedBy, accountId: key.accountId, key };
}

function matchesOf(keys: readonly (KeyRecord | null)[], matchedBy: Found['matchedBy']): Match[] {
  return keys.flatMap((key) => (key === null ? [] : [matchOf(key, matchedBy)]));
}

function accountMatch({ id }: Account, matchedBy: Found['matchedBy']): Match {
  return { type: 'account', matchedBy, accountId: id };
}

/** What of a thing is the text that was searched for. */
export const MATCHED_BY = ['token', 'id', 'last_four', 'address', 'text'] as const;
