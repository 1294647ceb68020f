import { Caller } from '../../keys/access/caller.js';
import type { Principal } from '../../keys/access/principal.js';
import { scheduleReply, SchedulesReply } from './schedules.reply.js';
import { SchedulesService } from './schedules.service.js';
import { Route, Routes } from '../../keys/route.decorator.js';

@Routes('api/v1/schedules', { tag: 'Lists', for: 'full' })
export class AllSchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Route.get('', 'listSchedules', 'Lists that verify themselves again', { needs: 'lists', ok: SchedulesReply })
  async list(@Caller() caller: Principal): Promise<object> {
    const schedules = await this.schedules.list(caller);
    return { schedules: schedules.map((one) => ({ ...scheduleReply(one), name: one.name ?? `batch ${one.listId}` })) };
  }
}
