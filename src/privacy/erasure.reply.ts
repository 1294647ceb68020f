import { type Page, PageOf, pageReply } from '../platform/http/page.js';
import { field, Reply, replyOf } from '../platform/http/reply.js';
import { BATCH_STATES, type BatchState } from '../batch/model/batch.js';
import { ERASURE_FAILURES, ERASURE_STATES, MAX_NAMED_BATCHES } from './erasure-state.js';
import type { Erasure } from './erasure.store.js';

export class ErasedBody extends Reply({
  batches: field.count('Batches and lists that had the address.'),
  rows: field.count('Rows in them that were emptied, or lost a cell that named it.'),
  webhook_bodies: field.count('Bodies of webhooks, which are made anew without it.'),
  webhook_replies: field.count("Replies of webhooks' receivers."),
  kept_replies: field.count('Replies that were kept for an `Idempotency-Key`.'),
  kept_verdicts: field.count('Verdicts that were kept for `reuse_days`.'),
  suppressions: field.count('Entries of the suppression list.'),
  agents: field.count('Claimed agents that named it when they registered.'),
  names: field.count(
    'Names of the account, keys, batches, lists, monitors and placement tests, notes of findings, and browsers that were signed in.',
  ),
  audit_entries: field.count('Entries of the audit log that told of it, and have lost that text.'),
}) {}

export class RunningBatchBody extends Reply({
  id: field.id(),
  kind: field.oneOf(['verify', 'find'], 'Of addresses, or of people.'),
  status: field.oneOf<BatchState>(BATCH_STATES),
}) {}

/** A receipt. It never holds the address. */
export class ErasureReply extends Reply({
  id: field.uuid(),
  status: field.oneOf(
    ERASURE_STATES,
    '`working`: its next step is done within seconds; `waiting`: for batches that run, which `waits_for` names; `done`: the address is gone from all that there was when it was asked; `failed`: for the reason in `failure`, so give the order again.',
  ),
  suppressed: field.boolean('The address is on the suppression list, by its hash.'),
  batches_left: field.count('Batches that are still to be looked through.'),
  waits_for: field.listOf(RunningBatchBody, {
    maxItems: MAX_NAMED_BATCHES,
    description: 'The first of them that run: their end, or `DELETE` of them, lets the erasure go on.',
  }),
  failure: field.of<string | null>({
    type: String,
    enum: [...ERASURE_FAILURES, null],
    nullable: true,
    description:
      '`address_unreadable`: the service has lost its key to the order; `steps_failed`: what it tried has failed for three days.',
  }),
  erased: field.one(ErasedBody, 'So far.'),
  created_at: field.time(),
  finished_at: field.timeOrNull(),
}) {}

export class ErasurePageReply extends PageOf(ErasureReply, 'erasures') {}

export const erasurePageReply = (page: Page<Erasure>): ErasurePageReply => pageReply('erasures', page, erasureReply);

export function erasureReply(erasure: Erasure) {
  return replyOf(ErasureReply, {
    ...erasure,
    status: erasure.state,
    batchesLeft: erasure.waitsFor,
    waitsFor: erasure.running.map(({ id, kind, state }) => ({ id, kind, status: state })),
    erased: replyOf(ErasedBody, {
      ...erasure,
      webhookBodies: erasure.bodies,
      webhookReplies: erasure.answers,
      keptVerdicts: erasure.verdicts,
      auditEntries: erasure.acts,
    }),
  });
}
