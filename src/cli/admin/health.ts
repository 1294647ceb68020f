import { Command } from 'commander';
import {
  type MailListsReply,
  mailListReply,
  type WorkersReply,
  workersReply,
} from '../../admin/bodies/health.reply.js';
import { readListOverviews } from '../../verify/ports/lists-directory.js';
import type { Run } from './run.js';
import { textOf } from './text.js';

export function workersCommand(run: Run): Command {
  return new Command('workers')
    .description('Show who works on batches, what each has, what waits, and whether port 25 is open.')
    .action(() =>
      run(async (admin): Promise<WorkersReply> => workersReply(await admin.work.getWorkload()), {
        text: ({ workers, queues, unworked_regions, port_25 }) =>
          `${textOf({ workers })}\n${textOf(queues)}\nRegions without a worker\n${textOf({ unworked_regions })}\nPort 25\n${textOf({ port_25 })}`,
      }),
    );
}

export function listsCommand(run: Run): Command {
  return new Command('lists')
    .description('Show the lists by which domains are judged, and how old each is.')
    .action(() =>
      run(async (admin): Promise<MailListsReply> => ({
        lists: (await readListOverviews()).map((list) => mailListReply(list, admin.clock.now())),
      })),
    );
}
