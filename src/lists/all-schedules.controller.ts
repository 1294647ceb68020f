import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireFullAccount } from '../keys/access/audience.js';
import { Caller } from '../keys/access/caller.js';
import type { Principal } from '../keys/access/principal.js';
import { scheduleReply, SchedulesReply } from './schedules.reply.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Lists')
@ApiBearerAuth()
@RequireFullAccount()
@Controller('api/v1/schedules')
export class AllSchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @ApiOkResponse({ type: SchedulesReply })
  @ApiOperation({ operationId: 'listSchedules', summary: 'Lists that verify themselves again' })
  async list(@Caller() caller: Principal): Promise<object> {
    const schedules = await this.schedules.list(caller);
    return { schedules: schedules.map((one) => ({ ...scheduleReply(one), name: one.name ?? `batch ${one.listId}` })) };
  }
}
