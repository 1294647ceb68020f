import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import type { Added, Suppression } from './suppressions.service.js';
import { field, Reply } from '../platform/http/reply.js';

/** The id of a suppression in paths. */
export const SUPPRESSION_ID = {
  name: 'id',
  schema: { type: 'string' },
  description: 'The address, or its SHA-256 in hexadecimal, which leaves no address in logs.',
} as const;

export class SuppressionReply extends Reply({
  id: field.text({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the address; the address itself is not kept.' }),
  reason: field.textOrNull(),
  created_at: field.time(),
}) {}

export class SuppressedReply extends Reply({
  added: field.integer('How many of them were not on the list before.'),
  suppressions: field.listOf(SuppressionReply),
}) {}

export class SuppressionPageReply extends PageOf(SuppressionReply, 'suppressions') {}

export class SuppressionSettingsReply extends Reply({
  report_in_verify: field.boolean('Verifications say `suppressed` for each address.'),
}) {}

export function suppressionReply({ hash, reason, createdAt }: Suppression): SuppressionReply {
  return { id: hash.toString('hex'), reason, created_at: createdAt.toISOString() };
}

export function suppressedReply({ added, suppressions }: Added): SuppressedReply {
  return { added, suppressions: suppressions.map(suppressionReply) };
}

export const suppressionPageReply = (page: Page<Suppression>): SuppressionPageReply =>
  pageReply('suppressions', page, suppressionReply);
