import { Command, Option } from 'commander';
import { DEFAULT_PLAN, PLANS } from '../../platform/config/policies.js';
import {
  paged,
  requireOptions,
  type Run,
  whole,
  type AdminSchemas,
  ofId,
  orNull,
  type PageOptions,
  type ReasonOptions,
} from './run.js';
import { textOf } from './text.js';
import { counted } from '../../platform/counted.js';
import type { CreditsAuditReply } from '../../admin/bodies/account.reply.js';

type Plan = 'free' | 'pro' | 'scale';

interface AccountOptions {
  readonly plan?: Plan;
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
    .action(({ contactEmail, ...options }: AccountOptions & { name: string }) =>
      run.ask((api) => api.POST('/admin/v1/accounts', { body: { ...options, contact_email: contactEmail } })),
    );
  paged(accounts.command('list'))
    .description('List accounts, newest first.')
    .addOption(planOption('only these'))
    .action((query: PageOptions & { plan?: Plan }) =>
      run.ask((api) => api.GET('/admin/v1/accounts', { params: { query } })),
    );
  accounts
    .command('show <account>')
    .description('Show an account with all that is newest of it: keys, batches, webhooks, ledger, audit.')
    .action((id: string) => run.ask((api) => api.GET('/admin/v1/accounts/{id}', ofId(id)), { text: accountText }));
  paged(accounts.command('ledger <account>'))
    .description('Show every change of the balance of an account, newest first.')
    .action((id: string, query: PageOptions) =>
      run.ask((api) => api.GET('/admin/v1/accounts/{id}/ledger', { params: { path: { id }, query } })),
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
      const body = { plan, region: orNull(region), contact_email: orNull(contactEmail), note: orNull(note) };
      return run.ask((api) => api.PATCH('/admin/v1/accounts/{id}', { ...ofId(id), body }));
    });
  accounts
    .command('suspend <account>')
    .description('Answer all keys of an account with 403 account_suspended until it is resumed.')
    .requiredOption('--reason <text>', 'why, for the audit log')
    .action((id: string, body: ReasonOptions) =>
      run.ask((api) => api.POST('/admin/v1/accounts/{id}/suspend', { ...ofId(id), body })),
    );
  accounts
    .command('resume <account>')
    .description('Let the keys of a suspended account work again.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/accounts/{id}/resume', ofId(id))));
  return accounts;
}

export function creditCommands(run: Run): Command {
  const credits = new Command('credits').description('Credits of full accounts: grant, adjust, audit.');
  credits
    .command('grant <account>')
    .description('Add credits that were bought or given.')
    .requiredOption('--amount <credits>', 'above 0', whole)
    .requiredOption('--reason <text>', 'why, for ledger and audit log')
    .action((id: string, body: AdminSchemas['GrantRequest']) =>
      run.ask((api) => api.POST('/admin/v1/accounts/{id}/credits/grant', { ...ofId(id), body })),
    );
  credits
    .command('adjust <account>')
    .description('Correct a balance, up or down, never below 0.')
    .requiredOption('--amount <credits>', 'such as -5', whole)
    .requiredOption('--reason <text>', 'why, for ledger and audit log')
    .action((id: string, body: AdminSchemas['AdjustRequest']) =>
      run.ask((api) => api.POST('/admin/v1/accounts/{id}/credits/adjust', { ...ofId(id), body })),
    );
  credits
    .command('audit')
    .description(
      'Prove of every account that its balance is what its ledger says, and name those that differ (exit 1).',
    )
    .action(() =>
      run.onDatabase((program) => program.auditCredits(), {
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

function auditText({ accounts, differing, differing_ceilings }: CreditsAuditReply): string {
  if (differing_ceilings.length > 0)
    return `${differing.length} of ${counted(accounts, 'account')} and ${counted(differing_ceilings.length, 'ceiling')} of keys differ from what the ledger says.\n\n${textOf({ differing, differing_ceilings })}`;
  if (differing.length === 0 && accounts === 1) return 'The one account agrees: its balance is what its ledger says.\n';
  if (differing.length === 0)
    return `${counted(accounts, 'account agrees', 'accounts agree')}: every balance is what its ledger says.\n`;
  return `${differing.length} of ${counted(accounts, 'account')} differ: their balance is not what their ledger says.\n\n${textOf({ differing })}`;
}

/** An account for a person: its fields, then a table of each kind of thing with the columns that fit a terminal. */
function accountText(account: AdminSchemas['AccountDetailsReply']): string {
  const { keys, batches, webhooks, ledger, audit, credits, agent, usage, agent_credits, ...fields } = account;
  const told = agent && { purpose: agent.purpose, contact: agent.contact, registered_from: agent.client_address };
  return [
    textOf({ ...fields, ...prefixed(credits ?? agent_credits ?? {}), ...told }),
    section('Usage of 30 days', usage.usage, [
      'value',
      'items',
      'credits',
      'free_credits',
      'refused_402',
      'refused_429',
    ]),
    section('Keys', keys, ['id', 'kind', 'name', 'last_four', 'status', 'last_used_at']),
    section('Batches', batches, ['id', 'status', 'test', 'total_emails', 'credits_charged', 'created_at']),
    section('Webhooks', webhooks, ['id', 'url', 'mode', 'enabled', 'failing_since', 'last_success_at']),
    section('Ledger', ledger, ['created_at', 'kind', 'amount', 'balance_after', 'what_for']),
    section('Audit', audit.map(actOf), ['at', 'act', 'by', 'from', 'key_id']),
  ].join('\n');
}

function actOf({ actor, ...entry }: AdminSchemas['AccountDetailsReply']['audit'][number]): object {
  return { ...entry, by: actor.name };
}

function prefixed(credits: object): object {
  return Object.fromEntries(Object.entries(credits).map(([name, value]) => [`credits_${name}`, value]));
}

function section(title: string, rows: readonly object[], columns: readonly string[]): string {
  const picked = rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name as keyof typeof row]])));
  return `${title}\n${textOf({ rows: picked })}`;
}
