import { Inject } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { readListOverviews } from '../../verify/ports/lists-directory.js';
import { mailListReply, MailListsReply, WorkersReply, workersReply } from '../bodies/health.reply.js';
import { WorkAdministrationService } from '../work-administration.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

/** Whether work goes on, and by which lists. */
@AdminRoutes('', { tag: 'Health' })
export class AdminHealthController {
  constructor(
    private readonly work: WorkAdministrationService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get(
    'workers',
    'listWorkers',
    'Who works on batches, what each has, what waits, and whether port 25 is open',
    { needs: 'read', ok: WorkersReply },
  )
  async workers(): Promise<WorkersReply> {
    return workersReply(await this.work.getWorkload());
  }

  @AdminRoute.get('lists', 'listMailLists', 'The lists by which domains are judged, and how old each is', {
    needs: 'read',
    ok: MailListsReply,
  })
  async lists(): Promise<MailListsReply> {
    return { lists: (await readListOverviews()).map((list) => mailListReply(list, this.clock.now())) };
  }
}
