import type { Usage, UsageLine } from './usage.service.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';

const refusedWith = (status: number) =>
  field.integerOrNull(`Requests refused with ${status}; null by verdict, reason and endpoint, which they do not have.`);

class UsageCounts extends Reply({
  items: field.integer('Distinct addresses or people that were answered.'),
  credits: field.integer('Charged to the balance: over all days what the ledger charges.'),
  free_credits: field.integer('Charged to the free credits of an agent.'),
  refused_402: refusedWith(402),
  refused_429: refusedWith(429),
}) {}

export class UsageRowReply extends Extended(UsageCounts, {
  value: field.text('The day, the id of the key, the verdict, the reason or the endpoint.'),
}) {}

export class UsageReply extends Reply({
  from: field.day(),
  to: field.day(),
  by: field.text(),
  usage: field.listOf(UsageRowReply),
  total: field.one(UsageCounts),
}) {}

export function usageReply({ period, by, lines, total }: Usage): UsageReply {
  const usage = lines.map((line) => ({ value: line.value, ...countsOf(line) }));
  return { ...period, by, usage, total: countsOf(total) };
}

/** Values are days, ids and words of fixed vocabularies, none of which needs quotes. */
export function usageCsv(usage: Usage): string {
  const { by, usage: rows, total } = usageReply(usage);
  const lines = rows.map((row) => Object.values(row).join(','));
  return [[by, ...Object.keys(total)].join(','), ...lines, ''].join('\r\n');
}

function countsOf(line: Omit<UsageLine, 'value'>) {
  return {
    items: line.items,
    credits: line.credits,
    free_credits: line.freeCredits,
    refused_402: line.refused402,
    refused_429: line.refused429,
  };
}
