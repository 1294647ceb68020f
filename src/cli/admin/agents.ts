import { Command } from 'commander';
import { AgentsQuery, AuditQuery, CapacityRequest, RevokeAgentsRequest } from '../../admin/bodies/admin.dto.js';
import { agentReply, poolReply } from '../../admin/bodies/agent.reply.js';
import { adminAuditEntryReply } from '../../admin/bodies/audit-entry.reply.js';
import { revokeCommand } from './keys.js';
import { checked, paged, type Run, whole } from './run.js';
import { pageReply } from '../../platform/http/page.js';

export function agentCommands(run: Run): Command {
  const agents = new Command('agents').description(
    'Agent keys: search, revoke one, revoke what an address registered.',
  );
  paged(agents.command('search'))
    .description('Look for agents, newest first; without an option all of them.')
    .option('--address <address>', 'registered from this IP address or network')
    .option('--text <text>', 'part of name, purpose or contact')
    .option('--last-four <characters>', 'the last four characters of the token')
    .action((options: { lastFour?: string; address?: string; text?: string }) =>
      run(async (admin) => {
        const query = await checked(AgentsQuery, { ...options, last_four: options.lastFour });
        const search = { address: query.address ?? null, text: query.text ?? null, lastFour: query.last_four ?? null };
        const page = await admin.agents.search(search, query);
        return pageReply('agents', page, (agent) => agentReply(agent, admin.clock.now()));
      }),
    );
  agents.addCommand(revokeCommand(run, "Revoke an agent's key for ever."));
  agents
    .command('revoke-address <address>')
    .description('Revoke every working key that was registered from an IP address or a network such as 2001:db8::/64.')
    .action((typed: string) =>
      run(async (admin, actor) => {
        const { address } = await checked(RevokeAgentsRequest, { address: typed });
        return { address, revoked: await admin.agents.revokeByAddress(actor, address) };
      }),
    );
  return agents;
}

export function poolCommands(run: Run): Command {
  const pool = new Command('pool').description('The credits that all agents share on a UTC day.');
  pool
    .command('show')
    .description("Show today's pool.")
    .action(() => run(async (admin) => poolReply(await admin.pool.getToday())));
  pool
    .command('set')
    .argument('<capacity>', 'credits, or "default"', (text) => (text === 'default' ? null : whole(text)))
    .description('Change the capacity for the rest of the UTC day; "default" takes the change back.')
    .action((typed: number | null) =>
      run(async (admin, actor) => {
        const { capacity } = await checked(CapacityRequest, { capacity: typed });
        return poolReply(await admin.pool.setTodaysCapacity(actor, capacity));
      }),
    );
  return pool;
}

export function auditCommand(run: Run): Command {
  return paged(new Command('audit'))
    .description('Show what administrators have changed, newest first.')
    .option('--account <account>', 'only what concerns this account')
    .action((options: { account?: string }) =>
      run(async (admin) => {
        const query = await checked(AuditQuery, { ...options, account_id: options.account });
        return pageReply('entries', await admin.audit.list(query.account_id ?? null, query), adminAuditEntryReply);
      }),
    );
}
