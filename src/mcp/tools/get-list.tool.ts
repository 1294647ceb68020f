import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { neededFor } from '../../keys/access/audience.js';
import { ListsController } from '../../lists/lists.controller.js';
import { DownloadsService } from '../../batch/results/downloads.service.js';
import { ListsService } from '../../lists/lists.service.js';
import { REASON_TEXTS } from '../../platform/config/policies.js';
import type { ReasonTexts } from '../../platform/config/reason-texts.js';
import { AgentPresenter } from '../../presenting/agent.presenter.js';
import type { VerifiedAddress } from '../../presenting/presenter.js';
import { VERDICTS } from '../../presenting/verification.reply.js';
import { RETRY_WITHOUT_TIME, type Tool, type ToolCall, type ToolResult } from './tool.js';
import { cursor, id, nextCursor, verdictRow } from './tool-schemas.js';
import { listFields, listOf } from './list-lists.tool.js';

const DEFAULT_LIMIT = 100;

const input = z.object({
  list_id: id().describe('From list_lists, or the batch_id of a completed batch.'),
  verdict: z.enum(VERDICTS).optional().describe('Only the addresses with this verdict.'),
  limit: z.int().min(1).max(1000).optional().describe(`How many at most; ${DEFAULT_LIMIT} if you do not say.`),
  cursor: cursor(),
});

@Injectable()
export class GetListTool implements Tool<typeof input> {
  readonly name = 'get_list';
  readonly title = 'Verdicts of a list';
  readonly description = [
    'Returns the verdicts of a list, in the order in which its addresses were sent: for each address what verify_email returns. Use it when get_batch_status says completed, or with a list_id of list_lists.',
    'verdict leaves the others out, such as valid for those that are safe to send to.',
    'Costs nothing, needs an API key. Returns up to limit rows, and next_cursor when there are more.',
  ].join(' ');
  readonly input = input;
  readonly output = z.object({ ...listFields, results: z.array(verdictRow()), next_cursor: nextCursor() });
  readonly needs = neededFor(ListsController, 'get');

  constructor(
    private readonly lists: ListsService,
    private readonly downloads: DownloadsService,
    private readonly presenter: AgentPresenter,
    @Inject(REASON_TEXTS) private readonly reasons: ReasonTexts,
  ) {}

  async run({ list_id, limit = DEFAULT_LIMIT, ...query }: z.infer<typeof input>, call: ToolCall): Promise<ToolResult> {
    const one = await this.lists.get(call.requirePrincipal(), list_id);
    let isTimeless = false;
    const present = (verified: VerifiedAddress) => {
      const row = this.row(verified);
      isTimeless ||= row.action === 'retry_later' && row.retry_after === null;
      return row;
    };
    const page = await this.downloads.page(one.current, { limit, ...query }, present);
    const { results, next_cursor } = page;
    return {
      ...listOf(one),
      results,
      next_cursor,
      action: next_cursor === null ? 'none' : 'get_list',
      next_step: isTimeless ? `Rows with retry_later and without retry_after: ${RETRY_WITHOUT_TIME}` : null,
    };
  }

  private row(verified: VerifiedAddress) {
    const { reason, retryAfterSeconds } = verified.verification;
    return { ...this.presenter.row(verified), action: this.reasons[reason]!.action, retry_after: retryAfterSeconds };
  }
}
