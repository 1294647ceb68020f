import { Command } from 'commander';
import { ReasonRequest } from '../../../admin/bodies/admin.dto.js';
import {
  type WatchedListReply,
  watchedListReply,
  type WatchedListsReply,
} from '../../../admin/bodies/deliverability/blacklist.reply.js';
import { checked, type Run } from '../run.js';
import { textOf } from '../text.js';

export function blacklistCommands(run: Run): Command {
  const lists = new Command('blacklists').description('Block lists: list, test one, turn it off and on.');
  lists
    .command('list')
    .description('List them, with whether each works.')
    .action(() =>
      run(
        async (admin): Promise<WatchedListsReply> => ({
          blacklists: (await admin.blacklists.list()).map(watchedListReply),
        }),
        { text: ({ blacklists }) => textOf({ blacklists: blacklists.map(rowOf) }) },
      ),
    );
  lists
    .command('test <list>')
    .description('Ask one for its test points now.')
    .action((id: string) =>
      run(async (admin, actor): Promise<WatchedListReply> => watchedListReply(await admin.blacklists.test(actor, id)), {
        isFine: ({ health }) => health.every(({ state }) => state === 'healthy'),
        text: ({ health }) => textOf({ health }),
      }),
    );
  lists
    .command('turn-off <list>')
    .description('Let nobody ask it.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor): Promise<WatchedListReply> => {
        const { reason } = await checked(ReasonRequest, options);
        return watchedListReply(await admin.blacklists.turnOff(actor, id, reason));
      }),
    );
  lists
    .command('turn-on <list>')
    .description('Let it be asked again.')
    .action((id: string) =>
      run(async (admin, actor): Promise<WatchedListReply> =>
        watchedListReply(await admin.blacklists.turnOn(actor, id)),
      ),
    );
  return lists;
}

function rowOf({ id, severity, configured, off, reason, health }: WatchedListReply) {
  const sick = health.find(({ state }) => state !== 'healthy') ?? health[0];
  const state = off ? 'off' : configured ? (sick?.state ?? 'untested') : 'not configured';
  return { id, severity, state, why: off ? reason : (sick?.why ?? null) };
}
