import { VerdictCounts } from './batch.reply.js';
import { type BatchSummary, type CountsByVerdict, MAX_NAMED } from '../results/batch-summary.service.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';

const ROWS = field.count('Repeated addresses as often as they were sent.');

export class ReasonCountReply extends Reply({
  reason: field.text({ example: 'mailbox_full' }),
  verdict: field.oneOf(['valid', 'invalid', 'risky', 'unknown']),
  rows: ROWS,
}) {}

export class DomainCountReply extends Reply({
  domain: field.text({ example: 'example.com' }),
  rows: ROWS,
  counts: field.one(VerdictCounts),
}) {}

export class ProviderCountReply extends Reply({
  provider: field.textOrNull('Null: of no mail operator that has a name here.'),
  rows: ROWS,
  counts: field.one(VerdictCounts),
}) {}

export class BatchSummaryReply extends Reply({
  id: field.id(),
  processed: field.count('Rows that are answered.'),
  reasons: field.listOf(ReasonCountReply, 'Every reason that a row has, the most frequent first.'),
  domains: field.listOf(DomainCountReply, {
    maxItems: MAX_NAMED,
    description: 'Those with the most rows first. Rows without an address have none.',
  }),
  domains_total: field.count('How many different domains the rows have.'),
  providers: field.listOf(ProviderCountReply, { maxItems: MAX_NAMED, description: 'Those with the most rows first.' }),
}) {}

export class PeopleSummaryReply extends Extended(BatchSummaryReply, {
  found: field.count('Rows whose person was found: `valid` or `risky`.'),
}) {}

export function peopleSummaryReply(id: number, summary: BatchSummary): PeopleSummaryReply {
  const found = summary.reasons.filter(({ verdict }) => verdict === 'valid' || verdict === 'risky');
  return { ...batchSummaryReply(id, summary), found: found.reduce((sum, { rows }) => sum + rows, 0) };
}

export function batchSummaryReply(id: number, summary: BatchSummary) {
  return {
    id,
    processed: summary.rows,
    reasons: summary.reasons,
    domains: summary.domains.map((one) => ({ domain: one.domain, rows: one.rows, counts: countsOf(one) })),
    domains_total: summary.allDomains,
    providers: summary.providers.map((one) => ({ provider: one.provider, rows: one.rows, counts: countsOf(one) })),
  } satisfies BatchSummaryReply;
}

function countsOf({ valid, invalid, risky, unknown }: CountsByVerdict): VerdictCounts {
  return { valid, invalid, risky, unknown };
}
