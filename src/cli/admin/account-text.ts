import type { AccountDetailsReply } from '../../admin/bodies/account-page.reply.js';
import { textOf } from './text.js';

/** An account for a person: its fields, then a table of each kind of thing with the columns that fit a terminal. */
export function accountText(account: AccountDetailsReply): string {
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

function actOf({ actor, ...entry }: AccountDetailsReply['audit'][number]): object {
  return { ...entry, by: actor.name };
}

function prefixed(credits: object): object {
  return Object.fromEntries(Object.entries(credits).map(([name, value]) => [`credits_${name}`, value]));
}

function section(title: string, rows: readonly object[], columns: readonly string[]): string {
  const picked = rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name as keyof typeof row]])));
  return `${title}\n${textOf({ rows: picked })}`;
}
