import { ApiProperty } from '@nestjs/swagger';
import { KeyReply, keyReply } from '../../keys/key.reply.js';
import { MATCHED_BY } from '../search.service.js';
import type { Found, SearchResult } from '../search.service.js';
import { AccountReply, accountReply } from './account.reply.js';
import { AgentReply, agentReply } from './agent.reply.js';
import { WorkBatchReply, workBatchReply } from './work.reply.js';

const PATH_OR_NULL = { type: String, format: 'uri-reference', nullable: true } as const;
const ADMIN = '/admin/v1';

/** Where administrators go on; null where there is no such thing. */
export class FoundLinksBody {
  @ApiProperty(PATH_OR_NULL)
  readonly account: string | null;

  @ApiProperty({ ...PATH_OR_NULL, description: 'The keys of the account.' })
  readonly keys: string | null;

  @ApiProperty({ ...PATH_OR_NULL, description: 'What was done with the account, and by it.' })
  readonly audit: string | null;

  @ApiProperty({ ...PATH_OR_NULL, description: 'The batches of the account.' })
  readonly batches: string | null;

  @ApiProperty({ ...PATH_OR_NULL, description: 'The key: `DELETE` revokes it, `POST` with `/rotate` replaces it.' })
  readonly key: string | null;

  @ApiProperty(PATH_OR_NULL)
  readonly batch: string | null;
}

export class FoundReply {
  @ApiProperty({ enum: ['account', 'key', 'batch'] })
  readonly type: Found['type'];

  @ApiProperty({
    enum: MATCHED_BY,
    description: '`text`: part of a name or contact, or of what an agent told of itself.',
  })
  readonly matched_by: Found['matchedBy'];

  @ApiProperty({ type: AccountReply, nullable: true, description: 'Whose it is; null for an admin key.' })
  readonly account: AccountReply | null;

  @ApiProperty({ type: KeyReply, nullable: true })
  readonly key: KeyReply | null;

  @ApiProperty({ type: WorkBatchReply, nullable: true })
  readonly batch: WorkBatchReply | null;

  @ApiProperty({ type: AgentReply, nullable: true, description: 'What an agent told of itself when it registered.' })
  readonly agent: AgentReply | null;

  @ApiProperty({ type: FoundLinksBody })
  readonly links: FoundLinksBody;
}

export class SearchReply {
  @ApiProperty({ type: [FoundReply], description: 'The surest first.' })
  readonly matches: readonly FoundReply[];

  @ApiProperty({ description: 'There are more matches than are shown: search for more of the text.' })
  readonly more: boolean;
}

export function foundReply({ type, matchedBy, account, key, batch, agent }: Found, now: number): FoundReply {
  const accountPath = account && `${ADMIN}/accounts/${account.id}`;
  return {
    type,
    matched_by: matchedBy,
    account: account && accountReply(account),
    key: key && keyReply(key, now),
    batch: batch && workBatchReply(batch),
    agent: agent && agentReply(agent, now),
    links: {
      account: accountPath,
      keys: accountPath && `${accountPath}/keys`,
      audit: account && `${ADMIN}/audit?account_id=${account.id}`,
      batches: account && `${ADMIN}/batches?account_id=${account.id}`,
      key: key && `${ADMIN}/keys/${key.id}`,
      batch: batch && `${ADMIN}/batches/${batch.id}`,
    },
  };
}

export function searchReply({ found, isCut }: SearchResult, now: number): SearchReply {
  return { matches: found.map((one) => foundReply(one, now)), more: isCut };
}
