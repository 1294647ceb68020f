import { Inject } from '@nestjs/common';
import { CLOCK, type WallClock } from '../../platform/clock.js';
import { readListOverviews } from '../../verify/ports/lists-directory.js';
import { mailListReply, MailListsReply, WorkersReply, workersReply } from '../bodies/health.reply.js';
import { WorkloadService } from '../workload.service.js';
import { AdminRoute, AdminRoutes } from '../../keys/route.decorator.js';

/** Whether work goes on, and by which lists. */
@AdminRoutes('', { tag: 'Health', needs: 'read' })
export class AdminHealthController {
  constructor(
    private readonly workload: WorkloadService,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  @AdminRoute.get(
    'workers',
    'listWorkers',
    'Who works on batches, what each has, what waits, and whether port 25 is open',
    { ok: WorkersReply },
  )
  async workers() {
    return workersReply(await this.workload.read());
  }

  @AdminRoute.get('lists', 'listMailLists', 'The lists by which domains are judged, and how old each is', {
    ok: MailListsReply,
  })
  async lists() {
    return { lists: (await readListOverviews()).map((list) => mailListReply(list, this.clock.now())) };
  }
}
