import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { PresentBody } from '../../presenting/present.decorator.js';
import { BATCH_ID_SCHEMA, BatchIdParam } from './batch-id.js';
import { BatchService } from '../batch.service.js';
import { ADDRESSES } from '../model/batch-kind.js';
import { BatchSummaryReply, batchSummaryReply } from './batch-summary.reply.js';
import { BatchSummaryService } from '../results/batch-summary.service.js';

@ApiTags('Batch')
@ApiBearerAuth()
@Controller('api/v1/verify/batch')
export class BatchSummaryController {
  constructor(
    private readonly batches: BatchService,
    private readonly summaries: BatchSummaryService,
  ) {}

  @Get(':id/summary')
  @PresentBody(BatchSummaryReply)
  @ApiParam({ name: 'id', schema: BATCH_ID_SCHEMA })
  @ApiErrors('batch_not_found', 'batch_not_finished')
  @ApiOperation({
    operationId: 'getBatchSummary',
    summary: 'The rows of a finished batch by reason, domain and mail operator',
  })
  async summary(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<object> {
    const batch = await this.batches.getFinished(caller, ADDRESSES, id);
    return batchSummaryReply(id, await this.summaries.of(batch));
  }
}
