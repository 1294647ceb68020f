import { Command } from 'commander';
import { DEFAULT_PLAN, PLANS } from '../../platform/config/policies.js';
import { type AdminCommandOf, type AdminSchemas, asks, REASON } from './commands.js';
import { group, option, PAGE, whole } from '../terminal/route-commands.js';
import { textOf } from '../terminal/reply-text.js';
import { counted } from '../../platform/counted.js';
import type { CreditsAuditReply } from '../../admin/bodies/account.reply.js';

/** Where the policies cannot be read it takes anything, so that what is wrong with them is told, and not with the plan. */
function plan(description: string) {
  const made = option('--plan <plan>', description);
  return PLANS.length === 0 ? made : made.choices(PLANS);
}

const particulars = () => [
  option('--region <region>', 'whose workers alone work on its batches'),
  option('--contact-email <address>', 'whom to write to'),
  option('--note <text>', 'for administrators'),
];

export const accountCommands = group('accounts', 'Full accounts: create, look at, change, suspend.', [
  asks(
    'create',
    'Create an account, with the credits that its plan grants once. Keys are created with "keys create".',
    'POST /accounts',
    {
      options: [
        option('--name <name>', 'whose it is').makeOptionMandatory(),
        plan('its limits').default(DEFAULT_PLAN),
        ...particulars(),
      ],
    },
  ),
  asks('list', 'List accounts, newest first.', 'GET /accounts', { options: [...PAGE, plan('only these')] }),
  asks(
    'show <account>',
    'Show an account with all that is newest of it: keys, batches, webhooks, ledger, audit.',
    'GET /accounts/{id}',
    { text: accountText },
  ),
  asks(
    'ledger <account>',
    'Show every change of the balance of an account, newest first.',
    'GET /accounts/{id}/ledger',
    { options: PAGE },
  ),
  asks(
    'change <account>',
    'Change the plan of an account (its credits stay), its region, whom to write to, or the note; an empty text takes it away.',
    'PATCH /accounts/{id}',
    { options: [plan('its limits'), ...particulars().map((one) => one.orNull())] },
  ),
  asks(
    'suspend <account>',
    'Answer all keys of an account with 403 account_suspended until it is resumed.',
    'POST /accounts/{id}/suspend',
    { options: [REASON] },
  ),
  asks('resume <account>', 'Let the keys of a suspended account work again.', 'POST /accounts/{id}/resume'),
]);

const GRANTED_WHY = option('--reason <text>', 'why, for ledger and audit log').makeOptionMandatory();

const amount = (description: string) =>
  option('--amount <credits>', description).argParser(whole).makeOptionMandatory();

/** It works on the database: HTTP has no route that reads every ledger. */
const auditOfCredits: AdminCommandOf = (run) =>
  new Command('audit')
    .description(
      'Prove of every account that its balance is what its ledger says, and name those that differ (exit 1).',
    )
    .action(() =>
      run.onDatabase((program) => program.auditCredits(), {
        isFine: ({ differing, differing_ceilings }) => differing.length + differing_ceilings.length === 0,
        text: auditText,
      }),
    );

export const creditCommands = group('credits', 'Credits of full accounts: grant, adjust, audit.', [
  asks('grant <account>', 'Add credits that were bought or given.', 'POST /accounts/{id}/credits/grant', {
    options: [amount('above 0'), GRANTED_WHY],
  }),
  asks('adjust <account>', 'Correct a balance, up or down, never below 0.', 'POST /accounts/{id}/credits/adjust', {
    options: [amount('such as -5'), GRANTED_WHY],
  }),
  auditOfCredits,
]);

function auditText({ accounts, differing, differing_ceilings }: CreditsAuditReply): string {
  if (differing_ceilings.length > 0)
    return `${differing.length} of ${counted(accounts, 'account')} and ${counted(differing_ceilings.length, 'ceiling')} of keys differ from what the ledger says.\n\n${textOf({ differing, differing_ceilings })}`;
  // An account that was never granted any has neither a balance nor a ledger.
  if (differing.length === 0 && accounts === 0) return 'No account has ever had credits.\n';
  if (differing.length === 0)
    return `${counted(accounts, 'account that has had credits agrees', 'accounts that have had credits agree')}: every balance is what its ledger says.\n`;
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
