import { Command, Option } from 'commander';
import { DEFAULT_PLAN, PLANS } from '../../platform/config/policies.js';
import { creditHistoryReply } from '../../credits/credit-history.reply.js';
import { PageQuery, pageReply } from '../../platform/http/page.js';
import { accountDetailsReply } from '../../admin/bodies/account-page.reply.js';
import { accountOverviewReply, accountReply, creditsAuditReply } from '../../admin/bodies/account.reply.js';
import { accountChangeOf, accountRequestOf, AccountsQuery, AdjustRequest, ChangeAccountRequest, CreateAccountRequest, GrantRequest, ReasonRequest } from '../../admin/bodies/admin.dto.js';
import { accountText } from './account-text.js';
import { checked, paged, requireOptions, type Run, whole } from './run.js';
import { textOf } from './text.js';
import { counted } from '../../platform/counted.js';
import { readUuid } from '../../platform/http/ids.js';

interface AccountOptions {
  readonly plan?: string;
  readonly region?: string;
  readonly contactEmail?: string;
  readonly note?: string;
}

export function accountCommands(run: Run): Command {
  const accounts = new Command('accounts').description('Full accounts: create, look at, change, suspend.');
  accounts
    .command('create')
    .description('Create an account, with the credits that its plan grants once. Keys are created with "keys create".')
    .requiredOption('--name <name>', 'whose it is')
    .addOption(planOption('its limits').default(DEFAULT_PLAN))
    .option('--region <region>', 'whose workers alone work on its batches')
    .option('--contact-email <address>', 'whom to write to')
    .option('--note <text>', 'for administrators')
    .action(({ contactEmail, ...options }: { contactEmail?: string }) =>
      run(
        async (admin, actor) => {
          const request = await checked(CreateAccountRequest, { ...options, contact_email: contactEmail });
          return accountReply(await admin.accountChanges.create(actor, accountRequestOf(request)));
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
    .description('Show an account with all that is newest of it: keys, batches, webhooks, ledger, audit.')
    .action((id: string) =>
      run(async (admin) => accountDetailsReply(await admin.accountPage.get(accountId(id)), admin.clock.now()), {
        text: accountText,
      }),
    );
  paged(accounts.command('ledger <account>'))
    .description('Show every change of the balance of an account, newest first.')
    .action((id: string, options: object) =>
      run(async (admin) => {
        const query = await checked(PageQuery, options);
        return creditHistoryReply(await admin.records.listLedger(accountId(id), query));
      }),
    );
  accounts
    .command('change <account>')
    .description(
      'Change the plan of an account (its credits stay), its region, whom to write to, or the note; an empty text takes it away.',
    )
    .addOption(planOption('its limits'))
    .option('--region <region>', 'whose workers alone work on its batches')
    .option('--contact-email <address>', 'whom to write to')
    .option('--note <text>', 'for administrators')
    .action((id: string, options: AccountOptions, command: Command) => {
      requireOptions(options, command);
      const { plan, region, contactEmail, note } = options;
      return run(async (admin, actor) => {
        const typed = { plan, region: orNull(region), contact_email: orNull(contactEmail), note: orNull(note) };
        const change = accountChangeOf(await checked(ChangeAccountRequest, typed));
        return accountOverviewReply(await admin.accountChanges.change(actor, accountId(id), change));
      });
    });
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
        isFine: ({ differing, differing_ceilings }) => differing.length + differing_ceilings.length === 0,
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

/** A command line has no null: an empty text stands for it. */
const orNull = (typed: string | undefined) => (typed === '' ? null : typed);
const accountId = (typed: string) => readUuid(typed, 'account_not_found');
function auditText({ accounts, differing, differing_ceilings }: ReturnType<typeof creditsAuditReply>): string {
  if (differing_ceilings.length > 0)
    return `${differing.length} of ${counted(accounts, 'account')} and ${counted(differing_ceilings.length, 'ceiling')} of keys differ from what the ledger says.\n\n${textOf({ differing, differing_ceilings })}`;
  if (differing.length === 0 && accounts === 1) return 'The one account agrees: its balance is what its ledger says.\n';
  if (differing.length === 0)
    return `${counted(accounts, 'account agrees', 'accounts agree')}: every balance is what its ledger says.\n`;
  return `${differing.length} of ${counted(accounts, 'account')} differ: their balance is not what their ledger says.\n\n${textOf({ differing })}`;
}
