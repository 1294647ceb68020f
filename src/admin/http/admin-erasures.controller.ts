import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { ErasureReceipts } from '../../privacy/erasure-receipts.js';
import { ErasuresQuery, WorkErasurePageReply, workErasureReply } from '../bodies/erasure-page.reply.js';
import { pageReply } from '../bodies/page-reply.js';

/** Erasures of all accounts: which of them wait, fail or have failed. */
@ApiTags('Work')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1/erasures')
export class AdminErasuresController {
  constructor(private readonly erasures: ErasureReceipts) {}

  @Get()
  @ApiOperation({ operationId: 'listAllErasures', summary: 'Erasures of all accounts, newest first' })
  @ApiOkResponse({ type: WorkErasurePageReply })
  async list(@Query() query: ErasuresQuery): Promise<WorkErasurePageReply> {
    const page = await this.erasures.listAll(query.account_id ?? null, query.status ?? null, query);
    return pageReply('erasures', page, workErasureReply);
  }
}
