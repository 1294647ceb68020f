import { Command, Option } from 'commander';
import { DEFAULT_PLAN, PLANS } from '../../platform/config/policies.js';
import { readUuid } from '../../platform/http/id-params.js';
import { accountOverviewReply, accountReply, creditsAuditReply } from '../../admin/bodies/account.reply.js';
import {
  AccountsQuery,
  AdjustRequest,
  ChangePlanRequest,
  CreateAccountRequest,
  GrantRequest,
  ReasonRequest,
} from '../../admin/bodies/admin.dto.js';
import { pageReply } from '../../admin/bodies/page-reply.js';
import { checked, paged, type Run, whole } from './run.js';
import { textOf } from './text.js';

export function accountCommands(run: Run): Command {
  const accounts = new Command('accounts').description('Full accounts: create, look at, change plan, suspend.');
  accounts
    .command('create')
    .description('Create an account, with the credits that its plan grants once. Keys are created with "keys create".')
    .requiredOption('--name <name>', 'whose it is')
    .addOption(planOption('its limits').default(DEFAULT_PLAN))
    .action((options: object) =>
      run(
        async (admin, actor) => {
          const { name, plan } = await checked(CreateAccountRequest, options);
          return accountReply(await admin.accounts.create(actor, { name, plan: plan ?? DEFAULT_PLAN }));
        },
        { mayMakeDatabase: true },
      ),
    );
  paged(accounts.command('list'))
    .description('List accounts, newest first.')
    .addOption(planOption('only these'))
    .action((options: object) =>
      run(async (admin) => {
        const query = await checked(AccountsQuery, options);
        return pageReply('accounts', await admin.accounts.list(query.plan ?? null, query), accountReply);
      }),
    );
  accounts
    .command('show <account>')
    .description('Show an account.')
    .action((id: string) => run(async (admin) => accountOverviewReply(await admin.accounts.get(accountId(id)))));
  accounts
    .command('change-plan <account> <plan>')
    .description(`Put an account on another plan: ${PLANS.join(', ')}. Its credits stay.`)
    .action((id: string, plan: string) =>
      run(async (admin, actor) => {
        const request = await checked(ChangePlanRequest, { plan });
        return accountOverviewReply(await admin.accounts.changePlan(actor, accountId(id), request.plan));
      }),
    );
  accounts
    .command('suspend <account>')
    .description('Answer all keys of an account with 403 account_suspended until it is resumed.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor) => {
        const { reason } = await checked(ReasonRequest, options);
        return accountOverviewReply(await admin.accounts.suspend(actor, accountId(id), reason));
      }),
    );
  accounts
    .command('resume <account>')
    .description('Let the keys of a suspended account work again.')
    .action((id: string) =>
      run(async (admin, actor) => accountOverviewReply(await admin.accounts.resume(actor, accountId(id)))),
    );
  return accounts;
}

export function creditCommands(run: Run): Command {
  const credits = new Command('credits').description('Credits of full accounts: grant, adjust, audit.');
  credits
    .command('grant <account>')
    .description('Add credits that were bought or given.')
    .requiredOption('--amount <credits>', 'above 0', whole)
    .requiredOption('--reason <text>', 'why, for ledger and audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor) => {
        const { amount, reason } = await checked(GrantRequest, options);
        return accountOverviewReply(await admin.accounts.grant(actor, accountId(id), amount, reason));
      }),
    );
  credits
    .command('adjust <account>')
    .description('Correct a balance, up or down, never below 0.')
    .requiredOption('--amount <credits>', 'such as -5', whole)
    .requiredOption('--reason <text>', 'why, for ledger and audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor) => {
        const { amount, reason } = await checked(AdjustRequest, options);
        return accountOverviewReply(await admin.accounts.adjust(actor, accountId(id), amount, reason));
      }),
    );
  credits
    .command('audit')
    .description(
      'Prove of every account that its balance is what its ledger says, and name those that differ (exit 1).',
    )
    .action(() =>
      run(async (admin) => creditsAuditReply(await admin.creditsAudit.run()), {
        isFine: ({ differing }) => differing.length === 0,
        text: auditText,
      }),
    );
  return credits;
}

/** Where the policies cannot be read it takes anything, so that what is wrong with them is told, and not with the plan. */
function planOption(description: string): Option {
  const option = new Option('--plan <plan>', description);
  return PLANS.length === 0 ? option : option.choices(PLANS);
}

const accountId = (typed: string) => readUuid(typed, 'account_not_found');
function auditText({ accounts, differing }: ReturnType<typeof creditsAuditReply>): string {
  if (differing.length === 0 && accounts === 1) return 'The one account agrees: its balance is what its ledger says.\n';
  if (differing.length === 0) return `All ${accounts} accounts agree: every balance is what its ledger says.\n`;
  return `${differing.length} of ${accounts} accounts differ: their balance is not what their ledger says.\n\n${textOf({ differing })}`;
}
