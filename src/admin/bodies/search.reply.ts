import { KeyReply, keyReply } from '../../keys/key.reply.js';
import { MATCHED_BY, type Found, type SearchResult } from '../search.service.js';
import { AccountReply, accountReply } from './account.reply.js';
import { AgentReply, agentReply } from './agent.reply.js';
import { WorkBatchReply, workBatchReply } from './work.reply.js';
import { field, Reply } from '../../platform/http/reply.js';

const pathOrNull = (description?: string) => field.textOrNull({ format: 'uri-reference', description });
const ADMIN = '/admin/v1';

/** Where administrators go on; null where there is no such thing. */
export class FoundLinksBody extends Reply({
  account: pathOrNull(),
  keys: pathOrNull('The keys of the account.'),
  audit: pathOrNull('What was done with the account, and by it.'),
  batches: pathOrNull('The batches of the account.'),
  key: pathOrNull('The key: `DELETE` revokes it, `POST` with `/rotate` replaces it.'),
  batch: pathOrNull(),
}) {}

export class FoundReply extends Reply({
  type: field.oneOf(['account', 'key', 'batch']),
  matched_by: field.oneOf(MATCHED_BY, '`text`: part of a name or contact, or of what an agent told of itself.'),
  account: field.oneOrNull(AccountReply, 'Whose it is; null for an admin key.'),
  key: field.oneOrNull(KeyReply),
  batch: field.oneOrNull(WorkBatchReply),
  agent: field.oneOrNull(AgentReply, 'What an agent told of itself when it registered.'),
  links: field.one(FoundLinksBody),
}) {}

export class SearchReply extends Reply({
  matches: field.listOf(FoundReply, 'The surest first.'),
  more: field.boolean('There are more matches than are shown: search for more of the text.'),
}) {}

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
