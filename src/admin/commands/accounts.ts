import { Command, Option } from 'commander';
import { PLANS } from '../../keys/plan.js';
import { readUuid } from '../../platform/http/id-params.js';
import { accountReply, accountStandingReply, creditsAuditReply, pageReply } from '../admin-replies.js';
import {
  AccountsQuery,
  AdjustRequest,
  ChangePlanRequest,
  CreateAccountRequest,
  GrantRequest,
  ReasonRequest,
} from '../admin-input.js';
import { checked, paged, type Run, whole } from './run.js';
import { textOf } from './text.js';

export function accountCommands(run: Run): Command {
  const accounts = new Command('accounts').description('Full accounts: create, look at, change plan, suspend.');
  accounts
    .command('create')
    .description('Create an account, with the credits that its plan grants once. Keys are created with "keys create".')
    .requiredOption('--name <name>', 'whose it is')
    .addOption(new Option('--plan <plan>', 'its limits').choices(PLANS).default('free'))
    .action((options: object) =>
      run(
        async (admin, actor) => {
          const { name, plan } = await checked(CreateAccountRequest, options);
          return accountReply(await admin.accounts.create(actor, { name, plan: plan ?? 'free' }));
        },
        { mayMakeDatabase: true },
      ),
    );
  paged(accounts.command('list'))
    .description('List accounts, newest first.')
    .addOption(new Option('--plan <plan>', 'only these').choices(PLANS))
    .action((options: object) =>
      run(async (admin) => {
        const query = await checked(AccountsQuery, options);
        return pageReply('accounts', await admin.accounts.list(query.plan ?? null, query), accountReply);
      }),
    );
  accounts
    .command('show <account>')
    .description('Show an account.')
    .action((id: string) => run(async (admin) => accountStandingReply(await admin.accounts.get(accountId(id)))));
  accounts
    .command('change-plan <account> <plan>')
    .description(`Put an account on another plan: ${PLANS.join(', ')}. Its credits stay.`)
    .action((id: string, plan: string) =>
      run(async (admin, actor) => {
        const request = await checked(ChangePlanRequest, { plan });
        return accountStandingReply(await admin.accounts.changePlan(actor, accountId(id), request.plan));
      }),
    );
  accounts
    .command('suspend <account>')
    .description('Answer all keys of an account with 403 account_suspended until it is resumed.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, options: object) =>
      run(async (admin, actor) => {
        const { reason } = await checked(ReasonRequest, options);
        return accountStandingReply(await admin.accounts.suspend(actor, accountId(id), reason));
      }),
    );
  accounts
    .command('resume <account>')
    .description('Let the keys of a suspended account work again.')
    .action((id: string) =>
      run(async (admin, actor) => accountStandingReply(await admin.accounts.resume(actor, accountId(id)))),
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
        return accountStandingReply(await admin.accounts.grant(actor, accountId(id), amount, reason));
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
        return accountStandingReply(await admin.accounts.adjust(actor, accountId(id), amount, reason));
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

const accountId = (typed: string) => readUuid(typed, 'account_not_found');
function auditText({ accounts, differing }: ReturnType<typeof creditsAuditReply>): string {
  if (differing.length === 0) return `All ${accounts} accounts agree: every balance is what its ledger says.\n`;
  return `${differing.length} of ${accounts} accounts differ: their balance is not what their ledger says.\n\n${textOf({ differing })}`;
}
