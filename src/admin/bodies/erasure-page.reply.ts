import { PageOf, PageQuery } from '../../platform/http/page.js';
import { Extended, field } from '../../platform/http/reply.js';
import type { Erasure } from '../../privacy/erasure-receipts.js';
import { ERASURE_STATES, type ErasureState } from '../../privacy/erasure-state.js';
import { ErasureReply, erasureReply } from '../../privacy/erasure.reply.js';
import { OptionalOneOf, OptionalUuid } from '../../platform/http/fields.js';

export class ErasuresQuery extends PageQuery {
  @OptionalUuid()
  readonly account_id?: string;

  @OptionalOneOf(ERASURE_STATES)
  readonly status?: ErasureState;
}

/** A receipt, and how its work goes. */
export class WorkErasureReply extends Extended(ErasureReply, {
  account_id: field.uuid(),
  test: field.boolean('Ordered by a test key.'),
  failed_steps: field.count('Steps in a row that have failed; the log says why.'),
  due_at: field.timeOrNull('Of its next step; null when it has ended.'),
}) {}

export class WorkErasurePageReply extends PageOf(WorkErasureReply, 'erasures') {}

export function workErasureReply(erasure: Erasure): WorkErasureReply {
  return {
    ...erasureReply(erasure),
    account_id: erasure.accountId,
    test: erasure.simulated,
    failed_steps: erasure.failures,
    due_at: erasure.finishedAt === null ? erasure.dueAt.toISOString() : null,
  };
}
