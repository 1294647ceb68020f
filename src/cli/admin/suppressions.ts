import { Command } from 'commander';
import { PageQuery } from '../../platform/http/page.js';
import { hashesOf, SuppressRequest } from '../../suppressions/suppressions.dto.js';
import { suppressedReply, suppressionPageReply } from '../../suppressions/suppression.reply.js';
import { checked, paged, type Run } from './run.js';

export function suppressionCommands(run: Run): Command {
  const suppressions = new Command('suppressions').description('People whom nobody may find.');
  suppressions
    .command('add')
    .argument('<email...>', 'addresses; only their hashes are kept')
    .option('--reason <reason>', 'why, for the record')
    .description('Keep people from being found, for every account.')
    .action((emails: string[], options: { reason?: string }) =>
      run(async (admin, actor) => {
        const request = await checked(SuppressRequest, { emails, ...options });
        return suppressedReply(await admin.suppressions.add(actor, hashesOf(request), request.reason ?? null));
      }),
    );
  paged(suppressions.command('list'))
    .description('Show the list, newest first.')
    .action((options: object) =>
      run(async (admin) => suppressionPageReply(await admin.suppressions.list(await checked(PageQuery, options)))),
    );
  suppressions
    .command('remove <id>')
    .description('Take an address, or a hash of the list, off it.')
    .action((id: string) =>
      run(async (admin, actor) => {
        await admin.suppressions.remove(actor, id);
        return { removed: true };
      }),
    );
  return suppressions;
}
