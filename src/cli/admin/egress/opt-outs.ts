import { Command } from 'commander';
import { ReasonRequest } from '../../../admin/bodies/admin.dto.js';
import {
  type OptOutPageReply,
  optOutPageReply,
  type OptOutReply,
  optOutReply,
  OptOutRequest,
} from '../../../admin/bodies/egress/opt-out.reply.js';
import { timeOrNull } from '../../../keys/key-fields.js';
import { PageQuery } from '../../../platform/http/page.js';
import { checked, paged, type Run } from '../run.js';

export function optOutCommands(run: Run): Command {
  const optOuts = new Command('opt-outs').description('Domains and mail hosts that are left alone: list, add, remove.');
  paged(optOuts.command('list'))
    .description('List them, newest first.')
    .action((options: object) =>
      run(async (admin): Promise<OptOutPageReply> =>
        optOutPageReply(await admin.optOuts.list(await checked(PageQuery, options))),
      ),
    );
  optOuts
    .command('add <name>')
    .description('Ask about no mailbox of a domain, or connect to no mail host of that name, in any process.')
    .option('--kind <kind>', 'domain or mail_host', 'domain')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .option('--until <time>', 'end time, such as 2027-01-31T12:00:00Z; default and maximum: 400 days from now')
    .action((name: string, options: object) =>
      run(async (admin, actor): Promise<OptOutReply> => {
        const { until, ...wanted } = await checked(OptOutRequest, { ...options, name });
        return optOutReply(await admin.optOuts.add(actor, { ...wanted, endsAt: timeOrNull(until) }));
      }),
    );
  optOuts
    .command('remove <id>')
    .description('Let it be asked again.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor): Promise<OptOutReply> => {
        const { reason } = await checked(ReasonRequest, options);
        return optOutReply(await admin.optOuts.remove(actor, id, reason));
      }),
    );
  return optOuts;
}
