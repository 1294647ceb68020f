import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { BatchService } from '../batch.service.js';
import { ADDRESSES, PEOPLE } from '../model/batch-kind.js';
import { BatchSummaryReply, batchSummaryReply, PeopleSummaryReply, peopleSummaryReply } from './batch-summary.reply.js';
import { shaped } from '../../presenting/present.decorator.js';
import { Route, Routes } from '../../keys/route.decorator.js';
import { IdParam } from '../../platform/http/id-params.js';
import { BatchSummaryService } from '../results/batch-summary.service.js';

@Routes('api/v1/verify/batch', { tag: 'Batch' })
export class BatchSummaryController {
  constructor(
    private readonly batches: BatchService,
    private readonly summaries: BatchSummaryService,
  ) {}

  @Route.get(':id/summary', 'getBatchSummary', 'The rows of a finished batch by reason, domain and mail operator', {
    needs: 'results',
    ok: shaped(BatchSummaryReply),
    errors: ['batch_not_finished'],
  })
  async summary(@Caller() caller: Principal, @IdParam('batch_not_found') id: number) {
    const batch = await this.batches.getFinished(caller, ADDRESSES, id);
    return batchSummaryReply(id, await this.summaries.of(batch));
  }
}

@Routes('api/v1/finder/batch', { tag: 'Finder', for: 'full' })
export class PeopleSummaryController {
  constructor(
    private readonly batches: BatchService,
    private readonly summaries: BatchSummaryService,
  ) {}

  @Route.get(
    ':id/summary',
    'getPeopleSummary',
    'How many people of a finished batch were found, by reason, domain and mail operator',
    { needs: ['finder', 'results'], ok: PeopleSummaryReply, errors: ['batch_not_finished'] },
  )
  async summary(@Caller() caller: Principal, @IdParam('batch_not_found') id: number) {
    const batch = await this.batches.getFinished(caller, PEOPLE, id);
    return peopleSummaryReply(id, await this.summaries.of(batch));
  }
}
