import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../../keys/access/audience.js';
import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { ApiErrors } from '../../platform/errors/api-errors.decorator.js';
import { BATCH_ID_SCHEMA, BatchIdParam } from './batch-id.js';
import { BatchService } from '../batch.service.js';
import { PEOPLE } from '../model/batch-kind.js';
import { PeopleSummaryReply, peopleSummaryReply } from './batch-summary.reply.js';
import { BatchSummaryService } from '../results/batch-summary.service.js';

@ApiTags('Finder')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/finder/batch')
export class PeopleSummaryController {
  constructor(
    private readonly batches: BatchService,
    private readonly summaries: BatchSummaryService,
  ) {}

  @Get(':id/summary')
  @ApiOkResponse({ type: PeopleSummaryReply })
  @ApiParam({ name: 'id', schema: BATCH_ID_SCHEMA })
  @ApiErrors('batch_not_found', 'batch_not_finished')
  @ApiOperation({
    operationId: 'getPeopleSummary',
    summary: 'How many people of a finished batch were found, by reason, domain and mail operator',
  })
  async summary(@Caller() caller: Principal, @BatchIdParam() id: number): Promise<PeopleSummaryReply> {
    const batch = await this.batches.getFinished(caller, PEOPLE, id);
    return peopleSummaryReply(id, await this.summaries.of(batch));
  }
}
