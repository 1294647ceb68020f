import type { Type } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath, PickType } from '@nestjs/swagger';
import { NEXT_CURSOR, PageOf } from '../../platform/http/page.js';
import { Extended, field, Reply } from '../../platform/http/reply.js';
import { RETENTION } from '../formats/sent-body.js';
import { BATCH_STATES } from '../model/batch.js';
import { RETRIED_REASONS } from '../model/retry-window.js';
import { FullVerificationReply, VerificationData } from '../../presenting/verification.reply.js';

/* Replies about batches, for the documents. */

/** Another reply within this one, which its class names as an extra model, or null. */
export const replyOrNull = <Value>(shown: Type<Value>, description?: string) =>
  field.of<Value | null>({
    type: Object,
    oneOf: [{ $ref: getSchemaPath(shown) }, { type: 'null' }],
    ...(description !== undefined && { description }),
  });

/** What a held batch would cost. */
export class QuoteReply extends Reply({
  rows: field.integer(),
  unique_emails: field.integer('Without repeated addresses: what is verified and charged.'),
  duplicates: field.integer('Rows that repeat an address.'),
  malformed: field.integer('Distinct addresses that will be `invalid_syntax`; they cost nothing, except for agents.'),
  reusable: field.integer('Distinct addresses that are answered without new work, for nothing.'),
  max_credits: field.integer('The most that it costs: `start` reserves it.'),
  balance_after: field.integer('What would be left now; below 0 when the credits do not suffice.'),
}) {}

export class BatchTakenData extends Reply({
  id: field.id(),
  status: field.oneOf(BATCH_STATES),
  total_emails: field.integer(),
  quote: field.optional(field.one(QuoteReply, 'Of a held batch.')),
}) {}

export class BatchWebhookReply extends Reply({
  id: field.uuid('Of the endpoint, as under `/api/v1/webhooks`.'),
  url: field.url(),
  secret: field.textOrNull({
    example: 'whsec_…',
    description: 'Signs what is sent to the URL. Shown when the URL is first named; later batches have the same one.',
  }),
}) {}

@ApiExtraModels(BatchWebhookReply)
export class BatchTakenReply extends Extended(BatchTakenData, {
  unique_emails: field.integer('Without repeated addresses: what is verified and charged.'),
  name: field.textOrNull(),
  webhook: replyOrNull(BatchWebhookReply, 'Of `webhook_url`; null without one.'),
}) {}

export class VerdictCounts extends Reply({
  valid: field.integer(),
  invalid: field.integer(),
  risky: field.integer(),
  unknown: field.integer(),
}) {}

/** What of a batch waits for its next try. */
export class WaitingReply extends Reply({
  count: field.integer('Distinct addresses.'),
  next_try_at: field.time('When the first of them are tried; past while they are.'),
  until: field.time('Nothing of the batch is put off beyond it.'),
  reasons: field.of<Readonly<Record<string, number>>>({
    type: 'object',
    properties: Object.fromEntries(RETRIED_REASONS.map((reason) => [reason, { type: 'integer', minimum: 1 }])),
    additionalProperties: false,
    description: 'How many have which answer so far.',
  }),
}) {}

@ApiExtraModels(QuoteReply, WaitingReply)
export class BatchReply extends Reply({
  id: field.id(),
  status: field.oneOf(BATCH_STATES),
  name: field.textOrNull(),
  list_id: field.idOrNull('The list that it verifies again; null for others.'),
  total_emails: field.integer(),
  unique_emails: field.integer('Without repeated addresses: what is verified and charged.'),
  processed: field.integer('Rows that are answered; repeated addresses as often as they were sent.'),
  progress: field.fraction(),
  counts: field.one(VerdictCounts),
  quote: replyOrNull(QuoteReply, 'Of a held batch, by the balance of now; null for others.'),
  waiting: replyOrNull(WaitingReply, 'Answers that time may change and that are tried again; null when nothing waits.'),
  credits_reserved: field.integer(),
  credits_charged: field.integer(),
  reused: field.integer('Addresses that are given a verdict again for nothing (`reuse_days`).'),
  created_at: field.time(),
  started_at: field.timeOrNull(),
  completed_at: field.timeOrNull(),
  estimated_completion_at: field.timeOrNull('From the pace so far; null before the first answer.'),
  expires_at: field.timeOrNull('When it is deleted with every address; null while it runs.'),
  retention_days: field.of<number>({ ...RETENTION, nullable: false }),
}) {}

export class BatchPageReply extends PageOf(BatchReply, 'batches') {}

export class BatchDeletedReply extends Reply({
  id: field.id(),
  deleted: field.of<boolean>({ enum: [true] }),
}) {}

export class FullRow extends Extended(FullVerificationReply, {
  columns: field.optional(field.textsByName('The other columns of the CSV that was sent.')),
}) {}

const PENDING_VERDICT = field.of<null>({ type: String, nullable: true, enum: [null] });
const PENDING = field.of<boolean>({
  enum: [true],
  description: 'It waits for its answer, and the batch still runs.',
});

/** A row without an answer, in the results of a batch that still runs. */
export class PendingRow extends Extended(PickType(FullRow, ['email', 'columns']), {
  verdict: PENDING_VERDICT,
  pending: PENDING,
}) {}

export class AgentPendingRow extends Extended(PickType(VerificationData, ['email']), {
  result: PENDING_VERDICT,
  pending: PENDING,
}) {}

export const COMPLETE = field.optional(
  field.boolean('Whether the batch has ended and no row will change; only with `partial=true`.'),
);

/** The rows of a page, of either class. */
export const rowsOf = <Answered, Pending>(answered: Type<Answered>, pending: Type<Pending>) =>
  field.of<readonly (Answered | Pending)[]>({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(answered) }, { $ref: getSchemaPath(pending) }] },
    description: 'In the order of submission.',
  });

class ResultsPage extends Reply({
  id: field.id(),
  status: field.oneOf(BATCH_STATES),
  total_emails: field.integer(),
  complete: COMPLETE,
  next_cursor: NEXT_CURSOR,
}) {}

@ApiExtraModels(VerificationData, AgentPendingRow)
export class AgentResultsData extends Extended(ResultsPage, {
  results: rowsOf(VerificationData, AgentPendingRow),
}) {}

@ApiExtraModels(FullRow, PendingRow)
export class ResultsReply extends Extended(ResultsPage, {
  results: rowsOf(FullRow, PendingRow),
}) {}
