import { Controller, Get, Inject } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireAdmin } from '../../keys/access/audience.js';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { readListOverviews } from '../../verify/ports/lists-directory.js';
import { mailListReply, MailListsReply, WorkersReply, workersReply } from '../bodies/health.reply.js';
import { WorkAdministrationService } from '../work-administration.service.js';

/** Whether work goes on, and by which lists. */
@ApiTags('Health')
@ApiBearerAuth()
@RequireAdmin()
@Controller('admin/v1')
export class AdminHealthController {
  constructor(
    private readonly work: WorkAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @Get('workers')
  @ApiOperation({
    operationId: 'listWorkers',
    summary: 'Who works on batches, what each has, what waits, and whether port 25 is open',
  })
  @ApiOkResponse({ type: WorkersReply })
  async workers(): Promise<WorkersReply> {
    return workersReply(await this.work.getWorkload());
  }

  @Get('lists')
  @ApiOperation({ operationId: 'listMailLists', summary: 'The lists by which domains are judged, and how old each is' })
  @ApiOkResponse({ type: MailListsReply })
  async lists(): Promise<MailListsReply> {
    return { lists: (await readListOverviews()).map((list) => mailListReply(list, this.clock.now())) };
  }
}
